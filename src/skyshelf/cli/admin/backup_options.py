"""What the commands for backups share: options, outcomes, progress and how a cut is described."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from skyshelf.cli.admin.stores import print_result
from skyshelf.cli.base.errors import CommandFailed, report_errors

if TYPE_CHECKING:
    from skyshelf.backup.cut import Cut
    from skyshelf.backup.places import Place
    from skyshelf.backup.sealing import Opener
    from skyshelf.cli.base.progress import Meter

DAMAGE: Final = 1
IMPOSSIBLE: Final = 2
SHOWN_MAX: Final = 20

destination_argument = click.argument("destination", metavar="DEST")
identity_option = click.option(
    "--identity",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the age identity of an encrypted backup.",
)
work_option = click.option(
    "--work",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for temporary files, with space for a copy of the rows.  [default: in --data, or the system's]",
)


@contextmanager
def report_outcome(*, debug: bool, as_json: bool) -> Iterator[None]:
    """Whatever prevents the work is no damage: monitoring can tell them apart."""
    from skyshelf.storage.errors import StorageError

    try:
        with report_errors(StorageError, OSError, debug=debug):
            yield
    except CommandFailed as failed:
        if as_json:
            print_result(True, {"error": failed.message}, "")
        raise CommandFailed(failed.message, IMPOSSIBLE) from failed


@contextmanager
def closing_place(place: "Place") -> Iterator["Place"]:
    try:
        yield place
    finally:
        place.close()


def opener_of(identity: Path | None) -> "Opener | None":
    from skyshelf.backup.sealing import open_identities

    return open_identities(identity) if identity is not None else None


def meter(verb: str, *, quiet: bool) -> "Meter":
    from skyshelf.cli.base.output import Output
    from skyshelf.cli.base.progress import Meter

    # In a pipe, the summary is enough.
    return Meter(Output(quiet=quiet or not sys.stderr.isatty()), verb)


class ShownProgress:
    """Progress on a terminal."""

    def __init__(self, meter: "Meter") -> None:
        self._meter = meter

    def step(self, sentence: str) -> None:
        self._meter.moved(sentence, 0)

    def queued(self, size: int) -> None:
        self._meter.queued(size)

    def all_queued(self) -> None:
        self._meter.all_listed()

    def moved(self, name: str, done: int) -> None:
        self._meter.moved(name, done)

    def finished(self, name: str, size: int) -> None:
        self._meter.finished(name, size)

    def failed(self, name: str, reason: str) -> None:
        """Reported at the end, with all others."""


def describe_cut(cut: "Cut") -> dict[str, Any]:
    """A cut for a program; lists of objects are left out."""
    return {
        "id": cut.id,
        "time": cut.time,
        "store": cut.store,
        "generation": cut.generation,
        "schema": cut.schema,
        "program": cut.program,
        "files": cut.files,
        "bytes": cut.total_bytes,
        "newFiles": cut.new_files,
        "newBytes": cut.new_bytes,
        "encrypted": cut.encrypted,
        "complete": cut.is_complete,
        "lacking": cut.lacking,
    }
