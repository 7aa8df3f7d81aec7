"""`skyshelf sync`: keeping folders in sync, and everything about the folders that are."""

import click

from skyshelf.cli.base.groups import examples
from skyshelf.cli.base.session import RunGroup
from skyshelf.cli.commands.sync.conflicts import conflicts, settle
from skyshelf.cli.commands.sync.run import run
from skyshelf.cli.commands.sync.selection import include, omit
from skyshelf.cli.commands.sync.service import install, uninstall
from skyshelf.cli.commands.sync.state import forget, log, pause_, resume_, status


@click.group(
    "sync",
    cls=RunGroup,
    epilog=examples(
        "skyshelf sync ~/Documents /Documents --watch",
        "skyshelf sync status",
        "skyshelf sync log ~/Documents/report.docx",
    ),
)
def sync() -> None:
    """Keep a local folder and one on the server the same.

    `skyshelf sync LOCAL PATH` is short for `skyshelf sync run LOCAL PATH`, and takes the same options; `skyshelf sync
    run --help` explains them. A local folder with the name of a command, such as status, is written ./status.
    """


for _command in (run, status, log, conflicts, settle, pause_, resume_, omit, include, install, uninstall, forget):
    sync.add_command(_command)
