"""How often background jobs run, how long, and how they end: plain numbers until somebody reads them."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final, Literal

Outcome = Literal["done", "failed", "stopped", "interrupted"]


class JobRun:
    """One run of a job; `outcome` is set before it ends."""

    def __init__(self) -> None:
        self.outcome: Outcome = "interrupted"


Around = Callable[[str, JobRun], AbstractContextManager[None]]
"""Takes the kind of a job and its run, before it begins."""


class JobFigures:
    """What the runs of one kind add up to since they were taken."""

    def __init__(self) -> None:
        self.outcomes: dict[Outcome, int] = {}
        self.seconds = 0.0
        self.done_at = 0.0
        """When one ended well, in seconds since 1970; 0 if none did."""


class JobRuns:
    """The runs of a process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._figures: dict[str, JobFigures] = {}
        self.around: Around | None = None
        """Traces the runs, where that is on."""

    @contextmanager
    def running(self, kind: str) -> Iterator[JobRun]:
        run, began = JobRun(), time.monotonic()
        try:
            with nullcontext() if self.around is None else self.around(kind, run):
                yield run
        finally:
            with self._lock:
                figures = self._figures.setdefault(kind, JobFigures())
                figures.outcomes[run.outcome] = figures.outcomes.get(run.outcome, 0) + 1
                figures.seconds += time.monotonic() - began
                if run.outcome == "done":
                    figures.done_at = time.time()

    def take(self) -> dict[str, JobFigures]:
        """Everything since the last time."""
        with self._lock:
            taken, self._figures = self._figures, {}
        return taken


job_runs: Final = JobRuns()
"""Those of this process."""
