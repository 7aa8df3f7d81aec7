"""Changes that a side refuses: each is reported and makes the sync fail, and nothing exists twice because of it."""

import errno
from collections.abc import Container
from typing import Final

from skyshelf.client.errors import LocalFileError, SkyshelfError, error_class
from skyshelf.client.objects.outcomes import Outcome, UnprocessedError
from skyshelf.desktop.sync.actions import SyncPlan
from skyshelf.wire.error_codes import find

_STATUS: Final = 400
"""The status that an entry of a batch has where its code is unknown."""

_ABOUT_THE_MOVE: Final = {400, 404, 409}
_NOT_ALLOWED: Final = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY}


def leave_out(plan: SyncPlan, refused: Container[int]) -> None:
    """Take moves that were refused in this run out of a plan: what they concern stays where it is on both sides.

    Such a run then deletes nothing.
    """
    kept = [one for one in plan.moves if one.entry is None or one.entry.id not in refused]
    if len(kept) < len(plan.moves):
        plan.moves, plan.deletions = kept, []


def error_of(outcome: Outcome) -> SkyshelfError:
    """Return the error of an entry that the server rejected, of the class that a whole call would raise."""
    row = find(outcome.code) if outcome.code else None
    status = _STATUS if row is None else row.status
    return error_class(status, outcome.code)(outcome.reason, code=outcome.code)


def refusal(error: SkyshelfError) -> SkyshelfError:
    """Return the error of a step; the rejection of its only object stands for itself."""
    return error_of(error.failed[0]) if isinstance(error, UnprocessedError) and error.failed else error


def can_be_merged(error: SkyshelfError) -> bool:
    """Whether a move failed because of what is at its ends, and merging both sides helps; any other one is refused."""
    if isinstance(error, LocalFileError):
        cause = error.__cause__
        return not (isinstance(cause, OSError) and cause.errno in _NOT_ALLOWED)
    code = getattr(error, "code", None)
    row = find(code) if code else None
    return row is not None and row.status in _ABOUT_THE_MOVE
