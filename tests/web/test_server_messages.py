"""Server settings, errors and invitations, in the user's language."""

import json
import re

from playwright.sync_api import Browser, Page, Route, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import Visit, open_account, visit

from skyshelf.service.context import ServiceContext


def test_the_trash_says_how_long_this_server_keeps_things(page: Page, api: Api) -> None:
    rules = api.get("/app/settings", params={"os": "web"}).json() | {"trashRetentionDays": 7}
    page.route(re.compile("/app/settings"), lambda route: route.fulfill(json=rules))
    page.goto("/drive/trash")
    expect(page.get_by_text("deleted permanently after 7 days in the trash")).to_be_visible()
    api.trash(api.file("old.txt").object_key)
    page.reload()
    expect(page.get_by_role("option", name="old.txt")).to_be_visible()
    expect(page.get_by_text("deleted permanently after 7 days in the trash")).to_be_visible()


def test_errors_are_shown_in_the_users_language(browser: Browser, server: RunningServer, api: Api) -> None:
    api.folder("Urlaub")
    # Without an entry in the catalogue, the server's message is shown.
    unheard = {"code": "SKY9999", "message": "The moon is in the way"}
    asked: list[Route] = []

    def refuse_the_second(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.continue_()
        else:
            route.fulfill(status=409, body=json.dumps(unheard))

    with visit(browser, server, api, Visit(language="de-DE")) as page:
        page.route(re.compile("/nms/folders"), refuse_the_second)
        expect(page.get_by_role("option", name="Urlaub")).to_be_visible()
        page.get_by_role("button", name="Neuer Ordner").click()
        naming = page.get_by_role("dialog")
        naming.get_by_role("textbox").fill("Urlaub")
        page.keyboard.press("Enter")
        expect(naming.get_by_text("Der Ordner enthält bereits ein Element mit diesem Namen.")).to_be_visible()
        naming.get_by_role("button", name="Erstellen").click()
        expect(naming.get_by_text("The moon is in the way")).to_be_visible()


def invite(friend: Api, api: Api, *names: str) -> None:
    for name in names:
        key = friend.post("/boards", json={"boardName": name}).json()["boardKey"]
        assert friend.post(f"/x/v1/boards/{key}/invitations", json={"emailId": api.account.email}).is_success


def test_a_badge_shows_invitations_until_they_are_answered(
    page: Page, server: RunningServer, ctx: ServiceContext, api: Api
) -> None:
    """The event stream reports new invitations."""
    boards = page.get_by_role("navigation").get_by_role("link", name="Albums")
    expect(boards).to_have_accessible_name("Albums")
    with open_account(server, ctx, "somebody who invites") as friend:
        invite(friend, api, "Sea", "Hills")
    expect(boards).to_have_accessible_name(re.compile("2 pending invitations"))
    boards.click()
    page.get_by_role("button", name="Decline Hills").click()
    expect(boards).to_have_accessible_name(re.compile("1 pending invitation"))
    page.get_by_role("button", name="Join Sea").click()
    expect(page.get_by_role("heading", name="Sea")).to_be_visible()
    expect(boards).to_have_accessible_name("Albums")


def test_invitations_are_polled_without_a_stream(
    page: Page, server: RunningServer, ctx: ServiceContext, api: Api
) -> None:
    page.route(re.compile(r"/x/v1/changes/stream\?"), lambda route: route.abort())
    page.reload()
    boards = page.get_by_role("navigation").get_by_role("link", name="Albums")
    expect(boards).to_have_accessible_name("Albums")
    with open_account(server, ctx, "somebody else who invites") as friend:
        invite(friend, api, "Woods")
    # As when the window becomes visible; otherwise it is polled within seconds.
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(boards).to_have_accessible_name(re.compile("1 pending invitation"))
