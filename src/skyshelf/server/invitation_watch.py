"""The invitations of somebody who listens: when to say that they look different."""

from typing import ClassVar

from skyshelf.server.call import Call
from skyshelf.service.boards import fingerprints


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
        before, self._seen = self._seen, fingerprints.invitation_signs(self._call.house, [account_id]).get(account_id)
        first, self._is_first, self.may_look = self._is_first, False, False
        return b"{}" if first or self._seen != before else None
