"""Help by an operator, from both sides: alarms that operators see, and the owner's consent to one rewind."""

import re

import click
import pytest
from playwright.sync_api import Locator, Page, expect
from tests.server.api import Api, new_account
from tests.server.good_calls import make_operator, paused_device
from tests.web.axe import findings

from skyshelf.cli.main import main
from skyshelf.service.accounts import holds
from skyshelf.service.operator import rewinds
from skyshelf.service.operator.backups import BackupRecord, note_backup
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


def test_operators_find_the_commands_for_what_needs_somebody_at_the_server(page: Page, api: Api) -> None:
    make_operator(api)
    page.goto("/drive/admin/people")
    commands = page.locator("section", has=page.get_by_role("heading", name="On the command line of the server"))
    expect(commands.locator("code")).to_have_count(5)
    shown = commands.locator("code").all_text_contents()
    for line in shown:
        names = [word for word in line.split()[1:] if word.isalpha() and word.islower()]
        command: click.Command = main
        for name in names:
            assert isinstance(command, click.Group)
            found = command.get_command(click.Context(command), name)
            assert found is not None, line
            command = found
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in line.split() if word.startswith("--")} <= options
    assert findings(page) == []


def test_an_overdue_backup_needs_attention(page: Page, api: Api) -> None:
    make_operator(api)
    note_backup(api.ctx, BackupRecord(api.ctx.clock.now() - 30 * 3_600_000))
    page.goto("/drive/admin/server")
    expect(page.get_by_text("the next one is overdue")).to_be_visible()


def test_a_held_account_is_marked_and_its_deletion_says_what_the_hold_means(page: Page, api: Api) -> None:
    make_operator(api)
    held = new_account(api.ctx, f"held-{api.account.account_id}@example.org")
    holds.hold(api.ctx, held, "case 12/2026")
    page.goto("/drive/admin/people")
    row = page.get_by_role("listitem").filter(has_text=held.email)
    expect(row.get_by_text("Legal hold since")).to_be_visible()
    row.get_by_role("button").click()
    page.get_by_role("menuitem", name="Delete account").click()
    expect(
        page.get_by_role("dialog").get_by_text("nothing is deleted before an operator ends the hold")
    ).to_be_visible()
