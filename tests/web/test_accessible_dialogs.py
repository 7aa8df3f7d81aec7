"""axe finds no problems in dialogs, panels, panes and menus, at any size, in light and dark mode."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, ViewportSize, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.openings import DIALOG, IN_THE_BAR, OF_A_BOARD, OF_FILES, ON_A_PHONE, OTHERS, look_into
from tests.web.test_boards import join
from tests.web.uploading import Gate, drag, panel, written
from tests.web.visiting import DESKTOP, PHONE, Visit, open_account, visit

from skyshelf.service.context import ServiceContext

SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]


@pytest.fixture
def board(server: RunningServer, ctx: ServiceContext, api: Api) -> str:
    """A board with two members and a comment, and content for every dialog."""
    picture = BytesIO()
    Image.new("RGB", (64, 48), (180, 120, 60)).save(picture, "PNG")
    notes = api.file("notes.txt", b"plain words").object_key
    api.file("photo.png", picture.getvalue())
    api.file("readme.md", b"# Title\n\n- one\n- [two](https://example.org)\n\n```python\nprint(1)  # why\n```\n")
    api.file("unknown.bin", bytes(range(256)))
    api.folder("Holiday")
    api.trash(api.file("old.txt", b"old").object_key)
    cards = "BEGIN:VCARD\nVERSION:3.0\nFN:Grace Hopper\nEMAIL:grace@example.org\nEND:VCARD\n"
    assert api.post("/x/v1/contacts/import", json={"vcards": cards}).is_success
    assert api.post("/x/v1/shares", json={"objectKeys": [notes], "shareName": "Notes"}).is_success
    key = str(api.post("/boards", json={"boardName": "Sea"}).json()["boardKey"])
    assert api.post(f"/x/v1/boards/{key}/objects", json={"objectKeys": [notes]}).is_success
    assert api.post(f"/x/v1/boards/{key}/comments", json={"text": "What a plan!"}).is_success
    with open_account(server, ctx, "somebody else on the board") as friend:
        join(api, friend, key)
        theirs = str(friend.post("/boards", json={"boardName": "Hills"}).json()["boardKey"])
        invitation = {"emailId": api.account.email, "memberType": "M"}
        assert friend.post(f"/x/v1/boards/{theirs}/invitations", json=invitation).is_success
    return key


@pytest.mark.parametrize("size", SIZES)
def test_no_dialog_pane_or_menu_leaves_anybody_out(
    browser: Browser, server: RunningServer, api: Api, board: str, size: ViewportSize
) -> None:
    with visit(browser, server, api, Visit(size=size, bypass_policy=True)) as page:
        wrong = look_into(page, "/drive/files", (ON_A_PHONE if size == PHONE else IN_THE_BAR) | OF_FILES)
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
        question = page.get_by_role("dialog", name="taken.txt already exists")
        expect(question).to_be_visible()
        wrong = {"question": findings(page, DIALOG)}
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
        if size == PHONE:
            panel(page).get_by_role("button", name="Show uploads").click()
        expect(panel(page).get_by_text("This name cannot be used")).to_be_visible()
        wrong["panel"] = findings(page, region)
        panel(page).get_by_role("button", name="Cancel all").click()
        expect(page.get_by_role("dialog", name="Cancel all uploads?")).to_be_visible()
        wrong["cancel all"] = findings(page, DIALOG)
        page.keyboard.press("Escape")
        if size == PHONE:
            page.get_by_role("button", name="You").click()
        page.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("dialog", name="Log out with unfinished uploads?")).to_be_visible()
        wrong["log out"] = findings(page, DIALOG)
    assert_nothing(wrong)
