"""The outbox in SQL."""

from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.jobs import Job, QueueFigures
from skyshelf.storage.metadata.sql.statements import Sql


class SqlOutbox:
    def __init__(self, sql: Sql) -> None:
        self._sql = sql

    def put(self, kind: str, subject: str, payload: bytes, run_at: int) -> None:
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
        row = self._sql.one(
            "SELECT run_at FROM outbox WHERE kind = ANY(:kinds) ORDER BY run_at, job_id LIMIT 1", {"kinds": list(kinds)}
        )
        return None if row is None else row[0]

    def extend(self, job: Job, lease_until: int) -> bool:
        return bool(
            self._sql.run(
                "UPDATE outbox SET run_at = :until WHERE job_id = :job AND lease = :lease",
                {"job": job.job_id, "lease": job.lease, "until": lease_until},
            )
        )

    def done(self, job: Job) -> bool:
        held = self._sql.one(
            "SELECT again_at FROM outbox WHERE job_id = :job AND lease = :lease FOR UPDATE",
            {"job": job.job_id, "lease": job.lease},
        )
        if held is None:
            return False
        if held[0] is None:
            self._sql.run("DELETE FROM outbox WHERE job_id = :job", {"job": job.job_id})
        else:
            self._sql.run(
                "UPDATE outbox SET lease = '', run_at = :again, again_at = NULL, attempts = 0, last_error = ''"
                " WHERE job_id = :job",
                {"job": job.job_id, "again": held[0]},
            )
        return True

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        return bool(
            self._sql.run(
                "UPDATE outbox SET lease = '', last_error = :error, again_at = NULL, run_at = CASE WHEN"
                " again_at < :retry THEN again_at ELSE :retry END WHERE job_id = :job AND lease = :lease",
                {
                    "job": job.job_id,
                    "lease": job.lease,
                    "error": _storable(error),
                    "retry": retry_at,
                },
            )
        )

    def retry_failed(self, error: str, now: int) -> None:
        self._sql.run(
            "UPDATE outbox SET run_at = :now WHERE lease = '' AND last_error <> '' AND last_error = :error"
            " AND run_at > :now",
            {"error": error, "now": now},
        )

    def figures(self, now: int) -> QueueFigures:
        row = self._sql.one(
            "SELECT count(*), count(*) FILTER (WHERE run_at <= :now),"
            " coalesce(min(CASE WHEN run_at <= :now THEN run_at END), 0), count(*) FILTER (WHERE last_error <> '')"
            " FROM outbox",
            {"now": now},
        )
        assert row is not None
        return QueueFigures(*row)

    def errors(self, limit: int) -> list[tuple[str, str, int, str]]:
        rows = self._sql.all(
            "SELECT kind, subject, attempts, last_error FROM outbox WHERE last_error <> ''"
            " ORDER BY attempts DESC, job_id DESC LIMIT :limit",
            {"limit": limit},
        )
        return [(kind, subject, attempts, error) for kind, subject, attempts, error in rows]


def _storable(error: str) -> str:
    """An error may quote anything; a database's text holds neither NUL nor half a character."""
    return error.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
