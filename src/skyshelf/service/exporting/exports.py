"""Exports by the account's owner: begun with what a login requires, then downloaded part by part.

Nothing is stored. An export and its parts are tickets, which name the account and have a MAC: they are valid in
sessions of that account alone, on any instance, until the export expires. An expired or foreign one looks
like a missing one.
"""

import hmac
from typing import Final, TypeVar
from urllib.parse import urlencode

import msgspec

from skyshelf.service.accounts.passkeys.confirmation import confirmed
from skyshelf.service.audit import kinds, new_event
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, codes
from skyshelf.service.exporting.parts import Part, PlannedPart, divide, plan_part
from skyshelf.service.history.logs import log_now
from skyshelf.service.mail.outgoing import put_mail
from skyshelf.service.secret_table import EXPORTS
from skyshelf.service.secrets import from_base64url, to_base64url
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.endpoints.exports import DOWNLOAD_EXPORT
from skyshelf.wire.limits import EXPORT_DAYS
from skyshelf.wire.resources import exports as wire

LIFETIME_MS: Final = EXPORT_DAYS * 24 * 60 * 60 * 1000
_MAC_BYTES: Final = 16


class ExportTerms(msgspec.Struct, frozen=True, kw_only=True):
    """An export that its owner has confirmed."""

    account_key: str
    begun: int
    part_bytes: int


Ticket = TypeVar("Ticket", ExportTerms, Part)


def begin(
    ctx: ServiceContext, caller: Caller, request: wire.ExportRequest, address: str, origin: str
) -> wire.BegunExport:
    """Begin an export for a caller who confirms it. The event is recorded, and a message goes to the owner."""
    confirmation = confirmed(ctx, caller, request, address, origin)
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        if ctx.mail is not None:
            put_mail(unit, "export", "en", confirmation.account.email, now)

    confirmation.change(work, new_event(ctx, kinds.EXPORTED, caller, address=address))
    log_now(ctx, caller.account_id)
    ctx.job_notifier.notify()
    begun = ExportTerms(account_key=caller.account_key, begun=now, part_bytes=request.part_bytes)
    return wire.BegunExport(export=sealed(ctx, begun), begun_date=now, expiry_date=now + LIFETIME_MS)


def parts(ctx: ServiceContext, caller: Caller, query: wire.ExportQuery, origin: str) -> wire.ExportParts:
    """List the parts of an export, as the account would be divided now."""
    begun = _opened(ctx, caller, query.export, ExportTerms)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
    found = []
    for one in divide(ctx, account, begun.begun, begun.part_bytes):
        ticket = sealed(ctx, one.part)
        url = f"{origin}{DOWNLOAD_EXPORT.path}?{urlencode({'part': ticket})}"
        found.append(
            wire.ExportPart(part=ticket, number=one.part.number, objects=one.objects, size_in_bytes=one.size, url=url)
        )
    return wire.ExportParts(parts=found, begun_date=begun.begun, expiry_date=begun.begun + LIFETIME_MS)


def part_of(ctx: ServiceContext, caller: Caller, ticket: str) -> PlannedPart:
    """Plan the part of a ticket."""
    part = _opened(ctx, caller, ticket, Part)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_id(caller.account_id)
    return plan_part(ctx, account, part)


def sealed(ctx: ServiceContext, ticket: ExportTerms | Part) -> str:
    """Return a ticket as text."""
    data = msgspec.json.encode(msgspec.structs.astuple(ticket))
    return f"{to_base64url(data)}.{to_base64url(_mac(ctx, type(ticket), data))}"


def _opened(ctx: ServiceContext, caller: Caller, text: str, kind: type[Ticket]) -> Ticket:
    """Return a ticket of the caller's own account that has not expired; EXPORT_NOT_FOUND for anything else."""
    body, _, mac = text.partition(".")
    try:
        data = from_base64url(body)
        if not hmac.compare_digest(_mac(ctx, kind, data), from_base64url(mac)):
            raise ServiceError(codes.EXPORT_NOT_FOUND)
        fields = msgspec.json.decode(data, type=list[str | int | None])
        ticket = msgspec.convert(dict(zip(kind.__struct_fields__, fields, strict=True)), kind)
    except (ValueError, msgspec.MsgspecError):
        raise ServiceError(codes.EXPORT_NOT_FOUND) from None
    if ticket.account_key != caller.account_key or ctx.clock.now() >= ticket.begun + LIFETIME_MS:
        raise ServiceError(codes.EXPORT_NOT_FOUND)
    return ticket


def _mac(ctx: ServiceContext, kind: type[ExportTerms | Part], data: bytes) -> bytes:
    return hmac.digest(ctx.secret(EXPORTS), kind.__name__.encode() + b"\0" + data, "sha256")[:_MAC_BYTES]
