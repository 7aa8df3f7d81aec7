"""Quota in SQL, and the bounds on the rows of an account."""

from collections.abc import Mapping

from msgspec.structs import replace

from skyshelf.storage.errors import AccountMissing, LimitReached
from skyshelf.storage.metadata.contracts.accounts import CATEGORIES, Quota
from skyshelf.storage.metadata.sql.account_lock import LOCK_COLUMNS, AccountLock, check_device
from skyshelf.storage.metadata.sql.held import seen_since
from skyshelf.storage.metadata.sql.statements import Params, Scalar, Sql, SqlNoun, equal, required
from skyshelf.wire.limits import HISTORY_TIMES_QUOTA, OBJECT_QUOTA_BYTES, OBJECTS_ALWAYS

QUOTA_COLUMNS = (
    "a.default_space, a.paid_space,"
    " (SELECT CAST(coalesce(sum(p.space), 0) AS BIGINT) FROM promotions p WHERE (p.account_id = a.account_id OR"
    " p.account_id IS NULL) AND p.start_at <= :now AND p.end_at > :now),"
    " c.document_used, c.photo_used, c.video_used, c.audio_used, c.reserved, c.objects, c.history_used,"
    " c.held_at"
)
QUOTA_WIDTH = len(Quota.__struct_fields__) - 1
"""How many columns that is: hidden_history is summed up for held accounts alone."""
_OF_ACCOUNT = " FROM accounts a JOIN account_counters c ON c.account_id = a.account_id WHERE a.account_id = :account"
_QUOTA = f"SELECT c.change_seq, {QUOTA_COLUMNS}{_OF_ACCOUNT}"
_SEEN_ROWS_MAX = 50_000
"""Contents of a held account that are summed up; more of them are so small that they do not fill a disk."""
_LOCKED = len(AccountLock.__struct_fields__)
_LOCK_WITH_QUOTA = f"SELECT {LOCK_COLUMNS}, {QUOTA_COLUMNS}{_OF_ACCOUNT} FOR UPDATE OF c"


class SqlQuotas(SqlNoun):
    """The counters change in the same transaction as the rows they count, so they are exact at every moment.

    What is used is the size of every version of every file, trashed ones included, until it is purged; history may keep
    it for longer.
    """

    def get(self, account_id: int, now: int) -> Quota:
        """AccountMissing when there is none. Promotions count while they run."""
        return self.at(account_id, now)[1]

    def at(self, account_id: int, now: int) -> tuple[int, Quota]:
        """Return the number of the account's newest change, and its quota at that moment."""
        row = self._sql.one(_QUOTA, {"account": account_id, "now": now})
        change_seq, *quota = required(row, AccountMissing("no such account"))
        return change_seq, _without_hidden(self._sql, account_id, Quota(*quota), now)

    def recount(self, account_id: int, now: int) -> Quota:
        """Return what the counters should say, summed up from the rows themselves."""
        kept = self.get(account_id, now)
        used = {f"{category}_used": 0 for category in CATEGORIES}
        for category, size in self._sql.all(
            "SELECT category, CAST(sum(size) AS BIGINT) FROM versions WHERE account_id = :account GROUP BY category",
            {"account": account_id},
        ):
            used[f"{category}_used"] = size
        reserved = "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM uploads WHERE account_id = :account"
        objects = "SELECT count(*) - 1 FROM objects WHERE account_id = :account"  # the root does not count
        history = "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM kept_contents WHERE account_id = :account"
        return replace(
            kept,
            **used,
            reserved=self._sql.number(reserved, {"account": account_id}),
            objects=self._sql.number(objects, {"account": account_id}),
            history_used=self._sql.number(history, {"account": account_id}),
        )


def lock_with_quota(sql: Sql, account_id: int, now: int) -> tuple[AccountLock, Quota]:
    """Hold the account until the transaction ends, as lock_account does, and read its quota in the same statement."""
    row = required(sql.one(_LOCK_WITH_QUOTA, {"account": account_id, "now": now}), AccountMissing("no such account"))
    lock = AccountLock(*row[:_LOCKED])
    check_device(sql, lock)
    return lock, _without_hidden(sql, account_id, Quota(*row[_LOCKED:]), now)


def _without_hidden(sql: Sql, account_id: int, quota: Quota, now: int) -> Quota:
    """Note how much of a held account's history its owner does not see. The rest has the bound that it has without a
    hold: otherwise somebody under a hold could fill the disk, and nothing could free it."""
    if not quota.held_at or quota.history_used <= (HISTORY_TIMES_QUOTA - 1) * quota.allocated:
        return quota
    seen = sql.number(
        "SELECT CAST(coalesce(sum(s.size), 0) AS BIGINT) FROM (SELECT k.size FROM kept_contents k"
        " WHERE k.account_id = :account AND k.kept_at >= :since ORDER BY k.kept_at DESC LIMIT :limit) s",
        {"account": account_id, "since": seen_since(sql, account_id, now), "limit": _SEEN_ROWS_MAX},
    )
    return replace(quota, hidden_history=quota.history_used - seen)


def refuse_over_quota(sql: Sql, account_id: int, size: int, now: int, *, freed: int = 0) -> None:
    """QuotaExceeded when new content does not fit. The caller holds the account's lock."""
    if refusal := SqlQuotas(sql).get(account_id, now).refusal(size, freed=freed):
        raise refusal


def add_used(sql: Sql, account_id: int, by_category: Mapping[str, int], *, reserved: int = 0, history: int = 0) -> None:
    """Change the counters; the caller holds the account's lock."""
    sql.run(
        "UPDATE account_counters SET document_used = document_used + :document, photo_used = photo_used + :photo,"
        " video_used = video_used + :video, audio_used = audio_used + :audio, reserved = reserved + :reserved,"
        " history_used = history_used + :history WHERE account_id = :account",
        {
            "account": account_id,
            "reserved": reserved,
            "history": history,
            **{category: by_category.get(category, 0) for category in CATEGORIES},
        },
    )


def add_objects(sql: Sql, account_id: int, more: int) -> None:
    """Change the counter of objects; the caller holds the account's lock."""
    counted = "UPDATE account_counters SET objects = objects + :more WHERE account_id = :account"
    sql.run(counted, {"account": account_id, "more": more})


# Bounds on rows; those of an account are in bounds.py. Objects have a counter. The caller holds the account's lock, or
# the board's.


def count(sql: Sql, rows: str, params: Params, most: int) -> int:
    """Return how many rows `FROM … WHERE …` has, up to the bound."""
    return sql.number(f"SELECT count(*) FROM (SELECT 1 {rows} LIMIT :bound) k", {**params, "bound": most})


def refuse_beyond(sql: Sql, rows: str, params: Params, *, most: int, what: str, more: int = 1) -> None:
    """Raise LimitReached if adding `more` rows would exceed the limit."""
    if more and count(sql, rows, params, most) + more > most:
        raise LimitReached(f"There can be at most {most:,} {what}")


def refuse_more(sql: Sql, table: str, /, *, most: int, what: str, more: int = 1, **where: Scalar) -> None:
    """Raise LimitReached if so many more rows in which columns have these values would be too many."""
    refuse_beyond(sql, f"FROM {table} WHERE {equal(where)}", where, most=most, what=what, more=more)


def objects_left(sql: Sql, account_id: int, lock: AccountLock, now: int) -> int:
    """Return how many objects the account may add; the quota is read only when the account is near the fixed limit."""
    if lock.objects < OBJECTS_ALWAYS // 2:
        return OBJECTS_ALWAYS - lock.objects
    return objects_left_of(lock, SqlQuotas(sql).get(account_id, now).allocated)


def objects_left_of(lock: AccountLock, allocated: int) -> int:
    """Return the same for a quota that is already known."""
    return objects_allowed(allocated) - lock.objects


def objects_allowed(allocated: int) -> int:
    """Return how many files and folders an account with so much quota may have."""
    return OBJECTS_ALWAYS + allocated // OBJECT_QUOTA_BYTES


def too_many_objects() -> LimitReached:
    return LimitReached("The account has as many files and folders as its quota allows")
