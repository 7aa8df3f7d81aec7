"""What happened in the account, in the settings: logins, failures and links, with where they came from."""

from playwright.sync_api import Browser, expect
from tests.server.api import Api, log_in
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, visit


def test_people_see_what_happened_in_their_account(browser: Browser, server: RunningServer, api: Api) -> None:
    file = api.file("plan.txt")
    shared = {"objectKeys": [file.object_key], "shareName": "For Grace"}
    assert api.post("/x/v1/shares", json=shared).status_code == 201
    log_in(api.client, api.account.email, password="not this one")
    for _ in range(12):
        log_in(api.client, api.account.email)
    with visit(browser, server, api, Visit(size=PHONE, bypass_policy=True)) as page:
        page.goto("/drive/settings")
        section = page.get_by_role("region", name="What happened")
        expect(section.get_by_role("listitem")).to_have_count(10)
        expect(section.get_by_text("Logged in", exact=True).first).to_be_visible()
        expect(section.get_by_text("127.0.0.1").first).to_be_visible()
        section.get_by_role("button", name="Show more").click()
        expect(section.get_by_text("A login failed")).to_be_visible()
        expect(section.get_by_text("For Grace")).to_be_visible()
        wrong = {"the list": findings(page)}
    assert_nothing(wrong)
