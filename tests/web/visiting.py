"""Accounts and browser pages for the tests of the web client."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Literal, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect
from tests.server.api import PASSWORD, Api, new_account
from tests.server.running import RunningServer, over_the_network

from skyshelf.server.http.authentication import SESSION_COOKIE
from skyshelf.service.context import ServiceContext

PHONE, DESKTOP = ViewportSize(width=360, height=780), ViewportSize(width=1280, height=800)
NO_LAYER = "() => !history.state?.layers"
"""True once the entry that a closed dialog has left in the history is left, too."""
# Generous for busy machines.
PATIENCE_MS = 60_000
# The page's own timeouts (a notice 8 s, a drag without events 900 ms, a long press 450 ms), which may be too short on a
# busy machine.
_PATIENT = """(() => {
  const soon = globalThis.setTimeout;
  const longer = { 8000: 600_000, 900: 3_000, 450: 9_000 };
  globalThis.setTimeout = (work, ms, ...given) => soon(work, longer[ms] ?? ms, ...given);
})()"""
# Somebody who has opened the list of uploads once.
_UPLOADS_OPEN = "try { localStorage.setItem('skyshelf.uploads', 'open'); } catch {}"
_ACCOUNTS = count(1)


def until(page: Page, script: str, given: object = None) -> None:
    """Wait until the promise that the script returns has resolved with true.

    `Page.wait_for_function` takes the promise itself for true, and would not wait.
    """
    for _ in range(PATIENCE_MS // 50):
        if page.evaluate(script, given):
            return
        page.wait_for_timeout(50)
    pytest.fail(f"Not within {PATIENCE_MS} ms, given {given}: {script}")


@dataclass(frozen=True, kw_only=True)
class Visit:
    """The browser settings of a visit."""

    size: ViewportSize = field(default_factory=lambda: DESKTOP)
    scheme: Literal["light", "dark"] = "light"
    language: str = "en-GB"
    # The service worker responds instead of the server; only its own tests want that.
    worker: bool = False
    # For scripts that tests inject.
    bypass_policy: bool = False
    scripts: bool = True
    # The list of uploads is open from the start, as the user has left it on a computer.
    uploads_open: bool = True
    # Pixels of the screen per pixel of the page.
    density: float = 1


@contextmanager
def open_account(server: RunningServer, ctx: ServiceContext, name: str) -> Iterator[Api]:
    """A new account on the server, with an API session beside the browser."""
    address = f"{re.sub(r'[^a-z0-9]+', '-', name.lower())[:40]}-{next(_ACCOUNTS)}"
    account = new_account(ctx, f"{address}@example.org")
    with over_the_network(server, ctx, account) as api:
        yield api


class Visited(Protocol):
    """A server with an address."""

    @property
    def url(self) -> str: ...


@contextmanager
def visit(
    browser: Browser,
    server: Visited,
    api: Api | None,
    how: Visit,
    path: str = "/",
    prepare: Callable[[Page], None] = lambda _: None,
) -> Iterator[Page]:
    """A page at the path, logged in if there is an account. Errors in the page fail the test."""
    context = browser.new_context(
        viewport=how.size,
        color_scheme=how.scheme,
        # While a page fades, the browser ignores what is pressed; nobody is as quick as a test.
        reduced_motion="reduce",
        locale=how.language,
        device_scale_factor=how.density,
        has_touch=how.size == PHONE,
        base_url=server.url,
        service_workers="allow" if how.worker else "block",
        bypass_csp=how.bypass_policy,
        java_script_enabled=how.scripts,
    )
    context.add_init_script(_PATIENT)
    if how.uploads_open:
        context.add_init_script(_UPLOADS_OPEN)
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    complaints: list[str] = []
    page = context.new_page()
    # A login provider's own pages are not ours to answer for.
    page.on("pageerror", lambda wrong: complaints.append(str(wrong)) if page.url.startswith(server.url) else None)
    page.on("console", lambda said: complaints.append(said.text) if _is_violation(said, server) else None)
    try:
        if api is not None:
            enter(context, server, api)
        prepare(page)
        page.goto(path)
        if api is not None:
            expect(page.locator("main#content")).to_be_visible()
        yield page
        assert complaints == [], complaints
    finally:
        context.close()


def _is_violation(said: ConsoleMessage, server: Visited) -> bool:
    """Whether a message is about the policy of our own pages; a login provider has its own."""
    is_elsewhere = said.location["url"].startswith("http") and not said.location["url"].startswith(server.url)
    return "Content Security Policy" in said.text and not is_elsewhere


def enter(context: BrowserContext, server: Visited, api: Api) -> None:
    """Log in with the account's existing session."""
    login = api.login
    value = f"{login['userId']}:{login['deviceKey']}:{login['authToken']}"
    context.add_cookies(
        [{"name": SESSION_COOKIE, "value": value, "url": server.url, "httpOnly": True, "sameSite": "Strict"}]
    )


def log_in(page: Page, api: Api) -> None:
    """Log in with the form."""
    page.locator("input[type=email]").fill(api.account.email)
    page.locator("input[type=password]").fill(PASSWORD)
    page.locator("button[type=submit]").click()
    expect(page.locator("main#content")).to_be_visible()
