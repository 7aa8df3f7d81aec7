"""Second factors: what an account asks for besides its password."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class SecondFactor(msgspec.Struct, frozen=True):
    salt: bytes
    """With the server's secret, it makes what the authenticator knows."""
    begun_at: int
    confirmed_at: int
    """0 until the first code was right: before that, nobody is asked for one."""
    last_step: int
    """The newest step of time whose code was taken."""
    codes_left: int
    """How many recovery codes are left."""

    @property
    def is_on(self) -> bool:
        return self.confirmed_at > 0


class SecondFactors(Protocol):
    """An account has one at most. Recovery codes come here as digests only.

    Whatever counts once counts once, however many try at the same moment and on however many instances.
    """

    def of_account(self, account_id: int) -> SecondFactor | None:
        """None where nothing was ever begun. One statement."""

    def on_among(self, account_ids: Sequence[int]) -> set[int]:
        """Those of the accounts that have one which is on. One statement."""

    def begin(self, account_id: int, salt: bytes, now: int) -> bool:
        """Begin anew; what was begun before and not confirmed is forgotten. False, and nothing, where one is on."""

    def confirm(self, account_id: int, salt: bytes, step: int, now: int) -> bool:
        """Turn on what was begun with that salt, by the code of that step; false where that is not what waits."""

    def use_step(self, account_id: int, salt: bytes, step: int) -> bool:
        """Take the code of a step, once; false where it, or the code of a later step, was taken already."""

    def replace_codes(self, account_id: int, hashes: Sequence[bytes]) -> None:
        """These are the recovery codes from now on. Missing where nothing was begun."""

    def use_code(self, account_id: int, code_hash: bytes) -> bool:
        """Take a recovery code, once, of a factor that is on; false where there is no such code (any more)."""

    def remove(self, account_id: int) -> bool:
        """Forget the factor and its codes; false where nothing was begun."""
