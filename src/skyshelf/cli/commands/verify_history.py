"""`skyshelf verify-history`: whether the history is what it was when this machine last looked."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import EXISTING_FILE, FILE
from skyshelf.cli.base.progress import Count
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import format_count, local_time
from skyshelf.wire.client_errors import CONTENT_DAMAGED_ERROR
from skyshelf.wire.projection import From, Projection, utc_time

if TYPE_CHECKING:
    from skyshelf.client.proofs.verification import HistoryCheck


class HistoryCheckRecord(Projection, frozen=True, kw_only=True):
    """Whether the history is what it was; each problem is a sentence."""

    intact: Annotated[bool, From("is_intact")]
    problems: list[str]
    first_number: Annotated[int, From("start")]
    changes_in_log: Annotated[int, From("size")]
    date: Annotated[str | None, From(lambda check: utc_time(check.time) if check.time else None)]
    key_id: str | None
    heads_verified: Annotated[int, From("heads")]
    changes_verified: Annotated[int, From("changes")]
    records_verified: Annotated[int, From("records")]
    waiting: int
    is_first: bool


@client_command(
    "verify-history",
    "skyshelf verify-history",
    "skyshelf verify-history --export heads.txt",
    "skyshelf verify-history --head heads-of-my-laptop.txt",
    record=HistoryCheckRecord,
)
@click.option("--all", "everything", is_flag=True, help="Read all changes, including those verified before.")
@click.option(
    "--head",
    "heads",
    multiple=True,
    type=EXISTING_FILE,
    help="Also compare with the heads in a file, such as one from another machine; may be repeated.",
)
@click.option(
    "--export", type=FILE, help="Write the heads to a file, newest first, for example to have them timestamped."
)
@click.option(
    "--accept-restore",
    is_flag=True,
    help="Continue from the server's current state, if it was restored from a backup and you accept that.",
)
@click.option(
    "--accept-forgotten",
    is_flag=True,
    help="Accept that records are gone, if you had history forgotten, or it is now kept for fewer days.",
)
def verify_history(
    *,
    session: CommandSession,
    everything: bool,
    heads: tuple[Path, ...],
    export: Path | None,
    accept_restore: bool,
    accept_forgotten: bool,
) -> None:
    """Verify that the history of your account was not rewritten.

    The server signs a head of all changes. This machine keeps every head that it has seen, and each later one must
    continue them. Then the changes since the last time are read: all of them must be in the log, and match what
    `skyshelf log` shows. Changes of the last minute may not be in the log yet.

    Exits with 14 if anything does not match.
    """
    given = [note for path in heads for note in _notes_in(path)]
    with Count(session.out, "Verified", "change") as count:
        found = session.client.history_proofs.verify(
            heads=given,
            everything=everything,
            accept_restore=accept_restore,
            accept_forgotten=accept_forgotten,
            progress=count.reached,
        )
    if export is not None:
        _export(session, export)
    session.out.record(HistoryCheckRecord.of(found), _lines(found))
    if found.problems:
        raise CommandFailed(
            "the history does not match what was seen before; see above. Keep this machine's files, compare with"
            " another one by --head, and ask the server's operator",
            CONTENT_DAMAGED_ERROR.exit_code,
        )


def _notes_in(path: Path) -> list[str]:
    from skyshelf.client.proofs.heads import split_notes

    try:
        return split_notes(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as problem:
        raise CommandFailed(f"{path} cannot be used: {problem}. Name a file that --export has written") from None


def _export(session: CommandSession, path: Path) -> None:
    from skyshelf.client.proofs.heads import joined_notes

    notes = session.client.history_proofs.kept()
    if not notes:
        raise CommandFailed("there is no head to export yet: change something, and try again in a minute")
    try:
        path.write_text(joined_notes(notes[::-1]), encoding="utf-8", newline="\n")
    except OSError as error:
        raise CommandFailed(f"cannot write {path}: {error.strerror}") from None
    session.out.note(f"wrote {format_count(len(notes), 'head')} to {path}")


def _lines(found: "HistoryCheck") -> Iterator[str]:
    if found.problems:
        yield from found.problems
        return
    if found.note is None:
        yield "The log of this account has not begun: the server logs changes about once a minute."
        return
    size = format_count(found.size, "change")
    yield f"The log has {size}, from number {found.start} on, as of {local_time(found.time)}."
    yield f"Signed with the key {found.key_id}."
    if found.is_first:
        yield "This is the first head that this machine keeps: later ones must continue it."
    else:
        yield f"It continues {format_count(found.heads, 'earlier head')}."
    yield (
        f"Changes read now: {found.changes:,}, all of which are in the log. Records still kept: {found.records:,},"
        " as they were logged."
    )
    if found.waiting:
        yield f"{format_count(found.waiting, 'later change')} will be in the log within a minute or two."
