"""What a stream watches besides the account's changes: a board, and invitations to boards."""

import time
from typing import ClassVar, Final

import msgspec

from skyshelf.server.http.call import Call
from skyshelf.service.boards import fingerprints
from skyshelf.wire.resources.changes import BoardNews

PAUSE_SECONDS: Final = 1.0
"""A check reads the whole board, so there is at most one in this time."""

_encode = msgspec.json.Encoder().encode


class BoardWatch:
    """The board as a listener last saw it. When the listener is no longer a member, the watch ends."""

    event: ClassVar = b"board"

    def __init__(self, call: Call, board_key: str) -> None:
        self._call = call
        self._key = board_key
        # A caller who is not a member is refused before the stream begins.
        self._seen: bytes | None = fingerprints.board_fingerprint(call.ctx, call.caller, board_key)
        self._is_first = True
        self._is_dirty = True
        self._next_check = 0.0

    def mark_dirty(self) -> None:
        """Something may have changed: check now, or when the pause is over."""
        self._is_dirty = self._seen is not None

    @property
    def is_due(self) -> bool:
        """Whether something may have changed, and the pause is over."""
        return self._is_dirty and time.monotonic() >= self._next_check

    def seconds_to_wait(self, most: float) -> float:
        """How long to wait for the next change, at most `most`."""
        return min(most, max(0.01, self._next_check - time.monotonic())) if self._is_dirty else most

    def news(self) -> bytes | None:
        """The event as JSON if the board has changed; always the first time, since a change may have been missed."""
        before, first = self._seen, self._is_first
        self._next_check = time.monotonic() + PAUSE_SECONDS
        self._is_first = self._is_dirty = False
        if not first:
            self._seen = fingerprints.fingerprint_for_member(self._call.ctx, self._call.caller, self._key)
            if self._seen == before:
                return None
        return _encode(BoardNews(board_key=self._key, is_member=self._seen is not None))


class InvitationWatch:
    """The invitations as a listener last saw them."""

    event: ClassVar = b"invitations"

    def __init__(self, call: Call) -> None:
        self._call = call
        self._seen: str | None = None
        self._is_first = True
        self.is_due = True

    def mark_dirty(self) -> None:
        """Something may have changed: a check costs one statement, so there is no pause."""
        self.is_due = True

    def seconds_to_wait(self, most: float) -> float:
        """How long to wait for the next change: always `most`."""
        return most

    def news(self) -> bytes | None:
        """An empty object if the invitations have changed; always the first time."""
        account_id = self._call.caller.account_id
        before, self._seen = (
            self._seen,
            fingerprints.invitation_change_tokens(self._call.ctx, [account_id]).get(account_id),
        )
        first, self._is_first, self.is_due = self._is_first, False, False
        return b"{}" if first or self._seen != before else None
