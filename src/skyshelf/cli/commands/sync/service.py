"""`skyshelf sync install` and `uninstall`: a watch that begins when the user logs in."""

import shlex
import shutil
import sys
from pathlib import Path

import click

from skyshelf.cli.base.errors import NotFound
from skyshelf.cli.base.params import EXISTING_FOLDER, add_options
from skyshelf.cli.base.session import CommandSession, client_command
from skyshelf.cli.base.targets import target
from skyshelf.cli.commands.sync.state import PLACE
from skyshelf.desktop.sync.services import Service, ServiceKind, service, usual_kind

_system_options = add_options(
    click.option(
        "--system",
        "kind",
        type=click.Choice(["systemd", "launchd", "task-scheduler"]),
        help="What starts services; by default what this system has.",
    )
)


@client_command(
    "install",
    "skyshelf sync install ~/Documents /Documents",
    "skyshelf sync install ~/Documents /Documents --print",
    "skyshelf sync install ~/Videos /Videos -- --between 22:00-06:00 --limit-up 2M",
)
@click.argument("local", type=EXISTING_FOLDER)
@click.argument("path")
@click.argument("options", nargs=-1)
@_system_options
@click.option("--print", "print_only", is_flag=True, help="Print the file, and write nothing.")
def install(
    *,
    session: CommandSession,
    local: Path,
    path: str,
    options: tuple[str, ...],
    kind: ServiceKind | None,
    print_only: bool,
) -> None:
    """Write a service that syncs a folder while you are logged in.

    It is a systemd user unit, a launchd agent or a task of Windows' Task Scheduler, which runs `skyshelf sync --watch`
    with the profile in use. Options of `skyshelf sync run` may follow after `--`. The file is written, and the commands
    that start it are printed: nothing runs before you run these.
    """
    target(path)  # refuses what is no path
    command = [
        shutil.which("skyshelf") or str(Path(sys.argv[0]).absolute()),
        *("sync", "run", str(local.resolve()), path, "--watch", "--quiet"),
        *(("--profile", session.profile) if session.profile else ()),
        *options,
    ]
    made = service(kind or usual_kind(), local.resolve(), command, Path.home())
    if print_only:
        session.out.lines(made.text.splitlines())
        return
    made.write()
    session.out.note(f"Wrote {made.path}. Start it with:")
    session.out.lines(map(shlex.join, made.start))


@client_command("uninstall", "skyshelf sync uninstall ~/Documents")
@click.argument("folder", type=PLACE)
@_system_options
def uninstall(*, session: CommandSession, folder: Path, kind: ServiceKind | None) -> None:
    """Delete the service of a folder. Both sides stay as they are.

    The commands that stop a service that is running are printed.
    """
    made: Service = service(kind or usual_kind(), folder.resolve(), ["skyshelf"], Path.home())
    if not made.remove():
        raise NotFound(f"{folder} has no service: {made.path} does not exist")
    session.out.note(f"Deleted {made.path}. If it is running, stop it with:")
    session.out.lines(map(shlex.join, made.stop))
