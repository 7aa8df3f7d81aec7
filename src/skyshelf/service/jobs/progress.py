"""How far a job that deletes by age has come, and whether what it finds now can be explained by that.

Such a job notes the time up to which it has deleted. Whatever is older has gone then, so at its next run there is
nothing older. If there is, the rows are not from here: times are corrupt, or rows of another database have come in.
"""

from collections.abc import Callable

import msgspec

from skyshelf.service.context import ServiceContext
from skyshelf.service.jobs.brakes import FEW
from skyshelf.storage.metadata.contracts.expiry import Due
from skyshelf.storage.metadata.store import Unit

_SETTING = "jobs.progress"


def overdue(ctx: ServiceContext, task: str, due: Callable[[Unit, int], Due], things: str) -> str | None:
    """Why a job must not go on: more than a few things should have gone in its earlier runs. None if it may."""
    with ctx.metadata.read() as unit:
        done_up_to = _stored(unit).get(task)
        if done_up_to is None:
            return None
        count = due(unit, done_up_to).count
    if count <= FEW:
        return None
    return f"{count:,} {things} are so old that the last run would have deleted them, but they were not there"


def note_progress(ctx: ServiceContext, task: str, done_up_to: int) -> None:
    """Everything up to that time was deleted."""

    def work(unit: Unit) -> None:
        stored = _stored(unit)
        stored[task] = done_up_to
        unit.settings.set(_SETTING, msgspec.json.encode(stored))

    ctx.metadata.write(work)


def _stored(unit: Unit) -> dict[str, int]:
    kept = unit.settings.get(_SETTING)
    return msgspec.json.decode(kept, type=dict[str, int]) if kept else {}
