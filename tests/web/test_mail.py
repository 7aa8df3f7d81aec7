"""Mail in the browser: a forgotten password, and an invitation."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.real_parts.mail_server import MailServer, running_mail_server
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import PHONE, Visit, open_account, visit

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata


@pytest.fixture
def mailing(tmp_path: Path) -> Iterator[tuple[RunningServer, MailServer, Api]]:
    """A server that sends mail, the mail server, and an account."""
    data = tmp_path / "data"
    put_migrated(data)
    metadata, blobs = embedded_urls(data)
    server = RunningServer(data)
    with running_mail_server() as running:
        server.add_options("--mail", running.url, "--public-url", server.url)
        server.start()
        ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
        try:
            with open_account(server, ctx, "mail") as api:
                yield server, running.server, api
        finally:
            server.close()
            ctx.metadata.close()
            ctx.blobs.close()


def link_in(text: str) -> str:
    found = re.search(r"http://\S+/drive/welcome#\S+", text)
    assert found is not None, text
    return found[0]


def test_somebody_who_forgot_the_password_gets_back_in_by_mail(
    browser: Browser, mailing: tuple[RunningServer, MailServer, Api]
) -> None:
    server, mail, api = mailing
    with visit(browser, server, None, Visit(size=PHONE)) as page:
        page.get_by_role("button", name="Forgot your password?").click()
        page.get_by_label("Email address").fill(api.account.email)
        wrong = {"forgot": findings(page)}
        page.get_by_role("button", name="Send link").click()
        expect(page.get_by_text("a message is on its way")).to_be_visible()
        wrong["sent"] = findings(page)
        (message,) = mail.wait_for(1)
        assert message["To"] == api.account.email
        page.goto(link_in(message.get_content()))
        page.reload()
        page.get_by_label("Password", exact=True).fill("quite another password")
        page.get_by_role("button", name=re.compile("password|Continue|Save", re.IGNORECASE)).last.click()
        expect(page.locator("main#content")).to_be_visible()
    assert_nothing(wrong)


def test_an_operator_invites_somebody_by_mail(browser: Browser, mailing: tuple[RunningServer, MailServer, Api]) -> None:
    server, mail, api = mailing
    accounts.set_operator(api.ctx, api.account, is_operator=True)
    with visit(browser, server, api, Visit(), "/drive/admin/people") as page:
        page.get_by_role("button", name="Add a person").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("First name").fill("Grace")
        dialog.get_by_label("Last name").fill("Hopper")
        dialog.get_by_label("Email address").fill("grace@example.org")
        expect(dialog.get_by_label("Send the link by email")).to_be_checked()
        wrong = {"invite": findings(page, "dialog[open]")}
        dialog.get_by_role("button", name="Invite").click()
        expect(page.get_by_text("The invitation is on its way to grace@example.org")).to_be_visible()
        (message,) = mail.wait_for(1)
        assert "/drive/welcome#" in message.get_content()
    assert_nothing(wrong)
