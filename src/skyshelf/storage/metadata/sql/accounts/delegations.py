"""Delegations in SQL. Each is a session of a device, like an app password, and ends with that session."""

from collections.abc import Collection, Sequence

from msgspec.structs import asdict

from skyshelf.storage.metadata.contracts.leave import ROOT_LINK, Amounts, Leave, NewDelegation, StoredDelegation
from skyshelf.storage.metadata.contracts.sessions import DelegationSession, Session
from skyshelf.storage.metadata.sql import bounds
from skyshelf.storage.metadata.sql.account_lock import lock_account
from skyshelf.storage.metadata.sql.accounts.accounts import DEVICE_COLUMNS
from skyshelf.storage.metadata.sql.accounts.sessions import SESSION_COLUMNS, session_of
from skyshelf.storage.metadata.sql.leave import left_of, outside, spend
from skyshelf.storage.metadata.sql.statements import Columns, Params, SqlNoun

_TERMS = Columns(NewDelegation)
_USES = Columns(Amounts)
_PARTS = 16
"""What is left is set aside in at least so many parts."""
_TERM_COUNT = len(NewDelegation.__struct_fields__)
_USE_COUNT = len(Amounts.__struct_fields__)


class SqlDelegations(SqlNoun):
    """A delegation is a session that Sessions has opened before; it ends with that session."""

    def add(self, account_id: int, secret_hash: bytes, terms: NewDelegation, *, generation: int) -> None:
        """Make the open session with that secret_hash a delegation. LimitReached where there are too many."""
        lock_account(self._sql, account_id)
        # Those that have expired are swept up once an hour, and nobody sees them until then.
        self._sql.run(
            "DELETE FROM sessions WHERE account_id = :account AND secret_hash IN (SELECT d.secret_hash"
            " FROM delegations d JOIN sessions s ON s.secret_hash = d.secret_hash WHERE d.account_id = :account"
            " AND s.expires_at <= (SELECT n.created_at FROM sessions n WHERE n.secret_hash = :secret))",
            {"account": account_id, "secret": secret_hash},
        )
        bounds.refuse(self._sql, account_id, "delegations")
        row: Params = {"secret_hash": secret_hash, "account_id": account_id, "generation": generation}
        self._sql.insert("delegations", **row, **_TERMS.write(terms))
        root: Params = {"secret_hash": secret_hash, "link": ROOT_LINK, "account_id": account_id, "minute": 0}
        self._sql.insert("delegation_uses", **root, **asdict(Amounts()))

    def find(self, secret_hash: bytes, now: int) -> DelegationSession | None:
        """Return a delegation, unless it has expired, and while its account is active. One statement."""
        row = self._sql.one(
            f"SELECT {SESSION_COLUMNS}, a.email, d.generation, {_TERMS.of('d')} FROM delegations d"
            " JOIN sessions s ON s.secret_hash = d.secret_hash JOIN accounts a ON a.account_id = s.account_id"
            " WHERE d.secret_hash = :secret AND s.expires_at > :now AND a.status = 'A'",
            {"secret": secret_hash, "now": now},
        )
        if row is None:
            return None
        session: Session = session_of(secret_hash, row[:9])
        return DelegationSession(session, row[9], row[10], _TERMS.read(row[11:]))

    def of_account(self, account_id: int, now: int) -> list[StoredDelegation]:
        """Return those of an account that have not expired, newest first."""
        narrowed = "(SELECT count(*) - 1 FROM delegation_uses n WHERE n.secret_hash = d.secret_hash)"
        rows = self._sql.all(
            f"SELECT {_TERMS.of('d')}, {_USES.of('u')}, {narrowed}, s.created_at, s.last_used_at, s.expires_at,"
            " d.secret_hash,"
            f" {DEVICE_COLUMNS.of('v')} FROM delegations d"
            " JOIN delegation_uses u ON u.secret_hash = d.secret_hash AND u.link = :root"
            " JOIN sessions s ON s.secret_hash = d.secret_hash"
            " JOIN devices v ON v.account_id = s.account_id AND v.device_key = s.device_key"
            " WHERE d.account_id = :account AND s.expires_at > :now ORDER BY s.created_at DESC, s.device_key",
            {"account": account_id, "root": ROOT_LINK, "now": now},
        )
        at = _TERM_COUNT + _USE_COUNT
        return [
            StoredDelegation(
                DEVICE_COLUMNS.read(row[at + 5 :]),
                bytes(row[at + 4]),
                _TERMS.read(row[:_TERM_COUNT]),
                _USES.read(row[_TERM_COUNT:at]),
                *row[at : at + 4],
            )
            for row in rows
        ]

    def spend(self, account_id: int, leave: Leave, amounts: Amounts, *, minute: int = 0) -> None:
        """Use up numbers of a delegation: LeaveUsedUp where too little is left, LeaveRefused where it has ended."""
        lock_account(self._sql, account_id, even_paused=True)
        spend(self._sql, account_id, leave, amounts, minute=minute)

    def reserve(self, account_id: int, leave: Leave, needed: Amounts, spare: Amounts, minute: int) -> Amounts:
        """Use up what is needed, and at most so much more, of what is needed at all; return both together.

        LeaveUsedUp where too little is left for what is needed. Little more is taken where little is left.
        """
        lock_account(self._sql, account_id, even_paused=True)
        left = left_of(self._sql, leave, minute)
        granted = {}
        for name, need in asdict(needed).items():
            room = left.get(name, need + getattr(spare, name) * _PARTS) - need
            granted[name] = need + max(0, min(getattr(spare, name), room // _PARTS)) if need else 0
        amounts = Amounts(**granted)
        spend(self._sql, account_id, leave, amounts, minute=minute)
        return amounts

    def left(self, leave: Leave, minute: int) -> dict[str, int]:
        """Return how much is left of each number that is limited."""
        return left_of(self._sql, leave, minute)

    def outside(self, account_id: int, folders: Sequence[str], keys: Collection[str]) -> set[str]:
        """Return those of some objects that are not in all of these folders; a folder is in itself."""
        return outside(self._sql, account_id, folders, keys)
