"""`skyshelf uploads`: unfinished uploads."""

from typing import Annotated

import click

from skyshelf.cli.base.output import Row
from skyshelf.cli.base.prompts import confirm, yes_option
from skyshelf.cli.base.session import ClientListing, CommandSession
from skyshelf.cli.base.targets import KEY, only
from skyshelf.cli.base.text import format_count, local_time, visible
from skyshelf.wire.projection import From, Projection, Time
from skyshelf.wire.resources.uploads import UnfinishedUpload
from skyshelf.wire.sizes import format_size


@click.group("uploads", cls=ClientListing)
def uploads() -> None:
    """List and cancel unfinished uploads."""


class UnfinishedUploadRecord(Projection, frozen=True, kw_only=True):
    """An unfinished upload: how much of it has arrived, and when it started to reserve space."""

    transaction_id: str
    name: str | None
    size_bytes: Annotated[int | None, From("size")]
    received_bytes: Annotated[int | None, From("offset")]
    folder_key: str | None
    started: Annotated[Time, From("created_date")]
    last_activity: Annotated[Time, From("last_updated_date")]


@uploads.command("ls", "skyshelf uploads ls", records=UnfinishedUploadRecord)
def uploads_ls(*, session: CommandSession) -> None:
    """List unfinished uploads, newest first. Each reserves the space that it needs."""

    def row(one: UnfinishedUpload) -> Row:
        received = f"{format_size(one.offset or 0)} of {format_size(one.size or 0)}"
        return received, local_time(one.created_date), f"{KEY}{one.transaction_id}", visible(one.name or "")

    found = session.client.uploads.unfinished()
    session.out.rows(found, UnfinishedUploadRecord.of, row, right={0}, empty="No unfinished uploads.")


@uploads.command("cancel", "skyshelf uploads cancel holiday.mp4 --yes", "skyshelf uploads cancel --all")
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
    found = unfinished if everything else [_find_upload(unfinished, name) for name in names]
    chosen = list({one.transaction_id: one for one in found}.values())
    if not chosen:
        session.out.note("No unfinished uploads.")
        return
    confirm(f"Cancel {format_count(len(chosen), 'upload')}?", yes=yes)
    for one in chosen:
        session.client.uploads.cancel(one.transaction_id)
        session.out.note(f"Cancelled {visible(one.name or one.transaction_id)}.")


def _find_upload(unfinished: list[UnfinishedUpload], name: str) -> UnfinishedUpload:
    if name.startswith(KEY):
        found = [one for one in unfinished if one.transaction_id.upper() == name.removeprefix(KEY).upper()]
    else:
        found = [one for one in unfinished if one.name == name]
    missing = f"no unfinished upload of {name}: `skyshelf uploads ls` lists them"
    return only(found, missing, "uploads have that name", lambda one: KEY + one.transaction_id)
