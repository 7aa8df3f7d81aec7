"""Copies of files and folders, within an account or for somebody who takes another account over."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.tree import Outcome


class CopyOf(msgspec.Struct, frozen=True):
    """The object to copy, and the key of the copy."""

    object_key: str
    copy_key: str


class Copied(msgspec.Struct, frozen=True):
    """An outcome for each object, and whether copies wait for their capture date (contracts/undated.py)."""

    outcomes: list[Outcome]
    needs_dates: bool


class Copies(Protocol):
    def copy(
        self,
        account_id: int,
        copies: Sequence[CopyOf],
        folder_key: str,
        now: int,
        *,
        created_by: str,
        source_id: int | None = None,
    ) -> Copied:
        """Copy visible objects into a visible folder, in order, each on its own; no byte is copied.

        A file's copy has its current content and dates, and one version. A folder's copy is empty. Where the name is
        taken, the copy gets ` (1)`, ` (2)` and so on. ObjectMissing and NotAFolder are raised about the target; single
        objects are refused by ObjectMissing, RootIsFixed, WouldCycle, TooDeep, QuotaExceeded and LimitReached. A fixed
        number of statements, as far as names are free.

        `source_id` is the account that has the objects, where it is another one: only an operator may name it.
        """
