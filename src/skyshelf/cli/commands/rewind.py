"""`skyshelf rewind`: back to a moment."""

import sys
from collections.abc import Callable, Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import RewindRecord
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import Time
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.cli.commands.app_passwords import find_app_password
from skyshelf.wire.client_errors import CONFLICT_ERROR, EXIT_USAGE, OBJECT_NOT_FOUND_ERROR, QUOTA_EXCEEDED_ERROR
from skyshelf.wire.resources.past.rewind import Rewind, RewindCounts, RewindItem, RewindPlan
from skyshelf.wire.sizes import format_size

_WORDS = {
    "restored": "come back",
    "moved": "move",
    "renamed": "get their former name",
    "content": "get their former content",
    "favorite": "change as favourites",
    "tags": "get their former tags",
    "albums": "come back into albums, or leave them",
    "links": "are no longer shared by a link",
    "trashed": "go to the trash",
    "left": "stay as they are",
}
_PROBLEMS = {
    "contentGone": "its content is no longer kept",
    "changedByOthers": "changed since by others",
    "changedMeanwhile": "changed while the rewind ran",
    "noSpace": "does not fit into the account",
    "inUse": "holds what others have put there",
    "gone": "deleted while the rewind ran",
}
_SHOWN = 20


@click.command(
    "rewind",
    cls=ClientCommand,
    record=RewindRecord,
    many=True,
    example=(
        "skyshelf rewind /Photos --to yesterday --dry-run",
        "skyshelf rewind --to '2 hours ago' --device KEY",
        "skyshelf rewind --undo",
    ),
)
@click.argument("path", required=False)
@click.option("--to", type=Time(), help="The moment to go back to: yesterday, 2h, 2024-05-01T12:30.")
@click.option("--dry-run", is_flag=True, help="Show what would happen, and change nothing.")
@click.option("--device", metavar="KEY", help="Undo only what a device did since; `account devices` lists them.")
@click.option("--session", "session_id", metavar="ID", help="Undo only what a session did since (`log --json`).")
@click.option("--app-password", metavar="NAME", help="Undo only what an app did since, by its password's name or key.")
@click.option("--undo", is_flag=True, help="Undo the latest rewind.")
@click.option("--cancel", is_flag=True, help="Stop the rewind that is running; what it has done stays.")
@click.option("--list", "show", is_flag=True, help="List the latest rewinds.")
@yes_option
def rewind(
    *,
    session: CommandSession,
    path: str | None,
    to: int | None,
    dry_run: bool,
    device: str | None,
    session_id: str | None,
    app_password: str | None,
    undo: bool,
    cancel: bool,
    show: bool,
    yes: bool,
) -> None:
    """Bring your account, or a folder, back to a moment.

    Places, names, contents, favourites, tags and albums become what they were, also of what was deleted for good. What
    was made later goes to the trash, and a content that is replaced stays as a version. The rewind runs on the server:
    Ctrl-C stops watching it, and --cancel stops the rewind.
    """
    chosen = [name for name, is_on in (("--undo", undo), ("--cancel", cancel), ("--list", show)) if is_on]
    if len(chosen) > 1 or (chosen and (to is not None or path is not None)):
        raise CommandFailed(f"{chosen[0]} goes with no other option", EXIT_USAGE)
    if chosen:
        _other(session, undo=undo, cancel=cancel)
        return
    if to is None:
        raise CommandFailed("say which moment to go back to: --to yesterday, for example", EXIT_USAGE)
    if app_password is not None:
        device = find_app_password(session.client.account.app_passwords(), app_password).device_key
    below = None if path is None else target(path)
    rewinds, at = session.client.rewinds, to
    if dry_run:
        items = rewinds.plan(at, below=below, device_key=device, session_id=session_id)
        _show_plan(session, items, lambda: rewinds.summary(at, below=below, device_key=device, session_id=session_id))
        return
    plan = rewinds.summary(at, below=below, device_key=device, session_id=session_id)
    check_plan(session, plan, at, yes=yes)
    started = rewinds.start(at, below=below, device_key=device, session_id=session_id)
    watch_rewind(session, started)


def _other(session: CommandSession, *, undo: bool, cancel: bool) -> None:
    rewinds = session.client.rewinds
    known = rewinds.list()
    if not undo and not cancel:
        session.out.records(known, _record, _lines, empty="No rewinds.")
        return
    if not known:
        raise CommandFailed("there is no rewind", OBJECT_NOT_FOUND_ERROR.exit_code)
    latest = known[0]
    if undo:
        if latest.state == "refused":
            raise CommandFailed("the latest rewind has changed nothing", CONFLICT_ERROR.exit_code)
        watch_rewind(session, rewinds.undo(latest.rewind_key or ""))
        return
    if latest.state not in {"planning", "running"}:
        raise CommandFailed("no rewind is running", CONFLICT_ERROR.exit_code)
    session.out.records([rewinds.cancel(latest.rewind_key or "")], _record, _lines)


def check_plan(session: CommandSession, plan: RewindPlan, at: int, *, yes: bool) -> None:
    """Show what will happen and ask; refuse what does not fit."""
    missing = (plan.size_in_bytes or 0) - (plan.free_in_bytes or 0)
    if plan.size_in_bytes and missing > 0:
        raise CommandFailed(
            f"the rewind needs {format_size(plan.size_in_bytes)}, {format_size(missing)} more than there is: free some"
            " space, or rewind one folder after the other",
            QUOTA_EXCEEDED_ERROR.exit_code,
        )
    session.out.note(f"Back to {local_time(at)}: {_sentence(plan.counts)}.")
    if not yes:
        confirm("Rewind?")


def _sentence(counts: RewindCounts | None) -> str:
    parts = [
        f"{number:,} {words}"
        for name, words in _WORDS.items()
        if counts is not None and (number := getattr(counts, name) or 0)
    ]
    return ", ".join(parts) or "nothing to change"


def _show_plan(session: CommandSession, items: Iterable[RewindItem], summary: Callable[[], RewindPlan]) -> None:
    plan = summary()

    def lines(_: Iterable[RewindPlan]) -> Iterator[str]:
        yield from table(
            (", ".join(one.actions or []) if not one.problem else _PROBLEMS.get(one.problem, one.problem), _name(one))
            for one in items
        )
        yield f"{_sentence(plan.counts)}."

    session.out.records([plan], _plan_record, lines)


def _name(item: RewindItem) -> str:
    side = item.target or item.current
    name = visible(item.path or (side.object_name if side is not None and side.object_name else item.object_key or ""))
    return f"{name}/" if item.is_folder else name


def watch_rewind(session: CommandSession, started: Rewind) -> None:
    is_live = sys.stderr.isatty() and not session.out.quiet

    def show(found: Rewind) -> None:
        if is_live and found.total:
            line = f"\r\x1b[K{found.done or 0:,} of {found.total:,} objects"
            click.echo(line, err=True, nl=False)

    try:
        ended = session.client.rewinds.wait(started.rewind_key or "", on_progress=show)
    except KeyboardInterrupt:
        session.out.note("The rewind continues on the server: `skyshelf rewind --list` shows it, --cancel stops it.")
        raise
    finally:
        if is_live:
            click.echo("\r\x1b[K", err=True, nl=False)
    if ended.state == "refused":
        missing = format_size(ended.missing_in_bytes or 0)
        raise CommandFailed(
            f"the rewind does not fit by {missing}, and has changed nothing: free some space, or rewind one folder",
            QUOTA_EXCEEDED_ERROR.exit_code,
        )
    session.out.records([ended], _record, lambda _: [f"{(ended.state or '').capitalize()}: {_sentence(ended.counts)}."])
    if ended.counts is not None and ended.counts.left:
        for number, one in enumerate(session.client.rewinds.problems(ended.rewind_key or "")):
            if number == _SHOWN:
                session.out.note("There are more.")
                break
            session.out.note(f"{_name(one)}: {_PROBLEMS.get(one.problem or '', one.problem or '')}")


def _record(one: Rewind) -> RewindRecord:
    counts = one.counts or RewindCounts()
    return RewindRecord(
        rewind_key=one.rewind_key,
        state=one.state or "",
        to=utc_time(one.to),
        created=utc_time(one.created_date),
        undo_of=one.undo_of,
        done=one.done or 0,
        total=one.total or 0,
        size_bytes=one.size_in_bytes or 0,
        **_numbers(counts),
    )


def _plan_record(plan: RewindPlan) -> RewindRecord:
    counts = plan.counts or RewindCounts()
    return RewindRecord(
        rewind_key=None,
        state="planned",
        to=None,
        created=None,
        undo_of=None,
        done=0,
        total=0,
        size_bytes=plan.size_in_bytes or 0,
        **_numbers(counts),
    )


def _numbers(counts: RewindCounts) -> dict[str, int]:
    return {name: getattr(counts, name) or 0 for name in _WORDS}


def _lines(found: Iterable[Rewind]) -> Iterator[str]:
    yield from table(
        (local_time(one.created_date), one.state or "", "undo" if one.undo_of else f"to {local_time(one.to)}",
         _sentence(one.counts))
        for one in found
    )  # fmt: skip
