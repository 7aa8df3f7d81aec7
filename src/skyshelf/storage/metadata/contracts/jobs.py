"""The outbox: work for later, written in the same commit as its cause."""

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


class Due(msgspec.Struct, frozen=True):
    """So many things, and their bytes as far as they are known."""

    count: int
    size: int = 0
