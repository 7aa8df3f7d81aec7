"""Rewinds: returning the account or a folder to an earlier state, or undoing what a device did."""

from typing import Annotated, Final

from msgspec import Meta

from skyshelf.wire.cursors import Cursor
from skyshelf.wire.keys import Key
from skyshelf.wire.limits import LISTING_LIMIT_DEFAULT, OPERATOR_CONSENT_HOURS, OPERATOR_CONSENT_HOURS_MAX
from skyshelf.wire.models import AnswerModel, Identifier, PageLimit, RequestModel
from skyshelf.wire.resources.history import Moment, PastState

ChangeNumber = Annotated[int, Meta(ge=0, le=2**53, description="the number of a change; everything up to it stays")]
SessionId = Annotated[str, Meta(pattern="^(agent-)?[0-9a-f]{16}$", description="as history shows it")]

PROBLEMS: Final = {
    "contentGone": "its content is no longer kept",
    "changedByOthers": "changed since by others",
    "changedMeanwhile": "changed while the rewind ran",
    "noSpace": "does not fit into the account",
    "inUse": "contains files that others have put there",
    "gone": "deleted while the rewind ran",
}
"""Why a rewind leaves an object as it is, for people."""


class RewindRequest(RequestModel, frozen=True, kw_only=True):
    """The target of a rewind: either `to`, a time, or `toNumber`, the last change to keep.

    By default the whole account is rewound; with `folderKey`, one folder and everything in it. With `deviceKey` (also
    that of an app password), `session` or both, only what that device or session did since then is undone, and later
    changes by others stay.
    """

    to: Moment | None = None
    to_number: ChangeNumber | None = None
    folder_key: Key | None = None
    device_key: Identifier | None = None
    session: SessionId | None = None

    def __post_init__(self) -> None:
        if (self.to is None) == (self.to_number is None):
            raise ValueError("exactly one of to and toNumber is needed")


class RewindPlanRequest(RewindRequest, frozen=True, kw_only=True):
    """The target of a rewind, and the page of its plan."""

    cursor: Cursor | None = None
    limit: PageLimit = LISTING_LIMIT_DEFAULT


class OperatorConsentRequest(RequestModel, frozen=True, kw_only=True):
    """For how many hours an operator may rewind the account, once; 0 withdraws that."""

    hours: Annotated[int, Meta(ge=0, le=OPERATOR_CONSENT_HOURS_MAX)] = OPERATOR_CONSENT_HOURS


class OperatorConsent(AnswerModel, frozen=True, kw_only=True):
    """Whether an operator may rewind the account, once, and until when."""

    is_given: bool | None = None
    expires_date: int | None = None


class RewindCounts(AnswerModel, frozen=True, kw_only=True):
    """How many objects come back, move, get a former name, content, favourite mark or tags, go to the trash, or stay.

    An object that moves and is renamed counts in both. `boards` are those that come back onto boards or leave them,
    `links` those whose share links are closed. `others` are deleted or edited albums, comments and contacts that become
    what they were. `left` are those that cannot be undone.
    """

    restored: int | None = None
    moved: int | None = None
    renamed: int | None = None
    content: int | None = None
    favorite: int | None = None
    tags: int | None = None
    boards: int | None = None
    links: int | None = None
    others: int | None = None
    trashed: int | None = None
    left: int | None = None


class RewindItem(AnswerModel, frozen=True, kw_only=True):
    """One object: what it is now and what it becomes.

    `actions` are of `restored`, `moved`, `renamed`, `content`, `favorite`, `tags`, `boards`, `links` (a share link is
    closed) and `trashed`. `problem` says what cannot be undone: `contentGone` (its bytes are no longer kept),
    `changedByOthers`, `changedMeanwhile`, `noSpace`, `inUse` (a folder that holds what others have put there) or
    `gone`.
    `path` is where it was, or where it is if it was not there.
    """

    object_key: str | None = None
    is_folder: bool | None = None
    path: str | None = None
    actions: list[str] | None = None
    current: PastState | None = None
    target: PastState | None = None
    problem: str | None = None
    size_in_bytes: int | None = None


class RewindPlan(AnswerModel, frozen=True, kw_only=True):
    """A page of what a rewind would do. Even an empty page can have a `nextCursor`; only the last has none.

    `counts` and `sizeInBytes`, the space that contents need which come back, are of this page alone: add the pages up.
    `freeInBytes` is the space that the account has left. `number` is the moment as the number of a change.
    """

    items: list[RewindItem] | None = None
    counts: RewindCounts | None = None
    size_in_bytes: int | None = None
    free_in_bytes: int | None = None
    number: int | None = None
    next_cursor: str | None = None


class Rewind(AnswerModel, frozen=True, kw_only=True):
    """A rewind and its progress.

    `state` is `planning` (nothing has changed yet), `running`, `done`, `cancelled` (what was done stays done; also if
    history ends after the moment before anything is done) or `refused`: it does not fit into the quota by
    `missingInBytes`, and nothing has changed. `done` of `total` objects are finished. `undoOf` is the rewind that this
    one undoes.
    """

    rewind_key: str | None = None
    state: str | None = None
    to: int | None = None
    number: int | None = None
    folder_key: str | None = None
    device_key: str | None = None
    session_id: str | None = None
    undo_of: str | None = None
    created_date: int | None = None
    updated_date: int | None = None
    total: int | None = None
    done: int | None = None
    counts: RewindCounts | None = None
    size_in_bytes: int | None = None
    missing_in_bytes: int | None = None


class Rewinds(AnswerModel, frozen=True, kw_only=True):
    """The account's latest rewinds, the newest first."""

    rewinds: list[Rewind] | None = None


class RewindProblems(AnswerModel, frozen=True, kw_only=True):
    """What a rewind could not undo, and why."""

    items: list[RewindItem] | None = None
    next_cursor: str | None = None
