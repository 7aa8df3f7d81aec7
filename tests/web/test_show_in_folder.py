"""Wherever a single item is shown outside its folder, there is a way to that folder."""

import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TookTooLong
from tests.server.api import Api

from skyshelf.storage.metadata.contracts.files import MediaFacts

FOLDER = "Trip"


@pytest.fixture
def keys(api: Api) -> dict[str, str]:
    """A picture in a folder, twice, in an album and behind a link; and a trashed file."""
    folder = api.folder(FOLDER).object_key
    drawn = BytesIO()
    Image.new("RGB", (64, 48), "navy").save(drawn, "JPEG")
    sea = api.file("sea.jpg", drawn.getvalue(), parent_key=folder, facts=MediaFacts(64, 48)).object_key
    api.file("copy.jpg", drawn.getvalue(), parent_key=folder)
    gone = api.file("gone.txt", b"gone", parent_key=folder).object_key
    api.trash(gone)
    board = str(api.post("/boards", json={"boardName": "Sea"}).json()["boardKey"])
    assert api.post(f"/x/v1/boards/{board}/objects", json={"objectKeys": [sea]}).is_success
    assert api.post("/x/v1/shares", json={"objectKeys": [sea], "shareName": "Sea"}).is_success
    return {"folder": folder, "sea": sea, "board": board}


def button(page: Page, name: str = "Show in folder") -> None:
    page.get_by_role("button", name=name).first.click()


def menu(page: Page, option: str, entry: str = "Show in folder") -> None:
    wanted = page.get_by_role("menuitem", name=entry)
    for _ in range(10):
        # A list that is just being loaded again closes the menu.
        page.get_by_role("main").get_by_role("option", name=option).first.click(button="right")
        with suppress(TookTooLong):
            wanted.click(timeout=6000)
            return
        page.keyboard.press("Escape")
    wanted.click()


WAYS: dict[str, Callable[[Page], None]] = {
    "/drive/photos": lambda page: menu(page, "sea.jpg"),
    "/drive/photos/{sea}": button,
    "/drive/files": lambda page: button(page, "Show sea.jpg in its folder"),
    "/drive/recent": lambda page: menu(page, "sea.jpg"),
    "/drive/search?q=sea": lambda page: menu(page, "sea.jpg"),
    "/drive/shared": button,
    "/drive/storage": button,
    "/drive/boards/{board}": lambda page: menu(page, "sea.jpg"),
    "/drive/trash": lambda page: menu(page, "gone.txt", "Show original folder"),
}


def test_every_place_leads_to_the_folder(page: Page, keys: dict[str, str]) -> None:
    for path, go in WAYS.items():
        page.goto(path.format(**keys))
        go(page)
        expect(page).to_have_url(re.compile(f"/drive/files/{keys['folder']}"))
        expect(page.get_by_role("heading", name=FOLDER)).to_be_visible()
