"""The newest change of each account, as of a version of the store.

Whatever changes a file is a change of its account, with its own number. So an answer that follows from one of an
account's own files still holds when others have written, or jobs have: one small query says so for all of them.
"""

from typing import Final, NamedTuple

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.store import StoreVersion

ACCOUNTS_REMEMBERED: Final = 1024


class AccountChange(NamedTuple):
    """Equal ones have the same files."""

    server: object
    """Of the database, if it has one: one that was put back to an earlier moment gives numbers out again."""
    account_id: int
    number: int


class AccountChanges:
    """Those of the accounts that were asked for last."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._known: dict[int, tuple[object, AccountChange]] = {}

    def of(self, account_id: int, version: object) -> AccountChange:
        """The change of a moment after the version was read; rows that are read after this call are as new at least."""
        known = self._known.get(account_id)
        if known is not None and known[0] == version:
            return known[1]
        with self._ctx.metadata.read() as unit:
            number = unit.changes.newest(account_id)
        change = AccountChange(version.server if isinstance(version, StoreVersion) else None, account_id, number)
        self._known.pop(account_id, None)
        self._known[account_id] = version, change
        if len(self._known) > ACCOUNTS_REMEMBERED:
            self._known.pop(next(iter(self._known)), None)
        return change
