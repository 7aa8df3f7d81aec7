"""Our server with one, two and four worker processes, as far as there are cores for them and for the load."""

import os
from collections.abc import Mapping
from dataclasses import replace

from benchmarks import server_ours as ours
from benchmarks.server_measures import READING, WRITING, Effort, Measure, in_turn
from benchmarks.server_subjects import Subject
from benchmarks.tables import print_table, short

WORKERS = (1, 2, 4)
MEASURES: Mapping[str, Measure] = {
    name: {**READING, **WRITING}[name] for name in ("pages/s", "small/s", "100 KB/s", "thumbnails/s", "100 KB up/s")
}


def show(server: Subject, effort: Effort) -> None:
    """One table. The processes are measured one after the other: they would share the same files."""
    found: dict[int, dict[str, float]] = {}
    for workers in WORKERS:
        if workers > (os.cpu_count() or 1):
            continue
        subject = replace(ours.again(server, ["--workers", str(workers)]), name=f"{workers}")
        subject.process.start()
        try:
            found[workers] = {
                # Names of uploads are new in every table.
                name: in_turn([subject], name, _from(1000 * workers, measure), effort).get(subject.name, float("nan"))
                for name, measure in MEASURES.items()
            }
        finally:
            subject.process.stop()
    rows = []
    for workers, figures in found.items():
        grown = [f"{short(figures[name])} ({figures[name] / found[1][name]:.2f} ×)" for name in MEASURES]
        rows.append([str(workers), *grown])
    title = f"worker processes of our server on SQLite, on {os.cpu_count()} cores which the load shares"
    print_table(title, ["", *MEASURES], rows, name="workers")


def _from(first: int, measure: Measure) -> Measure:
    return lambda subject, effort, number: measure(subject, effort, first + number)
