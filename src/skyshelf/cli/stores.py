"""The options with which operators name the stores of a service."""

import os
from pathlib import Path

import click

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
    from skyshelf.cli.failures import CommandFailed
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
    from skyshelf.cli.failures import CommandFailed
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
    from skyshelf.cli.failures import CommandFailed

    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise CommandFailed(f"the data folder {data} cannot be made: {problem.strerror}") from problem
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        raise CommandFailed(
            f"the data folder {data} cannot be written to: change its owner, or name another with --data"
        )
