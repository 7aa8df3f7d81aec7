"""Recording events: in the transaction of the act, wherever there is one."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from msgspec.structs import replace

from skyshelf.service.audit.kinds import SENTENCES
from skyshelf.service.audit.origins import current_origin
from skyshelf.storage.metadata.audit_events import AuditEvent, Details
from skyshelf.storage.metadata.store import Unit

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext

T = TypeVar("T")
NAMES_KEPT: Final = 20
"""How many objects of one act are named; all are counted."""
_TEXT_MAX: Final = 200
_LIST_MAX: Final = 4000


class Owner(Protocol):
    """An account, or a caller."""

    @property
    def account_id(self) -> int: ...
    @property
    def account_key(self) -> str: ...


class Named(Protocol):
    """An object with a name."""

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
    """An event of this moment, with the origin of the current call. What is given as None is left out."""
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


def recorded(ctx: "ServiceContext", work: Callable[[Unit], T], *events: AuditEvent) -> T:
    """Run a write with its events, in one transaction. A work that returns False has done nothing, and leaves none."""

    def with_events(unit: Unit) -> T:
        result = work(unit)
        if result is not False:
            unit.audit.add(events)
        return result

    return ctx.metadata.write(with_events)


def about(event: AuditEvent, objects: Sequence[Named]) -> AuditEvent:
    """The event with these objects: how many, the first names, and all keys as far as there is room."""
    if len(objects) == 1:
        details = _bounded({**event.details, "name": objects[0].name})
    else:
        names, keys = [one.name for one in objects[:NAMES_KEPT]], [one.object_key for one in objects]
        details = _bounded({**event.details, "names": names, "keys": keys})
    return replace(event, object_key=objects[0].object_key, times=len(objects), details=details)


def about_keys(event: AuditEvent, keys: Sequence[str]) -> AuditEvent:
    """The same where the names are not known."""
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
    """Within bounds, and without what databases refuse: NUL, and halves of characters."""
    plain = text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
    return plain if len(plain) <= _TEXT_MAX else plain[: _TEXT_MAX - 1] + "…"
