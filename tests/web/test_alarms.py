"""A paused device in the web client: the owner is asked on every page, and decides in a dialog."""

from playwright.sync_api import Browser, expect
from tests.server.api import Api
from tests.server.good_calls import paused_device
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, visit


def test_the_owner_is_asked_about_a_paused_device_and_allows_it(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    paused_device(api)
    with visit(browser, server, api, Visit(size=PHONE, bypass_policy=True)) as page:
        page.goto("/drive/")
        page.get_by_role("button", name="Look at it").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("50 items renamed or moved")
        wrong = {"the question": findings(page)}
        dialog.get_by_role("button", name="It was me: allow it").click()
        expect(page.get_by_role("button", name="Look at it")).to_be_hidden()
    assert api.get("/x/v1/alarms").json()["alarms"][0]["state"] == "allowed"
    assert_nothing(wrong)
