"""The service as the commands of its operator open it, and how they answer."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from skyshelf.cli.failures import CommandFailed, one_sentence
from skyshelf.cli.stores import blobs_option, blobs_url, data_option, debug_option, metadata_option, metadata_url

if TYPE_CHECKING:
    from skyshelf.service.context import House
    from skyshelf.storage.metadata.contracts.accounts import Account

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
def opened_rows(*, data: Path, metadata: str | None, debug: bool) -> Iterator["House"]:
    from skyshelf.service.context import House
    from skyshelf.storage.open import open_metadata

    with _sentences(debug=debug):
        store = open_metadata(metadata_url(data, metadata))
        try:
            yield House(metadata=store, blobs=_NoBlobs())  # type: ignore[arg-type]
        finally:
            store.close()


@contextmanager
def opened_house(*, data: Path, metadata: str | None, blobs: str | None, debug: bool) -> Iterator["House"]:
    from skyshelf.service.context import House
    from skyshelf.storage.open import open_blobs, open_metadata

    with _sentences(debug=debug):
        contents = blobs_url(data, blobs)
        house = House(metadata=open_metadata(metadata_url(data, metadata)), blobs=open_blobs(contents))
        try:
            yield house
        finally:
            house.media.close()
            house.metadata.close()
            house.blobs.close()


@contextmanager
def opened_account(email: str, **store: Any) -> Iterator[tuple["House", "Account"]]:
    with opened_rows(**store) as house:
        from skyshelf.service.accounts.accounts import find_account

        yield house, find_account(house, email)


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
