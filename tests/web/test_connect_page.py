"""The page on which a person lets an app of Nextcloud's family in, in a real browser."""

import httpx2
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import DESKTOP, PHONE, Visit, visit

AGENT = "Mozilla/5.0 (Linux) mirall/3.16.7 (Nextcloud)"


def fits(page: Page) -> bool:
    """Nothing is wider than the screen."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_person_connects_an_app(browser: Browser, server: RunningServer, api: Api, size: ViewportSize) -> None:
    begun = httpx2.post(f"{server.url}/index.php/login/v2", headers={"user-agent": AGENT}).json()
    wrong: dict[str, list[str]] = {}
    with visit(browser, server, None, Visit(size=size, bypass_policy=True), begun["login"]) as page:
        expect(page.get_by_role("heading", name="Connect an app")).to_be_visible()
        expect(page.get_by_text("mirall")).to_be_visible()
        expect(page.get_by_label("Email address")).to_be_focused()
        wrong["the form"] = findings(page)
        assert fits(page)
        page.get_by_label("Email address").fill(api.account.email)
        page.get_by_label("Password").fill("not this one")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("Wrong email address, password or code.")
        expect(page.get_by_label("Email address")).to_have_value(api.account.email)
        wrong["refused"] = findings(page)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="The app is connected")).to_be_visible()
        wrong["connected"] = findings(page)
        granted = httpx2.post(begun["poll"]["endpoint"], data={"token": begun["poll"]["token"]}).json()
        auth = (granted["loginName"], granted["appPassword"])
        assert httpx2.request("PROPFIND", f"{server.url}/remote.php/webdav/", auth=auth).status_code == 207
        page.goto("/index.php/login/v2/flow/0")
        expect(page.get_by_role("alert")).to_contain_text("Begin again in the app")
        expect(page.get_by_label("Password")).to_have_count(0)
        wrong["ended"] = findings(page)
        assert fits(page)
    assert_nothing(wrong)
