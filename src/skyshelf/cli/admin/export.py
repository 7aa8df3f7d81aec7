"""`skyshelf admin user export`: everything in an account, in open forms, into a folder or a bucket."""

from pathlib import Path

import click

from skyshelf.backup.exports import open_destination
from skyshelf.cli.admin.stores import both_store_options, open_context, print_result
from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import SIZE
from skyshelf.cli.base.progress import Meter
from skyshelf.cli.base.text import format_count
from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.exporting.writing import WrittenExport, write_export
from skyshelf.wire.limits import EXPORT_PART_BYTES_DEFAULT, EXPORT_PART_BYTES_MIN
from skyshelf.wire.sizes import format_size


@click.command(
    "export",
    cls=StoreCommand,
    asks=False,
    epilog=examples(
        "skyshelf admin user export ada@example.org /mnt/export/ada --data /srv/skyshelf",
        "skyshelf admin user export ada@example.org /mnt/export/ada --zip --part-size 4GiB",
        "skyshelf admin user export ada@example.org s3://exports/ada?endpoint=https://s3.example.org",
    ),
)
@click.argument("email")
@click.argument("destination", metavar="DEST")
@click.option("--zip", "as_zip", is_flag=True, help="Write ZIP files instead of single files.")
@click.option("--part-size", type=SIZE, metavar="SIZE", help="Size of the parts.  [default: 2GiB]")
@both_store_options
def export_user(
    *,
    email: str,
    destination: str,
    as_zip: bool,
    part_size: int | None,
    data: Path,
    metadata: str | None,
    blobs: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Export everything in an account, in open forms.

    DEST is a new folder or s3://bucket/prefix?endpoint=…. The server may keep running. The export has files with their
    dates, versions, the trash, albums, contacts, links, activity and history; README.txt explains what is where, and
    `skyshelf admin import` reads it back. It is recorded in the audit trail, and the account's owner sees it. To resume
    after an interruption, run the same command.
    """
    size = part_size or EXPORT_PART_BYTES_DEFAULT
    if size < EXPORT_PART_BYTES_MIN:
        raise click.BadParameter(f"a part has at least {format_size(EXPORT_PART_BYTES_MIN)}", param_hint="--part-size")
    with open_context(data=data, metadata=metadata, blobs=blobs, debug=debug) as ctx:
        account = find_account(ctx, email)
        target = open_destination(destination)
        with Meter.on_terminal("exported", quiet=as_json) as meter:
            try:
                written = write_export(ctx, account, target, part_bytes=size, as_zip=as_zip, progress=meter.finished)
            except KeyboardInterrupt:
                raise CommandFailed("interrupted; run the same command to continue", 130) from None
    print_result(as_json, written, _summary(written, account.email, destination))
    if written.missing:
        raise CommandFailed(
            f"{format_count(written.missing, 'content')} missing, because the store has them damaged:"
            " `skyshelf admin doctor --deep` lists them"
        )


def _summary(written: WrittenExport, email: str, destination: str) -> str:
    return (
        f"Exported {email} to {destination}: {format_count(written.files, 'file')}, {format_size(written.bytes)},"
        f" in {format_count(written.parts, 'part')}."
    )
