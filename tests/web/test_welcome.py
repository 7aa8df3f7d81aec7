"""The first five minutes of a new server: the one-time link, the first account, and somebody who is invited."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.real_parts.servers import embedded
from tests.server.api import PASSWORD
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, visit


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[RunningServer]:
    """A server without accounts."""
    with embedded(tmp_path) as stack:
        yield stack.servers[0]


def printed_link(server: RunningServer) -> str:
    return server.logged(rf"{server.url}/drive/welcome#\S+(?=\n)")[0]


def set_password(page: Page, submit: str) -> None:
    page.get_by_label("Password" if submit != "Loslegen" else "Passwort", exact=True).fill(PASSWORD)
    page.get_by_role("button", name=submit).click()
    expect(page.locator("main#content")).to_be_visible()


def test_an_empty_server_leads_to_the_first_account_and_that_to_a_second_person(
    browser: Browser, new_server: RunningServer
) -> None:
    link = printed_link(new_server)
    token = link.partition("#")[2]
    wrong: dict[str, list[str]] = {}
    with visit(browser, new_server, None, Visit()) as page:
        expect(page.get_by_role("heading", name="This server is ready")).to_be_visible()
        expect(page.get_by_text("in the terminal in which the server was started")).to_be_visible()
        assert token not in page.content()
        wrong["empty server"] = findings(page)

        page.goto(link)
        expect(page.get_by_role("heading", name="Welcome to Skyshelf")).to_be_visible()
        expect(page.get_by_label("First name")).to_be_focused()
        wrong["first account"] = findings(page)
        page.get_by_label("First name").fill("Ada")
        page.get_by_label("Last name").fill("Byron")
        page.get_by_label("Email address").fill("ada@example.org")
        page.get_by_label("Password", exact=True).fill("12345678")
        expect(page.get_by_text("Password strength: Weak")).to_be_visible()
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        expect(page.get_by_text("Password strength: Strong")).to_be_visible()
        set_password(page, "Create account")

        # Straight into the drive, which says what to do first; the token is nowhere any more.
        expect(page).to_have_url(re.compile(r"/drive/files$"))
        expect(page.get_by_role("button", name="Upload photos")).to_be_visible()
        expect(page.get_by_role("link", name="Connect a device")).to_be_visible()
        wrong["getting started"] = findings(page)
        page.get_by_role("link", name="Add a person").click()
        dialog = page.get_by_role("dialog", name="Add a person")
        expect(dialog.get_by_label("First name")).to_be_focused()
        wrong["add a person"] = findings(page, "dialog[open]")
        dialog.get_by_label("First name").fill("Grace")
        dialog.get_by_label("Last name").fill("Hopper")
        dialog.get_by_label("Email address").fill("grace@example.org")
        dialog.get_by_label("Storage limit in GiB").fill("5")
        dialog.get_by_role("button", name="Create link").click()
        shown = page.get_by_role("dialog", name="Invitation for Grace Hopper")
        invitation = shown.get_by_label("One-time link", exact=True).input_value()
        wrong["invitation"] = findings(page, "dialog[open]")
        shown.get_by_role("button", name="Done").click()
        row = page.get_by_role("listitem").filter(has_text="grace@example.org")
        expect(row.get_by_text("Invited until")).to_be_visible()
        expect(row.get_by_text("0 B of 5 GiB used")).to_be_visible()

        with visit(browser, new_server, None, Visit(size=PHONE, language="de-DE"), invitation) as phone:
            expect(phone.get_by_role("heading", name="Willkommen, Grace")).to_be_visible()
            expect(phone.get_by_label("Passwort", exact=True)).to_be_focused()
            wrong["invited, on a phone"] = findings(phone)
            set_password(phone, "Loslegen")
            expect(phone.get_by_role("button", name="Fotos hochladen")).to_be_visible()
            # Only operators add people.
            expect(phone.get_by_role("link", name="Person hinzufügen")).to_have_count(0)
            phone.goto("/drive/admin")
            expect(phone.get_by_text("Das können nur Betreiber sehen")).to_be_visible()

        with visit(browser, new_server, None, Visit(size=PHONE), invitation) as late:
            expect(late.get_by_role("heading", name="This link no longer works")).to_be_visible()
            wrong["used link"] = findings(late)
            late.get_by_role("button", name="Log in").click()
            expect(late.get_by_label("Email address")).to_be_visible()

        page.goto(invitation)
        page.reload()
        expect(page.get_by_role("heading", name="You are logged in")).to_be_visible()
        page.get_by_role("button", name="Open my files").click()
        expect(page.locator("main#content")).to_be_visible()
    assert token not in new_server.log.read_text().replace(link, "")
    assert_nothing(wrong)
