"""Albums that people fill together: photos are picked from the timeline, and everybody sees who did what."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, FilePayload, Page, expect
from tests.conformance.metadata.board_making import join, make_board
from tests.server.api import Api, new_account
from tests.server.running import RunningServer
from tests.web.axe import findings
from tests.web.visiting import PHONE, Visit, open_account, visit

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.files import MediaFacts
from skyshelf.storage.metadata.contracts.tree import Move, Rename, TreeChange


@pytest.fixture
def friend(server: RunningServer, ctx: ServiceContext, request: pytest.FixtureRequest) -> Iterator[Api]:
    with open_account(server, ctx, f"friend of {request.node.name}") as opened:
        assert opened.put("/x/v1/account/profile", json={"firstName": "Grace", "lastName": "H"}).is_success
        yield opened


def photo(api: Api, name: str, colour: str) -> str:
    drawn = BytesIO()
    Image.new("RGB", (64, 48), colour).save(drawn, "JPEG")
    return api.file(name, drawn.getvalue(), facts=MediaFacts(64, 48)).object_key


def shared_album(api: Api, friend: Api) -> str:
    board = str(api.post("/boards", json={"boardName": "Sea"}).json()["boardKey"])
    invitation = {"emailId": friend.account.email, "memberType": "M"}
    assert api.post(f"/x/v1/boards/{board}/invitations", json=invitation).is_success
    assert friend.post("/x/v1/invitations/accept", json={"boardKey": board}).is_success
    theirs = photo(friend, "theirs.jpg", "teal")
    assert friend.post(f"/x/v1/boards/{board}/objects", json={"objectKeys": [theirs]}).is_success
    return board


def test_photos_are_picked_for_an_album_which_names_who_added_what(page: Page, api: Api, friend: Api) -> None:
    board = shared_album(api, friend)
    for name, colour in (("sea.jpg", "navy"), ("tram.jpg", "gold"), ("hill.jpg", "olive")):
        photo(api, name, colour)
    page.goto(f"/drive/boards/{board}")
    options = page.get_by_role("main").get_by_role("listbox").get_by_role("option")
    expect(options).to_have_count(1)
    expect(options.first.locator(".owner")).to_be_visible()

    page.get_by_role("button", name="Add photos").click()
    picker = page.get_by_role("dialog")
    expect(picker.get_by_role("option")).to_have_count(3)
    for name in ("sea.jpg", "hill.jpg"):
        picker.get_by_role("option", name=name).click()
    assert findings(page) == []
    picker.get_by_role("button", name="Add 2 photos").click()
    expect(picker).to_have_count(0)
    expect(page.get_by_text("2 files added to “Sea”")).to_be_visible()
    expect(options).to_have_count(3)

    page.get_by_role("button", name="List view").click()
    expect(page.get_by_role("columnheader", name="Owner")).to_be_visible()
    expect(options.filter(has_text="theirs.jpg").locator(".location")).to_have_text("Grace")
    expect(options.filter(has_text="sea.jpg").locator(".location")).to_have_text("Me")

    page.get_by_role("button", name="Activity").click()
    told = page.get_by_role("list", name="Activity").get_by_role("listitem")
    expect(told).to_have_count(4)
    for line, text in enumerate(
        ("(you) added 2 files", "Grace added 1 file", "Grace joined", "(you) created the album")
    ):
        expect(told.nth(line)).to_contain_text(text)
    assert findings(page) == []
    # What somebody else does appears at once.
    assert friend.put(f"/invites/boards/{board}/unjoin", json=[]).is_success
    expect(told.first).to_contain_text("Grace left")


def test_an_album_is_filled_on_a_phone_from_the_device(
    browser: Browser, server: RunningServer, api: Api, friend: Api
) -> None:
    board = shared_album(api, friend)
    photo(api, "sea.jpg", "navy")
    with visit(browser, server, api, Visit(size=PHONE), f"/drive/boards/{board}") as page:
        page.get_by_role("button", name="Add photos").tap()
        picker = page.get_by_role("dialog")
        expect(picker.get_by_role("option")).to_have_count(1)
        add = picker.get_by_role("button", name="Add photos")
        box = add.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= PHONE["height"]
        drawn = BytesIO()
        Image.new("RGB", (32, 32), "red").save(drawn, "JPEG")
        with page.expect_file_chooser() as choosing:
            picker.get_by_role("button", name="Upload from this device").tap()
        choosing.value.set_files(FilePayload(name="new.jpg", mimeType="image/jpeg", buffer=drawn.getvalue()))
        expect(page.get_by_role("main").get_by_role("option").filter(has_text="new.jpg")).to_be_attached()


def test_details_tell_what_happened_to_a_file(page: Page, api: Api) -> None:
    file = api.file("plan.txt", b"one")
    api.file("plan.txt", b"two", object_key=file.object_key)
    shared = {"objectKeys": [file.object_key], "shareName": "For Grace"}
    assert api.post("/x/v1/shares", json=shared).is_success
    folder = api.folder("Later").object_key
    changes: list[TreeChange] = [Rename(file.object_key, "new plan.txt"), Move(file.object_key, folder)]
    api.ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, changes, api.ctx.clock.now()))
    page.goto(f"/drive/files/{folder}")
    page.get_by_role("option", name="new plan.txt").click()
    page.keyboard.press("i")
    pane = page.get_by_role("complementary", name="Details")
    expect(pane.get_by_text("Shared by link “For Grace”")).to_be_visible()
    expect(pane.get_by_text("saved")).to_be_visible()
    expect(pane.get_by_text("Added", exact=True)).to_be_visible()
    expect(pane.get_by_text("Renamed", exact=True)).to_be_visible()
    expect(pane.get_by_text("Moved to another folder", exact=True)).to_be_visible()
    expect(pane.get_by_text("Moved, renamed or marked")).to_have_count(0)


def test_a_search_finds_what_a_person_has_shared_however_many_albums_there_are(
    page: Page, api: Api, friend: Api, ctx: ServiceContext
) -> None:
    shared_album(api, friend)
    # The album of the friend is older than all these.
    other = new_account(ctx, f"other-{api.account.email}")
    for number in range(55):
        board = make_board(ctx.metadata, api.account, f"Album {number}", now=ctx.clock.now())
        join(ctx.metadata, api.account, board, other, now=ctx.clock.now())
    photo(api, "theirs and mine.jpg", "gold")
    page.goto("/drive/search?q=theirs")
    found = page.get_by_role("main").get_by_role("listbox").get_by_role("option")
    expect(found.filter(has_text="theirs and mine.jpg")).to_be_visible()
    page.get_by_role("combobox", name="Shared by").select_option("Shared by Grace")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("theirs.jpg")
    page.get_by_role("combobox", name="Type").select_option("Videos")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_photo_grows_into_the_viewer_unless_motion_is_unwanted(page: Page, api: Api, motion: str) -> None:
    photo(api, "sea.jpg", "navy")
    page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    page.add_init_script(
        """const start = Document.prototype.startViewTransition;
        window.transitions = 0;
        Document.prototype.startViewTransition = function (...given) {
          window.transitions += 1;
          return start.apply(this, given);
        };"""
    )
    page.goto("/drive/photos")
    cell = page.get_by_role("option", name="sea.jpg")
    expect(cell.locator("img:not(.tiny)")).to_be_visible()
    cell.click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Back")).to_be_visible()
    assert page.evaluate("window.transitions") == (0 if motion == "reduce" else 1)
