"""The address book, which is paged by headers, and extensions to edit, import and export it."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from skyshelf.wire import limits
from skyshelf.wire.cursors import Cursor
from skyshelf.wire.error_codes import CONTACTS_PAGING
from skyshelf.wire.models import PLAIN_TEXT, AnswerModel, HeaderModel, QueryModel, RefusedWith, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.times import PAGE_DATE_DEFAULT, from_page_date


class ContactMailbox(AnswerModel, frozen=True, kw_only=True):
    """One of a contact's email addresses."""

    email_id: str | None = None
    type: str | None = None


class ContactPhone(AnswerModel, frozen=True, kw_only=True):
    """One of a contact's phone numbers."""

    number: str | None = None
    type: str | None = None


class Contact(AnswerModel, frozen=True, kw_only=True):
    """A person in the address book."""

    contact_id: str | None = None
    display_name: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    emails: list[ContactMailbox] | None = None
    phones: list[ContactPhone] | None = None
    is_active: bool | None = None
    last_updated_date: int | None = None

    @property
    def addresses(self) -> list[str]:
        """The email addresses without their types."""
        return [one.email_id for one in self.emails or () if one.email_id]

    @property
    def numbers(self) -> list[str]:
        """The phone numbers without their types."""
        return [one.number for one in self.phones or () if one.number]


class ContactList(AnswerModel, frozen=True, kw_only=True):
    """A page of contacts; `{}` if there are none."""

    contacts: list[Contact] | None = None


class ContactEmail(AnswerModel, frozen=True, kw_only=True):
    """An email address and the contact's name."""

    email_id: str | None = None
    display_name: str | None = None


class ContactEmailList(AnswerModel, frozen=True, kw_only=True):
    """A page of email addresses."""

    contact_email: list[ContactEmail] | None = None


class ContactsQuery(QueryModel, frozen=True, kw_only=True):
    """Which contacts: only active ones or all, and changed after which time."""

    sort: Literal["displayname"] = "displayname"
    only_active: bool = True
    next_page_date: Annotated[
        str, RefusedWith(CONTACTS_PAGING), Meta(description="yyyy-MM-dd HH:mm:ss.SSSSSS, UTC")
    ] = PAGE_DATE_DEFAULT

    def __post_init__(self) -> None:
        from_page_date(self.next_page_date)

    @property
    def changed_after_ms(self) -> int:
        """The time of `nextPageDate` in epoch milliseconds."""
        return from_page_date(self.next_page_date)


class ContactsHeaders(HeaderModel, frozen=True, kw_only=True):
    """The first contact and the page size; a shorter page is the last."""

    offset: Annotated[int, Meta(ge=0, le=limits.CONTACTS_OFFSET_MAX), RefusedWith(CONTACTS_PAGING)] = field(
        name="X-Offset"
    )
    chunk_size: Annotated[int, Meta(ge=1, le=limits.CONTACTS_CHUNK_MAX), RefusedWith(CONTACTS_PAGING)] = field(
        default=limits.CONTACTS_CHUNK_DEFAULT, name="X-CHUNK-SIZE"
    )


# Extensions: adding, editing, removing, importing and exporting contacts.

_Text = Annotated[str, Meta(max_length=limits.CONTACT_FIELD_CHARS_MAX, pattern=PLAIN_TEXT)]
_Entry = Annotated[str, Meta(min_length=1, max_length=limits.CONTACT_FIELD_CHARS_MAX, pattern=PLAIN_TEXT)]
_Kind = Annotated[str, Meta(max_length=limits.SOURCE_NAME_CHARS_MAX, pattern=PLAIN_TEXT)]


class MailboxEntry(RequestModel, frozen=True, kw_only=True):
    """An email address."""

    email_id: _Entry
    type: _Kind | None = None


class PhoneEntry(RequestModel, frozen=True, kw_only=True):
    """A phone number."""

    number: _Entry
    type: _Kind | None = None


class ContactRequest(RequestModel, frozen=True, kw_only=True):
    """A whole contact; `displayName` defaults to its names, or to its first address or number."""

    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_MAX

    display_name: _Text | None = None
    first_name: _Text | None = None
    last_name: _Text | None = None
    emails: Annotated[list[MailboxEntry], Meta(max_length=limits.CONTACT_ENTRIES_MAX)] | None = None
    phones: Annotated[list[PhoneEntry], Meta(max_length=limits.CONTACT_ENTRIES_MAX)] | None = None

    def __post_init__(self) -> None:
        if not any((self.display_name, self.first_name, self.last_name, self.emails, self.phones)):
            raise InvalidRequest("A contact needs a name, an address or a number")


class ContactRemoval(RequestModel, frozen=True, kw_only=True):
    """The contacts to remove; an unknown key is returned in `unprocessed`."""

    max_bytes: ClassVar[int] = limits.JSON_BODY_BYTES_MAX

    contact_ids: Annotated[list[str], Meta(min_length=1, max_length=limits.BATCH_ENTRIES_MAX)]


class UnprocessedContact(AnswerModel, frozen=True, kw_only=True):
    """A contact that could not be removed, and why."""

    contact_id: str | None = None
    error_message: str | None = None
    error_code: str | None = None


class ContactRemovals(AnswerModel, frozen=True, kw_only=True):
    """The removed contacts, and those that were refused."""

    contact_ids: list[str] | None = None
    unprocessed: list[UnprocessedContact] | None = None


class VcardImport(RequestModel, frozen=True, kw_only=True):
    """vCards of version 2.1, 3.0 or 4.0, one after the other. Their pictures are not kept."""

    max_bytes: ClassVar[int] = limits.VCARD_BODY_BYTES_MAX

    vcards: Annotated[str, Meta(min_length=1)]


class UnreadCard(AnswerModel, frozen=True, kw_only=True):
    """A card that could not be read, counted from 1, and the reason."""

    card: int | None = None
    error_message: str | None = None
    error_code: str | None = None


class ImportedContacts(AnswerModel, frozen=True, kw_only=True):
    """The result of each card."""

    contacts: list[Contact] | None = None
    unprocessed: list[UnreadCard] | None = None


class VcardQuery(QueryModel, frozen=True, kw_only=True):
    """A page of the export."""

    cursor: Cursor | None = None
    limit: Annotated[int, Meta(ge=1, le=limits.CONTACTS_CHUNK_MAX)] = limits.CONTACTS_CHUNK_MAX


class VcardExport(AnswerModel, frozen=True, kw_only=True):
    """vCards of version 3.0, ordered by name; the last page has no `nextCursor`."""

    vcards: str | None = None
    count: int | None = None
    next_cursor: str | None = None
