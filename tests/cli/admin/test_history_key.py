"""`skyshelf admin history-key`: the key that signs histories."""

import json
from pathlib import Path

from tests.cli.admin.test_admin import admin

from skyshelf.storage.open import embedded_urls, open_metadata


def test_a_key_is_replaced_and_all_keys_are_listed(tmp_path: Path) -> None:
    open_metadata(embedded_urls(tmp_path)[0]).close()
    assert json.loads(admin(tmp_path, "history-key", "ls", "--json").stdout) == []
    made = json.loads(admin(tmp_path, "history-key", "rotate", "--json").stdout)
    first, second = json.loads(admin(tmp_path, "history-key", "ls", "--json").stdout)
    assert (first["retiredDate"], second["retiredDate"]) == (second["createdDate"], None)
    assert made["keyId"] == second["keyId"]
    assert "in use" in admin(tmp_path, "history-key", "ls").stdout
    assert "admin.history-key-rotated" in admin(tmp_path, "audit", "--json").stdout
