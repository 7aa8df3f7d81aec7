"""Boards in the browser: create, add files, invite people who see changes live, comment, leave and delete."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import PHONE, Visit, open_account, visit

from skyshelf.service.context import ServiceContext


@pytest.fixture
def friend(server: RunningServer, ctx: ServiceContext, request: pytest.FixtureRequest) -> Iterator[Api]:
    """Another account on the same server."""
    with open_account(server, ctx, f"friend of {request.node.name}") as opened:
        yield opened


def picture(colour: str) -> bytes:
    drawn = BytesIO()
    Image.new("RGB", (64, 48), colour).save(drawn, "PNG")
    return drawn.getvalue()


def new_board(api: Api, name: str, *object_keys: str) -> str:
    key = str(api.post("/boards", json={"boardName": name}).json()["boardKey"])
    if object_keys:
        assert api.post(f"/x/v1/boards/{key}/objects", json={"objectKeys": list(object_keys)}).is_success
    return key


def join(api: Api, friend: Api, board: str, role: str = "M") -> None:
    invitation = {"emailId": friend.account.email, "memberType": role}
    assert api.post(f"/x/v1/boards/{board}/invitations", json=invitation).is_success
    assert friend.post("/x/v1/invitations/accept", json={"boardKey": board}).is_success


def shown(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


def test_a_board_is_made_and_filled_from_the_files_and_by_an_upload(page: Page, api: Api, tmp_path: Path) -> None:
    api.file("plan.txt", b"to the sea")
    api.file("ticket.txt", b"one way")
    page.goto("/drive/boards")
    expect(page.get_by_text("No albums yet")).to_be_visible()
    page.get_by_role("button", name="New album").first.click()
    page.get_by_label("Album name").fill("Sea")
    page.get_by_label("Description").fill("Summer\nby train")
    page.get_by_role("button", name="Create album").click()
    expect(page.get_by_role("heading", name="Sea")).to_be_visible()
    expect(page.get_by_text("This album is empty")).to_be_visible()

    page.get_by_role("main").get_by_role("button", name="Files").click()
    page.get_by_role("option", name="plan.txt").click()
    page.get_by_role("option", name="ticket.txt").click(modifiers=["Control"])
    page.get_by_role("toolbar").get_by_role("button", name="Add to album…").click()
    page.get_by_role("dialog").get_by_role("button", name="Sea").click()
    expect(page.get_by_text("2 files added to “Sea”")).to_be_visible()
    page.get_by_role("button", name="View", exact=True).click()
    expect(shown(page)).to_have_count(2)

    (tmp_path / "beach.png").write_bytes(picture("teal"))
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Upload").first.click()
        page.get_by_role("menuitem", name="Upload files").click()
    choosing.value.set_files(tmp_path / "beach.png")
    expect(shown(page).filter(has_text="beach.png")).to_be_visible()
    page.get_by_role("link", name="All albums").click()
    expect(page.get_by_role("link", name="Sea")).to_contain_text("3 files")
    expect(page.get_by_role("link", name="Sea").locator("img:not(.tiny)")).to_be_visible()


def test_what_is_in_the_drive_already_comes_onto_the_board_by_an_upload_too(
    page: Page, api: Api, tmp_path: Path
) -> None:
    board = new_board(api, "Sea")
    folder = api.folder("Sea", api.folder("Boards").object_key)
    api.file("plan.txt", b"to the sea", folder.object_key)
    page.goto(f"/drive/boards/{board}")
    (tmp_path / "plan.txt").write_bytes(b"to the sea")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Upload").first.click()
        page.get_by_role("menuitem", name="Upload files").click()
    choosing.value.set_files(tmp_path / "plan.txt")
    expect(shown(page)).to_have_count(1)
    listed = api.get("/nms/metadata", params={"folderKey": folder.object_key}).json()["objects"]
    assert [(one["objectName"], one["version"]) for one in listed] == [("plan.txt", 1)]


@pytest.mark.every_stack
def test_two_people_see_at_once_what_the_other_does(
    browser: Browser, server: RunningServer, page: Page, api: Api, friend: Api
) -> None:
    board = new_board(api, "Sea", api.file("plan.png", picture("navy")).object_key)
    page.goto(f"/drive/boards/{board}")
    page.get_by_role("button", name="1 person").click()
    page.get_by_label("Email address").fill(friend.account.email)
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.get_by_role("button", name=f"Revoke the invitation of {friend.account.email}")).to_be_visible()

    with visit(browser, server, friend, Visit(size=PHONE), "/drive/boards") as other:
        other.get_by_role("button", name="Join Sea", exact=True).click()
        expect(shown(other)).to_have_count(1)
        expect(shown(other).locator("img:not(.tiny)")).to_have_js_property("naturalWidth", 64)
        expect(page.get_by_role("list", name="Members").get_by_role("listitem")).to_have_count(2)
        expect(page.get_by_role("button", name=f"Revoke the invitation of {friend.account.email}")).to_have_count(0)

        other.get_by_role("button", name="0 comments").click()
        other.get_by_label("Add a comment").fill("What a plan!\nI come.")
        other.get_by_role("button", name="Send").click()
        page.get_by_role("button", name="1 comment").click()
        expect(page.get_by_text("What a plan!")).to_be_visible()

        other.get_by_role("complementary").get_by_role("button", name="Close").click()
        added = friend.file("beach.txt").object_key
        assert friend.post(f"/x/v1/boards/{board}/objects", json={"objectKeys": [added]}).is_success
        expect(shown(page).filter(has_text="beach.txt")).to_be_visible()
        expect(shown(other)).to_have_count(2)

        page.get_by_role("button", name="Delete comment").click()
        expect(page.get_by_text("No comments yet")).to_be_visible()
        page.get_by_role("button", name="2 people").click()
        page.get_by_role("button", name="Actions for Ada").click()
        page.get_by_role("menuitem", name="Remove from album").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove from album").click()
        expect(shown(page)).to_have_count(1)
        expect(other.get_by_text("you are no longer a member")).to_be_visible()


def test_a_link_to_join_survives_the_login_and_is_nowhere_in_the_address(
    browser: Browser, server: RunningServer, page: Page, api: Api, friend: Api
) -> None:
    board = new_board(api, "Sea", api.file("plan.txt").object_key)
    page.goto(f"/drive/boards/{board}")
    page.get_by_role("button", name="1 person").click()
    page.get_by_label("Permission").select_option("Can view and comment")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "#invitation=" in link
    with visit(browser, server, friend, Visit(), link) as other:
        assert "invitation" not in other.url
        other.get_by_role("button", name="Join album").click()
        expect(other.get_by_role("heading", name="Sea")).to_be_visible()
        expect(shown(other)).to_have_count(1)
        expect(other.get_by_role("button", name="Upload")).to_have_count(0)
    page.get_by_role("button", name="Revoke link").click()
    expect(page.get_by_text("Link revoked")).to_be_visible()
    with visit(browser, server, friend, Visit(), link) as other:
        other.get_by_role("button", name="Join album").click()
        expect(other.get_by_text("This invitation has expired")).to_be_visible()


def test_an_invitation_is_declined_and_a_board_is_left(page: Page, api: Api, friend: Api) -> None:
    unwanted, wanted = new_board(friend, "Stamps"), new_board(friend, "Sea", friend.file("plan.txt").object_key)
    assert friend.post(f"/x/v1/boards/{unwanted}/invitations", json={"emailId": api.account.email}).is_success
    join(friend, api, wanted)
    page.goto("/drive/boards")
    page.get_by_role("button", name="Decline Stamps").click()
    expect(page.get_by_text("Invitation to “Stamps” declined")).to_be_visible()
    expect(page.get_by_role("button", name="Decline Stamps")).to_have_count(0)
    page.get_by_role("link", name="Sea").click()
    page.get_by_role("button", name="More actions for this album").click()
    expect(page.get_by_role("menuitem")).to_have_count(1)
    page.get_by_role("menuitem", name="Leave album").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave album").click()
    expect(page.get_by_text("No albums yet")).to_be_visible()
    assert len(friend.get(f"/invites/boards/{wanted}/members").json()["boardMembers"]) == 1


def test_what_is_on_a_board_becomes_its_cover_comes_off_and_back(page: Page, api: Api) -> None:
    red, blue = api.file("red.png", picture("red")), api.file("blue.png", picture("blue"))
    board = new_board(api, "Colours", red.object_key, blue.object_key)
    page.goto(f"/drive/boards/{board}")
    shown(page).filter(has_text="red.png").click(button="right")
    page.get_by_role("menuitem", name="Use as cover").click()
    expect(page.get_by_text("Cover changed")).to_be_visible()
    shown(page).filter(has_text="blue.png").click()
    page.keyboard.press("Delete")
    expect(page.get_by_text("1 file removed from album")).to_be_visible()
    expect(shown(page)).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(shown(page)).to_have_count(2)
    page.get_by_role("link", name="All albums").click()
    cover = page.get_by_role("link", name="Colours").locator("img:not(.tiny)")
    expect(cover).to_have_attribute("src", re.compile(red.object_key))
    page.get_by_role("link", name="Colours").click()
    page.get_by_role("button", name="More actions for this album").click()
    page.get_by_role("menuitem", name="Edit name and description").click()
    page.get_by_label("Album name").fill("Two colours")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Two colours")).to_be_visible()
    page.get_by_role("button", name="More actions for this album").click()
    page.get_by_role("menuitem", name="Delete album").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete album").click()
    expect(page.get_by_text("No albums yet")).to_be_visible()


def test_photos_become_a_new_board_without_leaving_them(page: Page, api: Api) -> None:
    api.file("sea.png", picture("navy"))
    page.goto("/drive/photos")
    page.get_by_role("listbox").get_by_role("option").click(button="right")
    page.get_by_role("menuitem", name="Add to album…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("You have no albums yet")).to_be_visible()
    dialog.get_by_label("Album name").fill("Sea")
    dialog.get_by_role("button", name="Create album").click()
    expect(page.get_by_text("1 file added to “Sea”")).to_be_visible()
    boards = api.get("/boards/sync/initial", params={"page": 0, "limit": 10, "albumType": "p"}).json()["boards"]
    assert [(one["boardName"], one["filesCount"]) for one in boards] == [("Sea", 1)]


def test_what_was_typed_stays_when_the_server_refuses_it(page: Page, api: Api) -> None:
    board = new_board(api, "Sea", api.file("plan.txt").object_key)
    is_busy = [True]

    def meet(route: Route) -> None:
        if is_busy[0] and route.request.method == "POST":
            route.fulfill(status=503, json={"message": "Busy"})
        else:
            route.continue_()

    # Before the page opens, so no request gets through.
    page.route(f"**/x/v1/boards/{board}/comments*", meet)
    page.goto(f"/drive/boards/{board}")
    shown(page).click(button="right")
    page.get_by_role("menuitem", name="Comment").click()
    field = page.get_by_role("textbox", name="Add a comment")
    expect(field).to_be_focused()
    field.fill("A long thought")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_have_text("Busy")
    expect(field).to_have_value("A long thought")
    is_busy[0] = False
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("complementary").get_by_role("listitem")).to_contain_text("A long thought")
    expect(page.get_by_role("complementary").get_by_role("button", name="On plan.txt")).to_be_visible()
    expect(field).to_have_value("")
    page.get_by_role("button", name="Edit comment").click()
    page.get_by_label("Edit comment").fill("A short one")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("complementary").get_by_role("listitem")).to_contain_text("A short one")
