"""What a stream watches besides the account's changes: a board, and invitations to boards."""

import time
from typing import ClassVar, Final

import msgspec

from skyshelf.server.events.board_digests import BoardDigests
from skyshelf.server.http.call import Call
from skyshelf.service.boards import fingerprints
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.changes import BoardNews

PAUSE_SECONDS: Final = 1.0
"""A check reads the whole board, so there is at most one in this time."""
RECHECK_SECONDS: Final = 7.5
"""How old a look may be that is taken without a sign of a change."""

_encode = msgspec.json.Encoder().encode


class BoardWatch:
    """The board as a listener last saw it. When the listener is no longer a member, the watch ends."""

    event: ClassVar = b"board"

    def __init__(self, call: Call, board_key: str, digests: BoardDigests) -> None:
        self._call = call
        self._key = board_key
        self._digests = digests
        self._seen: bytes | None = None
        self._is_first = True
        self._is_dirty = True
        self._changed_at = 0.0
        self._next_check = 0.0

    async def begin(self) -> None:
        """Refuse a caller who is not a member, before the stream begins."""
        self._seen = await self._look(time.monotonic() - PAUSE_SECONDS)
        if self._seen is None:
            raise ServiceError(codes.BOARD_NOT_FOUND)

    def mark_dirty(self, *, is_changed: bool) -> None:
        """Something has perhaps changed: check now, or when the pause is over. Without a sign of it, a look that
        another stream has had lately is good enough."""
        self._is_dirty = self._seen is not None
        self._changed_at = max(self._changed_at, time.monotonic() - (0 if is_changed else RECHECK_SECONDS))

    @property
    def is_due(self) -> bool:
        """Whether something may have changed, and the pause is over."""
        return self._is_dirty and time.monotonic() >= self._next_check

    def seconds_to_wait(self, most: float) -> float:
        """How long to wait for the next change, at most `most`."""
        return min(most, max(0.01, self._next_check - time.monotonic())) if self._is_dirty else most

    async def news(self) -> bytes | None:
        """The event as JSON if the board has changed; always the first time, since a change may have been missed."""
        before, first = self._seen, self._is_first
        self._next_check = time.monotonic() + PAUSE_SECONDS
        self._is_first = self._is_dirty = False
        if not first:
            self._seen = await self._look(self._changed_at)
            if self._seen == before:
                return None
        return _encode(BoardNews(board_key=self._key, is_member=self._seen is not None))

    async def _look(self, since: float) -> bytes | None:
        return await self._digests.digest(self._call.caller, self._key, since)


class InvitationWatch:
    """The invitations as a listener last saw them."""

    event: ClassVar = b"invitations"

    def __init__(self, call: Call) -> None:
        self._call = call
        self._seen: str | None = None
        self._is_first = True
        self.is_due = True

    def mark_dirty(self, *, is_changed: bool) -> None:  # noqa: ARG002 - the same as for boards
        """Something may have changed: a check costs one statement, so there is no pause."""
        self.is_due = True

    def seconds_to_wait(self, most: float) -> float:
        """How long to wait for the next change: always `most`."""
        return most

    async def news(self) -> bytes | None:
        """An empty object if the invitations have changed; always the first time."""
        account_id = self._call.caller.account_id
        tokens = await self._call.threads.call(
            lambda: fingerprints.invitation_change_tokens(self._call.ctx, [account_id])
        )
        before, self._seen = self._seen, tokens.get(account_id)
        first, self._is_first, self.is_due = self._is_first, False, False
        return b"{}" if first or self._seen != before else None
