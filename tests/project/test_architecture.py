"""The page about the architecture names places that exist."""

import re
from pathlib import Path

from skyshelf.agent.registry import TOOLS
from skyshelf.storage.space import BALLAST_BYTES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGES = {path.name for path in (ROOT / "src" / "skyshelf").iterdir() if (path / "__init__.py").exists()}
BESIDE = {"benchmarks", "docs", "packaging", "tests", "tools", "web"}
BUILT = {"server/pages/web_client/built", "docs/reference/"}


def test_every_place_on_the_page_exists() -> None:
    text = PAGE.read_text(encoding="utf-8")
    places = set(re.findall(r"`([a-z_]+/[\w/.]*)`", text)) - BUILT
    in_package = {place for place in places if place.partition("/")[0] in PACKAGES}
    beside = {place for place in places if place.partition("/")[0] in BESIDE and place.partition("/")[2]}
    assert len(in_package) > 50
    assert len(beside) > 5
    found = [ROOT / "src" / "skyshelf" / place for place in in_package] + [ROOT / place for place in beside]
    assert [str(path.relative_to(ROOT)) for path in found if not path.exists()] == []


def test_modules_named_with_there_are_beside_the_place_before_them() -> None:
    for row in re.findall(r"^\|.*\bthere\b.*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        for cell in row.split("|"):
            if " there" not in cell:
                continue
            names = re.findall(r"`([\w/.]+)`", cell.partition(" there")[0])
            source = ROOT / "src" / "skyshelf"
            folders = {source, *((source / name).parent for name in names)}
            assert [name for name in names if not any((folder / name).exists() for folder in folders)] == []


def test_every_folder_of_tests_is_that_of_a_package_or_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    folders = {path.relative_to(ROOT).parts[1] for path in (ROOT / "tests").glob("*/**/*.py")}
    assert PACKAGES - folders == set()
    assert [folder for folder in sorted(folders - PACKAGES) if f"`{folder}/`" not in text] == []


def test_counts_on_the_page_are_right() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (tools,) = re.findall(r"\| (\d+) tools for a model", text)
    assert int(tools) == len(TOOLS)
    (mebibytes,) = re.findall(r"a file of (\d+) MiB", text)
    assert int(mebibytes) * 2**20 == BALLAST_BYTES


def test_every_package_is_in_the_table_and_in_the_picture() -> None:
    text, picture = PAGE.read_text(encoding="utf-8"), (ROOT / "docs" / "pictures" / "packages.svg").read_text()
    for package in PACKAGES:
        assert f"| `{package}` |" in text
        assert f">{package}</text>" in picture


def test_no_statement_is_run_outside_of_storage() -> None:
    """A unit's statements are for storage alone; import-linter sees imports and not attributes."""
    storage = ROOT / "src" / "skyshelf" / "storage"
    outside = [path for path in (ROOT / "src").rglob("*.py") if storage not in path.parents]
    found = [
        path.relative_to(ROOT).as_posix()
        for path in outside
        if re.search(r"\b(unit|_unit)\.sql\b", path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_no_folder_has_more_than_30_modules() -> None:
    folders = {path.parent for path in (ROOT / "src").rglob("*.py")}
    crowded = {folder.relative_to(ROOT).as_posix(): len(list(folder.glob("*.py"))) for folder in folders}
    assert {name: count for name, count in crowded.items() if count > 30} == {}
