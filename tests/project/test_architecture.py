"""The page about the architecture names places that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = {path.name for path in (ROOT / "src" / "skyshelf").iterdir() if path.is_dir()}


def test_every_place_on_the_page_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    places = {place for place in re.findall(r"`([a-z_]+/[\w/.]*)`", text) if place.partition("/")[0] in PACKAGES}
    places.remove("server/pages/web_client/built")  # made by ./dev setup
    assert len(places) > 50
    missing = [place for place in sorted(places) if not (ROOT / "src" / "skyshelf" / place).exists()]
    assert missing == []


def test_every_package_is_in_the_table_and_in_the_picture() -> None:
    text, picture = PAGE.read_text(encoding="utf-8"), (ROOT / "docs" / "pictures" / "packages.svg").read_text()
    for package in PACKAGES - {"__pycache__"}:
        assert f"| `{package}` |" in text
        assert f">{package}</text>" in picture


def test_no_folder_has_more_than_30_modules() -> None:
    folders = {path.parent for path in (ROOT / "src").rglob("*.py")}
    crowded = {folder.relative_to(ROOT).as_posix(): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: count for name, count in crowded.items() if count > 30} == {}
