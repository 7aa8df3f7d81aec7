"""axe finds no problems on any page, at any size, in light and dark mode."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, ViewportSize, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.server.second_factors import turned_on
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import DESKTOP, PHONE, Visit, log_in, visit

from skyshelf.service.operator.banners import add_banner, remove_banner

SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]

CARDS = FilePayload(
    name="people.vcf",
    mimeType="text/vcard",
    buffer=b"BEGIN:VCARD\nVERSION:3.0\nFN:Grace Hopper\nEND:VCARD\nBEGIN:VCARD\nno card\n",
)


@pytest.fixture
def furnished(api: Api) -> Iterator[Api]:
    """An account with something on every page."""
    api.folder("Holiday")
    api.file("notes.txt", b"# Notes\n\nplain words")
    api.file("readme.md", b"# Title\n\n- one\n- [two](https://example.org)\n\n```python\nprint(1)  # why\n```\n")
    api.file("photo.png", _picture())
    api.trash(api.file("old.txt", b"old").object_key)
    now = int(time.time() * 1000)
    banner = add_banner(
        api.ctx,
        "News",
        "There is more room.",
        image_url="",
        action_url="https://news.example/",
        start_at=now - 60_000,
        end_at=now + 3_600_000,
    )
    yield api
    # Announcements reach every account, including those of the next tests.
    remove_banner(api.ctx, banner.banner_key)


def _picture() -> bytes:
    from io import BytesIO

    from PIL import Image

    body = BytesIO()
    Image.new("RGB", (64, 48), (180, 120, 60)).save(body, "PNG")
    return body.getvalue()


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
            # A navigation link, which on a phone is in a menu; the click does not reload the page.
            link = page.locator(f'a[href="/drive/{section}"]')
            if not link.count():
                page.get_by_role("button", name="You").click()
            link.first.evaluate("link => link.click()")
            expect(page.locator("main h1, main h2").first).to_be_visible()
            if shown:
                expect(row(page, shown)).to_be_visible()
            wrong[section] = findings(page)
            if section == "files":
                if size == PHONE:
                    page.get_by_role("button", name="View and order").click()
                    page.get_by_role("menuitem", name="Grid view").click()
                else:
                    page.get_by_role("button", name="Grid view").click()
                wrong["grid"] = findings(page)
        if size == PHONE:
            page.get_by_role("link", name="Search").click()
        else:
            page.get_by_role("button", name="Search files").click()
        page.get_by_role("combobox", name="Search files").fill("notes")
        expect(page.get_by_role("dialog").get_by_role("option", name="notes.txt")).to_be_visible()
        wrong["palette"] = findings(page)
        page.keyboard.press("Enter")
        expect(row(page, "notes.txt")).to_be_visible()
        wrong["search"] = findings(page)
        if size == PHONE:
            page.get_by_role("button", name="You").click()
            wrong["menu"] = findings(page)
    assert_nothing(wrong)


@pytest.mark.parametrize("size", SIZES)
def test_neither_new_codes_nor_notices_nor_a_way_to_nowhere_leave_anybody_out(
    browser: Browser, server: RunningServer, api: Api, size: ViewportSize
) -> None:
    _, codes = turned_on(api, steps=0)
    with visit(browser, server, api, Visit(size=size, bypass_policy=True), "/drive/settings") as page:
        page.get_by_role("button", name="New recovery codes").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_label("Authenticator code").fill(codes[0])
        wrong = {"both factors": findings(page, "dialog[open]")}
        dialog.get_by_role("button", name="New recovery codes").click()
        expect(dialog.get_by_role("listitem")).to_have_count(10)
        wrong["codes"] = findings(page, "dialog[open]")
        page.goto("/drive/contacts")
        page.locator("input[type=file]").set_input_files(CARDS)
        expect(page.get_by_text("1 contact could not be read")).to_be_visible()
        wrong["notices"] = findings(page)
        page.goto("/drive/nowhere")
        expect(page.locator("main h1, main h2").first).to_be_visible()
        wrong["nowhere"] = findings(page)
    assert_nothing(wrong)
