"""The web client on a phone: the bottom bar, sheets, the browser's Back, and fingers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.test_files import show
from tests.web.test_photos import cells, photos, take_some
from tests.web.uploading import Gate, drag, panel, written
from tests.web.visiting import NO_LAYER, PHONE, Visit, visit

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
    expect(phone.get_by_role("combobox", name="Search files")).to_be_focused()
    phone.get_by_role("dialog", name="Search").get_by_role("button", name="Close").tap()
    bar.get_by_role("button", name="You").tap()
    sheet = phone.get_by_role("dialog", name="You")
    for name in ("Recent", "Favourites", "Shared", "Contacts", "Trash"):
        expect(sheet.get_by_role("link", name=name)).to_be_visible()
    sheet.get_by_role("link", name="Settings").tap()
    expect(phone.get_by_role("heading", name="Settings")).to_be_visible()
    expect(sheet).to_be_hidden()
    phone.go_back()
    expect(phone.get_by_role("combobox", name="Search files")).to_be_visible()


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
    phone.wait_for_function(NO_LAYER)
    phone.go_back()
    expect(phone.get_by_role("heading", name="Files")).to_be_visible()


def test_a_page_that_is_opened_from_a_sheet_takes_its_place_in_the_history(phone: Page) -> None:
    phone.get_by_role("button", name="You").tap()
    phone.get_by_role("dialog").get_by_role("link", name="Trash").tap()
    expect(phone.get_by_role("heading", name="Trash", exact=True)).to_be_visible()
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


def touch(page: Page, *points: tuple[float, float]) -> None:
    """A finger that goes down at the first point, over the others, and up."""
    devtools = page.context.new_cdp_session(page)
    (x, y), *others = points
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for x, y in others:
        devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    devtools.detach()


def middle(page: Page, name: str) -> tuple[float, float]:
    box = page.get_by_role("option").filter(has_text=name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def every_press_is_long(page: Page) -> None:
    """Let no test wait for a long press."""
    page.evaluate("""() => {
      const later = globalThis.setTimeout;
      globalThis.setTimeout = (work, ms, ...given) => (ms === 450 ? work() : later(work, ms, ...given));
    }""")


def test_a_finger_that_is_dragged_after_a_long_press_selects_all_between(phone: Page, api: Api) -> None:
    for name in ("a.txt", "b.txt", "c.txt", "d.txt"):
        api.file(name, name.encode())
    show(phone)
    expect(phone.get_by_role("option")).to_have_count(4)
    every_press_is_long(phone)
    touch(phone, middle(phone, "a.txt"), middle(phone, "b.txt"), middle(phone, "c.txt"))
    expect(phone.get_by_role("option", selected=True)).to_have_count(3)
    expect(phone.get_by_role("option", selected=True).last).to_contain_text("c.txt")


def test_a_selection_that_begins_at_the_top_of_the_photos_does_not_load_the_page_again(phone: Page, api: Api) -> None:
    take_some(api)
    photos(phone)
    expect(cells(phone)).to_have_count(6)
    every_press_is_long(phone)
    boxes = [box for cell in cells(phone).all() if (box := cell.bounding_box()) is not None]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    # Far enough for a pull that loads the page again.
    assert points[3][1] - points[0][1] > 140
    loads: list[str] = []
    phone.on("request", lambda request: loads.append(request.url) if "/x/v1/timeline" in request.url else None)
    touch(phone, *points[:4])
    expect(phone.get_by_role("toolbar", name="4 selected")).to_be_visible()
    expect(phone.get_by_role("status", name="Reloading")).to_have_count(0)
    assert not loads


def test_a_finger_that_rests_at_the_edge_scrolls_on_and_selects_what_comes(phone: Page, api: Api) -> None:
    for number in range(30):
        api.file(f"{number:02d}.txt", b"")
    show(phone)
    expect(phone.get_by_role("option", name="00.txt")).to_be_visible()
    every_press_is_long(phone)
    bottom = phone.get_by_role("listbox").evaluate("list => list.getBoundingClientRect().bottom")
    devtools = phone.context.new_cdp_session(phone)
    (x, y) = middle(phone, "02.txt")
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    at = {"x": x, "y": bottom - 20}
    devtools.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    # No further event: the finger rests.
    expect(phone.get_by_role("toolbar", name="28 selected")).to_be_visible()
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.get_by_role("option", name="29.txt", selected=True)).to_be_visible()


def test_the_name_of_a_folder_has_its_place_beside_two_buttons(phone: Page, api: Api) -> None:
    folder = api.folder("Grandparents")
    api.file("a.txt", parent_key=folder.object_key)
    api.file("b.txt", b"larger", parent_key=folder.object_key)
    phone.goto(f"/drive/files/{folder.object_key}")
    heading = phone.get_by_role("heading", name="Grandparents")
    expect(heading).to_be_visible()
    assert heading.evaluate("name => name.scrollWidth <= name.clientWidth")
    phone.get_by_role("button", name="New").tap()
    for name in ("New folder", "Upload files", "Upload folder"):
        expect(phone.get_by_role("menuitem", name=name)).to_be_visible()
    phone.go_back()
    phone.get_by_role("button", name="View and order").tap()
    phone.get_by_role("menuitem", name="Descending").tap()
    expect(phone.get_by_role("option").first).to_contain_text("b.txt")


def test_the_sheet_of_an_item_has_its_name(phone: Page, api: Api) -> None:
    api.file("notes.txt", b"notes")
    show(phone)
    phone.locator("[role=option] .more").tap()
    expect(phone.get_by_role("dialog", name="notes.txt")).to_be_visible()
    expect(phone.get_by_text("0 selected")).to_have_count(0)


def test_a_page_that_is_pulled_down_is_loaded_again(phone: Page, api: Api) -> None:
    api.file("a.txt", b"a")
    show(phone)
    expect(phone.get_by_role("option")).to_have_count(1)
    with phone.expect_request(lambda request: "/nms/metadata" in request.url):
        touch(phone, (180, 300), (180, 360), (180, 420), (180, 500))
    expect(phone.get_by_role("option")).to_have_count(1)


def test_the_honest_word_about_uploads_in_the_background(phone: Page, tmp_path: Path) -> None:
    phone.evaluate("""() => {
      window.locks = [];
      navigator.wakeLock.request = async (kind) => {
        window.locks.push(kind);
        return { release: async () => window.locks.push('released') };
      };
    }""")
    Gate(phone)
    written(tmp_path, {"a.txt": b"a"})
    drag(phone, tmp_path / "a.txt")
    panel(phone).get_by_role("button", name="Show uploads").tap()
    expect(panel(phone).get_by_text("Keep this page open")).to_be_visible()
    assert phone.evaluate("window.locks") == ["screen"]
    # Back closes the list, not the page.
    phone.go_back()
    expect(panel(phone).get_by_role("button", name="Show uploads")).to_be_visible()
    expect(phone.get_by_role("heading", name="Files")).to_be_visible()
