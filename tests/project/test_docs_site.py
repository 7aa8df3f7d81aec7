"""The documentation as a site: every page is in it, nothing comes from other hosts, and it can be searched."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.generate import products

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built strictly: a link to a page or heading that does not exist ends it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_every_page_is_in_the_site_and_in_its_navigation(site: Path) -> None:
    names = {*(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")), *products.PAGES}
    pages = {name.removeprefix("docs/").removesuffix(".md") + ".html" for name in names}
    pages = {page.replace("README.html", "index.html") for page in pages}
    assert pages <= {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    linked = set(
        re.findall(r'class="md-nav__link" href="|href="([^"#]+\.html)"', (site / "index.html").read_text("utf-8"))
    )
    linked |= set(re.findall(r'href="([^"#]+\.html)"', (site / "figures.html").read_text("utf-8")))
    assert pages - {"index.html"} <= {link.removeprefix("./") for link in linked}


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    loaded = re.compile(
        r'<(?:script|img|iframe)\b[^>]*\bsrc="(https?:)?//|<link\b[^>]*rel="(?:stylesheet|preconnect|icon)"[^>]*href="(?:https?:)?//'
    )
    assert [path.name for path in site.rglob("*.html") if loaded.search(path.read_text("utf-8"))] == []


def test_the_search_finds_what_a_page_says(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    assert any(
        "skyshelf admin upgrade" in one["text"] and one["location"].startswith("operating.html")
        for one in index["docs"]
    )
