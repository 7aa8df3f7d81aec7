"""Public links in the browser: create with limits, edit and revoke."""

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import Visit, visit


@pytest.mark.every_stack
def test_a_link_with_a_password_is_created_changed_and_revoked(
    browser: Browser, server: RunningServer, page: Page, api: Api
) -> None:
    api.file("secret plan.txt", b"the plan")
    page.get_by_role("option", name="secret plan.txt").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Name, expiry, password, download limit").click()
    dialog.get_by_label("Password", exact=True).fill("open sesame")
    dialog.get_by_role("button", name="Create link").click()
    expect(dialog.get_by_text("Anyone with this link and its password")).to_be_visible()
    link = dialog.get_by_label("Share link").input_value()
    page.keyboard.press("Escape")
    with visit(browser, server, None, Visit(), link) as visitor:
        expect(visitor.get_by_text("secret plan.txt")).to_have_count(0)
        visitor.locator("input[type=password]").fill("open sesame")
        visitor.keyboard.press("Enter")
        expect(visitor.get_by_text("secret plan.txt").first).to_be_visible()
    page.get_by_label("Main navigation").get_by_role("link", name="Shared").click()
    expect(page.get_by_text("password protected")).to_be_visible()
    page.get_by_role("button", name="Edit link").click()
    page.get_by_label("Require a password").uncheck()
    page.get_by_label("Link name").fill("The plan")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="The plan")).to_be_visible()
    with visit(browser, server, None, Visit(), link) as visitor:
        expect(visitor.get_by_text("secret plan.txt").first).to_be_visible()
    page.get_by_role("button", name="Revoke link").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke link").click()
    expect(page.get_by_text("No links yet")).to_be_visible()
    with visit(browser, server, None, Visit(), link) as visitor:
        expect(visitor.get_by_text("secret plan.txt")).to_have_count(0)


def test_a_link_says_its_last_day_its_name_and_who_can_open_it(
    browser: Browser, server: RunningServer, page: Page, api: Api
) -> None:
    for number in range(12):
        api.file(f"{number:02}.txt")
    page.reload()
    page.get_by_role("listbox").focus()
    page.keyboard.press("Control+a")
    page.get_by_role("toolbar").get_by_role("button", name="Share link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Name, expiry, password, download limit").click()
    dialog.get_by_label("Link name").fill("Papers for the tax office")
    dialog.get_by_label("Expires").fill("2031-03-09")
    dialog.get_by_role("button", name="Create link").click()
    expect(dialog.get_by_text("Anyone with this link can view and download.")).to_be_visible()
    link = dialog.get_by_label("Share link").input_value()
    page.keyboard.press("Escape")
    page.get_by_label("Main navigation").get_by_role("link", name="Shared").click()
    expect(page.get_by_text("9 Mar 2031")).to_be_visible()
    expect(page.get_by_text("and 2 more")).to_be_visible()
    with visit(browser, server, None, Visit(), link) as visitor:
        expect(visitor.get_by_role("heading", name="Papers for the tax office")).to_be_visible()
