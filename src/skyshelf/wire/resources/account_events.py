"""Events of an account: what happened in it, from where and with which device."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.models import AnswerModel

EventKind = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"^[a-z.-]+$",
        description="A kind such as `login.failed`, or a group such as `login`",
    ),
]


class AccountEventsQuery(CursorQuery, frozen=True, kw_only=True):
    """A page of the events, newest first; of one kind or group, if that is given."""

    kind: EventKind | None = None


class AccountEvent(AnswerModel, frozen=True, kw_only=True):
    """Something that happened in the account.

    `by` is `you`, `somebody` (who failed to log in), `operator` or `visitor`. Address and device are there for the
    first two alone.
    """

    kind: str
    date: int | None = None
    text: str | None = None
    """A sentence about the kind."""
    by: str | None = None
    address: str | None = None
    device_key: str | None = None
    device_name: str | None = None
    object_key: str | None = None
    share_key: str | None = None
    times: int | None = None
    """How often it happened; repetitions are counted."""
    subject: str | None = None
    """What it is about: the names of objects, of an app, of a guest, or an address that was invited."""


class AccountEvents(AnswerModel, frozen=True, kw_only=True):
    """A page of events; without `nextCursor` it is the last one."""

    events: list[AccountEvent] | None = None
    next_cursor: str | None = None
