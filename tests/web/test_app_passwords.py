"""App passwords in the settings: made, used by an app, and revoked."""

import re

import httpx2
from playwright.sync_api import Browser, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, visit


def test_an_app_password_is_made_used_and_revoked(browser: Browser, server: RunningServer, api: Api) -> None:
    api.folder("Scans")
    wrong: dict[str, list[str]] = {}
    with visit(browser, server, api, Visit(size=PHONE, bypass_policy=True)) as page:
        page.goto("/drive/settings")
        section = page.get_by_role("region", name="Connect your apps")
        section.get_by_role("button", name="New app password").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Name", exact=True).fill("Scanner in the hall")
        dialog.get_by_label("What the app sees").select_option("Scans")
        dialog.get_by_label("The app can change and delete files").uncheck()
        dialog.get_by_label("Password", exact=True).fill("not this one")
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_be_visible()
        wrong["the form"] = findings(page)
        dialog.get_by_label("Password", exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        made = dialog.get_by_label("App password", exact=True)
        expect(made).to_have_value(re.compile(r"^(\w{5}-){4}\w{5}$"))
        wrong["the password"] = findings(page)
        auth = (dialog.get_by_label("User name", exact=True).input_value(), made.input_value())
        address = dialog.get_by_label("Address for apps", exact=True).input_value()
        assert httpx2.request("PROPFIND", address, auth=auth).status_code == 207
        assert httpx2.request("MKCOL", f"{address}x", auth=auth).status_code == 403
        dialog.get_by_role("button", name="Done").click()
        expect(section.get_by_text("Reads · Scans · used")).to_be_visible()
        wrong["the list"] = findings(page)
        section.get_by_role("button", name="Revoke Scanner in the hall").click()
        expect(section.get_by_role("listitem")).to_have_count(0)
        assert httpx2.request("PROPFIND", address, auth=auth).status_code == 401
    assert_nothing(wrong)
