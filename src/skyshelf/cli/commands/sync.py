"""`skyshelf sync`: a local folder and one on the server, kept the same in both directions."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import click

from skyshelf.cli.base.errors import CommandFailed, describe_error
from skyshelf.cli.base.params import EXISTING_FOLDER, limit_rate_option, number_option, shared_rate_limit
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import format_count, safe_line, visible
from skyshelf.cli.commands.path_filters import PathFilter, path_filter
from skyshelf.cli.commands.put import workers_option
from skyshelf.client.errors import SkyshelfError
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.rounds import DELETIONS_MAX, SyncResult, TwoWaySync
from skyshelf.wire.projection import From, Projection

IGNORE_FILE = ".skyshelfignore"
_RESUME_HINT = "Run the same command again to continue; what is done is not done again"
_NOTHING = "Both sides are the same."
_TRANSFERS = frozenset({"upload", "download"})
_VERBS = {
    "conflict": "keep both",
    "create local folder": "make folder here",
    "create remote folder": "make folder there",
    "move local": "move here",
    "move remote": "move there",
    "trash local": "trash here",
    "trash remote": "trash there",
}


class SyncStepRecord(Projection, frozen=True, kw_only=True):
    """One step of a sync, or in a dry run of its plan: paths below the local folder.

    `action` is `upload`, `download`, `create_local_folder`, `create_remote_folder`, `move_local`, `move_remote`,
    `trash_local`, `trash_remote`, `conflict` (the local item was renamed to `to`), `left` or `failed`.
    """

    action: Annotated[str, From(lambda event: event.kind.replace(" ", "_"))]
    path: str
    to: Annotated[str | None, From(lambda event: event.to or None)]
    reason: Annotated[str | None, From(lambda event: event.reason or None)]
    size_bytes: Annotated[int | None, From(lambda event: event.size if event.kind in _TRANSFERS else None)]


@client_command(
    "sync",
    "skyshelf sync ~/Documents /Documents --dry-run",
    "skyshelf sync ~/Documents /Documents --watch",
    "skyshelf sync ~/code /Code --exclude node_modules/ --exclude '*.o'",
    records=SyncStepRecord,
)
@click.argument("local", type=EXISTING_FOLDER)
@click.argument("path")
@click.option("--watch", is_flag=True, help="Keep both sides the same until Ctrl-C.")
@click.option("--dry-run", is_flag=True, help="Print the plan, and change nothing.")
@click.option(
    "--exclude", multiple=True, metavar="GLOB", help="Leave matching paths alone on both sides; may be repeated."
)
@number_option("--max-delete", 0, default=DELETIONS_MAX, help="Ask before deleting more files than this on one side.")
@click.option("--force-deletions", is_flag=True, help="Delete any number of files without asking.")
@click.option("--start-over", is_flag=True, help="Forget the last sync: merge both sides, and delete nothing.")
@click.option(
    "--accept-server-state",
    is_flag=True,
    help="Go on with a server that was restored, moved or put back: upload what is newer here, and delete nothing.",
)
@number_option(
    "--interval", 1, default=60, help="With --watch: seconds between checks of a server that cannot report changes."
)
@click.option("--delete", is_flag=True, hidden=True)
@workers_option
@limit_rate_option
def sync(
    *,
    session: CommandSession,
    local: Path,
    path: str,
    watch: bool,
    dry_run: bool,
    exclude: tuple[str, ...],
    max_delete: int,
    force_deletions: bool,
    start_over: bool,
    accept_server_state: bool,
    interval: int,
    delete: bool,
    workers: int,
    limit_rate: int | None,
) -> None:
    """Keep a local folder and one on the server the same, in both directions.

    Additions, changes, moves and deletions on one side are repeated on the other. If both sides changed a file, both
    are kept: the server's under its name, the local one as 'name (conflict COMPUTER DATE)'. An edit wins over a
    deletion. Nothing is lost: deleted and replaced files are in the server's trash, or for 30 days in
    LOCAL/.skyshelf-sync/trash.

    The first sync merges both sides and deletes nothing. A file .skyshelfignore in LOCAL may list globs to leave alone,
    one per line, as for --exclude: '*.tmp' matches at any depth, 'cache/' only folders, 'Photos/raw' one path.

    For one direction only, use `skyshelf mirror` (to the server) or `skyshelf backup` (from it).
    """
    if delete:
        raise click.UsageError(
            "sync works in both directions and deletes what was deleted on the other side; to make the server like this"
            " folder and nothing else, use `skyshelf mirror --delete`"
        )
    if watch and (dry_run or session.out.form == "json"):
        raise click.UsageError("use --watch without --dry-run and --json; --jsonl prints steps as they happen")
    session.resume_hint = _RESUME_HINT
    ignored = IgnoreRules(local, exclude)
    with Meter(session.out, None) as meter:
        steps = _StepPrinter(session, meter)
        syncing = TwoWaySync(
            session.client,
            local,
            target(path),
            select=ignored.select,
            workers=workers,
            rate_limit=shared_rate_limit(limit_rate),
            max_delete=max_delete,
            may_delete=(lambda _: True) if force_deletions else _may_delete,
            start_over=start_over,
            accept_server_state=accept_server_state,
            dry_run=dry_run,
            build_index=watch,
            report=steps.handle,
            hashed=meter.skipped,
        )
        try:
            if dry_run:
                steps.preview(syncing)
            elif watch:
                _watch(session, lambda: steps.end(syncing.run(), is_last=False), ignored, interval)
            else:
                steps.end(syncing.run())
        finally:
            syncing.close()
            steps.finish()


def _watch(session: CommandSession, sync_once: Callable[[], None], ignored: "IgnoreRules", interval: int) -> None:
    from skyshelf.desktop.sync.watch import Watch, keep_in_sync

    def run() -> None:
        ignored.read()
        sync_once()

    def problem(error: SkyshelfError) -> None:
        session.out.problem(describe_error(error))

    watch = Watch(session.client, ignored.local, interval=interval, note=session.out.note)
    session.out.note(f"Watching {ignored.local}. Press Ctrl-C to stop.")
    try:
        keep_in_sync(run, watch, problem=problem)
    finally:
        watch.close()


def _may_delete(sentence: str) -> bool:
    """Ask on a terminal; without one, nothing is deleted."""
    return sys.stdin.isatty() and click.confirm(safe_line(visible(f"{sentence}. Delete them?")), err=True)


class IgnoreRules:
    """Paths to leave alone: the globs of the command line, and those of the file, which may change during a watch."""

    def __init__(self, local: Path, exclude: tuple[str, ...]) -> None:
        self.local = local
        self._file = local / IGNORE_FILE
        self._exclude = exclude
        self._filter: PathFilter | None = None
        self.read()

    def read(self) -> None:
        """Read the file again."""
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            lines = []
        except (OSError, UnicodeDecodeError) as error:
            raise CommandFailed(f"cannot read {self._file}: {error}") from None
        globs = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        self._filter = path_filter((), (*self._exclude, *globs))

    def select(self, path: str, is_folder: bool) -> bool:
        return self._filter is None or self._filter.accepts(path, is_folder=is_folder)


class _StepPrinter:
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
    verb = _VERBS.get(record.action.replace("_", " "), record.action)
    to = f" -> {visible(record.to)}" if record.to else ""
    reason = f" ({record.reason})" if record.reason else ""
    return f"{verb:18}{visible(record.path)}{to}{reason}"
