"""`skyshelf admin init`: make the stores, before the first start."""

from pathlib import Path

import click

from skyshelf.cli.admin.stores import both_store_options, check_owner, prepare_folder, print_result
from skyshelf.cli.base.errors import report_errors
from skyshelf.cli.base.groups import examples


@click.command(
    epilog=examples(
        "skyshelf admin init --data /var/lib/skyshelf",
        "skyshelf admin init --metadata postgresql://db/skyshelf --blobs 's3://bucket?endpoint=https://s3.example.org'",
    )
)
@both_store_options
def init(*, data: Path, metadata: str | None, blobs: str | None, as_json: bool, debug: bool) -> None:
    """Make the stores that `skyshelf serve` will use.

    Accounts can then be added before the server's first start. Stores that exist are brought up to date, as
    by `skyshelf admin upgrade`, and otherwise left as they are, so the command can be run again.
    """
    from skyshelf.storage.access import Access
    from skyshelf.storage.errors import StorageError
    from skyshelf.storage.local_paths import local_path_or_none
    from skyshelf.storage.open import embedded_urls, open_blobs, open_stores
    from skyshelf.storage.upgrade import upgrade_metadata

    if metadata is None or blobs is None:
        prepare_folder(data)
    embedded = embedded_urls(data)
    rows, contents = metadata or embedded[0], blobs or embedded[1]
    for url in (rows, contents):
        if (place := local_path_or_none(url)) is not None:
            check_owner(place)
    with report_errors(StorageError, debug=debug):
        applied = upgrade_metadata(rows)
        open_blobs(contents, Access.SERVE).close()
        # What a server would refuse, such as stores that do not belong together, is refused here.
        for store in open_stores(rows, contents, access=Access.WRITE):
            store.close()
    sentence = "The stores are ready." if applied else "The stores were there already, and are up to date."
    print_result(as_json, {"changed": bool(applied), "migrations": applied}, sentence)
