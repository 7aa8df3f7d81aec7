"""Live changes, details and settings."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.server.api import PASSWORD, Api, logged_in
from tests.server.running import RunningServer
from tests.web.visiting import Visit, visit


@pytest.mark.every_stack
def test_what_happens_elsewhere_shows_up_without_a_reload(page: Page, api: Api) -> None:
    expect(page.get_by_text("This folder is empty")).to_be_visible()
    key = api.folder("Made elsewhere").object_key
    expect(page.get_by_role("option", name="Made elsewhere")).to_be_visible()
    api.trash(key)
    expect(page.get_by_role("option", name="Made elsewhere")).to_have_count(0)


def test_what_happens_before_the_page_listens_is_not_missed(page: Page, api: Api) -> None:
    page.route(re.compile(r"/x/v1/changes/stream\?"), lambda _route: None)
    page.reload()
    expect(page.get_by_text("This folder is empty")).to_be_visible()
    api.folder("In between")
    page.unroute_all()
    expect(page.get_by_role("option", name="In between")).to_be_visible()


def test_what_happens_while_a_list_is_on_its_way_stays_in_it(page: Page, api: Api) -> None:
    goes = api.folder("Goes").object_key

    def meet(route: Route) -> None:
        """Return the old listing, after the page has received the newer changes."""
        older = route.fetch()
        api.folder("Comes")
        api.trash(goes)
        expect(page.get_by_role("option", name="Comes")).to_be_visible()
        route.fulfill(response=older)

    page.route("**/nms/metadata*", meet)
    page.goto("/drive/recent")
    with page.expect_response("**/nms/metadata*"):
        page.get_by_label("Main navigation").get_by_role("link", name="Files").click()
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    expect(page.get_by_text("1 item", exact=True)).to_be_attached()
    expect(page.get_by_role("option")).to_have_text(re.compile("Comes"))


def test_two_browsers_see_each_other_work(browser: Browser, server: RunningServer, page: Page, api: Api) -> None:
    with visit(browser, server, api, Visit()) as other:
        page.get_by_role("button", name="New folder").click()
        page.get_by_label("Folder name").fill("From the first")
        page.keyboard.press("Enter")
        expect(other.get_by_role("option", name="From the first")).to_be_visible()


def test_two_browsers_change_one_file_in_turn(browser: Browser, server: RunningServer, page: Page, api: Api) -> None:
    api.file("notes.txt")
    with visit(browser, server, api, Visit()) as other:
        expect(page.get_by_role("option", name="notes.txt")).to_be_visible()
        other.get_by_role("option", name="notes.txt").click()
        other.keyboard.press("F2")
        other.get_by_role("dialog").get_by_role("textbox").fill("plans.txt")
        other.keyboard.press("Enter")
        page.get_by_role("option", name="plans.txt").click()
        page.keyboard.press("Delete")
        expect(other.get_by_text("This folder is empty")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(other.get_by_role("option", name="plans.txt")).to_be_visible()
        expect(page.get_by_role("option", name="plans.txt")).to_be_visible()
        expect(page.get_by_role("option")).to_have_count(1)


def test_details_show_everything_and_an_old_version_is_restored(page: Page, api: Api) -> None:
    api.file("notes.txt", b"first")
    api.file("notes.txt", b"second, longer")
    expect(page.get_by_role("option", name="notes.txt")).to_be_visible()
    page.get_by_role("option", name="notes.txt").click()
    page.keyboard.press("i")
    details = page.get_by_role("complementary")
    expect(details.get_by_text("text/plain")).to_be_hidden()
    details.get_by_text("Technical data").click()
    expect(details.get_by_text("text/plain")).to_be_visible()
    details.get_by_role("button", name="Restore V1").click()
    expect(details.get_by_text("V3", exact=True)).to_be_visible()
    details.get_by_placeholder("New tag").fill("important")
    page.keyboard.press("Enter")
    expect(details.get_by_role("button", name="Remove tag important")).to_be_visible()
    details.get_by_role("button", name="Remove tag important").click()
    expect(details.get_by_role("button", name="Remove tag important")).to_have_count(0)


def test_the_keys_are_explained(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search files")).to_be_focused()
    page.keyboard.type("something")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/drive/search\?q=something"))
    expect(page.get_by_text("No results")).to_be_visible()


def test_the_password_is_changed_and_other_sessions_end(page: Page, api: Api) -> None:
    other = logged_in(api.client, api.ctx, api.account)
    page.goto("/drive/settings")
    page.get_by_label("Current password").fill("not this one")
    page.get_by_label("New password").fill("a new and longer one")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed")).to_be_visible()
    assert other.get("/security/users").status_code == 401
    page.reload()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def test_a_session_is_ended_from_the_list_of_devices(page: Page, api: Api) -> None:
    other = logged_in(api.client, api.ctx, api.account, deviceName="An old phone")
    page.goto("/drive/settings")
    row = page.get_by_role("listitem").filter(has_text="An old phone")
    row.get_by_role("button", name="Log out").click()
    expect(row.get_by_text("Logged out")).to_be_visible()
    assert other.get("/security/users").status_code == 401


def test_the_trash_is_emptied_after_a_question(page: Page, api: Api) -> None:
    for name in ("one.txt", "two.txt"):
        api.trash(api.file(name).object_key)
    page.goto("/drive/trash")
    page.get_by_role("option", name="one.txt").click()
    page.get_by_role("toolbar").get_by_role("button", name="Restore").click()
    expect(page.get_by_role("option", name="one.txt")).to_have_count(0)
    page.get_by_role("button", name="Empty trash").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("The trash is empty")).to_be_visible()
    assert api.get("/nms/trash", params={"limit": "10"}).json()["objects"] == []


def test_search_finds_and_filters(page: Page, api: Api) -> None:
    api.file("holiday plan.txt")
    api.folder("holiday")
    page.get_by_role("button", name="Search files").click()
    page.get_by_role("combobox", name="Search files").fill("holi")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    page.get_by_label("Type").select_option("Folders")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    expect(page.get_by_role("listbox").get_by_text("holiday", exact=True)).to_be_visible()
