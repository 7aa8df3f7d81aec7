"""`skyshelf uploads`: what was begun and not finished, and giving it up."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import counted
from skyshelf.cli.base.prompts import confirmed, yes_option
from skyshelf.cli.base.records import UnfinishedUploadRecord
from skyshelf.cli.base.session import ClientCommand, Session
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.uploads import UnfinishedUpload
from skyshelf.wire.sizes import format_size


@click.group("uploads", cls=ListingGroup)
def uploads() -> None:
    """List uploads that were begun, and give them up."""


def _record(one: UnfinishedUpload) -> UnfinishedUploadRecord:
    return UnfinishedUploadRecord(
        transaction_id=one.transaction_id,
        name=one.name,
        size_bytes=one.size,
        received_bytes=one.offset,
        folder_key=one.folder_key,
        started=utc_time(one.created_date),
        last_activity=utc_time(one.last_updated_date),
    )


@uploads.command("ls", cls=ClientCommand, record=UnfinishedUploadRecord, many=True, example="skyshelf uploads ls")
def uploads_ls(*, session: Session) -> None:
    """List uploads that were begun and not finished, newest first; each keeps the room that it needs."""

    def lines(found: Iterable[UnfinishedUpload]) -> Iterator[str]:
        rows = (
            (
                f"{format_size(one.offset or 0)} of {format_size(one.size or 0)}",
                local_time(one.created_date),
                f"{KEY}{one.transaction_id}",
                visible(one.name or ""),
            )
            for one in found
        )
        yield from table(rows, right=frozenset({0}))

    session.out.many(
        session.client.uploads.unfinished(), _record, lines, none="No upload was begun that is not finished."
    )


@uploads.command(
    "rm", cls=ClientCommand, example=("skyshelf uploads rm holiday.mp4 --yes", "skyshelf uploads rm --all")
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="Every upload that was begun.")
@yes_option
def uploads_rm(*, session: Session, names: tuple[str, ...], everything: bool, yes: bool) -> None:
    """Give uploads up, by name or key: what has come of them is gone, and their room is free at once."""
    if bool(names) == everything:
        raise click.UsageError("name the uploads to give up, or --all")
    begun = list(session.client.uploads.unfinished())
    chosen = (
        begun if everything else list({(one := _named(begun, name)).transaction_id: one for name in names}.values())
    )
    if not chosen:
        session.out.note("No upload was begun that is not finished.")
        return
    if not yes:
        confirmed(f"Give up {counted(len(chosen), 'upload')}?")
    for one in chosen:
        session.client.uploads.cancel(one.transaction_id)
        session.out.note(f"{visible(one.name or one.transaction_id)} is given up.")


def _named(begun: list[UnfinishedUpload], name: str) -> UnfinishedUpload:
    if name.startswith(KEY):
        found = [one for one in begun if one.transaction_id.upper() == name.removeprefix(KEY).upper()]
    else:
        found = [one for one in begun if one.name == name]
    if not found:
        raise CommandFailed(
            f"no upload of {name} was begun: `skyshelf uploads ls` shows those that were",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(KEY + one.transaction_id for one in found)
        raise CommandFailed(
            f"{len(found)} uploads have that name: name one by its key: {keys}", CONFLICT_ERROR.exit_code
        )
    return found[0]
