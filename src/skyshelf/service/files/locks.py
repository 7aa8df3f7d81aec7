"""Locks: which of them stand in the way of a change, and taking, refreshing and releasing one.

A client proves that it holds a lock by its token. An exclusive lock admits only its holder, and shared ones admit any
of their holders. The rules are those of RFC 4918; other doors than WebDAV know no locks.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.webdav import Lock
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import LOCK_SECONDS_MAX

Guard = Callable[[Unit], None]
"""Raises what keeps a change from being made; it runs in the change's transaction, which holds the account."""

_SECOND: Final = 1000


class Locked(ServiceError):
    """A lock stands in the way."""

    def __init__(self, lock: Lock) -> None:
        super().__init__(codes.LOCKED)
        self.lock = lock


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What a request is about to change, by keys."""

    changed: Sequence[str] = ()
    """Objects whose content or properties change."""
    members_of: Sequence[str] = ()
    """Folders that get or lose an entry."""
    removed: Sequence[str] = ()
    """Objects that leave their place with everything below them."""


class HeldLocks:
    """The locks of an account at one moment."""

    def __init__(self, unit: Unit, account_id: int, now: int) -> None:
        self._unit = unit
        self._account_id = account_id
        self.locks = unit.locks.of_account(account_id, now)
        self._by_object: dict[str, list[Lock]] = {}
        for lock in self.locks:
            self._by_object.setdefault(lock.object_key, []).append(lock)

    def covering(self, object_key: str) -> list[Lock]:
        """The locks that hold for an object: its own, and those of folders above it that reach down to it."""
        if not self.locks:
            return []
        own = self._by_object.get(object_key, [])
        above = self._unit.tree.ancestors(self._account_id, object_key)
        return [
            *own,
            *(lock for folder in above for lock in self._by_object.get(folder.object_key, []) if lock.is_deep),
        ]

    def covering_children(self, folder_key: str) -> Callable[[str], list[Lock]]:
        """The same for the entries of one folder, with one look above it."""
        if not self.locks:
            return lambda _: []
        deep = [lock for lock in self.covering(folder_key) if lock.is_deep]
        return lambda key: [*self._by_object.get(key, []), *deep]

    def at_or_below(self, object_key: str) -> list[Lock]:
        """The locks of an object and of everything below it."""
        if not self.locks:
            return []
        objects, folders = self._unit.places.above(self._account_id, list(self._by_object))
        parents = {folder.object_key: folder.parent_key for folder in folders}
        parents |= {place.object.object_key: place.object.parent_key for place in objects}
        return [lock for lock in self.locks if object_key in _way_up(parents, lock.object_key)]

    def check(self, change: Change, tokens: frozenset[str]) -> None:
        """Locked unless the tokens open everything that is about to change."""
        if not self.locks:
            return
        for key in change.changed:
            _admit(self.covering(key), tokens)
        for key in change.members_of:
            _admit(self.covering(key), tokens)
        for key in change.removed:
            _admit(self.covering(key), tokens)
            for held in _by_place(self.at_or_below(key)):
                _admit(held, tokens)


def _way_up(parents: dict[str, str | None], key: str) -> Iterable[str]:
    at: str | None = key
    while at is not None:
        yield at
        at = parents.get(at)


def _by_place(locks: Sequence[Lock]) -> Iterable[list[Lock]]:
    places: dict[str, list[Lock]] = {}
    for lock in locks:
        places.setdefault(lock.object_key, []).append(lock)
    return places.values()


def _admit(held: Sequence[Lock], tokens: frozenset[str]) -> None:
    """One of several shared locks is enough; beside an exclusive one there is no other."""
    if held and not any(lock.lock_key in tokens for lock in held):
        raise Locked(held[0])


# Taking, refreshing and releasing


class WantedLock(msgspec.Struct, frozen=True, kw_only=True):
    is_exclusive: bool
    is_deep: bool
    owner: str
    seconds: int | None
    """How long the client wants it; None where it does not say."""

    def lasting(self) -> int:
        return lasting(self.seconds)


def lasting(seconds: int | None) -> int:
    """How long a lock lasts, in milliseconds."""
    return min(LOCK_SECONDS_MAX if seconds is None else max(1, seconds), LOCK_SECONDS_MAX) * _SECOND


def take(unit: Unit, account_id: int, lock: Lock, now: int) -> None:
    """Lock an object; Locked where that conflicts with another lock. The account is held."""
    held = HeldLocks(unit, account_id, now)
    in_the_way = held.covering(lock.object_key) + (held.at_or_below(lock.object_key) if lock.is_deep else [])
    for other in in_the_way:
        if lock.is_exclusive or other.is_exclusive:
            raise Locked(other)
    unit.locks.add(account_id, lock, now)


def refresh(
    ctx: ServiceContext, caller: Caller, object_key: str, tokens: frozenset[str], seconds: int | None
) -> list[Lock]:
    """Let the locks with these tokens that hold for an object last longer; CONDITION_FAILED where there is none."""
    now = ctx.clock.now()

    def work(unit: Unit) -> list[Lock]:
        unit.locks.hold_account(caller.account_id)
        mine = [
            lock for lock in HeldLocks(unit, caller.account_id, now).covering(object_key) if lock.lock_key in tokens
        ]
        if not mine:
            raise ServiceError(codes.CONDITION_FAILED, "There is no such lock on it, or it has expired")
        extended = [msgspec.structs.replace(lock, expires_at=now + lasting(seconds)) for lock in mine]
        for lock in extended:
            unit.locks.extend(caller.account_id, lock.lock_key, lock.expires_at, now)
        return extended

    return ctx.metadata.write(work)


def release(ctx: ServiceContext, caller: Caller, object_key: str, token: str) -> bool:
    """Release a lock that holds for an object; false where none of that token does."""
    now = ctx.clock.now()

    def work(unit: Unit) -> bool:
        unit.locks.hold_account(caller.account_id)
        covering = HeldLocks(unit, caller.account_id, now).covering(object_key)
        if all(lock.lock_key != token for lock in covering):
            return False
        return bool(unit.locks.remove(caller.account_id, [token]))

    return ctx.metadata.write(work)
