"""After a lost connection or an expired session, the page goes on where it was."""

from playwright.sync_api import Browser, Page, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import Visit, visit


def test_pages_that_were_opened_without_a_connection_load_when_it_is_back(page: Page, api: Api) -> None:
    folder = api.folder("Holiday")
    api.file("inside.txt", parent_key=folder.object_key)
    expect(page.get_by_role("option", name="Holiday")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("option", name="Holiday").dblclick()
    expect(page.get_by_text("This page could not be loaded.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("option", name="inside.txt")).to_be_visible()
    page.context.set_offline(True)
    # Its script is not there yet.
    page.get_by_role("link", name="Trash").click()
    expect(page.get_by_text("This page could not be loaded.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("The trash is empty")).to_be_visible()


def test_an_expired_session_keeps_what_was_typed_and_says_why(page: Page, api: Api) -> None:
    page.get_by_role("button", name="New folder").click()
    page.get_by_label("Folder name").fill("A long name that nobody wants to type again")
    end_sessions(api)
    page.get_by_role("button", name="Create").click()
    again = page.get_by_role("dialog", name="Log in again")
    expect(again.get_by_text("Your session has ended.")).to_be_visible()
    expect(again.get_by_label("Email address")).to_have_value(api.account.email)
    expect(again.get_by_label("Password")).to_be_focused()
    assert_nothing({"log in again": findings(page)})
    page.keyboard.press("Escape")
    again.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(again.get_by_role("alert")).to_contain_text("Wrong email address or password.")
    again.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    expect(page.get_by_label("Folder name")).to_have_value("A long name that nobody wants to type again")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("option", name="A long name")).to_be_visible()


def test_a_page_that_is_opened_after_the_session_says_why_and_knows_the_address(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit(browser, server, None, Visit()) as page:
        expect(page.get_by_label("Email address")).to_be_focused()
        page.get_by_label("Email address").fill(api.account.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.locator("main#content")).to_be_visible()
        end_sessions(api)
        page.reload()
        expect(page.get_by_text("Your session has ended.")).to_be_visible()
        expect(page.get_by_label("Email address")).to_have_value(api.account.email)
        expect(page.get_by_label("Password")).to_be_focused()


def end_sessions(api: Api) -> None:
    """All of the account."""
    api.ctx.metadata.write(lambda unit: unit.sessions.revoke_all(api.account.account_id))
