"""The outbox in SQL, and what is due for the jobs that delete."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.jobs import Due, Job, QueueFigures
from skyshelf.storage.metadata.sql.held import EVENT_NOT_HELD, NOT_HELD
from skyshelf.storage.metadata.sql.quarantine import DUE, IS_IN_HISTORY
from skyshelf.storage.metadata.sql.statements import Params, SqlNoun


class SqlOutbox(SqlNoun):
    """Every job that was put runs at least once after the commit that put it, however many workers crash.

    A worker claims a job, works outside any transaction, and says done or failed. Its lease is a token that
    nobody else uses. A worker that outlives its lease may find that another one has the job: then what it says
    about the job has no effect, and is answered with False. So work must be safe to do twice.
    """

    def put(self, kind: str, subject: str, payload: bytes, run_at: int) -> None:
        """Ask for work. The same kind and subject is the same job, with the payload given last.

        While it waits, it stays one job, and the earlier time wins. A worker that already has it may not
        have seen this transaction, so the job then runs once more afterwards, at the earliest time asked for.
        """
        self._sql.run(
            "INSERT INTO outbox (kind, subject, payload, run_at, attempts, lease, last_error)"
            " VALUES (:kind, :subject, :payload, :run_at, 0, '', '')"
            " ON CONFLICT (subject, kind) DO UPDATE SET payload = excluded.payload,"
            " run_at = CASE WHEN outbox.lease = '' AND excluded.run_at < outbox.run_at THEN excluded.run_at"
            " ELSE outbox.run_at END,"
            " again_at = CASE WHEN outbox.lease = '' THEN NULL WHEN outbox.again_at < excluded.run_at"
            " THEN outbox.again_at ELSE excluded.run_at END",
            {"kind": kind, "subject": subject, "payload": payload, "run_at": run_at},
        )

    def claim(self, kinds: Sequence[str], now: int, *, lease: str, lease_until: int) -> Job | None:
        """Return the job of these kinds that has been due longest, or whose worker's lease ran out; None when there is
        none. Two claimers never hold the same job, and do not wait for each other."""
        assert lease, "an empty lease is nobody's"
        # Two statements and not one: what is locked by the first is exactly what the second changes.
        row = self._sql.one(
            "SELECT job_id, kind, subject, payload, attempts + 1 FROM outbox WHERE run_at <= :now"
            " AND kind = ANY(:kinds) ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED",
            {"now": now, "kinds": list(kinds)},
        )
        if row is None:
            return None
        job = Job(*(*row, lease))
        # A put while a crashed worker had the job is part of this run, which starts only now.
        self._sql.run(
            "UPDATE outbox SET lease = :lease, run_at = :until, attempts = attempts + 1, again_at = NULL"
            " WHERE job_id = :job",
            {"job": job.job_id, "lease": lease, "until": lease_until},
        )
        return job

    def next_due(self, kinds: Sequence[str]) -> int | None:
        """Return when the next job of these kinds is due, or the lease of its worker ends; None when there is none."""
        due = "SELECT run_at FROM outbox WHERE kind = ANY(:kinds) ORDER BY run_at, job_id LIMIT 1"
        return self._sql.value(due, {"kinds": list(kinds)})

    def extend(self, job: Job, lease_until: int) -> bool:
        """Keep a job for longer; false when the lease was lost."""
        return bool(self._sql.update("outbox", {"run_at": lease_until}, job_id=job.job_id, lease=job.lease))

    def done(self, job: Job) -> bool:
        """The job is finished (and runs again if it was put again in the meantime); false when the lease was lost."""
        held = self._sql.one(
            "SELECT again_at FROM outbox WHERE job_id = :job AND lease = :lease FOR UPDATE",
            {"job": job.job_id, "lease": job.lease},
        )
        if held is None:
            return False
        if held[0] is None:
            self._sql.delete("outbox", job_id=job.job_id)
        else:
            again: Params = {"lease": "", "run_at": held[0], "again_at": None, "attempts": 0, "last_error": ""}
            self._sql.update("outbox", again, job_id=job.job_id)
        return True

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        """Try again at that time, or earlier if it was put again in the meantime; false when the lease was lost."""
        return self._sql.changed(
            "UPDATE outbox SET lease = '', last_error = :error, again_at = NULL, run_at = CASE WHEN"
            " again_at < :retry THEN again_at ELSE :retry END WHERE job_id = :job AND lease = :lease",
            {"job": job.job_id, "lease": job.lease, "error": _storable(error), "retry": retry_at},
        )

    def retry_failed(self, error: str, now: int) -> None:
        """Make the jobs due that failed with this error and wait."""
        self._sql.run(
            "UPDATE outbox SET run_at = :now WHERE lease = '' AND last_error <> '' AND last_error = :error"
            " AND run_at > :now",
            {"error": error, "now": now},
        )

    def figures(self, now: int) -> QueueFigures:
        """Return all jobs in numbers. One statement."""
        row = self._sql.only(
            "SELECT count(*), count(*) FILTER (WHERE run_at <= :now),"
            " coalesce(min(CASE WHEN run_at <= :now THEN run_at END), 0), count(*) FILTER (WHERE last_error <> '')"
            " FROM outbox",
            {"now": now},
        )
        return QueueFigures(*row)

    def errors(self, limit: int) -> list[tuple[str, str, int, str]]:
        """(kind, subject, attempts, last error) of jobs that have failed and not yet succeeded, most attempts first."""
        rows = self._sql.all(
            "SELECT kind, subject, attempts, last_error FROM outbox WHERE last_error <> ''"
            " ORDER BY attempts DESC, job_id DESC LIMIT :limit",
            {"limit": limit},
        )
        return [(kind, subject, attempts, error) for kind, subject, attempts, error in rows]


def _storable(error: str) -> str:
    """An error may quote anything; a database's text holds neither NUL nor half a character."""
    return error.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()


class SqlExpiry(SqlNoun):
    def trash(self, trashed_up_to: int) -> Due:
        """Objects that were trashed up to that time and are not being purged; without what is below folders."""
        return self._due(
            "count(*), sum(o.size) FROM objects o JOIN account_counters c ON c.account_id = o.account_id"
            " WHERE o.status = 'T' AND o.trashed_at <= :up_to AND o.trashed_at > c.trash_watermark AND c.held_at = 0",
            {"up_to": trashed_up_to},
        )

    def uploads(self, updated_before: int) -> Due:
        """Unfinished uploads that have not advanced since that time; the size is what has arrived."""
        return self._due(
            f"count(*), sum(received) FROM uploads WHERE updated_at < :before AND {NOT_HELD.format('uploads')}",
            {"before": updated_before},
        )

    def changes(self, before: int) -> Due:
        """Entries of change feeds from before that time."""
        return self._due(
            f"count(*), 0 FROM changes WHERE at < :before AND {NOT_HELD.format('changes')}", {"before": before}
        )

    def versions(self, kept: int) -> Due:
        """Versions beyond the newest so many of each file."""
        return self._due(
            "count(*), sum(v.size) FROM versions v JOIN objects o ON o.account_id = v.account_id"
            " AND o.object_key = v.object_key WHERE v.version <= o.version - :kept",
            {"kept": kept},
        )

    def quarantine(self, since_up_to: int) -> Due:
        """What has been in quarantine since that time, without what some account's history needs."""
        return self._due(
            f"count(*), sum(q.size) FROM quarantine q WHERE {DUE.format('q.')} AND NOT {IS_IN_HISTORY}",
            {"up_to": since_up_to},
        )

    def history(self, before: int) -> Due:
        """Contents that history alone keeps, of versions that were deleted before that time."""
        return self._due(
            f"count(*), sum(size) FROM kept_contents WHERE kept_at < :before AND {NOT_HELD.format('kept_contents')}",
            {"before": before},
        )

    def quarantine_beyond(self, size: int) -> Due:
        """Return the oldest released contents in quarantine, without which the others have at most that size."""
        return self._due(
            "count(*), sum(size) FROM (SELECT size, sum(size) OVER (ORDER BY since DESC, location DESC) AS total"
            " FROM quarantine WHERE reason = 'released') newest WHERE total > :size",
            {"size": size},
        )

    def audit(self, before: int) -> Due:
        """Events of the audit trail from before that time."""
        return self._due(
            f"count(*), 0 FROM audit_events WHERE happened_at < :before AND {EVENT_NOT_HELD}", {"before": before}
        )

    def contents(self) -> int:
        """Return all contents that files refer to."""
        return self._sql.number("SELECT count(*) FROM blobs")

    def accounts(self, now: int) -> tuple[int, int]:
        """Return the accounts whose date of deletion is over and that are not held, and all accounts."""
        due = f"count(*) FILTER (WHERE delete_at > 0 AND delete_at <= :now AND {NOT_HELD.format('accounts')})"
        over, number = self._sql.only(f"SELECT {due}, count(*) FROM accounts", {"now": now})
        return over, number

    def _due(self, query: str, params: Params) -> Due:
        number, size = self._sql.only(f"SELECT {query}", params)
        return Due(number, int(size or 0))
