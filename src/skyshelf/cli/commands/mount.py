"""`skyshelf mount`: the drive as a folder of the system."""

from pathlib import Path

import click

from skyshelf.cli.base.errors import InvalidRequest
from skyshelf.cli.base.params import EXISTING_FOLDER, FOLDER, SIZE, shown_option
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import target
from skyshelf.cli.base.text import format_count


@client_command("mount", "skyshelf mount ~/drive", "skyshelf mount ~/photos /Photos --read-only --cache-size 5G")
@click.argument("folder", type=EXISTING_FOLDER)
@click.argument("path", default="/")
@click.option("--read-only", is_flag=True, help="Change nothing on the server.")
@shown_option("--cache-size", type=SIZE, default="1G", help="Cache at most this much file content on the local disk.")
@click.option("--cache-folder", type=FOLDER, help="Where contents are cached; by default in the user's cache folder.")
def mount(
    *, session: CommandSession, folder: Path, path: str, read_only: bool, cache_size: int, cache_folder: Path | None
) -> None:
    """Show the drive as a local folder.

    Shows all of it, or the folder at PATH, until Ctrl-C or until FOLDER is unmounted. FOLDER should be empty.

    Files are read as programs need them, and verified once they are complete; what a program writes is uploaded when it
    closes the file. Deleted files go to the server's trash, and a file that is saved again gets a new version.

    This needs FUSE: `pip install skyshelf[mount]`, and `apt install fuse3`, macFUSE or WinFsp.
    """
    from skyshelf.client.index.index import cache_folder as default_folder
    from skyshelf.desktop.mount.contents import cache_root
    from skyshelf.desktop.mount.fuse import fuse_library
    from skyshelf.desktop.mount.fuse import mount as mount_here
    from skyshelf.desktop.mount.operations import DriveOperations

    fuse_library()
    top = session.client.get(target(path))
    if not top.is_folder:
        raise InvalidRequest(f"{path} is a file: name a folder")
    with cache_root(cache_folder or default_folder(), session.client) as cache:
        drive = DriveOperations(session.client, top.key, cache, cache_bytes=cache_size, read_only=read_only)
        _note_server_state(session, cache)
        _note_unsaved(session, sorted(drive.unsaved.iterdir()))
        session.out.note(f"Mounted {path} at {folder}. Press Ctrl-C to unmount.")
        try:
            mount_here(drive, folder, read_only=read_only)
        finally:
            _note_unsaved(session, drive.close())
    session.out.note(f"Unmounted {folder}.")


def _note_server_state(session: CommandSession, cache: Path) -> None:
    """Say that the drive is not the one of the last mount. Its cache stays valid: contents are found by their hash."""
    from skyshelf.client.epochs import EpochFile

    epochs = EpochFile(session.client, cache / "server.json")
    if (problem := epochs.difference()) is not None:
        session.out.problem(f"{problem} The drive shows what the server has now, which may be older than before.")
    epochs.save()


def _note_unsaved(session: CommandSession, unsaved: list[Path]) -> None:
    if unsaved:
        session.out.problem(
            f"{format_count(len(unsaved), 'file')} could not be uploaded; copy what you need from {unsaved[0].parent}"
        )
