"""What axe finds in any dialog, panel, pane or menu, at any size, in light and in dark: nothing."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.uploading import Gate, drag, panel, written
from tests.web.visiting import DESKTOP, PHONE, Visit, visit

SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]
DIALOG, PANE, MENU = "dialog[open]", "aside", "[role=menu]"
Opening = tuple[str, Callable[[Page], object]]


def button(name: str) -> Callable[[Page], object]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def entry(button_name: str, name: str) -> Callable[[Page], object]:
    """An entry of the menu that a button opens."""

    def choose(page: Page) -> None:
        button(button_name)(page)
        page.get_by_role("menuitem", name=name).click()

    return choose


def action(name: str, of: str = "notes.txt") -> Callable[[Page], object]:
    """An entry of the menu of a row."""

    def choose(page: Page) -> None:
        page.get_by_role("option", name=of).locator(".more").click()
        page.get_by_role("menuitem", name=name).click()

    return choose


def keyboard_help(page: Page) -> None:
    page.get_by_role("option", name="notes.txt").focus()
    page.keyboard.press("?")


OF_FILES: dict[str, Opening] = {
    "new folder": (DIALOG, button("New folder")),
    "rename": (DIALOG, action("Rename")),
    "move": (DIALOG, action("Move…")),
    "link": (DIALOG, action("Share link")),
    "add to a board": (DIALOG, action("Add to a board…")),
    "details": (PANE, action("Details")),
    "menu": (MENU, lambda page: page.get_by_role("option", name="notes.txt").locator(".more").click()),
    "help": (DIALOG, keyboard_help),
    "text": (DIALOG, action("Open")),
    "markdown": (DIALOG, action("Open", of="readme.md")),
    "picture": (DIALOG, action("Open", of="photo.png")),
}
OF_A_BOARD: dict[str, Opening] = {
    "people": (PANE, button("1 person")),
    "comments": (PANE, button("1 comment")),
    "board menu": (MENU, button("More about this board")),
    "edit board": (DIALOG, entry("More about this board", "Name and description")),
    "leave board": (DIALOG, entry("More about this board", "Leave the board")),
}
OTHERS: dict[str, dict[str, Opening]] = {
    "boards": {"new board": (DIALOG, button("New board"))},
    "contacts": {
        "new contact": (DIALOG, button("Add a contact")),
    },
    "shared": {
        "change link": (DIALOG, button("Change the link")),
        "take link back": (DIALOG, button("Take the link back")),
    },
    "trash": {"empty trash": (DIALOG, button("Empty the trash"))},
}


@pytest.fixture
def board(api: Api) -> str:
    """A board that has been talked about; and something for every dialog."""
    picture = BytesIO()
    Image.new("RGB", (64, 48), (180, 120, 60)).save(picture, "PNG")
    notes = api.file("notes.txt", b"plain words").object_key
    api.file("photo.png", picture.getvalue())
    api.file("readme.md", b"# Title\n\n- one\n- [two](https://example.org)\n\n```python\nprint(1)  # why\n```\n")
    api.folder("Holiday")
    api.trash(api.file("old.txt", b"old").object_key)
    assert api.post("/x/v1/shares", json={"objectKeys": [notes], "shareName": "Notes"}).is_success
    key = str(api.post("/boards", json={"boardName": "Sea"}).json()["boardKey"])
    assert api.post(f"/x/v1/boards/{key}/objects", json={"objectKeys": [notes]}).is_success
    assert api.post(f"/x/v1/boards/{key}/comments", json={"text": "What a plan!"}).is_success
    return key


def look_into(page: Page, path: str, openings: dict[str, Opening]) -> dict[str, list[str]]:
    """Open each in turn on one page; Escape or a button closes it."""
    wrong: dict[str, list[str]] = {}
    page.goto(path)
    for name, (place, open_it) in openings.items():
        open_it(page)
        expect(page.locator(place)).to_be_visible()
        wrong[name] = findings(page, place)
        if place == PANE:
            page.locator(PANE).get_by_role("button", name="Close").click()
        else:
            page.keyboard.press("Escape")
        expect(page.locator(place)).to_have_count(0)
    return wrong


@pytest.mark.parametrize("size", SIZES)
def test_no_dialog_pane_or_menu_leaves_anybody_out(
    browser: Browser, server: RunningServer, api: Api, board: str, size: ViewportSize
) -> None:
    with visit(browser, server, api, Visit(size=size, bypass_policy=True)) as page:
        wrong = look_into(page, "/drive/files", OF_FILES)
        wrong |= look_into(page, f"/drive/boards/{board}", OF_A_BOARD)
        for section, openings in OTHERS.items():
            wrong |= look_into(page, f"/drive/{section}", openings)
    assert_nothing(wrong)


@pytest.mark.parametrize("size", SIZES)
def test_no_part_of_an_upload_leaves_anybody_out(
    browser: Browser, server: RunningServer, api: Api, size: ViewportSize, tmp_path: Path
) -> None:
    api.file("taken.txt", b"old")
    written(tmp_path, {"a.txt": b"a", "bad\x01.txt": b"bad", "taken.txt": b"new"})
    region = "[aria-label=Uploads]"
    with visit(browser, server, api, Visit(size=size, bypass_policy=True)) as page:
        Gate(page)
        drag(page, *sorted(tmp_path.iterdir()))
        question = page.get_by_role("dialog", name="taken.txt is already here")
        expect(question).to_be_visible()
        wrong = {"question": findings(page, DIALOG)}
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
        if size == PHONE:
            panel(page).get_by_role("button", name="Show the list of uploads").click()
        expect(panel(page).get_by_text("This name cannot be used")).to_be_visible()
        wrong["panel"] = findings(page, region)
        panel(page).get_by_role("button", name="Cancel all").click()
        expect(page.get_by_role("dialog", name="Cancel all uploads?")).to_be_visible()
        wrong["cancel all"] = findings(page, DIALOG)
    assert_nothing(wrong)
