"""History: what changed, and what a folder or a file was at a moment."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import force_setattr

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key, clean_key
from skyshelf.wire.limits import HISTORY_LEAVES_MAX, LISTING_LIMIT_DEFAULT, NAME_BYTES_MAX
from skyshelf.wire.models import AnswerModel, Identifier, PageLimit, QueryModel, RequestModel
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.passkeys import ConfirmationRequest

Moment = Annotated[int, Meta(ge=0, le=2**53, description="epoch milliseconds")]


class HistoryQuery(QueryModel, frozen=True, kw_only=True):
    """Which changes: of an object, below a folder, in a time, by a device or a session, of a kind."""

    object_key: Key | None = None
    folder_key: Key | None = None
    since: Moment | None = None
    until: Moment | None = None
    device_key: Identifier | None = None
    session: Identifier | None = None
    kind: Identifier | None = None
    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT

    def __post_init__(self) -> None:
        for name in ("object_key", "folder_key"):
            if (key := getattr(self, name)) is not None:
                force_setattr(self, name, clean_key(key))


class PastState(AnswerModel, frozen=True, kw_only=True):
    """What an object was, before or after a change."""

    object_name: str | None = None
    parent_object_key: str | None = None
    status: str | None = None
    is_favorite: bool | None = None
    version: int | None = None
    size_in_bytes: int | None = None
    hash: str | None = None


class HistoryEntry(AnswerModel, frozen=True, kw_only=True):
    """One change. `before` is missing for a new object; `after` for one that the change deleted for good.

    `deviceKey`, `deviceName` and `sessionId` say who made it: they are missing if the service did, a rewind, whose key
    is `rewindKey`, or somebody with a link, whose key is `shareKey`.
    """

    number: int | None = None
    date: int | None = None
    kind: str | None = None
    object_key: str | None = None
    is_folder: bool | None = None
    before: PastState | None = None
    after: PastState | None = None
    device_key: str | None = None
    device_name: str | None = None
    session_id: str | None = None
    share_key: str | None = None
    rewind_key: str | None = None


class HistoryPage(AnswerModel, frozen=True, kw_only=True):
    """Changes, newest first. Even an empty page can have a `nextCursor`; only the last has none.

    `oldestDate` is the earliest moment that can be looked at; `days` is how long the account keeps history.
    """

    entries: list[HistoryEntry] | None = None
    oldest_date: int | None = None
    days: int | None = None
    next_cursor: str | None = None


class PastFolderQuery(QueryModel, frozen=True, kw_only=True):
    """The moment, and the page; with a name, only the object that had it."""

    at: Moment
    name: Annotated[str, Meta(min_length=1, max_length=4 * NAME_BYTES_MAX)] | None = None
    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT


class PastFileQuery(QueryModel, frozen=True, kw_only=True):
    """The moment."""

    at: Moment


class PastFolder(AnswerModel, frozen=True, kw_only=True):
    """What a folder held. A folder that fits into one page is in order of names, folders first."""

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None


class PastObject(AnswerModel, frozen=True, kw_only=True):
    """A file or folder as it was, and where it was: `path` begins with a slash."""

    object: CloudObject | None = None
    path: str | None = None


class DifferencesQuery(QueryModel, frozen=True, kw_only=True):
    """Two moments, by default from the first until now; with a folder, only what was or is in it or below it."""

    since: Moment
    until: Moment | None = None
    folder_key: Key | None = None
    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT

    def __post_init__(self) -> None:
        if self.folder_key is not None:
            force_setattr(self, "folder_key", clean_key(self.folder_key))


class HistoryDifference(AnswerModel, frozen=True, kw_only=True):
    """A file or folder that two moments show differently.

    `kinds` is `added`, `removed`, or any of `renamed`, `moved`, `content` and `favorite`. `before` and `beforePath` are
    missing if it was not there at the first moment, `after` and `afterPath` if it is not at the second. The date and
    who made it are those of its last change in between, as in HistoryEntry.
    """

    object_key: str | None = None
    is_folder: bool | None = None
    kinds: list[str] | None = None
    before: PastState | None = None
    before_path: str | None = None
    after: PastState | None = None
    after_path: str | None = None
    date: int | None = None
    device_key: str | None = None
    device_name: str | None = None
    session_id: str | None = None
    share_key: str | None = None
    rewind_key: str | None = None


class HistoryDifferences(AnswerModel, frozen=True, kw_only=True):
    """Differences, in the order in which objects first changed. Even an empty page can have a `nextCursor`."""

    differences: list[HistoryDifference] | None = None
    next_cursor: str | None = None


class HistorySettings(AnswerModel, frozen=True, kw_only=True):
    """How long history is kept, the operator's limit, and the earliest moment that can be looked at."""

    days: int | None = None
    days_max: int | None = None
    oldest_date: int | None = None
    size_in_bytes: int | None = None


class HistoryChoice(RequestModel, frozen=True, kw_only=True):
    """Days to keep history for; 0 keeps none, and null is the operator's choice. Fewer days need `confirmation`."""

    days: Annotated[int, Meta(ge=0, le=3650)] | None
    confirmation: ConfirmationRequest | None = None


class ForgetRequest(RequestModel, frozen=True, kw_only=True):
    """What a login takes: what is forgotten cannot be brought back."""

    confirmation: ConfirmationRequest | None = None


# Proofs: signed heads, the hashes that prove a log, its leaves, and the keys.

Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53, description="the number of a change")]


class HistoryHead(AnswerModel, frozen=True, kw_only=True):
    """The signed head of the log, a text that other tools can read; missing while the log has not begun.

    The log has `size` changes, from the number `start` on; `waiting` later ones are not in it yet. Records are kept of
    changes from `keptFrom` on.
    """

    note: str | None = None
    start: int | None = None
    size: int | None = None
    newest_number: int | None = None
    waiting: int | None = None
    kept_from: int | None = None


class ConsistencyQuery(QueryModel, frozen=True, kw_only=True):
    """Two sizes of the log."""

    old_size: Count
    size: Count


class InclusionQuery(QueryModel, frozen=True, kw_only=True):
    """A change, and the size of the log."""

    number: Number
    size: Count


class ProofHashes(AnswerModel, frozen=True, kw_only=True):
    """The hashes of a proof as in RFC 6962, in its order and in Base64."""

    hashes: list[str] | None = None


class LeavesQuery(QueryModel, frozen=True, kw_only=True):
    """From which change on, and how many."""

    number: Number
    limit: Annotated[int, Meta(ge=1, le=HISTORY_LEAVES_MAX)] = HISTORY_LEAVES_MAX


class HistoryLeaf(AnswerModel, frozen=True, kw_only=True):
    """The hash of a change; its date and its record, in Base64, while they are kept."""

    number: int | None = None
    hash: str | None = None
    date: int | None = None
    record: str | None = None


class HistoryLeaves(AnswerModel, frozen=True, kw_only=True):
    """Leaves in the order of their numbers, without a gap."""

    leaves: list[HistoryLeaf] | None = None


class KeyOfHistory(AnswerModel, frozen=True, kw_only=True):
    """An Ed25519 key, in Base64. `signature` is by the key before it; the key in use has no `retiredDate`."""

    key_id: str | None = None
    public_key: str | None = None
    created_date: int | None = None
    retired_date: int | None = None
    signature: str | None = None


class RestoreOfServer(AnswerModel, frozen=True, kw_only=True):
    """When the server was restored from a backup, and of when that was, as far as it is known."""

    date: int | None = None
    state_date: int | None = None


class KeysOfHistory(AnswerModel, frozen=True, kw_only=True):
    """Every key that has signed heads, oldest first."""

    keys: list[KeyOfHistory] | None = None
    restores: list[RestoreOfServer] | None = None
