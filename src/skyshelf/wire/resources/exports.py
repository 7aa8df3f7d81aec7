"""The export of an account: what begins it, and its parts."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.wire.limits import EXPORT_PART_BYTES_DEFAULT, EXPORT_PART_BYTES_MIN
from skyshelf.wire.models import AnswerModel, QueryModel
from skyshelf.wire.resources.passkeys import ConfirmationRequest

TICKET_CHARS_MAX: Final = 512

PartBytes = Annotated[int, Meta(ge=EXPORT_PART_BYTES_MIN, le=2**40)]
Ticket = Annotated[
    str,
    Meta(min_length=1, max_length=TICKET_CHARS_MAX, pattern="^[A-Za-z0-9_.-]+$", description="as the server made it"),
]


class ExportRequest(ConfirmationRequest, frozen=True, kw_only=True):
    """What a login needs, since an open session alone must not take everything away; and the size of the parts."""

    part_bytes: PartBytes = EXPORT_PART_BYTES_DEFAULT


class BegunExport(AnswerModel, frozen=True, kw_only=True):
    """An export whose parts can be listed and downloaded until its expiry, by the account alone."""

    export: str
    begun_date: int | None = None
    expiry_date: int | None = None


class ExportQuery(QueryModel, frozen=True, kw_only=True):
    """The export, as it was begun."""

    export: Ticket


class ExportPart(AnswerModel, frozen=True, kw_only=True):
    """A ZIP file of the export. Sizes are those at the time of the list; changes since then are in the part."""

    part: str
    number: int | None = None
    objects: int | None = None
    size_in_bytes: int | None = None
    url: str | None = None


class ExportParts(AnswerModel, frozen=True, kw_only=True):
    """All parts of an export, in order. Unpacked into one folder, they are the whole account."""

    parts: list[ExportPart] | None = None
    begun_date: int | None = None
    expiry_date: int | None = None


class ExportPartQuery(QueryModel, frozen=True, kw_only=True):
    """The part, as the list has it. The nonce replaces a session and is checked like one."""

    part: Ticket
    nonce: str | None = None
