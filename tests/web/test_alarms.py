"""A paused device in the web client: the owner is asked on every page, and decides in a dialog."""

from playwright.sync_api import Browser, expect
from tests.server.api import PASSWORD, Api
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
        expect(page.get_by_role("button", name="Look at it")).to_be_visible()
        wrong = {"the line": findings(page)}
        page.get_by_role("button", name="Look at it").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("200 items renamed or moved")
        wrong["the question"] = findings(page)
        dialog.get_by_role("button", name="It was me: allow it").click()
        expect(page.get_by_role("button", name="Look at it")).to_be_hidden()
    assert api.get("/x/v1/alarms").json()["alarms"][0]["state"] == "allowed"
    assert_nothing(wrong)


def test_the_owner_logs_a_device_out_and_undoes_what_it_did(browser: Browser, server: RunningServer, api: Api) -> None:
    paused_device(api)
    with visit(browser, server, api, Visit(scheme="dark", bypass_policy=True)) as page:
        page.goto("/drive/")
        expect(page.get_by_role("button", name="Look at it")).to_be_visible()
        wrong = {"the line in dark": findings(page)}
        page.get_by_role("button", name="Look at it").click()
        page.get_by_role("dialog").get_by_role("button", name="Log it out and undo what it did").click()
        expect(page.get_by_text("is being undone")).to_be_visible()
        expect(page.get_by_role("button", name="Look at it")).to_be_hidden()
    assert api.get("/x/v1/alarms").json()["alarms"][0]["state"] == "ended"
    assert len(api.get("/x/v1/rewind").json()["rewinds"]) == 1
    assert_nothing(wrong)


def test_a_paused_browser_needs_the_password_to_allow_itself(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit(browser, server, api, Visit()) as page:
        paused_device(api, api.login["deviceKey"])
        page.goto("/drive/")
        page.get_by_role("button", name="Look at it").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill("wrong")
        dialog.get_by_role("button", name="It was me: allow it").click()
        expect(dialog.get_by_role("alert")).to_be_visible()
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="It was me: allow it").click()
        expect(page.get_by_role("button", name="Look at it")).to_be_hidden()


def test_a_less_strict_limit_takes_the_password(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit(browser, server, api, Visit(bypass_policy=True)) as page:
        page.goto("/drive/settings")
        limit = page.get_by_label("Changes within ten minutes")
        limit.fill("500")
        page.get_by_role("button", name="Save limit").click()
        expect(page.get_by_text("Devices are paused at 500 changes")).to_be_visible()
        limit.fill("5000")
        page.get_by_role("button", name="Save limit").click()
        dialog = page.get_by_role("dialog")
        wrong = {"the question": findings(page)}
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Save limit").click()
        expect(page.get_by_text("Devices are paused at 5,000 changes")).to_be_visible()
    assert api.get("/x/v1/alarms/settings").json() == {"limit": 5000, "isOwn": True}
    assert_nothing(wrong)


def test_less_history_takes_the_password(browser: Browser, server: RunningServer, api: Api) -> None:
    api.file("a.txt")
    with visit(browser, server, api, Visit()) as page:
        page.goto("/drive/settings")
        days = page.get_by_label("Days to keep it")
        expect(days).to_have_value("30")
        days.fill("7")
        page.get_by_role("button", name="Save days").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Save days").click()
        expect(page.get_by_text("History is kept for 7 days")).to_be_visible()
        page.get_by_role("button", name="Forget history").click()
        dialog.get_by_label("Password").fill(PASSWORD)
        dialog.get_by_role("button", name="Forget history").click()
        expect(page.get_by_text("The history was forgotten")).to_be_visible()
    assert api.get("/x/v1/history/settings").json()["days"] == 7
    assert api.get("/x/v1/history").json()["entries"] == []
