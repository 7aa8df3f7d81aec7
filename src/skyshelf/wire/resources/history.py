"""History: what changed, the state of a folder or file at a given time, and alarms about unusual changes."""

from typing import Annotated

from msgspec import Meta

from skyshelf.wire import limits
from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key
from skyshelf.wire.models import AnswerModel, Identifier, PageLimit, QueryModel, RequestModel
from skyshelf.wire.refusals import InvalidRequest
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.passkeys import ConfirmationRequest

Moment = Annotated[int, Meta(ge=0, le=2**53, description="epoch milliseconds")]


class HistoryQuery(QueryModel, frozen=True, kw_only=True):
    """Filters for changes: an object, a folder and everything below it, a period, a device, a session, a kind."""

    object_key: Key | None = None
    folder_key: Key | None = None
    since: Moment | None = None
    until: Moment | None = None
    device_key: Identifier | None = None
    session: Identifier | None = None
    kind: Identifier | None = None
    cursor: Cursor | None = None
    limit: PageLimit = limits.LISTING_LIMIT_DEFAULT


class PastState(AnswerModel, frozen=True, kw_only=True):
    """The state of an object before or after a change."""

    object_name: str | None = None
    parent_object_key: str | None = None
    status: str | None = None
    is_favorite: bool | None = None
    is_executable: bool | None = None
    version: int | None = None
    size_in_bytes: int | None = None
    hash: str | None = None


class HistoryEntry(AnswerModel, frozen=True, kw_only=True):
    """One change. `before` is absent for a new object, `after` for one that the change deleted permanently.

    `deviceKey`, `deviceName` and `sessionId` say who made it. They are absent if it was made by the service, by a
    rewind (`rewindKey`) or through a share link (`shareKey`).
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

    `oldestDate` is the earliest available time; `days` is how long the account keeps history.
    """

    entries: list[HistoryEntry] | None = None
    oldest_date: int | None = None
    days: int | None = None
    next_cursor: str | None = None


class PastFolderQuery(QueryModel, frozen=True, kw_only=True):
    """The time, and the page; with a name, only the object that had it."""

    at: Moment
    name: Annotated[str, Meta(min_length=1, max_length=4 * limits.NAME_BYTES_MAX)] | None = None
    cursor: Cursor | None = None
    limit: PageLimit = limits.LISTING_LIMIT_DEFAULT


class PastFileQuery(QueryModel, frozen=True, kw_only=True):
    """The time to look at."""

    at: Moment


class PastFolder(AnswerModel, frozen=True, kw_only=True):
    """The past contents of a folder. If they fit into one page, they are sorted by name, folders first."""

    objects: list[CloudObject] | None = None
    next_cursor: str | None = None


class PastObject(AnswerModel, frozen=True, kw_only=True):
    """A file or folder as it was, and where it was: `path` begins with a slash."""

    object: CloudObject | None = None
    path: str | None = None


class DifferencesQuery(QueryModel, frozen=True, kw_only=True):
    """Two times, the second one by default now; with a folder, only what was or is inside it at any depth."""

    since: Moment
    until: Moment | None = None
    folder_key: Key | None = None
    cursor: Cursor | None = None
    limit: PageLimit = limits.LISTING_LIMIT_DEFAULT


class HistoryDifference(AnswerModel, frozen=True, kw_only=True):
    """A file or folder that differs between two times.

    `kinds` is `added`, `removed`, or any of `renamed`, `moved`, `content` and `favorite`. `before` and `beforePath` are
    absent if it did not exist at the first time, `after` and `afterPath` if it does not at the second. Date and origin
    are those of its last change in between, as in HistoryEntry.
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
    """How long history is kept, the operator's limit, the earliest available time, and the space that history takes."""

    days: int | None = None
    days_max: int | None = None
    oldest_date: int | None = None
    size_in_bytes: int | None = None


class HistoryChoice(RequestModel, frozen=True, kw_only=True):
    """Days to keep history for; 0 keeps none, and null is the operator's choice. Fewer days need `confirmation`."""

    days: Annotated[int, Meta(ge=0, le=3650)] | None
    confirmation: ConfirmationRequest | None = None


class ForgetRequest(RequestModel, frozen=True, kw_only=True):
    """The credentials of a login, because forgotten history cannot be restored."""

    confirmation: ConfirmationRequest | None = None


# Proofs: signed heads, the hashes that prove a log, its leaves, and the keys.

Count = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**53, description="the number of a change")]


class HistoryHead(AnswerModel, frozen=True, kw_only=True):
    """The signed head of the log, a text that other tools can read; absent before the log has started.

    The log has `size` changes, starting with the number `start`; `waiting` later ones are not in it yet. The records of
    all changes since `keptFrom` are kept, for `days` after the change. `forgottenDate` is when the owner last had
    history forgotten.
    """

    note: str | None = None
    start: int | None = None
    size: int | None = None
    newest_number: int | None = None
    waiting: int | None = None
    kept_from: int | None = None
    days: int | None = None
    forgotten_date: int | None = None


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
    """The first change, and how many."""

    number: Number
    limit: Annotated[int, Meta(ge=1, le=limits.HISTORY_LEAVES_MAX)] = limits.HISTORY_LEAVES_MAX


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
    """When the server was restored from a backup, and when that backup was made, if known."""

    date: int | None = None
    state_date: int | None = None


class KeysOfHistory(AnswerModel, frozen=True, kw_only=True):
    """Every key that has signed heads, oldest first."""

    keys: list[KeyOfHistory] | None = None
    restores: list[RestoreOfServer] | None = None


# Alarms: devices that made unusually many changes in a short time, and are paused until their owner decides.


class Alarm(AnswerModel, frozen=True, kw_only=True):
    """A device that reached the limit. `state` is `open` while it is paused, then `allowed` or `ended`.

    The counts are those of the ten minutes before `raisedDate`, or of the last day if only that limit was reached;
    `sinceDate` is when the device began. `scrambled` counts files whose content or name looked encrypted, `marked`
    changed favourites and tags. A folder that was deleted counts with what was in it, up to 1,000.
    """

    device_key: str | None = None
    device_name: str | None = None
    is_app_password: bool | None = None
    is_current: bool | None = None
    raised_date: int | None = None
    since_date: int | None = None
    deleted: int | None = None
    overwritten: int | None = None
    moved: int | None = None
    scrambled: int | None = None
    marked: int | None = None
    state: str | None = None
    decided_date: int | None = None


class AlarmList(AnswerModel, frozen=True, kw_only=True):
    """The latest alarms, newest first. `isPaused` says whether the calling device waits for a decision."""

    alarms: list[Alarm] | None = None
    is_paused: bool | None = None


class AllowRequest(RequestModel, frozen=True, kw_only=True):
    """How long the device's changes do not count. A device that is paused itself needs `confirmation`."""

    hours: Annotated[int, Meta(ge=1, le=720)] = limits.ALARM_ALLOWED_HOURS
    confirmation: ConfirmationRequest | None = None


class AlarmSettings(AnswerModel, frozen=True, kw_only=True):
    """The limit of points within ten minutes, 0 for no alarm; `isOwn` if the account has chosen it."""

    limit: int | None = None
    is_own: bool | None = None


class AlarmChoice(RequestModel, frozen=True, kw_only=True):
    """A limit, 0 for no alarm, or null for the operator's. Only a stricter one needs no `confirmation`."""

    limit: Annotated[int, Meta(ge=0, le=limits.ALARM_LIMIT_MAX)] | None
    confirmation: ConfirmationRequest | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and 0 < self.limit < limits.ALARM_LIMIT_MIN:
            raise InvalidRequest(f"limit is 0 or at least {limits.ALARM_LIMIT_MIN}")
