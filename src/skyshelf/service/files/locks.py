"""Locks: which of them block a change, and taking, refreshing and releasing one.

A client proves with a token that it holds a lock. An exclusive lock admits only its holder, and shared locks admit any
of their holders. The rules are those of RFC 4918; only WebDAV has locks.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.tree import Lock
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import LOCK_SECONDS_MAX, LOCKS_OF_RESOURCE_MAX

Guard = Callable[[Unit], None]
"""Raises an error if a change must not be made. Runs in the change's transaction, which holds the account."""

_SECOND: Final = 1000


class Locked(ServiceError):
    """A lock blocks the change."""

    def __init__(self, lock: Lock) -> None:
        super().__init__(codes.LOCKED)
        self.lock = lock


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """The objects that a request is about to change, by keys."""

    changed: Sequence[str] = ()
    """Objects whose content or properties change."""
    members_of: Sequence[str] = ()
    """Folders that get or lose an entry."""
    removed: Sequence[str] = ()
    """Objects that leave their place with everything below them."""


class HeldLocks:
    """An account's locks at one moment."""

    def __init__(self, unit: Unit, account_id: int, now: int) -> None:
        self._unit = unit
        self._account_id = account_id
        self.locks = unit.locks.of_account(account_id, now)
        self._by_object: dict[str, list[Lock]] = {}
        self._deep: dict[str | None, list[Lock]] = {}
        """Deep locks of a folder and of those above it, by its key."""
        for lock in self.locks:
            self._by_object.setdefault(lock.object_key, []).append(lock)

    def covering(self, object_key: str, parent_key: str | None = None) -> list[Lock]:
        """Return the locks that apply to an object: its own, and deep ones of folders above it.

        Those above a folder given as the parent are looked up once.
        """
        if not self.locks:
            return []
        deep = self._deep.get(parent_key)
        if deep is None:
            above = self._unit.tree.ancestors(self._account_id, object_key)
            deep = [lock for folder in above for lock in self._by_object.get(folder.object_key, []) if lock.is_deep]
            if parent_key is not None:
                self._deep[parent_key] = deep
        return self._by_object.get(object_key, []) + deep

    def at_or_below(self, object_key: str) -> list[Lock]:
        """Return the locks of an object and of everything below it."""
        if not self.locks:
            return []
        objects, folders = self._unit.places.above(self._account_id, list(self._by_object))
        parents = {folder.object_key: folder.parent_key for folder in folders}
        parents |= {place.object.object_key: place.object.parent_key for place in objects}
        return [lock for lock in self.locks if object_key in _way_up(parents, lock.object_key)]

    def check(self, change: Change, tokens: frozenset[str]) -> None:
        """Locked unless the tokens unlock everything that is about to change."""
        if not self.locks:
            return
        for key in (*change.changed, *change.members_of):
            _admit(self.covering(key), tokens)
        for key in change.removed:
            _admit(self.covering(key), tokens)
            for place in dict.fromkeys(lock.object_key for lock in self.at_or_below(key)):
                _admit(self._by_object[place], tokens)


def _way_up(parents: dict[str, str | None], key: str) -> Iterable[str]:
    at: str | None = key
    while at is not None:
        yield at
        at = parents.get(at)


def _admit(held: Sequence[Lock], tokens: frozenset[str]) -> None:
    """Locked unless the tokens include one of the locks. An exclusive lock is always the only one."""
    if held and not any(lock.lock_key in tokens for lock in held):
        raise Locked(held[0])


# Taking, refreshing and releasing


class WantedLock(msgspec.Struct, frozen=True, kw_only=True):
    is_exclusive: bool
    is_deep: bool
    owner: str
    seconds: int | None
    """The requested duration; None if the client does not state one."""


def lasting(seconds: int | None) -> int:
    """Return how long a lock lasts, in milliseconds."""
    return min(LOCK_SECONDS_MAX if seconds is None else max(1, seconds), LOCK_SECONDS_MAX) * _SECOND


def take(unit: Unit, account_id: int, lock: Lock, now: int) -> None:
    """Lock an object; Locked if that conflicts with another lock. The account is held."""
    held = HeldLocks(unit, account_id, now)
    in_the_way = held.covering(lock.object_key) + (held.at_or_below(lock.object_key) if lock.is_deep else [])
    for other in in_the_way:
        if lock.is_exclusive or other.is_exclusive:
            raise Locked(other)
    if len({other.lock_key for other in in_the_way}) >= LOCKS_OF_RESOURCE_MAX:
        raise LimitReached(f"At most {LOCKS_OF_RESOURCE_MAX} locks apply to a file or folder, and to what is below it")
    unit.locks.add(account_id, lock, now)


def refresh(
    ctx: ServiceContext, caller: Caller, object_key: str, tokens: frozenset[str], seconds: int | None
) -> list[Lock]:
    """Extend the locks with these tokens that apply to an object; CONDITION_FAILED if there are none."""
    now = ctx.clock.now()

    def work(unit: Unit) -> list[Lock]:
        unit.locks.hold_account(caller.account_id)
        covering = HeldLocks(unit, caller.account_id, now).covering(object_key)
        mine = [lock for lock in covering if lock.lock_key in tokens]
        if not mine:
            raise ServiceError(codes.CONDITION_FAILED, "There is no such lock on it, or it has expired")
        extended = [msgspec.structs.replace(lock, expires_at=now + lasting(seconds)) for lock in mine]
        for lock in extended:
            unit.locks.extend(caller.account_id, lock.lock_key, lock.expires_at, now)
        return extended

    return ctx.metadata.write(work)


def release(ctx: ServiceContext, caller: Caller, object_key: str, token: str) -> bool:
    """Release a lock that applies to an object; false if none with that token does."""
    now = ctx.clock.now()

    def work(unit: Unit) -> bool:
        unit.locks.hold_account(caller.account_id)
        covering = HeldLocks(unit, caller.account_id, now).covering(object_key)
        if all(lock.lock_key != token for lock in covering):
            return False
        return bool(unit.locks.remove(caller.account_id, [token]))

    return ctx.metadata.write(work)
