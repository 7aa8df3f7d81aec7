"""PROPPATCH: properties that clients set are stored as they are, all of a request or none."""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from xml.etree.ElementTree import Element

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.multistatus import head, multistatus, status_entry
from skyshelf.server.dav.properties import PropertyName, PropertyTable
from skyshelf.server.dav.xml_bodies import DAV, dav_child, is_dav, language_of, name_of, parse, refuse_many, text_of
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change
from skyshelf.storage.errors import LimitReached
from skyshelf.storage.metadata.contracts.tree import DeadProperty
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes

MICROSOFT: Final = "urn:schemas-microsoft-com:"
# Properties that set the dates of a file. Explorer uses two of them to preserve a file's dates.
_MODIFIED: Final = frozenset({(DAV, "getlastmodified"), (MICROSOFT, "Win32LastModifiedTime")})
_CREATED: Final = frozenset({(DAV, "creationdate"), (MICROSOFT, "Win32CreationTime")})
_LATEST: Final = 253_402_300_799


class Update(msgspec.Struct, frozen=True):
    """The outcome of a list of instructions, the last of which counts: a value, or None for a removal."""

    values: Mapping[PropertyName, DeadProperty | None]
    texts: Mapping[PropertyName, str]
    """The text of the properties that are set."""

    def date(self, names: frozenset[PropertyName]) -> int | None:
        """Return the date that one of these properties is set to, in epoch milliseconds."""
        dates = [epoch_ms(self.texts[name]) for name in names if name in self.texts]
        return next((date for date in dates if date is not None), None)

    def is_protected(self, name: PropertyName, table: PropertyTable) -> bool:
        """Return whether a property cannot be set or removed like this; dates can be set to a valid date."""
        if table.find(name) is None:
            return False
        return name not in (_MODIFIED | _CREATED) or epoch_ms(self.texts.get(name, "")) is None


def timestamp_in(text: str) -> float | None:
    """Parse a date in the format of HTTP or RFC 3339, or in seconds; return None for anything else."""
    try:
        if text.isascii() and text.isdigit() and len(text) <= 12:
            return float(text)
        date = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return date.replace(tzinfo=date.tzinfo or UTC).timestamp()
    except (ValueError, OverflowError):
        return None


def epoch_ms(text: str) -> int | None:
    """Return the date in a text, in epoch milliseconds; None if it is not one that a file can have."""
    seconds = timestamp_in(text.strip())
    return int(seconds * 1000) if seconds is not None and 0 <= seconds <= _LATEST else None


def update_in(body: bytes) -> Update:
    root = parse(body) if body else None
    if root is None or not is_dav(root, "propertyupdate"):
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a propertyupdate element")
    values: dict[PropertyName, DeadProperty | None] = {}
    texts: dict[PropertyName, str] = {}
    for instruction in root:
        wanted = dav_child(instruction, "prop")
        if wanted is None or not (is_dav(instruction, "set") or is_dav(instruction, "remove")):
            continue
        language = language_of(wanted) or language_of(instruction) or language_of(root)
        for child in wanted:
            name = name_of(child)
            texts.pop(name, None)
            if is_dav(instruction, "set"):
                texts[name] = child.text or ""
            values[name] = _dead(child, language) if name in texts else None
    refuse_many(values)
    if not values:
        raise ServiceError(codes.INVALID_REQUEST, "A propertyupdate element has set or remove, each with prop")
    return Update(values, texts)


def _dead(element: Element, language: str | None) -> DeadProperty:
    namespace, local = name_of(element)
    return DeadProperty(namespace, local, text_of(element, language))


async def proppatch(call: DavCall) -> Response:
    body = await call.body()
    return await call.threads.call(lambda: _update(call, update_in(body)))


def _update(call: DavCall, update: Update) -> Response:
    table, names = call.dialect.properties, list(update.values)
    with call.ctx.metadata.read() as unit:
        found = call.find(unit)
    href = call.href(call.names, is_folder=found.is_folder)
    guard = call.guard(Change(changed=[found.object_key]), found=found)
    writable = {name: one.write for name in names if (one := table.find(name)) is not None and one.write is not None}
    protected = [name for name in names if name not in writable and update.is_protected(name, table)]
    if protected:
        error = "<D:error><D:cannot-modify-protected-property/></D:error>"
        rest = [name for name in names if name not in protected]
        with call.ctx.metadata.read() as unit:
            guard(unit)
        return _answer(table, href, {403: protected, 424: rest} if rest else {403: protected}, error)
    kept = [one for one in update.values.values() if one is not None and table.find((one.namespace, one.name)) is None]
    removed = [name for name, value in update.values.items() if value is None and name not in writable]

    created_at, modified_at = update.date(_CREATED), update.date(_MODIFIED)
    now = call.ctx.clock.now()

    def work(unit: Unit) -> None:
        call.caller.act_in(unit)
        unit.locks.hold_account(call.account_id)
        guard(unit)
        for name, write in writable.items():
            write(unit, found, update.texts.get(name), now)
        if removed:
            unit.dead_properties.remove(call.account_id, found.object_key, removed)
        if kept:
            unit.dead_properties.set(call.account_id, found.object_key, kept)
        if created_at is not None or modified_at is not None:
            key = found.object_key
            unit.files.set_dates(call.account_id, key, now, created_at=created_at, modified_at=modified_at)

    try:
        call.ctx.metadata.write(work)
    except LimitReached:
        return _answer(table, href, {507: names})
    return _answer(table, href, {200: names})


def _answer(table: PropertyTable, href: str, statuses: Mapping[int, list[PropertyName]], error: str = "") -> Response:
    return multistatus(head(table), status_entry(table, href, statuses, error))
