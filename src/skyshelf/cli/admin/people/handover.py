"""`skyshelf admin user hand-over`: the files of somebody who leaves go to somebody who stays."""

from typing import Any

import click

from skyshelf.cli.admin.live_line import LiveLine
from skyshelf.cli.admin.stores import open_metadata_only, print_result, store_options
from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.params import format_count
from skyshelf.wire.sizes import format_size


@click.command(
    "hand-over", epilog=examples("skyshelf admin user hand-over grace@example.org ada@example.org --data /srv/skyshelf")
)
@click.argument("email")
@click.argument("to")
@store_options
def hand_over(*, email: str, to: str, as_json: bool, **store: Any) -> None:
    """Give all files of an account to another one.

    For people who leave. They appear in a folder with the person's name: everything in the tree as it is now, without
    the trash and older versions; no byte is copied. The account keeps what it has: delete it afterwards with `skyshelf
    admin user delete`. A hand-over that was interrupted is continued by the same command, and a later one adds what is
    new.
    """
    with open_metadata_only(**store) as ctx, LiveLine(0) as line:
        from skyshelf.service.accounts import handover
        from skyshelf.service.accounts.accounts import find_account

        leaving, taking = find_account(ctx, email), find_account(ctx, to)
        line.begin("handing over")
        last = handover.HandedOver("")
        for last in handover.hand_over(ctx, leaving, taking):
            line.progress(last.files, last.size)
        line.clear()
        sentence = (
            f"{taking.email} has {format_count(last.files, 'file')} ({format_size(last.size)}) more, in the folder"
            f" {last.folder_name!r}."
        )
        if last.already:
            sentence += f" {format_count(last.already, 'file')} had been handed over before."
        if last.refused:
            sentence += (
                f" {format_count(last.refused, 'item')} could not be: is there space left, and not too deep a path?"
            )
        print_result(
            as_json,
            {
                "folderName": last.folder_name,
                "files": last.files,
                "bytes": last.size,
                "already": last.already,
                "refused": last.refused,
                "changed": bool(last.files),
            },
            sentence,
        )
        if last.refused:
            raise SystemExit(1)
