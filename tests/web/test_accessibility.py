"""What axe finds on any page, in any dialog, at any size, in light and in dark: nothing."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import DESKTOP, PHONE, Visit, log_in, open_account, visit

from skyshelf.service.banners import add_banner, remove_banner
from skyshelf.service.house import House

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: dict[str, object] = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
COLOURS: dict[str, object] = {"type": "rule", "values": ["color-contrast"]}
SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]
# What moves or fades in has colours on the way that it does not stay with.
_STILL = """async () => {
  await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
}"""
_RUN = """async (only) => {
  const found = await axe.run(document, { runOnly: only, resultTypes: ['violations'] });
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}
    ${node.failureSummary.replaceAll('\\n', ' ')}`));
}"""


@pytest.fixture(scope="module")
def furnished(running: RunningServer, house: House) -> Iterator[Api]:
    """An account with something on every page."""
    with open_account(running, house, "accessibility") as api:
        api.folder("Holiday")
        api.file("notes.txt", b"# Notes\n\nplain words")
        api.file("readme.md", b"# Title\n\n- one\n- [two](https://example.org)\n\n```python\nprint(1)  # why\n```\n")
        api.file("photo.png", _picture())
        api.trash(api.file("old.txt", b"old").object_key)
        now = int(time.time() * 1000)
        banner = add_banner(
            api.house,
            "News",
            "There is more room.",
            image_url="",
            action_url="https://news.example/",
            start_at=now - 60_000,
            end_at=now + 3_600_000,
        )
        yield api
        # Everybody on the server is told, also the tests that come next.
        remove_banner(house, banner.banner_key)


def _picture() -> bytes:
    from io import BytesIO

    from PIL import Image

    body = BytesIO()
    Image.new("RGB", (64, 48), (180, 120, 60)).save(body, "PNG")
    return body.getvalue()


def findings(page: Page) -> list[str]:
    """What is wrong in light; and in dark, where nothing but the colours is another."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    looks: list[tuple[Literal["light", "dark"], dict[str, object]]] = [("light", RULES), ("dark", COLOURS)]
    for scheme, only in looks:
        page.emulate_media(color_scheme=scheme)
        page.evaluate(_STILL)
        found += [f"{scheme}: {one}" for one in page.evaluate(_RUN, only)]
    page.emulate_media(color_scheme="light")
    return found


def assert_nothing(wrong: dict[str, list[str]]) -> None:
    told = [f"{place}: {finding}" for place, found in wrong.items() for finding in found]
    assert not told, "\n".join(told)


SECTIONS: dict[str, str] = {
    "files": "notes.txt",
    "photos": "",
    "boards": "",
    "shared": "",
    "recent": "notes.txt",
    "favourites": "",
    "contacts": "",
    "trash": "old.txt",
    "settings": "",
}


def new_folder(page: Page) -> None:
    page.get_by_role("button", name="New folder").click()


def share(page: Page) -> None:
    row(page, "notes.txt").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share").click()


def context_menu(page: Page) -> None:
    row(page, "notes.txt").click(button="right")


def details(page: Page) -> None:
    row(page, "notes.txt").click()
    page.keyboard.press("i")
    expect(page.get_by_role("complementary")).to_be_visible()


def keyboard_help(page: Page) -> None:
    row(page, "notes.txt").focus()
    page.keyboard.press("?")


def grid(page: Page) -> None:
    page.get_by_role("button", name="Show as a grid").click()


def a_text(page: Page) -> None:
    row(page, "readme.md").dblclick()
    expect(page.get_by_role("dialog").get_by_text("Title")).to_be_visible()


def a_picture(page: Page) -> None:
    row(page, "photo.png").dblclick()
    expect(page.get_by_role("dialog").locator("img").first).to_be_visible()


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("listbox").get_by_role("option", name=name)


@pytest.mark.parametrize("size", SIZES)
def test_no_section_leaves_anybody_out(
    browser: Browser, server: RunningServer, furnished: Api, size: ViewportSize
) -> None:
    how = Visit(size=size, bypass_policy=True)
    with visit(browser, server, None, how) as page:
        expect(page.get_by_role("button", name="Log in")).to_be_visible()
        wrong = {"login": findings(page)}
        log_in(page, furnished)
        for section, shown in SECTIONS.items():
            # A link of the navigation, which on a phone is behind a button; the click loads nothing anew.
            page.locator(f'a[href="/drive/{section}"]').first.evaluate("link => link.click()")
            expect(page.locator("main h1, main h2").first).to_be_visible()
            if shown:
                expect(row(page, shown)).to_be_visible()
            wrong[section] = findings(page)
        page.get_by_role("searchbox").fill("notes")
        page.keyboard.press("Enter")
        expect(row(page, "notes.txt")).to_be_visible()
        wrong["search"] = findings(page)
        if size == PHONE:
            page.get_by_role("button", name="Open the menu").click()
            wrong["menu"] = findings(page)
    assert_nothing(wrong)


@pytest.mark.parametrize("size", SIZES)
def test_no_dialog_leaves_anybody_out(
    browser: Browser, server: RunningServer, furnished: Api, size: ViewportSize
) -> None:
    steps: list[Callable[[Page], None]] = [
        details,
        new_folder,
        share,
        context_menu,
        keyboard_help,
        a_text,
        a_picture,
        grid,
    ]
    wrong = {}
    with visit(browser, server, furnished, Visit(size=size, bypass_policy=True)) as page:
        for step in steps:
            page.goto("/drive/files")
            expect(row(page, "notes.txt")).to_be_visible()
            step(page)
            wrong[step.__name__] = findings(page)
    assert_nothing(wrong)
