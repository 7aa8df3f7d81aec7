"""Quota in SQL."""

from collections.abc import Mapping

from skyshelf.storage.errors import AccountMissing, QuotaExceeded
from skyshelf.storage.metadata.contracts.quota import CATEGORIES, Quota
from skyshelf.storage.metadata.sql.account_lock import AccountLock
from skyshelf.storage.metadata.sql.statements import Sql

QUOTA_COLUMNS = (
    "a.default_space, a.paid_space,"
    " (SELECT CAST(coalesce(sum(p.space), 0) AS BIGINT) FROM promotions p WHERE (p.account_id = a.account_id OR"
    " p.account_id IS NULL) AND p.start_at <= :now AND p.end_at > :now),"
    " c.document_used, c.photo_used, c.video_used, c.audio_used, c.reserved, c.objects"
)
_OF_ACCOUNT = " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id WHERE a.account_id = :account"
_QUOTA = f"SELECT {QUOTA_COLUMNS}{_OF_ACCOUNT}"
_QUOTA_AT = f"SELECT c.change_seq, {QUOTA_COLUMNS}{_OF_ACCOUNT}"
_LOCK_WITH_QUOTA = (
    f"SELECT c.change_seq, c.trash_watermark, c.objects, c.alarm_watch, {QUOTA_COLUMNS}{_OF_ACCOUNT} FOR UPDATE OF c"
)


class SqlQuotas:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def get(self, account_id: int, now: int) -> Quota:
        row = self._sql.one(_QUOTA, {"account": account_id, "now": now})
        if row is None:
            raise AccountMissing("no such account")
        return Quota(*row)

    def at(self, account_id: int, now: int) -> tuple[int, Quota]:
        row = self._sql.one(_QUOTA_AT, {"account": account_id, "now": now})
        if row is None:
            raise AccountMissing("no such account")
        return row[0], Quota(*row[1:])

    def recount(self, account_id: int, now: int) -> Quota:
        kept = self.get(account_id, now)
        used = dict.fromkeys(CATEGORIES, 0)
        for category, size in self._sql.all(
            "SELECT category, CAST(sum(size) AS BIGINT) FROM versions WHERE account_id = :account GROUP BY category",
            {"account": account_id},
        ):
            used[category] = size
        reserved = self._sql.one(
            "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM uploads WHERE account_id = :account",
            {"account": account_id},
        )
        objects = self._sql.one(
            "SELECT count(*) - 1 FROM objects WHERE account_id = :account",  # the root does not count
            {"account": account_id},
        )
        assert reserved is not None
        assert objects is not None
        return Quota(
            kept.default_space,
            kept.paid_space,
            kept.promotional_space,
            used["document"],
            used["photo"],
            used["video"],
            used["audio"],
            reserved[0],
            objects[0],
        )


def lock_with_quota(sql: Sql, account_id: int, now: int) -> tuple[AccountLock, Quota]:
    """Hold the account until the transaction ends, as lock_account does, and read its quota in the same statement."""
    row = sql.one(_LOCK_WITH_QUOTA, {"account": account_id, "now": now})
    if row is None:
        raise AccountMissing("no such account")
    return AccountLock(*row[:4]), Quota(*row[4:])


def refuse_over_quota(sql: Sql, account_id: int, more: int, now: int, *, already_reserved: int = 0) -> None:
    """QuotaExceeded when that many more bytes do not fit. The caller holds the account's lock."""
    quota = SqlQuotas(sql).get(account_id, now)
    if quota.used + quota.reserved - already_reserved + more > quota.allocated:
        raise QuotaExceeded(f"{more} more bytes do not fit into {quota.allocated}, of which {quota.used} are used")


def add_used(sql: Sql, account_id: int, by_category: Mapping[str, int], *, reserved: int = 0) -> None:
    """Change the counters; the caller holds the account's lock."""
    sql.run(
        "UPDATE account_counters SET document_used = document_used + :document, photo_used = photo_used + :photo,"
        " video_used = video_used + :video, audio_used = audio_used + :audio, reserved = reserved + :reserved"
        " WHERE account_id = :account",
        {
            "account": account_id,
            "reserved": reserved,
            **{category: by_category.get(category, 0) for category in CATEGORIES},
        },
    )
