"""`skyshelf sync omit` and `include`: folders that stay on the server."""

from pathlib import Path

import click

from skyshelf.cli.base.errors import InvalidRequest
from skyshelf.cli.base.output import Row
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.text import visible
from skyshelf.cli.commands.sync.state import PLACE
from skyshelf.desktop.sync.folders import SyncedFolder, below, synced_folder, synced_folders
from skyshelf.desktop.sync.selection import Selection
from skyshelf.wire.projection import Projection


class OmittedFolderRecord(Projection, frozen=True, kw_only=True):
    """A folder that stays on the server: `path` is below `folder`. `is_here` until the next sync removes it here."""

    folder: str
    path: str
    is_here: bool


@client_command("omit", "skyshelf sync omit ~/Documents/Archive", "skyshelf sync omit", records=OmittedFolderRecord)
@click.argument("places", nargs=-1, type=PLACE, metavar="[PATH]...")
def omit(*, session: CommandSession, places: tuple[Path, ...]) -> None:
    """Let folders stay on the server alone, or list them.

    The next sync moves a folder to .skyshelf-sync/trash, where it stays for 30 days, once every file in it is on the
    server with the content that it has here. A folder with something in it that is not synced stays. A folder that is
    not here yet is not downloaded.
    """
    for place in places:
        folder, path = _inside(place)
        if place.exists() and not place.is_dir():
            raise InvalidRequest(f"{place} is a file: only folders can stay on the server")
        Selection(folder.state).add(path)
        session.out.note(f"{place} will stay on the server alone; the next sync removes it here.")
    if not places:
        found = [
            OmittedFolderRecord(folder=folder.local, path=path, is_here=not is_away)
            for folder in synced_folders()
            if folder.state.is_dir()
            for path, is_away in sorted(Selection(folder.state).paths.items())
        ]
        session.out.rows(found, lambda one: one, _row, empty="Everything that is on the server is here, too.")


def _row(one: OmittedFolderRecord) -> Row:
    return visible(f"{one.folder}/{one.path}"), "until the next sync" if one.is_here else ""


@client_command("include", "skyshelf sync include ~/Documents/Archive")
@click.argument("places", nargs=-1, required=True, type=PLACE, metavar="PATH...")
def include(*, session: CommandSession, places: tuple[Path, ...]) -> None:
    """Let the next sync download folders again."""
    for place in places:
        folder, path = _inside(place)
        Selection(folder.state).remove(path)
        session.out.note(f"{place} will be downloaded by the next sync.")


def _inside(place: Path) -> tuple[SyncedFolder, str]:
    folder = synced_folder(place.parent)
    path = below(folder, place)
    if not path:
        raise InvalidRequest(f"{place} is the synced folder itself: name a folder in it")
    return folder, path
