"""`skyshelf admin migrate`: upgrade the metadata's schema."""

from pathlib import Path

import click

from skyshelf.cli.admin.stores import metadata_url, print_result, store_options
from skyshelf.cli.base.errors import report_errors
from skyshelf.cli.base.groups import examples


@click.command(epilog=examples("skyshelf admin migrate --metadata postgresql://skyshelf@db.example.org/skyshelf"))
@store_options
def migrate(*, data: Path, metadata: str | None, as_json: bool, debug: bool) -> None:
    """Upgrade the metadata store to this version's schema."""
    from skyshelf.storage.errors import StorageError
    from skyshelf.storage.open import migrate_metadata

    with report_errors(StorageError, debug=debug):
        applied = migrate_metadata(metadata_url(data, metadata))
    sentences = "\n".join(f"Applied {migration}." for migration in applied)
    print_result(as_json, {"migrations": applied}, sentences or "The store is up to date.")
