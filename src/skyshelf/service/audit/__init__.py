"""The audit trail: an append-only record of logins, failures, shares, link downloads, deletions and admin actions.

Events are recorded in the transaction of the action, wherever there is one. The kinds are in kinds.py, reading is in
search.py.
"""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from msgspec.structs import replace

from skyshelf.service.audit.kinds import SENTENCES
from skyshelf.storage.metadata.audit_events import AuditEvent, Details
from skyshelf.storage.metadata.store import Unit

if TYPE_CHECKING:
    from skyshelf.service.context import Caller, ServiceContext

T = TypeVar("T")
NAMES_KEPT: Final = 20
"""How many objects of one action are named; all are counted."""
_TEXT_MAX: Final = 200
_LIST_MAX: Final = 4000


class Owner(Protocol):
    """An account, or a caller."""

    @property
    def account_id(self) -> int: ...
    @property
    def account_key(self) -> str: ...


class NamedObject(Protocol):
    @property
    def object_key(self) -> str: ...
    @property
    def name(self) -> str: ...


def new_event(
    ctx: "ServiceContext",
    kind: str,
    owner: Owner | None = None,
    *,
    account_id: int = 0,
    address: str | None = None,
    device_key: str | None = None,
    object_key: str = "",
    link_key: str = "",
    times: int = 1,
    **details: str | int | list[str] | None,
) -> AuditEvent:
    """Build an event of this moment, with the origin of the current call. Details that are None are left out."""
    assert kind in SENTENCES, f"{kind} needs a sentence"
    origin = current_origin.get()
    caller = origin.caller
    account_id = account_id if owner is None else owner.account_id
    actor = origin.actor
    if not actor and caller is not None and caller.account_id != account_id:
        actor = caller.account_key
    if device_key is None:
        device_key = str(getattr(owner, "device_key", "")) or (caller.device_key if caller is not None else "")
    return AuditEvent(
        kind=kind,
        at=ctx.clock.now(),
        account_id=account_id,
        account_key="" if owner is None else owner.account_key,
        actor=_cut(actor),
        address=_cut(origin.address if address is None else address),
        device_key=device_key,
        object_key=object_key,
        link_key=link_key,
        times=times,
        details=_bounded(details),
    )


def recorded(ctx: "ServiceContext", work: Callable[[Unit], T], *events: AuditEvent, by: "Caller | None" = None) -> T:
    """Run a write with its events, in one transaction. Work that returns False did nothing and leaves no events.

    History attributes the write to the caller, if there is one.
    """

    def with_events(unit: Unit) -> T:
        if by is not None:
            by.act_in(unit)
        result = work(unit)
        if result is not False:
            unit.audit.add(events)
        return result

    return ctx.metadata.write(with_events)


def about(event: AuditEvent, objects: Sequence[NamedObject]) -> AuditEvent:
    """Add objects to an event: their number, the first names, and as many keys as fit."""
    if len(objects) == 1:
        details = _bounded({**event.details, "name": objects[0].name})
    else:
        names, keys = [one.name for one in objects[:NAMES_KEPT]], [one.object_key for one in objects]
        details = _bounded({**event.details, "names": names, "keys": keys})
    return replace(event, object_key=objects[0].object_key, times=len(objects), details=details)


def about_keys(event: AuditEvent, keys: Sequence[str]) -> AuditEvent:
    """Add objects to an event where only their keys are known."""
    details = event.details if len(keys) == 1 else _bounded({**event.details, "keys": list(keys)})
    return replace(event, object_key=keys[0], times=len(keys), details=details)


def _bounded(details: Mapping[str, str | int | list[str] | None]) -> Details:
    kept: Details = {}
    for name, value in details.items():
        if isinstance(value, list):
            kept[name] = _first_of(value)
        elif value is not None:
            kept[name] = _cut(value) if isinstance(value, str) else value
    return kept


def _first_of(values: list[str]) -> list[str]:
    room, kept = _LIST_MAX, []
    for value in values:
        text = _cut(value)
        room -= len(text)
        if room < 0:
            break
        kept.append(text)
    return kept


def _cut(text: str) -> str:
    """Limit a text, and replace what databases refuse: NUL, and lone surrogates."""
    plain = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
    return plain if len(plain) <= _TEXT_MAX else plain[: _TEXT_MAX - 1] + "…"


# Origins: the address, the session, or the command that an operator runs. The server sets one for each request,
# `skyshelf admin` for each command. Events are recorded with it, so no function has to pass it on.


class ActingCaller(Owner, Protocol):
    """The calling account, and the device it uses."""

    @property
    def device_key(self) -> str: ...


class Origin:
    """The origin of a call. Its address is determined on demand, since most requests never need it."""

    __slots__ = ("_address", "actor", "caller")

    def __init__(self, address: Callable[[], str] | None = None, *, actor: str = "") -> None:
        self._address = address
        self.actor = actor
        """The actor, if it is not an account: `command:` and the user who runs it."""
        self.caller: ActingCaller | None = None
        """The account and device, once they are known."""

    @property
    def address(self) -> str:
        return "" if self._address is None else self._address()


NOWHERE = Origin()
"""The origin of background jobs, and of programs that use the service directly."""
current_origin: ContextVar[Origin] = ContextVar("current_origin", default=NOWHERE)


def note_caller(caller: ActingCaller) -> None:
    """Record that the current request is this caller's."""
    origin = current_origin.get()
    if origin is not NOWHERE:
        origin.caller = caller
