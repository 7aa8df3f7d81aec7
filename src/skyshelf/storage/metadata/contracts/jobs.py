"""The outbox: work for later, written in the same commit as its cause."""

from collections.abc import Sequence
from typing import Protocol

import msgspec


class Job(msgspec.Struct, frozen=True):
    """A job in somebody's hands. attempts counts this one, and those that ended in a crash."""

    job_id: int
    kind: str
    subject: str
    payload: bytes
    attempts: int
    lease: str


class QueueFigures(msgspec.Struct, frozen=True):
    """How many jobs there are, how many are due now, and since when; how many have failed and wait for another try."""

    jobs: int
    due: int
    due_since: int
    """0 where none is due."""
    failing: int


class Outbox(Protocol):
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

    def claim(self, kinds: Sequence[str], now: int, *, lease: str, lease_until: int) -> Job | None:
        """The job of these kinds that has been due longest, or whose worker's lease ran out; None when there is
        none. Two claimers never hold the same job, and do not wait for each other."""

    def next_due(self, kinds: Sequence[str]) -> int | None:
        """When the next job of these kinds is due, or the lease of its worker ends; None when there is none."""

    def extend(self, job: Job, lease_until: int) -> bool:
        """Keep a job for longer; false when the lease was lost."""

    def done(self, job: Job) -> bool:
        """The job is finished (and runs again if it was put again in the meantime); false when the lease was lost."""

    def failed(self, job: Job, error: str, retry_at: int) -> bool:
        """Try again at that time, or earlier if it was put again in the meantime; false when the lease was lost."""

    def retry_failed(self, error: str, now: int) -> None:
        """Make the jobs due that failed with this error and wait."""

    def figures(self, now: int) -> QueueFigures:
        """All jobs in numbers. One statement."""

    def errors(self, limit: int) -> list[tuple[str, str, int, str]]:
        """(kind, subject, attempts, last error) of jobs that have failed and not yet succeeded, most attempts first."""
