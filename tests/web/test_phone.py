"""The web client on a phone: the bottom bar, sheets, the browser's Back, and fingers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.test_files import show
from tests.web.visiting import PHONE, Visit, visit

# Everything that can be tapped and is smaller than a fingertip.
SMALL = """() => [...document.querySelectorAll('a, button, input, select, summary, [role=option] .more')]
  .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden, .skip'))
  .map((one) => ({ text: one.getAttribute('aria-label') ?? one.textContent.trim() ?? one.name,
                   ...JSON.parse(JSON.stringify((one.closest('label') ?? one).getBoundingClientRect())) }))
  .filter(({ width, height }) => width > 0 && (width < 44 || height < 44))
  .map(({ text, width, height }) => `${text}: ${width} x ${height}`)"""


@pytest.fixture
def phone(browser: Browser, server: RunningServer, api: Api) -> Iterator[Page]:
    with visit(browser, server, api, Visit(size=PHONE)) as shown:
        yield shown


def test_the_bottom_bar_leads_to_every_section(phone: Page) -> None:
    bar = phone.get_by_role("navigation", name="Main navigation")
    for name in ("Photos", "Albums", "Files"):
        bar.get_by_role("link", name=name).tap()
        expect(phone.get_by_role("heading", name=name, exact=True).first).to_be_visible()
        expect(bar.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
    bar.get_by_role("link", name="Search").tap()
    expect(phone.get_by_role("searchbox")).to_be_focused()
    bar.get_by_role("button", name="You").tap()
    sheet = phone.get_by_role("dialog", name="You")
    for name in ("Recent", "Favourites", "Shared", "Contacts", "Trash"):
        expect(sheet.get_by_role("link", name=name)).to_be_visible()
    sheet.get_by_role("link", name="Settings").tap()
    expect(phone.get_by_role("heading", name="Settings")).to_be_visible()
    expect(sheet).to_be_hidden()
    phone.go_back()
    expect(phone.get_by_role("searchbox")).to_be_visible()


def test_back_closes_what_lies_over_the_page_before_it_leaves_the_page(phone: Page, api: Api) -> None:
    folder = api.folder("Holidays")
    api.folder("Inner", folder.object_key)
    show(phone)
    phone.get_by_role("option").filter(has_text="Holidays").tap()
    here = phone.get_by_role("heading", name="Holidays")
    expect(here).to_be_visible()

    phone.get_by_role("button", name="You").tap()
    sheet = phone.get_by_role("dialog", name="You")
    expect(sheet).to_be_visible()
    phone.go_back()
    expect(sheet).to_be_hidden()
    expect(here).to_be_visible()

    # A menu that opens a dialog, one after the other.
    phone.locator("[role=option] .more").tap()
    phone.get_by_role("menuitem", name="Rename").tap()
    dialog = phone.get_by_role("dialog", name="Rename")
    expect(dialog).to_be_visible()
    phone.go_back()
    expect(dialog).to_be_hidden()
    expect(here).to_be_visible()

    # Closed otherwise, it leaves nothing behind that Back would have to pass.
    phone.get_by_role("button", name="You").tap()
    phone.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    phone.go_back()
    expect(phone.get_by_role("heading", name="Files")).to_be_visible()


def test_a_page_that_is_opened_from_a_sheet_takes_its_place_in_the_history(phone: Page) -> None:
    phone.get_by_role("button", name="You").tap()
    phone.get_by_role("dialog").get_by_role("link", name="Trash").tap()
    expect(phone.get_by_role("heading", name="Trash")).to_be_visible()
    phone.go_back()
    expect(phone.get_by_role("heading", name="Files")).to_be_visible()
    expect(phone.get_by_role("dialog")).to_be_hidden()


def test_what_can_be_tapped_is_as_large_as_a_fingertip(phone: Page, api: Api) -> None:
    api.file("notes.txt", b"notes")
    show(phone)
    expect(phone.get_by_role("option")).to_have_count(1)
    assert phone.evaluate(SMALL) == []
    phone.locator("[role=option] .more").tap()
    expect(phone.get_by_role("menu")).to_be_visible()
    assert phone.evaluate(SMALL) == []
    phone.go_back()
    expect(phone.get_by_role("menu")).to_be_hidden()
    phone.get_by_role("button", name="You").tap()
    expect(phone.get_by_role("dialog", name="You")).to_be_visible()
    assert phone.evaluate(SMALL) == []


def test_details_are_a_sheet_that_back_closes(phone: Page, api: Api) -> None:
    api.file("notes.txt", b"notes")
    show(phone)
    phone.locator("[role=option] .more").tap()
    phone.get_by_role("menuitem", name="Details").tap()
    details = phone.get_by_role("dialog").filter(has_text="notes.txt")
    expect(details).to_be_visible()
    phone.go_back()
    expect(details).to_be_hidden()
    expect(phone.get_by_role("option")).to_have_count(1)
