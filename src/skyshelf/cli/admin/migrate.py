"""`skyshelf admin migrate`: a newer schema for the metadata."""

from pathlib import Path

import click

from skyshelf.cli.admin.stores import metadata_url, store_options, tell
from skyshelf.cli.base.errors import one_sentence


@click.command
@store_options
def migrate(*, data: Path, metadata: str | None, as_json: bool, debug: bool) -> None:
    """Bring the metadata store up to date with this version.

    \b
    Example:
      skyshelf admin migrate --metadata postgresql://skyshelf@db.example.org/skyshelf
    """
    from skyshelf.storage.errors import StorageError
    from skyshelf.storage.open import migrate_metadata

    with one_sentence(StorageError, debug=debug):
        taken = migrate_metadata(metadata_url(data, metadata))
    tell(as_json, {"migrations": taken}, "\n".join(f"took {one}" for one in taken) or "The store is up to date.")
