"""Login providers in the browser: people log in on the pages of a real provider, and link it in the settings."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.real_parts.canaille import ADA, GRACE, Canaille, Client, Person, running_canaille
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import PASSWORD, new_account
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import DESKTOP, PHONE, Visit, visit

from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

SETTINGS = """
[oidc.company]
name = "Example University"
issuer = "{issuer}"
client-id = "{id}"
client-secret-file = "secret"
scopes = ["openid", "email", "profile", "groups"]
trust-email = true
new-accounts = true
link-by-email = false
allowed-groups = ["staff"]
admin-groups = ["admins"]
quotas = {{ staff = "5GiB" }}
"""


class Offered(NamedTuple):
    server: RunningServer
    ctx: ServiceContext
    client: Client


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canaille]:
    with running_canaille(tmp_path_factory.mktemp("canaille")) as running:
        yield running


@pytest.fixture
def offered(tmp_path: Path, provider: Canaille) -> Iterator[Offered]:
    """A server that offers logins through Canaille."""
    data = tmp_path / "data"
    put_migrated(data)
    server = RunningServer(data)
    client = provider.register(f"{server.url}/oidc/company/callback")
    (tmp_path / "secret").write_text(client.secret)
    (tmp_path / "oidc.toml").write_text(SETTINGS.format(issuer=provider.issuer, id=client.id))
    server.add_options("--public-url", server.url, "--oidc", str(tmp_path / "oidc.toml"))
    server.start()
    metadata, blobs = embedded_urls(data)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    # A server without accounts shows how to make the first.
    new_account(ctx, "operator@example.org")
    try:
        yield Offered(server, ctx, client)
    finally:
        server.close()
        ctx.metadata.close()
        ctx.blobs.close()


def log_in_there(page: Page, person: Person) -> None:
    """On the provider's own pages."""
    page.locator("input[name=login]").fill(person.name)
    page.locator("input[name=login]").press("Enter")
    page.locator("input[name=password]").fill(person.password)
    page.locator("input[name=password]").press("Enter")


def test_somebody_new_logs_in_through_the_provider_and_gets_an_account(browser: Browser, offered: Offered) -> None:
    server, ctx = offered.server, offered.ctx
    with visit(browser, server, None, Visit(size=PHONE), "/drive/photos") as page:
        button = page.get_by_role("button", name="Log in with Example University")
        expect(button).to_be_visible()
        wrong = {"login": findings(page)}
        button.click()
        log_in_there(page, ADA)
        expect(page.get_by_role("navigation").first).to_be_visible()
        expect(page).to_have_url(f"{server.url}/drive/photos")
        assert_nothing(wrong)
    with ctx.metadata.read() as unit:
        account = unit.accounts.by_email(ADA.email)
        assert (account.first_name, account.last_name, account.password_hash) == ("Ada", "Byron", "")
        assert (account.default_space, account.is_operator) == (5 * 2**30, True)
        assert len(unit.identities.of_account(account.account_id)) == 1


def test_the_provider_ends_the_session_and_the_person_logs_in_again(
    browser: Browser, offered: Offered, provider: Canaille
) -> None:
    server = offered.server
    with visit(browser, server, None, Visit(size=DESKTOP), "/drive/settings") as page:
        page.get_by_role("button", name="Log in with Example University").click()
        log_in_there(page, ADA)
        # The account has no password, and can get one.
        expect(page.get_by_text("You log in through a provider")).to_be_visible()
        assert_nothing({"settings": findings(page)})
        now = int(time.time())
        token = {
            "iss": provider.issuer,
            "sub": ADA.name,
            "aud": offered.client.id,
            "iat": now,
            "exp": now + 120,
            "jti": "one",
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        }
        form = {"logout_token": provider.signed(token)}
        assert httpx2.post(f"{server.url}/oidc/company/logout", data=form).status_code == 200
        # The page follows the changes of the drive, and so notices.
        expect(page.get_by_role("dialog", name="Log in again")).to_be_visible()
        assert_nothing({"again": findings(page)})
        page.get_by_role("dialog").get_by_role("button", name="Log in with Example University").click()
        expect(page.get_by_text("You log in through a provider")).to_be_visible()


def test_somebody_in_no_allowed_group_reads_why_they_are_kept_out(browser: Browser, offered: Offered) -> None:
    for language, sentence in (("en-GB", "in no group that may use"), ("de-DE", "in keiner Gruppe")):
        with visit(browser, offered.server, None, Visit(size=DESKTOP, scheme="dark", language=language)) as page:
            page.get_by_role("button", name="Example University").click()
            log_in_there(page, GRACE)
            expect(page.get_by_role("alert")).to_contain_text(sentence)
            assert_nothing({"refused": findings(page)})


def test_an_account_is_linked_and_unlinked_in_the_settings(browser: Browser, offered: Offered) -> None:
    server, ctx = offered.server, offered.ctx
    account = new_account(ctx, ADA.email)
    with visit(browser, server, None, Visit(size=DESKTOP)) as page:
        page.get_by_role("button", name="Log in with Example University").click()
        log_in_there(page, ADA)
        expect(page.get_by_role("alert")).to_contain_text("There is already an account with your email address")
        page.get_by_label("Email address").fill(account.email)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Log in", exact=True).click()
        expect(page.locator("main#content")).to_be_visible()
        page.goto("/drive/settings")
        page.get_by_role("button", name="Link Example University").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Password", exact=True).fill(PASSWORD)
        wrong = {"linking": findings(page)}
        dialog.get_by_role("button", name="Continue to Example University").click()
        # Canaille remembers who is logged in there.
        expect(page.get_by_text("Linked. You can now log in that way.")).to_be_visible()
        expect(page.get_by_role("button", name="Unlink Example University")).to_be_visible()
        wrong["linked"] = findings(page)
        page.get_by_role("button", name="Unlink Example University").click()
        expect(page.get_by_role("button", name="Link Example University")).to_be_visible()
        assert_nothing(wrong)
