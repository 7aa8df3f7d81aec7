"""Archives: what somebody chose to download as one ZIP file."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class ChosenObjects(msgspec.Struct, frozen=True, kw_only=True):
    """The objects of an archive, in the order of its entries. Whether they can be seen is checked at each download."""

    archive_key: str
    name: str
    """The archive's file name without its extension."""
    object_keys: Sequence[str]
    expires_at: int


class Archives(Protocol):
    """An account has as many as wire.limits says; a new one replaces the oldest."""

    def add(self, account_id: int, chosen: ChosenObjects) -> None:
        """Keep it until it expires."""

    def get(self, account_id: int, archive_key: str, now: int) -> ChosenObjects:
        """Missing when the account has no such archive, or it has expired."""

    def sweep(self, now: int, limit: int) -> int:
        """Forget up to limit expired ones; how many went."""
