"""`skyshelf rewind`: back to a moment."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import click

from skyshelf.cli.base.errors import CommandFailed, Conflict, NotFound, UsageProblem
from skyshelf.cli.base.output import Row, table
from skyshelf.cli.base.params import PAST_TIME
from skyshelf.cli.base.progress import LiveLine
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.rewinds import plan_sentence
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import local_time, visible
from skyshelf.cli.commands.credentials import find_app_password
from skyshelf.wire.client_errors import QUOTA_EXCEEDED_ERROR
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.rewind import PROBLEMS, Rewind, RewindItem, RewindPlan
from skyshelf.wire.sizes import format_size

_SHOWN = 20


class RewindRecord(Projection, frozen=True, kw_only=True):
    """A rewind, or the plan of one: `done` of `total` objects are finished, and how many of each kind there are."""

    rewind_key: str | None
    state: str
    to: Annotated[Time, From("to")]
    created: Time
    undo_of: str | None
    done: int
    total: int
    size_bytes: Annotated[int, From("size_in_bytes")]
    restored: Annotated[int, From("counts.restored")]
    moved: Annotated[int, From("counts.moved")]
    renamed: Annotated[int, From("counts.renamed")]
    content: Annotated[int, From("counts.content")]
    favorite: Annotated[int, From("counts.favorite")]
    tags: Annotated[int, From("counts.tags")]
    boards: Annotated[int, From("counts.boards")]
    links: Annotated[int, From("counts.links")]
    others: Annotated[int, From("counts.others")]
    trashed: Annotated[int, From("counts.trashed")]
    left: Annotated[int, From("counts.left")]


@client_command(
    "rewind",
    "skyshelf rewind /Photos --to yesterday --dry-run",
    "skyshelf rewind --to '2 hours ago' --device KEY",
    "skyshelf rewind --undo",
    records=RewindRecord,
)
@click.argument("path", required=False)
@click.option("--to", type=PAST_TIME, help="The moment to go back to: yesterday, 2h, 2024-05-01T12:30.")
@click.option("--dry-run", is_flag=True, help="Show what would happen, and change nothing.")
@click.option("--device", metavar="KEY", help="Undo only one device's changes; `account devices` lists devices.")
@click.option(
    "--session", "session_id", metavar="ID", help="Undo only one session's changes (`log --json` shows its ID)."
)
@click.option("--app-password", metavar="NAME", help="Undo only one app's changes, by its password's name or key.")
@click.option("--undo", is_flag=True, help="Undo the latest rewind.")
@click.option("--cancel", is_flag=True, help="Stop the running rewind; what it has done so far stays.")
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

    Locations, names, contents, favourites, tags and albums become what they were, even of permanently deleted items.
    Items created later go to the trash, and replaced content is kept as a version. The rewind runs on the server:
    Ctrl-C stops watching it, and --cancel stops the rewind.
    """
    chosen = [name for name, is_on in (("--undo", undo), ("--cancel", cancel), ("--list", show)) if is_on]
    if len(chosen) > 1 or (chosen and (to is not None or path is not None)):
        raise UsageProblem(f"{chosen[0]} cannot be combined with other options")
    if chosen:
        _manage(session, undo=undo, cancel=cancel)
        return
    if to is None:
        raise UsageProblem("say which moment to go back to: --to yesterday, for example")
    if app_password is not None:
        device = find_app_password(session.client.account.app_passwords(), app_password).device_key
    below = None if path is None else target(path)
    rewinds = session.client.rewinds
    plan = rewinds.summary(to, below=below, device_key=device, session_id=session_id)
    if dry_run:
        _show_plan(session, rewinds.plan(to, below=below, device_key=device, session_id=session_id), plan)
        return
    check_plan(session, plan, to, yes=yes)
    watch_rewind(session, rewinds.start(to, below=below, device_key=device, session_id=session_id))


def _manage(session: CommandSession, *, undo: bool, cancel: bool) -> None:
    """List the latest rewinds, or undo or cancel the latest."""
    rewinds = session.client.rewinds
    known = rewinds.list()
    if not undo and not cancel:
        session.out.rows(known, RewindRecord.of, _row, empty="No rewinds.")
        return
    if not known:
        raise NotFound("there is no rewind")
    latest = known[0]
    if undo:
        if latest.state == "refused":
            raise Conflict("the latest rewind has changed nothing")
        watch_rewind(session, rewinds.undo(latest.rewind_key or ""))
        return
    if latest.state not in {"planning", "running"}:
        raise Conflict("no rewind is running")
    session.out.rows([rewinds.cancel(latest.rewind_key or "")], RewindRecord.of, _row)


def check_plan(session: CommandSession, plan: RewindPlan, at: int, *, yes: bool) -> None:
    """Show what will happen and ask; refuse a rewind that does not fit into the quota."""
    missing = (plan.size_in_bytes or 0) - (plan.free_in_bytes or 0)
    if plan.size_in_bytes and missing > 0:
        raise CommandFailed(
            f"the rewind needs {format_size(plan.size_in_bytes)}, {format_size(missing)} more than there is: free some"
            " space, or rewind one folder after the other",
            QUOTA_EXCEEDED_ERROR.exit_code,
        )
    session.out.note(f"Back to {local_time(at)}: {plan_sentence(plan.counts)}.")
    confirm("Rewind?", yes=yes)


def _show_plan(session: CommandSession, items: Iterable[RewindItem], plan: RewindPlan) -> None:
    def lines(_: Iterable[RewindPlan]) -> Iterator[str]:
        yield from table(
            (", ".join(one.actions or []) if not one.problem else PROBLEMS.get(one.problem, one.problem), _name(one))
            for one in items
        )
        yield f"{plan_sentence(plan.counts)}."

    # A plan has only some of the fields of a rewind.
    planned = Rewind(state="planned", size_in_bytes=plan.size_in_bytes, counts=plan.counts)
    session.out.records([plan], lambda _: RewindRecord.of(planned), lines)


def _name(item: RewindItem) -> str:
    side = item.target or item.current
    name = visible(item.path or (side.object_name if side is not None and side.object_name else item.object_key or ""))
    return f"{name}/" if item.is_folder else name


def watch_rewind(session: CommandSession, started: Rewind) -> None:
    """Show the progress of a rewind until it has ended, then its result and the objects that it left."""

    def show(found: Rewind) -> None:
        if found.total:
            line.draw(lambda: f"{found.done or 0:,} of {found.total:,} objects")

    with LiveLine(quiet=session.out.quiet) as line:
        try:
            ended = session.client.rewinds.wait(started.rewind_key or "", on_progress=show)
        except KeyboardInterrupt:
            line.clear()
            session.out.note(
                "The rewind continues on the server: `skyshelf rewind --list` shows it, --cancel stops it."
            )
            raise
    if ended.state == "refused":
        missing = format_size(ended.missing_in_bytes or 0)
        raise CommandFailed(
            f"the rewind does not fit by {missing}, and has changed nothing: free some space, or rewind one folder",
            QUOTA_EXCEEDED_ERROR.exit_code,
        )
    session.out.records(
        [ended], RewindRecord.of, lambda _: [f"{(ended.state or '').capitalize()}: {plan_sentence(ended.counts)}."]
    )
    if ended.counts is not None and ended.counts.left:
        for number, one in enumerate(session.client.rewinds.problems(ended.rewind_key or "")):
            if number == _SHOWN:
                session.out.note("There are more.")
                break
            session.out.note(f"{_name(one)}: {PROBLEMS.get(one.problem or '', one.problem or '')}")


def _row(one: Rewind) -> Row:
    to = "undo" if one.undo_of else f"to {local_time(one.to)}"
    return local_time(one.created_date), one.state or "", to, plan_sentence(one.counts)
