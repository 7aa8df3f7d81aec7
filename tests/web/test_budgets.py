"""The performance budget of the first load."""

import re

from skyshelf.server.pages.built_files import built_files

FIRST_LOAD_BYTES = 150_000


def test_the_first_load_stays_within_its_budget_of_compressed_script() -> None:
    built = built_files()
    page = built["index.html"].body().decode()
    first = set(re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page))
    assert first, page
    # The page names every script of the first load; the others are loaded on demand.
    imported = {
        f"assets/{name}"
        for script in first
        for name in re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', built[script].body().decode())
    }
    assert imported <= first
    packed = {name: len(built[name].body_for("br")[1]) for name in first}
    assert sum(packed.values()) <= FIRST_LOAD_BYTES, packed
