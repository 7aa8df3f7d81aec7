"""Help by an operator, from both sides: alarms that operators see, and the owner's consent to one rewind."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.server.api import Api
from tests.server.good_calls import make_operator, paused_device
from tests.web.axe import findings

from skyshelf.service.operator import rewinds
from skyshelf.wire.resources.rewind import RewindRequest


def consent(page: Page) -> Locator:
    return page.locator("section", has=page.get_by_role("heading", name="Let an operator rewind"))


def test_the_owner_lets_an_operator_rewind_the_account_once(page: Page, api: Api) -> None:
    kept = api.file("kept.txt").object_key
    before = RewindRequest(to=api.ctx.clock.now())
    with pytest.raises(rewinds.NoConsent):
        rewinds.start(api.ctx, api.account, before, None)
    page.goto("/drive/settings")
    consent(page).get_by_role("button", name="Allow it for 24 hours").click()
    expect(consent(page).get_by_text("An operator may do so until")).to_be_visible()
    assert findings(page) == []
    page.reload()
    expect(consent(page).get_by_role("button", name="Withdraw")).to_be_visible()

    api.trash(kept)
    rewinds.start(api.ctx, api.account, before, None)
    with pytest.raises(rewinds.NoConsent):
        rewinds.start(api.ctx, api.account, before, None)
    page.reload()
    expect(consent(page).get_by_role("button", name="Allow it for 24 hours")).to_be_visible()
    page.goto("/drive/files")
    expect(page.get_by_role("option", name="kept.txt")).to_be_visible()


def test_a_consent_that_is_withdrawn_is_none(page: Page, api: Api) -> None:
    page.goto("/drive/settings")
    consent(page).get_by_role("button", name="Allow it for 24 hours").click()
    consent(page).get_by_role("button", name="Withdraw").click()
    expect(consent(page).get_by_role("button", name="Allow it for 24 hours")).to_be_visible()
    with pytest.raises(rewinds.NoConsent):
        rewinds.start(api.ctx, api.account, RewindRequest(to=api.ctx.clock.now()), None)


def test_operators_see_whose_device_is_paused_and_none_of_the_files(page: Page, api: Api) -> None:
    make_operator(api)
    paused_device(api)
    page.goto("/drive/admin/alarms")
    row = page.get_by_role("listitem").filter(has_text=api.account.email)
    expect(row).to_contain_text(re.compile("Paused since .*"))
    expect(row).to_contain_text("200 items renamed or moved")
    expect(row).not_to_contain_text("renamed by")
    assert findings(page) == []
