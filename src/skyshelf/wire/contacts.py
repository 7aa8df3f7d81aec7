"""The address book, which is paged by headers."""

from typing import Annotated, Literal

from msgspec import Meta, field

from skyshelf.wire.bases import AnswerModel, HeaderModel, QueryModel, RefusedWith
from skyshelf.wire.error_codes import CONTACTS_PAGING
from skyshelf.wire.limits import CONTACTS_CHUNK_DEFAULT, CONTACTS_CHUNK_MAX, CONTACTS_OFFSET_MAX
from skyshelf.wire.times import PAGE_DATE_DEFAULT, from_page_date


class ContactMailbox(AnswerModel, frozen=True, kw_only=True):
    """An e-mail address of a contact."""

    email_id: str | None = None
    type: str | None = None


class ContactPhone(AnswerModel, frozen=True, kw_only=True):
    """A telephone number of a contact."""

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


class ContactList(AnswerModel, frozen=True, kw_only=True):
    """A page of contacts; an account without any is answered `{}`."""

    contacts: list[Contact] | None = None


class ContactEmail(AnswerModel, frozen=True, kw_only=True):
    """An e-mail address and who it belongs to."""

    email_id: str | None = None
    display_name: str | None = None


class ContactEmailList(AnswerModel, frozen=True, kw_only=True):
    """A page of e-mail addresses."""

    contact_email: list[ContactEmail] | None = None


class ContactsQuery(QueryModel, frozen=True, kw_only=True):
    """Which contacts: active ones only or all, changed after a time."""

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
    """From which contact on, and how many; a page shorter than the chunk size is the last."""

    offset: Annotated[int, Meta(ge=0, le=CONTACTS_OFFSET_MAX), RefusedWith(CONTACTS_PAGING)] = field(name="X-Offset")
    chunk_size: Annotated[int, Meta(ge=1, le=CONTACTS_CHUNK_MAX), RefusedWith(CONTACTS_PAGING)] = field(
        default=CONTACTS_CHUNK_DEFAULT, name="X-CHUNK-SIZE"
    )
