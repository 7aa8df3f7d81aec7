"""Passkeys in the browser, with Chromium's virtual authenticators: add them, log in with them, and be refused."""

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.server.second_factors import turned_on
from tests.web.authenticators import visit_with_passkeys
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import DESKTOP, PHONE, Visit

SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]


def section(page: Page) -> Locator:
    return page.get_by_role("region", name="Passkeys")


def add_passkey(page: Page, name: str) -> None:
    if not page.url.endswith("/drive/settings"):
        page.goto("/drive/settings")
    section(page).get_by_role("button", name="Add a passkey").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    expect(section(page).get_by_text(name, exact=True)).to_be_visible()


def log_out(page: Page) -> None:
    page.context.clear_cookies()
    page.evaluate("() => localStorage.clear()")
    page.goto("/")
    expect(page.get_by_label("Email address")).to_be_visible()


def log_in_with_passkey(page: Page) -> None:
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("main#content")).to_be_visible()


@pytest.mark.every_stack
def test_a_passkey_is_added_logs_in_and_is_removed(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        reader = keys.add()
        add_passkey(page, "Laptop")
        expect(section(page)).to_contain_text("never used")
        [made] = keys.credentials(reader)
        assert made["isResidentCredential"]

        log_out(page)
        log_in_with_passkey(page)
        page.reload()
        expect(page.locator("main#content")).to_be_visible()

        page.goto("/drive/settings")
        expect(section(page)).not_to_contain_text("never used")
        section(page).get_by_role("button", name="Rename Laptop").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name").fill("Old laptop")
        page.keyboard.press("Enter")
        section(page).get_by_role("button", name="Remove Old laptop").click()
        dialog.get_by_label("Password").fill("not this one")
        dialog.get_by_role("button", name="Remove passkey").click()
        expect(dialog.get_by_role("alert")).to_have_text("Wrong password.")
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Remove passkey").click()
        expect(section(page).get_by_text("Old laptop")).to_have_count(0)

        log_out(page)
        page.get_by_role("button", name="Log in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("This passkey was not accepted.")


def test_the_browser_offers_a_passkey_in_the_field_of_the_address(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit_with_passkeys(browser, server, api, Visit(), offers=True) as (page, keys):
        keys.add()
        add_passkey(page, "Laptop")
        page.context.clear_cookies()
        page.goto("/")
        # The virtual authenticator takes the offer, as a person does who chooses it in the list.
        expect(page.locator("main#content")).to_be_visible()
        names = [one["deviceName"] for one in api.get("/x/v1/account/devices").json()["devices"]]
        assert any("Chrome" in name for name in names)


@pytest.mark.parametrize("size", SIZES)
def test_after_the_password_a_passkey_is_as_good_as_a_code(
    browser: Browser, server: RunningServer, api: Api, size: ViewportSize
) -> None:
    wrong: dict[str, list[str]] = {}
    with visit_with_passkeys(browser, server, api, Visit(size=size, bypass_policy=True, scheme="dark")) as (page, keys):
        reader = keys.add(transport="usb", resident=False, verifies=False)
        add_passkey(page, "Security key")
        expect(section(page)).to_contain_text("only after the password")
        turned_on(api, steps=0)
        log_out(page)
        wrong["the first step"] = findings(page)
        page.get_by_role("button", name="Log in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("Nothing was confirmed")
        page.get_by_label("Email address").fill(api.account.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_label("Code", exact=True)).to_be_focused()
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_role("button", name="Use a passkey")).to_be_focused()
        wrong["the second step"] = findings(page)
        [kept] = keys.credentials(reader)
        keys.clear(reader)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("Nothing was confirmed")
        keys.put(reader, kept)
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.locator("main#content")).to_be_visible()
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
    assert_nothing(wrong)


def test_without_an_app_a_passkey_is_the_second_factor(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        keys.add()
        add_passkey(page, "Laptop")
        page.reload()
        factor = page.get_by_role("region", name="Two-factor authentication")
        factor.get_by_role("button", name="Use a passkey").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Turn on").click()
        expect(dialog.get_by_role("listitem")).to_have_count(10)
        dialog.get_by_role("button", name="I have saved them").click()
        expect(factor).to_contain_text("Logins ask for a passkey.")
        # The only one cannot be removed, and another way to confirm is the passkey itself.
        section(page).get_by_role("button", name="Remove Laptop").click()
        dialog.get_by_role("button", name="Use a passkey instead").click()
        expect(dialog.get_by_role("alert")).to_contain_text("it is your only second factor")
        page.keyboard.press("Escape")

        log_out(page)
        page.get_by_label("Email address").fill(api.account.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_text("Confirm with your passkey")).to_be_visible()
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.locator("main#content")).to_be_visible()
        page.goto("/drive/settings")
        factor.get_by_role("button", name="Turn off").click()
        dialog.get_by_role("button", name="Use a passkey instead").click()
        expect(factor.get_by_role("button", name="Turn on")).to_be_visible()


def test_a_second_authenticator_is_added_and_a_known_one_refused(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        first = keys.add()
        add_passkey(page, "Laptop")
        section(page).get_by_role("button", name="Add a passkey").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Continue").click()
        expect(dialog.get_by_role("alert")).to_have_text(
            "This device or security key already has a passkey for your account."
        )
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
        keys.remove(first)
        keys.add(transport="usb")
        add_passkey(page, "Security key")
        expect(section(page).get_by_role("listitem")).to_have_count(2)
        log_out(page)
        log_in_with_passkey(page)


def test_a_passkey_that_does_not_verify_its_user_replaces_no_password(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        reader = keys.add()
        add_passkey(page, "Laptop")
        log_out(page)
        keys.set_verified(reader, False)
        page.get_by_role("button", name="Log in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("Nothing was confirmed")
        # Somebody changes the page: the browser no longer asks for verification, and the server still does.
        page.evaluate(
            """() => {
              const get = navigator.credentials.get.bind(navigator.credentials);
              navigator.credentials.get = (options) => {
                options.publicKey.userVerification = 'discouraged';
                return get(options);
              };
            }"""
        )
        page.get_by_role("button", name="Log in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("This passkey has not checked that it is you.")


def test_a_copied_key_is_refused(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        reader = keys.add(transport="usb")
        add_passkey(page, "Security key")
        [copied] = keys.credentials(reader)
        log_out(page)
        log_in_with_passkey(page)
        keys.clear(reader)
        keys.put(reader, {**copied, "signCount": 0})
        log_out(page)
        page.get_by_role("button", name="Log in with a passkey").click()
        expect(page.get_by_role("alert")).to_contain_text("there may be a copy of it")
        kinds = [one["kind"] for one in api.get("/x/v1/account/events").json()["events"]]
        assert kinds[0] == "passkey.counter-went-back"


@pytest.mark.parametrize("size", SIZES)
def test_the_dialogs_are_accessible_and_fit_in_german(
    browser: Browser, server: RunningServer, api: Api, size: ViewportSize
) -> None:
    wrong: dict[str, list[str]] = {}
    how = Visit(size=size, bypass_policy=True, language="de-DE", scheme="dark" if size == DESKTOP else "light")
    with visit_with_passkeys(browser, server, api, how) as (page, keys):
        keys.add()
        page.goto("/drive/settings")
        page.get_by_role("button", name="Passkey hinzufügen").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Passwort").fill(PASSWORD)
        wrong["adding"] = findings(page)
        dialog.get_by_role("button", name="Fortfahren").click()
        expect(section(page)).to_contain_text("nie verwendet")
        wrong["the list"] = findings(page)
        section(page).get_by_role("button", name="entfernen").click()
        wrong["removing"] = findings(page)
        dialog.get_by_role("button", name="Stattdessen Passkey verwenden").click()
        expect(section(page)).not_to_contain_text("verwendet")
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
    assert_nothing(wrong)


def test_a_session_that_has_ended_continues_with_a_passkey(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit_with_passkeys(browser, server, api, Visit()) as (page, keys):
        keys.add()
        add_passkey(page, "Laptop")
        api.put("/security/users/logout", json={"revokeAll": "Y"})
        section(page).get_by_role("button", name="Rename Laptop").click()
        dialog = page.get_by_role("dialog", name="Rename passkey")
        dialog.get_by_label("Name").fill("Kitchen")
        page.keyboard.press("Enter")
        again = page.get_by_role("dialog", name="Log in again")
        again.get_by_role("button", name="Log in with a passkey").click()
        expect(again).to_have_count(0)


def test_at_an_address_without_a_name_the_settings_say_what_is_missing(page: Page) -> None:
    page.goto("/drive/settings")
    expect(section(page)).to_contain_text("Passkeys work only at an address with https and a host name.")
    expect(section(page).get_by_role("button", name="Add a passkey")).to_have_count(0)
