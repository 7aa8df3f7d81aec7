"""`skyshelf uploads`: unfinished uploads."""

from collections.abc import Iterable, Iterator

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.file_records import UnfinishedUploadRecord
from skyshelf.cli.base.groups import ListingGroup
from skyshelf.cli.base.output import table
from skyshelf.cli.base.params import format_count
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import KEY
from skyshelf.cli.base.text import local_time, utc_time, visible
from skyshelf.wire.client_errors import CONFLICT_ERROR, OBJECT_NOT_FOUND_ERROR
from skyshelf.wire.resources.uploads import UnfinishedUpload
from skyshelf.wire.sizes import format_size


@click.group("uploads", cls=ListingGroup)
def uploads() -> None:
    """List and cancel unfinished uploads."""


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
def uploads_ls(*, session: CommandSession) -> None:
    """List unfinished uploads, newest first. Each reserves the space that it needs."""

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

    session.out.records(session.client.uploads.unfinished(), _record, lines, empty="No unfinished uploads.")


@uploads.command(
    "cancel",
    cls=ClientCommand,
    example=("skyshelf uploads cancel holiday.mp4 --yes", "skyshelf uploads cancel --all"),
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="Cancel all unfinished uploads.")
@yes_option
def uploads_cancel(*, session: CommandSession, names: tuple[str, ...], everything: bool, yes: bool) -> None:
    """Cancel unfinished uploads, by name or key.

    The data received so far is deleted, and the reserved space is freed immediately.
    """
    if bool(names) == everything:
        raise click.UsageError("name the uploads to cancel, or use --all")
    unfinished = list(session.client.uploads.unfinished())
    chosen = (
        unfinished
        if everything
        else list({(one := _find_upload(unfinished, name)).transaction_id: one for name in names}.values())
    )
    if not chosen:
        session.out.note("No unfinished uploads.")
        return
    if not yes:
        confirm(f"Cancel {format_count(len(chosen), 'upload')}?")
    for one in chosen:
        session.client.uploads.cancel(one.transaction_id)
        session.out.note(f"Cancelled {visible(one.name or one.transaction_id)}.")


def _find_upload(unfinished: list[UnfinishedUpload], name: str) -> UnfinishedUpload:
    if name.startswith(KEY):
        found = [one for one in unfinished if one.transaction_id.upper() == name.removeprefix(KEY).upper()]
    else:
        found = [one for one in unfinished if one.name == name]
    if not found:
        raise CommandFailed(
            f"no unfinished upload of {name}: `skyshelf uploads ls` lists them",
            OBJECT_NOT_FOUND_ERROR.exit_code,
        )
    if len(found) > 1:
        keys = ", ".join(KEY + one.transaction_id for one in found)
        raise CommandFailed(f"{len(found)} uploads have that name; use a key: {keys}", CONFLICT_ERROR.exit_code)
    return found[0]
