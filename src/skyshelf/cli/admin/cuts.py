"""`skyshelf admin cuts`: the cuts of a backup."""

import click

from skyshelf.cli.admin.backup_options import (
    DAMAGE,
    closing_place,
    describe_cut,
    destination_argument,
    report_outcome,
)
from skyshelf.cli.admin.stores import (
    debug_option,
    json_option,
    print_table,
)
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.groups import examples
from skyshelf.wire.sizes import format_size


@click.command(epilog=examples("skyshelf admin cuts /mnt/backup", "skyshelf admin cuts /mnt/backup --json"))
@destination_argument
@json_option
@debug_option
def cuts(*, destination: str, as_json: bool, debug: bool) -> None:
    """List the cuts of a backup, oldest first."""
    with report_outcome(debug=debug, as_json=as_json):
        from skyshelf.backup.cut import manifests
        from skyshelf.backup.open import open_place

        with closing_place(open_place(destination)) as place:
            found = list(manifests(place))
    rows = [("TIME", "FILES", "SIZE", "NEW", "STATE", "CUT")] if found else []
    for one in found:
        if one.cut is None:
            rows.append(("", "", "", "", one.problem or "", one.id))
        else:
            state = "complete" if one.cut.is_complete else f"lacks {one.cut.lacking:,}"
            state += ", encrypted" if one.cut.encrypted else ""
            sizes = (format_size(one.cut.total_bytes), format_size(one.cut.new_bytes))
            rows.append((one.cut.time, f"{one.cut.files:,}", *sizes, state, one.id))
    listed = [describe_cut(one.cut) if one.cut else {"id": one.id, "problem": one.problem} for one in found]
    print_table(as_json, listed, rows, empty="no cuts")
    if any(one.cut is None for one in found):
        raise CommandFailed("some manifests are damaged: `skyshelf admin verify` shows more", DAMAGE)
