"""Delegations: tokens that may do less than the session that made them, for agents and scripts."""

from typing import Annotated

from msgspec import Meta, Struct

from skyshelf.wire import models
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.models import AnswerModel, RequestModel, hiding

_COUNT_MAX = 2**53 - 1
Count = Annotated[int, Meta(ge=0, le=_COUNT_MAX)]
PerMinute = Annotated[int, Meta(ge=1, le=1_000_000)]
Kinds = Annotated[list[CallKind], Meta(min_length=1, max_length=len(CallKind))]
Until = Annotated[int, Meta(ge=1, le=TIME_MS_MAX, description="epoch milliseconds, UTC")]


class Caveat(Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel", forbid_unknown_fields=True):
    """What a token of a delegation gives up besides what the tokens before it have; what is absent stays as it was.

    It is in the token itself. A server that does not know a field refuses the token: it cannot keep a promise that it
    does not understand.
    """

    kinds: Kinds | None = None
    folder_key: str | None = None
    reads: Count | None = None
    read_bytes: Count | None = None
    writes: Count | None = None
    written_bytes: Count | None = None
    deletions: Count | None = None
    calls_per_minute: PerMinute | None = None
    expires_date: Until | None = None

    def __post_init__(self) -> None:
        if self.folder_key is not None:
            clean_key(self.folder_key)


class NewDelegation(RequestModel, frozen=True, kw_only=True):
    """What a delegation is for, what it allows, and until when. A number that is absent is not limited.

    `kinds` are kinds of calls. Deletions count by contents: a folder is as many as are in it. `callsPerMinute` counts
    calls of all kinds.
    """

    purpose: models.Label
    kinds: Kinds
    expires_date: Until
    folder_key: Key | None = None
    reads: Count | None = None
    read_bytes: Count | None = None
    writes: Count | None = None
    written_bytes: Count | None = None
    deletions: Count | None = None
    calls_per_minute: PerMinute | None = None


class MadeDelegation(AnswerModel, frozen=True, kw_only=True):
    """The new delegation. Its token is never shown again; its holder can narrow it without the server."""

    device_key: str
    token: str | None = None

    __repr__ = hiding("token", shown=("device_key",))


class DelegationUse(AnswerModel, frozen=True, kw_only=True):
    """What is used up. Reads are counted in blocks, so a few more may be shown than were made."""

    reads: int | None = None
    read_bytes: int | None = None
    writes: int | None = None
    written_bytes: int | None = None
    deletions: int | None = None


class Delegation(AnswerModel, frozen=True, kw_only=True):
    """A delegation, what it allows, and what of that is used up, by tokens made from it too.

    `narrowed` is how many of those with numbers of their own were used. `folderName` is absent if the folder is in the
    trash or deleted; then it allows nothing.
    """

    device_key: str
    purpose: str | None = None
    kinds: list[CallKind] | None = None
    folder_key: str | None = None
    folder_name: str | None = None
    reads: int | None = None
    read_bytes: int | None = None
    writes: int | None = None
    written_bytes: int | None = None
    deletions: int | None = None
    calls_per_minute: int | None = None
    used: DelegationUse | None = None
    narrowed: int | None = None
    created_date: int | None = None
    last_used_date: int | None = None
    """Absent before the first use; updated every few minutes."""
    expires_date: int | None = None


class Delegations(AnswerModel, frozen=True, kw_only=True):
    """The account's delegations that have not ended, the newest first."""

    delegations: list[Delegation] | None = None


class OwnDelegation(AnswerModel, frozen=True, kw_only=True):
    """What the calling token allows, narrowings included; `left` is what is left of each number that is limited."""

    device_key: str
    purpose: str | None = None
    kinds: list[CallKind] | None = None
    folder_key: str | None = None
    left: DelegationUse | None = None
    expires_date: int | None = None
