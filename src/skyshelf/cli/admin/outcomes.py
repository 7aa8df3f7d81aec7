"""What commands share that make backups or look for damage: exit codes, options and progress.

Monitoring must be able to distinguish good health, damage, and a check that did not happen.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.backup.places import Progress
from skyshelf.cli.admin.stores import fields_of, print_result
from skyshelf.cli.base.errors import CommandFailed, report_errors, sentence_of, show_traceback
from skyshelf.cli.base.params import EXISTING_FILE, FOLDER
from skyshelf.cli.base.progress import Meter

if TYPE_CHECKING:
    from skyshelf.backup.cut import Cut
    from skyshelf.backup.sealing import Opener

DAMAGE: Final = 1
NOT_DONE: Final = 2

destination_argument = click.argument("destination", metavar="DEST")
identity_option = click.option(
    "--identity", type=EXISTING_FILE, help="File with the age identity of an encrypted backup."
)
work_option = click.option(
    "--work",
    type=FOLDER,
    help="Folder for temporary files, with space for a copy of the rows.  [default: in --data, or the system's]",
)


@contextmanager
def report_outcome(*, debug: bool, as_json: bool) -> Iterator[None]:
    """Whatever prevents the work is not damage: it ends the command with NOT_DONE."""
    from skyshelf.client.errors import LocalFileError
    from skyshelf.storage.errors import StorageError

    try:
        with report_errors(StorageError, LocalFileError, OSError, debug=debug):
            yield
    except CommandFailed as failed:
        if as_json:
            print_result(True, {"error": failed.message}, "")
        raise CommandFailed(failed.message, NOT_DONE) from failed


def opener_of(identity: Path | None) -> "Opener | None":
    """The identities that open an encrypted backup."""
    from skyshelf.backup.sealing import open_identities

    return open_identities(identity) if identity is not None else None


class ShownProgress(Meter, Progress):
    """Shows the progress of a backup on a terminal."""

    all_queued = Meter.all_listed

    def step(self, sentence: str) -> None:
        self.moved(sentence, 0)


def describe_cut(cut: "Cut") -> dict[str, Any]:
    """Describe a cut for programs, without its lists of objects."""
    known = fields_of(cut, "id", "time", "store", "generation", "schema", "program", "files")
    known |= {"bytes": cut.total_bytes} | fields_of(cut, "new_files", "new_bytes", "accounts", "objects", "encrypted")
    return known | {"complete": cut.is_complete, "lacking": cut.lacking}


@contextmanager
def not_checked_on_errors(*, as_json: bool, debug: bool) -> Iterator[None]:
    """Whatever prevents a check is not a finding: it ends the command with NOT_DONE."""
    try:
        yield
    except (click.Abort, click.UsageError, BrokenPipeError):
        raise
    except Exception as problem:
        if debug:
            show_traceback(problem)
        sentence = _reason(problem)
        if as_json:
            print_result(True, {"outcome": "not checked", "passed": False, "error": sentence}, "")
        raise CommandFailed(f"not checked: {sentence}", NOT_DONE) from problem


def _reason(problem: Exception) -> str:
    from skyshelf.storage.errors import StorageError

    if isinstance(problem, CommandFailed | StorageError):
        return sentence_of(problem)
    return f"unexpected error ({type(problem).__name__}: {problem}): run the command again with --debug"
