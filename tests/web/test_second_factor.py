"""Two-factor authentication in the browser: turn it on, log in with it, and turn it off."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.server.second_factors import Authenticator, turned_on
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import DESKTOP, PHONE, Visit, visit

CODE = re.compile(r"^\w{4}(-\w{4}){3}$")
SIZES = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]


def go_to_the_code(page: Page, api: Api) -> None:
    """The first step of the login, by keyboard."""
    page.get_by_label("Email address").fill(api.account.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Code", exact=True)).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_it_is_turned_on_in_the_settings_and_off_again(
    browser: Browser, server: RunningServer, api: Api, size: ViewportSize, tmp_path: Path
) -> None:
    wrong: dict[str, list[str]] = {}
    # The page's policy blocks axe: one size is checked by axe, the other with the policy.
    with_axe = size == PHONE

    def look(place: str) -> None:
        if with_axe:
            wrong[place] = findings(page)

    with visit(browser, server, api, Visit(size=size, bypass_policy=with_axe)) as page:
        page.goto("/drive/settings")
        section = page.get_by_role("region", name="Two-factor authentication")
        section.get_by_role("button", name="Turn on").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill("not this one")
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_be_visible()
        dialog.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("img", name="QR code for the authenticator app")).to_be_visible()
        expect(dialog.get_by_label("Six-digit code")).to_be_focused()
        look("the picture")
        secret = dialog.locator("code").inner_text()
        address = dialog.get_by_role("link", name="Open in an app on this device").get_attribute("href")
        assert address is not None
        assert f"secret={secret}&" in address
        phone = Authenticator(api, secret)
        dialog.get_by_label("Six-digit code").fill("12345")
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_be_visible()
        dialog.get_by_label("Six-digit code").fill(phone.code())
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("listitem")).to_have_count(10)
        codes = dialog.get_by_role("listitem").all_inner_texts()
        assert all(CODE.match(code) for code in codes)
        look("the codes")
        with page.expect_download() as saving:
            dialog.get_by_role("button", name="Save as file").click()
        saving.value.save_as(tmp_path / "codes.txt")
        assert (tmp_path / "codes.txt").read_text().split()[-10:] == codes
        dialog.get_by_role("button", name="I have saved them").click()
        expect(section.get_by_text("10 recovery codes left.")).to_be_visible()

        section.get_by_role("button", name="New recovery codes").click()
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_label("Authenticator code").fill(codes[0])
        look("both factors")
        dialog.get_by_role("button", name="New recovery codes").click()
        expect(dialog.get_by_role("listitem")).to_have_count(10)
        new = dialog.get_by_role("listitem").all_inner_texts()
        assert not set(new) & set(codes)
        page.keyboard.press("Escape")

        section.get_by_role("button", name="Turn off").click()
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_label("Authenticator code").fill(new[0])
        dialog.get_by_role("button", name="Turn off").click()
        expect(section.get_by_role("button", name="Turn on")).to_be_visible()
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
    assert_nothing(wrong)


def test_the_login_asks_for_a_code_after_the_password(browser: Browser, server: RunningServer, api: Api) -> None:
    _, codes = turned_on(api, steps=0)
    with visit(browser, server, None, Visit(size=PHONE, bypass_policy=True)) as page:
        go_to_the_code(page, api)
        assert_nothing({"the second step": findings(page)})
        page.keyboard.type("12345")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text(
            "This code is wrong or has already been used. Wait for the next one."
        )
        page.get_by_role("button", name="Back").click()
        expect(page.get_by_label("Password")).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Use a recovery code").click()
        expect(page.get_by_label("Recovery code")).to_be_focused()
        page.keyboard.type(codes[0].lower())
        page.keyboard.press("Enter")
        expect(page.locator("main#content")).to_be_visible()
        page.reload()
        expect(page.locator("main#content")).to_be_visible()


def test_the_authenticator_logs_in_in_german(browser: Browser, server: RunningServer, api: Api) -> None:
    phone, _ = turned_on(api, steps=0)
    with visit(browser, server, None, Visit(language="de-DE")) as page:
        page.get_by_label("E-Mail-Adresse").fill(api.account.email)
        page.get_by_label("Passwort").fill(PASSWORD)
        page.get_by_role("button", name="Anmelden").click()
        page.get_by_label("Code", exact=True).fill(phone.code(+1))
        page.get_by_role("button", name="Anmelden").click()
        expect(page.locator("main#content")).to_be_visible()
