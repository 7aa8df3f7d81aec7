"""A board that a stream listens to: when to look at it again, and what to tell."""

import time
from typing import ClassVar, Final

import msgspec

from skyshelf.server.http.call import Call
from skyshelf.service.boards import fingerprints
from skyshelf.wire.resources.changes import BoardNews

PAUSE_SECONDS: Final = 1.0
"""A look reads the whole board: however much is written, there is no more than one in this time."""

_encode = msgspec.json.Encoder().encode


class BoardWatch:
    """What one listener knows of one board. Not a member any more, it is over for good."""

    event: ClassVar = b"board"

    def __init__(self, call: Call, board_key: str) -> None:
        self._call = call
        self._key = board_key
        # Whoever is not on the board is refused before the stream begins.
        self._seen: bytes | None = fingerprints.board_fingerprint(call.ctx, call.caller, board_key)
        self._is_first = True
        self._is_due = True
        self._next_look = 0.0

    def stir(self) -> None:
        """Something may have happened: it is worth a look, now or when the pause is over."""
        self._is_due = self._seen is not None

    @property
    def may_look(self) -> bool:
        """Whether there is a reason to look, and it is not too soon."""
        return self._is_due and time.monotonic() >= self._next_look

    def patience(self, most: float) -> float:
        """How many seconds to wait for the next word, no more than `most`."""
        return min(most, max(0.01, self._next_look - time.monotonic())) if self._is_due else most

    def news(self) -> bytes | None:
        """What there is to tell, as JSON; the first time in any case, since something may have been missed."""
        before, first = self._seen, self._is_first
        self._next_look = time.monotonic() + PAUSE_SECONDS
        self._is_first = self._is_due = False
        if not first:
            self._seen = fingerprints.fingerprint_for_member(self._call.ctx, self._call.caller, self._key)
            if self._seen == before:
                return None
        return _encode(BoardNews(board_key=self._key, is_member=self._seen is not None))


# The invitations of somebody who listens: when to say that they look different.


class InvitationWatch:
    """What one listener knows of the boards that it is invited to: whether they are others than before."""

    event: ClassVar = b"invitations"

    def __init__(self, call: Call) -> None:
        self._call = call
        self._seen: str | None = None
        self._is_first = True
        self.may_look = True

    def stir(self) -> None:
        """Something may have happened: a look costs one statement, so that there is no reason to wait with it."""
        self.may_look = True

    def patience(self, most: float) -> float:
        """How many seconds to wait for the next word: always as long as one likes."""
        return most

    def news(self) -> bytes | None:
        """An empty object when there is a reason to look; the first time in any case."""
        account_id = self._call.caller.account_id
        before, self._seen = (
            self._seen,
            fingerprints.invitation_change_tokens(self._call.ctx, [account_id]).get(account_id),
        )
        first, self._is_first, self.may_look = self._is_first, False, False
        return b"{}" if first or self._seen != before else None
