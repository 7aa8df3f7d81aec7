"""`skyshelf mount`: the drive as a folder of the system."""

from pathlib import Path

import click

from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.params import Size, format_count
from skyshelf.cli.base.session import ClientCommand, CommandSession
from skyshelf.cli.base.targets import target
from skyshelf.wire.client_errors import INVALID_REQUEST_ERROR


@click.command(
    "mount",
    cls=ClientCommand,
    example=("skyshelf mount ~/drive", "skyshelf mount ~/photos /Photos --read-only --cache-size 5G"),
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.argument("path", default="/")
@click.option("--read-only", is_flag=True, help="Change nothing on the server.")
@click.option(
    "--cache-size",
    type=Size(),
    default="1G",
    show_default=True,
    help="Keep at most this much of the files' contents on the local disk.",
)
@click.option(
    "--cache-folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where contents are kept; by default in the user's cache folder.",
)
def mount(
    *, session: CommandSession, folder: Path, path: str, read_only: bool, cache_size: int, cache_folder: Path | None
) -> None:
    """Show the drive as a local folder.

    All of it, or the folder at PATH. It stays until Ctrl-C, or until FOLDER is unmounted. FOLDER should be empty.

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
        raise CommandFailed(f"{path} is a file: name a folder", INVALID_REQUEST_ERROR.exit_code)
    with cache_root(cache_folder or default_folder(), session.client) as cache:
        drive = DriveOperations(session.client, top.key, cache, cache_bytes=cache_size, read_only=read_only)
        _note_unsaved(session, sorted(drive.unsaved.iterdir()))
        session.out.note(f"Mounted {path} at {folder}. Press Ctrl-C to unmount.")
        try:
            mount_here(drive, folder, read_only=read_only)
        finally:
            _note_unsaved(session, drive.close())
    session.out.note(f"Unmounted {folder}.")


def _note_unsaved(session: CommandSession, unsaved: list[Path]) -> None:
    if unsaved:
        session.out.problem(
            f"{format_count(len(unsaved), 'file')} could not be uploaded; copy what you need from {unsaved[0].parent}"
        )
