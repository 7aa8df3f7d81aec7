"""The administration: people, sessions, announcements and the server's health, for operators."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from tests.server.api import PASSWORD, Api, logged_in, new_account
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, visit

from skyshelf.service.accounts import accounts
from skyshelf.service.jobs import brakes
from skyshelf.storage.metadata.contracts.accounts import Account


@pytest.fixture
def person(api: Api) -> Account:
    """Somebody to manage, with an address of their own, because tests share the server."""
    accounts.set_operator(api.ctx, api.account, is_operator=True)
    return new_account(api.ctx, f"kay-{api.account.account_id}@example.org", first_name="Kay")


def found(page: Page, account: Account) -> Locator:
    """The row of an account, searched for."""
    page.goto("/drive/admin")
    page.get_by_label("Search by name or email address").fill(account.email)
    rows = page.get_by_role("list", name="People").get_by_role("listitem")
    expect(rows).to_have_count(1)
    return rows.filter(has_text=account.email)


def choose(page: Page, row: Locator, act: str) -> None:
    row.get_by_role("button", name="Actions for").click()
    page.get_by_role("menuitem", name=act).click()


def confirm(page: Page, act: str, password: str = PASSWORD) -> None:
    dialog = page.get_by_role("dialog", name=act)
    dialog.get_by_label("Your password").fill(password)
    dialog.get_by_role("button", name=act).click()


@pytest.mark.every_stack
def test_a_person_is_disabled_limited_reset_promoted_and_deleted(page: Page, api: Api, person: Account) -> None:
    wrong: dict[str, list[str]] = {}
    theirs = logged_in(api.client, api.ctx, person)
    row = found(page, person)
    wrong["people"] = findings(page)

    row.get_by_role("button", name="Actions for").click()
    wrong["menu"] = findings(page, "[role=menu]")
    page.get_by_role("menuitem", name="Disable").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    expect(row.get_by_text("Disabled", exact=True)).to_be_visible()
    assert theirs.get("/security/users").status_code == 401
    choose(page, row, "Enable")
    expect(row.get_by_text("Disabled", exact=True)).to_have_count(0)

    choose(page, row, "Change storage limit")
    page.get_by_label("Storage limit in GiB").fill("2.5")
    page.get_by_role("button", name="Save").click()
    expect(row.get_by_text("0 B of 2.5 GiB used")).to_be_visible()

    choose(page, row, "Reset password")
    confirm(page, "Reset password", "a guess")
    expect(page.get_by_text("Wrong password.")).to_be_visible()
    wrong["wrong password"] = findings(page, "dialog[open]")
    confirm(page, "Reset password")
    link = page.get_by_role("dialog", name="New password for Kay").get_by_label("One-time link", exact=True)
    expect(link).to_have_value(re.compile(r"/drive/welcome#.{32}$"))
    page.keyboard.press("Escape")

    choose(page, row, "Make operator")
    confirm(page, "Make operator")
    expect(row.get_by_text("Operator", exact=True)).to_be_visible()
    choose(page, row, "Delete account")
    expect(page.get_by_role("dialog").get_by_text("are deleted after 14 days")).to_be_visible()
    confirm(page, "Delete account")
    expect(row.get_by_text("Will be deleted on")).to_be_visible()
    choose(page, row, "Keep account")
    expect(row.get_by_text("Will be deleted on")).to_have_count(0)

    me = found(page, api.account)
    me.get_by_role("button", name="Actions for").first.click()
    # Nobody locks themselves out by mistake.
    for act in ("Disable", "Delete account", "Revoke operator role"):
        expect(page.get_by_role("menuitem", name=act)).to_have_count(0)
    assert_nothing(wrong)


def test_sessions_of_a_person_are_seen_and_ended(page: Page, api: Api, person: Account) -> None:
    theirs = logged_in(api.client, api.ctx, person, deviceName="Old tablet")
    choose(page, found(page, person), "Show sessions")
    expect(page.get_by_role("heading", name="Sessions of Kay")).to_be_visible()
    wrong = {"sessions": findings(page)}
    page.get_by_role("button", name=re.compile("^End the session of Kay .* on Old tablet$")).click()
    expect(page.get_by_text("No open sessions")).to_be_visible()
    assert theirs.get("/security/users").status_code == 401
    page.get_by_role("button", name="Show all sessions").click()
    expect(page.get_by_text("This device").first).to_be_visible()
    assert_nothing(wrong)


def test_an_announcement_is_planned_shown_and_removed(page: Page, api: Api, person: Account) -> None:
    title = f"Maintenance {person.account_id}"
    page.goto("/drive/admin/banners")
    page.get_by_role("button", name="New announcement").click()
    dialog = page.get_by_role("dialog", name="New announcement")
    dialog.get_by_label("Title").fill(title)
    dialog.get_by_label("Text").fill("Offline on Sunday")
    dialog.get_by_label("Show from").fill("2099-05-02T09:00")
    wrong = {"dialog": findings(page, "dialog[open]")}
    dialog.get_by_role("button", name="Save").click()
    row = page.get_by_role("listitem").filter(has_text=title)
    expect(row.get_by_text("From 2 May 2099, 09:00")).to_be_visible()
    wrong["banners"] = findings(page)
    page.get_by_role("button", name=f"Edit {title}").click()
    page.get_by_label("Show from").fill("2026-05-02T09:00")
    page.get_by_role("button", name="Save").click()
    expect(row.get_by_text("Shown now")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("listitem").filter(has_text=title)).to_be_visible()
    page.goto("/drive/admin/banners")
    page.get_by_role("button", name=f"Remove {title}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove announcement").click()
    expect(row).to_have_count(0)
    assert_nothing(wrong)


@pytest.mark.every_stack
def test_the_health_of_the_server_names_what_needs_attention(
    browser: Browser, server: RunningServer, api: Api, person: Account
) -> None:
    with visit(browser, server, api, Visit(size=PHONE), "/drive/admin/server") as page:
        expect(page.get_by_role("heading", name="Care of the data")).to_be_visible()
        expect(page.get_by_text("in the files of")).to_be_visible()
        with pytest.raises(brakes.BrakePulled):
            brakes.pull(api.ctx, "a-test", "something is strange")
        page.get_by_role("button", name="Refresh").click()
        expect(page.get_by_text("before it deleted anything: something is strange")).to_be_visible()
        wrong = {"server": findings(page)}
        page.get_by_role("button", name="Let it run: a-test").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Why it may run").fill("A disk was replaced")
        dialog.get_by_label("password").fill(PASSWORD)
        wrong["brake"] = findings(page, "dialog[open]")
        dialog.get_by_role("button", name="Let it run").click()
        expect(page.get_by_text("something is strange")).to_have_count(0)
        assert brakes.brakes(api.ctx) == []
        brakes.clear(api.ctx, "a-test")
    assert_nothing(wrong)


def test_an_account_that_is_no_operator_sees_nothing_of_it(page: Page) -> None:
    expect(page.get_by_role("link", name="Files", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Administration")).to_have_count(0)
    page.goto("/drive/admin/people")
    expect(page.get_by_role("heading", name="Only operators can see this")).to_be_visible()


def test_theme_and_name_of_a_device_are_kept(page: Page, api: Api) -> None:
    page.goto("/drive/settings/connect")
    expect(page.get_by_role("heading", name="Connect a device")).to_be_in_viewport()
    expect(page.get_by_label("Log in", exact=True)).to_have_value(
        re.compile(rf"^skyshelf login --server \S+ {api.account.email}$")
    )
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_label("Dark", exact=True).check()
    # The browser may need a moment for it.
    expect(page.locator("body")).not_to_have_css("background-color", light)
    dark = page.evaluate(background)
    wrong = {"dark by choice": findings(page)}
    page.reload()
    expect(page.get_by_label("Dark", exact=True)).to_be_checked()
    expect(page.locator("body")).to_have_css("background-color", dark)
    page.get_by_label("Same as device").check()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    expect(page.locator("body")).to_have_css("background-color", light)

    page.get_by_role("button", name=re.compile("^Rename ")).first.click()
    page.get_by_label("Device name").fill("Kitchen tablet")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("Kitchen tablet")).to_be_visible()
    assert api.get("/x/v1/account/devices").json()["devices"][0]["deviceName"] == "Kitchen tablet"
    assert_nothing(wrong)
