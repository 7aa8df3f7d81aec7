"""`skyshelf sync run`: a local folder and one on the server, kept the same in both directions."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import click

from skyshelf.cli.base.errors import describe_error
from skyshelf.cli.base.params import EXISTING_FOLDER, add_options, limit_rate_option, number_option
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import safe_line, visible
from skyshelf.cli.commands.put import workers_option
from skyshelf.cli.commands.sync.ignoring import IgnoreRules
from skyshelf.cli.commands.sync.pace import BETWEEN, TIMED_RATE, transfer_limits
from skyshelf.cli.commands.sync.steps import StepPrinter, SyncStepRecord
from skyshelf.client.errors import SkyshelfError
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.folders import SyncedFolder
from skyshelf.desktop.sync.log import SyncLog
from skyshelf.desktop.sync.notifications import Notifications
from skyshelf.desktop.sync.pausing import Gate, PausedError
from skyshelf.desktop.sync.rounds import DELETIONS_MAX, TwoWaySync
from skyshelf.desktop.sync.schedule import Hours, Timetable

_RESUME_HINT: Final = "Run the same command again to continue; what is done is not done again"

_pace_options = add_options(
    limit_rate_option,
    click.option("--limit-up", type=TIMED_RATE, help="Limit uploads alone, as 2M or by time: '08:00,500k 18:00,off'."),
    click.option("--limit-down", type=TIMED_RATE, help="Limit downloads alone, in the same way."),
    click.option("--between", type=BETWEEN, help="Sync only in these hours, such as 22:00-06:00."),
)


@client_command(
    "run",
    "skyshelf sync ~/Documents /Documents --dry-run",
    "skyshelf sync ~/Documents /Documents --watch",
    "skyshelf sync ~/code /Code --exclude node_modules/ --exclude '*.o'",
    "skyshelf sync run ~/Videos /Videos --watch --between 22:00-06:00 --limit-up '22:00,off 05:00,2M'",
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
@click.option("--merge-text", is_flag=True, help="Merge edits of both sides in a text file, where they do not meet.")
@number_option(
    "--interval", 1, default=60, help="With --watch: seconds between checks of a server that cannot report changes."
)
@click.option("--notify", is_flag=True, help="Show conflicts, questions and failures on the desktop.")
@click.option("--delete", is_flag=True, hidden=True)
@workers_option
@_pace_options
def run(
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
    merge_text: bool,
    interval: int,
    notify: bool,
    delete: bool,
    workers: int,
    limit_rate: int | None,
    limit_up: Timetable | None,
    limit_down: Timetable | None,
    between: Hours | None,
) -> None:
    """Sync a local folder with one on the server, in both directions.

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
    known = SyncedFolder(local=str(local.resolve()), path=path, exclude=list(exclude))
    ignored = IgnoreRules(local, exclude)
    gate = Gate(known.state, between)
    if not dry_run and not watch:
        gate.check()
    notices = Notifications(local.resolve().name) if notify else None
    up, down = transfer_limits(gate, limit_rate, limit_up, limit_down)
    with Meter(session.out, None) as meter:
        steps = StepPrinter(session, meter)
        log: SyncLog | None = None

        def report(event: SyncEvent) -> None:
            if log is not None:
                log.note(event)
            if notices is not None:
                notices.note(event)
            steps.handle(event)
            if event.kind != "progress":
                gate.check()

        syncing = TwoWaySync(
            session.client,
            local,
            target(path),
            select=ignored.select,
            workers=workers,
            upload_limit=up,
            download_limit=down,
            max_delete=max_delete,
            may_delete=(lambda _: True) if force_deletions else _may_delete,
            start_over=start_over,
            accept_server_state=accept_server_state,
            merge_text=merge_text,
            dry_run=dry_run,
            build_index=watch,
            report=report,
            planned=meter.planned,
            hashed=lambda name, _: meter.skipped(name),
        )
        try:
            if dry_run:
                steps.preview(syncing)
                return
            known.remember()
            with SyncLog(known.state) as opened:
                log = opened
                sync = syncing.run if notices is None else partial(notices.run, syncing.run)
                if watch:
                    _watch(session, gate, lambda: steps.end(opened.run(sync), is_last=False), ignored, interval)
                else:
                    steps.end(opened.run(sync))
        finally:
            syncing.close()
            steps.finish()


def _watch(
    session: CommandSession, gate: Gate, sync_once: Callable[[], None], ignored: IgnoreRules, interval: int
) -> None:
    from skyshelf.desktop.sync.watch import Watch, keep_in_sync

    def run() -> None:
        gate.wait(session.out.note)
        ignored.read()
        sync_once()

    def problem(error: SkyshelfError) -> None:
        if not isinstance(error, PausedError):  # the next run says that it waits
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
