"""`skyshelf admin epoch`: what an operator says after data were put back that do not show it."""

import json
from pathlib import Path

from tests.cli.admin.test_admin import admin

from skyshelf.storage.identity import check_identity
from skyshelf.storage.open import embedded_urls, open_metadata, open_stores


def test_an_epoch_begins_when_the_operator_says_so_and_the_store_stays_the_same(tmp_path: Path) -> None:
    open_metadata(embedded_urls(tmp_path)[0]).close()
    assert "has no epoch yet" in admin(tmp_path, "epoch", "show").stdout
    rows, blobs = open_stores(*embedded_urls(tmp_path))
    first = check_identity(rows, blobs)
    rows.close()
    blobs.close()
    shown = json.loads(admin(tmp_path, "epoch", "show", "--json").stdout)
    assert shown == {"epoch": first.store}
    begun = admin(tmp_path, "epoch", "begin", "--reason", "put back the snapshot of Sunday", "--json")
    assert begun.exit_code == 0, begun.output
    epoch = json.loads(begun.stdout)["epoch"]
    assert epoch != first.store
    shown = json.loads(admin(tmp_path, "epoch", "show", "--json").stdout)
    assert (shown["epoch"], shown["reason"]) == (epoch, "adopted")
    assert f"{epoch}, which began on 2" in admin(tmp_path, "epoch", "show").stdout
    assert "put back the snapshot of Sunday" in admin(tmp_path, "audit", "--json").stdout
    # Both halves still belong together.
    rows, blobs = open_stores(*embedded_urls(tmp_path))
    again = check_identity(rows, blobs)
    rows.close()
    blobs.close()
    assert (again.store, again.generation, again.epoch) == (first.store, first.generation, epoch)
