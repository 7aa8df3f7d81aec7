"""The options with which operators name the stores of a service."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skyshelf.cli.base.errors import CommandFailed, one_sentence

if TYPE_CHECKING:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.metadata.contracts.accounts import Account


DATA_DEFAULT = Path("skyshelf-data")

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=DATA_DEFAULT,
    show_default="./skyshelf-data",
    help="The folder of the embedded store.",
)
metadata_option = click.option(
    "--metadata", metavar="URL", help="A PostgreSQL database in place of the embedded store: postgresql://…"
)
blobs_option = click.option(
    "--blobs", metavar="URL", help="Where the file contents are: s3://bucket/prefix?endpoint=…; default: in --data."
)
debug_option = click.option("--debug", is_flag=True, help="Show the whole error when something goes wrong.")


def metadata_url(data: Path, metadata: str | None) -> str:
    """The URL of the metadata store that these options name; a data folder has to be there already."""
    from skyshelf.cli.base.errors import CommandFailed
    from skyshelf.storage.open import METADATA_FILE, embedded_urls

    if metadata is not None:
        return metadata
    if not (data / METADATA_FILE).exists():
        raise CommandFailed(f"there is no Skyshelf store in {data}: name its folder with --data, or start it once")
    return embedded_urls(data)[0]


def blobs_url(data: Path, blobs: str | None) -> str:
    """The URL of the blob store that these options name; a folder has to be there already.

    To open one that is not there would make it, and everything would be missing from it.
    """
    from skyshelf.cli.base.errors import CommandFailed
    from skyshelf.storage.open import BLOBS_FOLDER, embedded_urls

    if blobs is not None:
        return blobs
    if not (data / BLOBS_FOLDER).is_dir():
        raise CommandFailed(
            f"there are no file contents in {data}: name its folder with --data, or a bucket with --blobs"
        )
    return embedded_urls(data)[1]


def prepare_folder(data: Path) -> None:
    """Make the data folder, private to its owner; CommandFailed when it cannot be used."""
    from skyshelf.cli.base.errors import CommandFailed

    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandFailed(f"the data folder {data} cannot be made: {problem.strerror}") from problem
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise CommandFailed(
            f"the data folder {data} cannot be written to: change its owner, or name another with --data"
        )


# The service as the commands of its operator open it, and how they answer.

Command = TypeVar("Command", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def store_options(command: Command) -> Command:
    """The options of a command that needs rows alone."""
    for option in (debug_option, json_option, metadata_option, data_option):
        command = option(command)
    return command


def both_store_options(command: Command) -> Command:
    """The options of a command that needs the contents of files too."""
    for option in (debug_option, json_option, blobs_option, metadata_option, data_option):
        command = option(command)
    return command


class _NoBlobs:
    """Most of the administration is about rows: it needs no file contents, and does not open their store."""


@contextmanager
def opened_rows(*, data: Path, metadata: str | None, debug: bool) -> Iterator["ServiceContext"]:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.open import open_metadata

    with _sentences(debug=debug):
        store = open_metadata(metadata_url(data, metadata))
        try:
            yield ServiceContext(metadata=store, blobs=_NoBlobs())  # type: ignore[arg-type]
        finally:
            store.close()


@contextmanager
def open_context(*, data: Path, metadata: str | None, blobs: str | None, debug: bool) -> Iterator["ServiceContext"]:
    from skyshelf.service.context import ServiceContext
    from skyshelf.storage.open import open_blobs, open_metadata

    with _sentences(debug=debug):
        contents = blobs_url(data, blobs)
        ctx = ServiceContext(metadata=open_metadata(metadata_url(data, metadata)), blobs=open_blobs(contents))
        try:
            yield ctx
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()


@contextmanager
def opened_account(email: str, **store: Any) -> Iterator[tuple["ServiceContext", "Account"]]:
    with opened_rows(**store) as ctx:
        from skyshelf.service.accounts.accounts import find_account

        yield ctx, find_account(ctx, email)


@contextmanager
def _sentences(*, debug: bool) -> Iterator[None]:
    from skyshelf.storage.errors import AccountMissing, EmailTaken, StorageError
    from skyshelf.wire.refusals import Refusal

    with one_sentence(StorageError, Refusal, debug=debug):
        try:
            yield
        except AccountMissing as missing:
            raise CommandFailed(
                "there is no account with that address: skyshelf admin user list shows them"
            ) from missing
        except EmailTaken as taken:
            raise CommandFailed(f"{taken}, in whatever case it is written") from taken


def tell(as_json: bool, data: object, sentence: str) -> None:
    """The answer of a command: a document, or what people read."""
    if as_json:
        import msgspec

        click.echo(msgspec.json.format(msgspec.json.encode(data)).decode())
    elif sentence:
        click.echo(sentence)


def aligned(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows with their columns aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
