"""`skyshelf sync conflicts` and `settle`: what was kept twice, and which of the two stays."""

from pathlib import Path

import click

from skyshelf.cli.base.output import Row
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import format_count, visible
from skyshelf.cli.commands.sync.state import PLACE, chosen
from skyshelf.desktop.sync.conflicts import Keep, SyncConflict, conflicts_in
from skyshelf.desktop.sync.conflicts import settle as settle_conflicts
from skyshelf.desktop.sync.folders import below, synced_folder
from skyshelf.desktop.sync.local_tree import LocalScan
from skyshelf.wire.projection import Projection


class SyncConflictRecord(Projection, frozen=True, kw_only=True):
    """Two items where both sides changed one: `copy` is the one that was renamed, on `device`.

    `path` is the one that kept the name; both are below `folder`. `has_both` is false if nothing has the name now.
    """

    folder: str
    path: str
    copy: str
    device: str
    when: str
    has_both: bool


@client_command(
    "conflicts", "skyshelf sync conflicts", "skyshelf sync conflicts ~/Documents", records=SyncConflictRecord
)
@click.argument("folders", nargs=-1, type=PLACE, metavar="[FOLDER]...")
def conflicts(*, session: CommandSession, folders: tuple[Path, ...]) -> None:
    """List what was kept twice because both sides changed it.

    Without a folder, those of all folders that are kept in sync on this computer are listed; `skyshelf sync settle`
    settles one.
    """
    found = [
        SyncConflictRecord.of(one, folder=folder.local)
        for folder in chosen(folders)
        if folder.state.is_dir()
        for one in conflicts_in(LocalScan(folder.top).read())
    ]
    session.out.rows(found, lambda one: one, _row, empty="There are no conflicts.")


def _row(one: SyncConflictRecord) -> Row:
    name = visible(f"{one.folder}/{one.path}") if one.has_both else f"({visible(one.path)} is gone)"
    return name, visible(one.copy), visible(one.device), one.when


@client_command(
    "settle",
    "skyshelf sync settle ~/Documents/report.docx --keep theirs",
    "skyshelf sync settle '~/Documents/report (conflict laptop 2026-11-17 0712).docx' --keep both",
)
@click.argument("place", type=PLACE, metavar="PATH")
@click.option(
    "--keep",
    type=click.Choice(["mine", "theirs", "both"]),
    required=True,
    help="mine: the copy takes the name. theirs: the copy goes. both: the copy stays, under an ordinary name.",
)
def settle(*, session: CommandSession, place: Path, keep: Keep) -> None:
    """Settle a conflict: say which of two items stays.

    PATH is the item, or its copy 'name (conflict COMPUTER DATE)'. `mine` is what was on that computer, `theirs` what
    the server had. What goes is moved to .skyshelf-sync/trash, where it stays for 30 days, and the next sync repeats it
    on the server, where it is in the trash or a version of the file.
    """
    folder = synced_folder(place)
    settled = settle_conflicts(folder.top, below(folder, place), keep)
    for one in settled:
        session.out.note(_outcome(one, keep))
    session.out.note(f"Settled {format_count(len(settled), 'conflict')}; the next sync repeats it on the server.")


def _outcome(one: SyncConflict, keep: Keep) -> str:
    if keep == "both":
        return f"{one.path}: kept both."
    return f"{one.path}: kept {'the copy of ' + one.device if keep == 'mine' else 'what the server had'}."
