"""The steps of a sync, as a run prints them while they happen, and as its log shows them later."""

import threading
from typing import Annotated, Final

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.session import CommandSession
from skyshelf.cli.base.text import format_count, visible
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.rounds import SyncResult, TwoWaySync
from skyshelf.wire.projection import From, Projection

_NOTHING: Final = "Both sides are the same."
_TRANSFERS: Final = frozenset({"upload", "download"})
_VERBS: Final = {
    "conflict": "keep both",
    "create local folder": "make folder here",
    "create remote folder": "make folder there",
    "mode local": "set mode here",
    "mode remote": "set mode there",
    "move local": "move here",
    "move remote": "move there",
    "trash local": "trash here",
    "trash remote": "trash there",
}


class SyncStepRecord(Projection, frozen=True, kw_only=True):
    """One step of a sync, or in a dry run of its plan: paths below the local folder.

    `action` is `upload`, `download`, `create_local_folder`, `create_remote_folder`, `move_local`, `move_remote`,
    `mode_local`, `mode_remote` (with the `reason` `executable` or `not executable`), `trash_local`, `trash_remote`,
    `conflict` (the local item was renamed to `to`), `merge`, `left` or `failed`.
    """

    action: Annotated[str, From(lambda event: event.kind.replace(" ", "_"))]
    path: str
    to: Annotated[str | None, From(lambda event: event.to or None)]
    reason: Annotated[str | None, From(lambda event: event.reason or None)]
    size_bytes: Annotated[int | None, From(lambda event: event.size if event.kind in _TRANSFERS else None)]


class StepPrinter:
    """Prints a line or a JSON document for each step."""

    def __init__(self, session: CommandSession, meter: Meter) -> None:
        self._out = session.out
        self._meter = meter
        self._lock = threading.Lock()
        self._records: list[SyncStepRecord] = []

    def handle(self, event: SyncEvent) -> None:
        """Print an event; safe to call from any thread."""
        if event.kind == "progress":
            self._meter.moved(event.path, event.transferred)
            return
        if event.kind in _TRANSFERS:
            self._meter.finished(event.path, event.size)
        if event.kind == "failed":
            self._meter.failed(event.path, event.reason)
        record = SyncStepRecord.of(event)
        with self._lock:
            if self._out.form == "json":
                self._records.append(record)
            elif self._out.form == "jsonl" or event.kind != "failed":
                self._meter.pause(lambda: self._show(record))

    def _show(self, record: SyncStepRecord) -> None:
        if record.action == "left":
            self._out.note(f"left alone: {record.path}: {record.reason}")
        if record.action != "left" or self._out.form == "jsonl":
            self._out.record(record, [_line(record)])

    def preview(self, syncing: TwoWaySync) -> None:
        plan = syncing.plan()
        for path, reason in (*plan.left, *plan.held):
            self.handle(SyncEvent(kind="left", path=path, reason=reason))
        for step in plan.steps:
            self.handle(SyncEvent(kind=step.kind, path=step.path, to=step.to, reason=step.reason, size=step.size))
        here, there = plan.files_deleted("trash local"), plan.files_deleted("trash remote")
        steps = len(plan.steps)
        self._out.note(
            f"Would do {format_count(steps, 'step')}; {format_count(here, 'file')} would be deleted here and"
            f" {there:,} on the server."
            if steps
            else _NOTHING
        )

    def end(self, result: SyncResult, *, is_last: bool = True) -> None:
        """Report a run; one with failures ends the command, unless it keeps watching."""
        failed = f"{format_count(len(result.failures), 'item')} could not be synced; see above."
        if result.failures and is_last:
            codes = {error.exit_code for _, error in result.failures}
            raise CommandFailed(f"{failed} Run the same command again to retry.", codes.pop() if len(codes) == 1 else 1)
        if result.steps:
            self._out.note(f"Done: {format_count(result.steps, 'step')}. {failed if result.failures else _NOTHING}")
        elif is_last:
            self._out.note(_NOTHING)

    def finish(self) -> None:
        """Print what --json collected."""
        if self._out.form == "json":
            self._out.records(self._records, lambda record: record, lambda _: ())


def _line(record: SyncStepRecord) -> str:
    verb, shown = shown_step(record.action.replace("_", " "), record.path, record.to or "", record.reason or "")
    return f"{verb:18}{shown}"


def shown_step(kind: str, path: str, to: str, reason: str) -> tuple[str, str]:
    """Return the words for a step, and what it concerns."""
    moved = f" -> {visible(to)}" if to else ""
    return _VERBS.get(kind, kind), f"{visible(path)}{moved}{f' ({visible(reason)})' if reason else ''}"
