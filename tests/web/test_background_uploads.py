"""Uploads that the service worker finishes after the page was closed, and what the page says where it cannot."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.uploading import digest, drag, hashes, over, panel, stored, tree_of, until_stored, written
from tests.web.visiting import PATIENCE_MS, Visit, until, visit

_WORKING = "() => navigator.serviceWorker.controller?.state === 'activated'"
# The browser of the tests has no windows, and therefore refuses every request for Background Sync.
_AGREES = "SyncManager.prototype.register = async () => {};"
_WITHOUT_SYNC = "delete ServiceWorkerRegistration.prototype.sync;"
_TAG = "skyshelf-uploads:test"
# Whether this many stored uploads have the field.
_ROWS = """([field, wanted]) => new Promise(resolve => {
  const opening = indexedDB.open('skyshelf-uploads');
  opening.onsuccess = () => {
    const reading = opening.result.transaction('rows').objectStore('rows').getAll();
    reading.onsuccess = () => {
      opening.result.close();
      resolve(reading.result.filter(row => row[field]).length === wanted);
    };
  };
})"""


class Browsing:
    """A page with a service worker, whose own connection can be cut while the service worker's stays."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page = page
        self._origin = origin
        self._registrations: set[str] = set()
        # Events are sent to the service worker from another tab, as the page is closed. It shows no drive.
        self._other = page.context.new_page()
        self._other.goto("/manifest.webmanifest")
        self._devtools = page.context.new_cdp_session(self._other)
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", self._hear)
        self._devtools.send("ServiceWorker.enable")

    def _hear(self, told: dict[str, list[dict[str, object]]]) -> None:
        for one in told["registrations"]:
            if str(one["scopeURL"]).startswith(self._origin) and not one["isDeleted"]:
                self._registrations.add(str(one["registrationId"]))

    @staticmethod
    def cut(page: Page) -> None:
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.send(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        )

    def sync(self) -> None:
        """What the browser does by itself when there is a connection."""
        for _ in range(PATIENCE_MS // 50):
            if self._registrations:
                break
            self._other.wait_for_timeout(50)
        for one in sorted(self._registrations):
            about = {"origin": self._origin, "registrationId": one, "tag": _TAG, "lastChance": False}
            self._devtools.send("ServiceWorker.dispatchSyncEvent", about)

    def until_begun(self) -> None:
        """Wait until the service worker has the lock of the uploads, and with it has begun."""
        until(self._other, "async () => (await navigator.locks.query()).held.length > 0")

    def until(self, field: str, count: int) -> None:
        """Wait until this many stored uploads have the field."""
        until(self._other, _ROWS, [field, count])


@contextmanager
def _browsing(browser: Browser, server: RunningServer, api: Api) -> Iterator[Browsing]:
    with visit(browser, server, api, Visit(worker=True)) as page:
        page.wait_for_function(_WORKING)
        yield Browsing(page, server.url)


@pytest.mark.every_stack
def test_the_service_worker_finishes_what_a_closed_page_has_left(
    browser: Browser, server: RunningServer, api: Api, film: Path, tmp_path: Path
) -> None:
    tree = {f"many/{number}.txt": f"text {number}".encode() for number in range(5)}
    written(tmp_path, tree)
    with _browsing(browser, server, api) as browsing:
        page = browsing.page
        browsing.cut(page)
        drag(page, film, tmp_path / "many")
        until_stored(page, 6)
        expect(panel(page).get_by_text("Waiting for the connection").first).to_be_visible()
        # The page is open, so the service worker waits for its lock.
        browsing.sync()
        assert tree_of(api) == {}
        page.close()
        browsing.until("isDone", 6)
        assert tree_of(api) == {"film.bin": digest(film)} | hashes(tree)
        again = page.context.new_page()
        again.goto("/drive/files")
        expect(again.get_by_text("6 files were uploaded while the page was closed")).to_be_visible()
        until_stored(again, 0)
        expect(panel(again)).to_be_hidden()
    assert all(one["version"] == 1 for one in stored(api).values() if one["objectType"] != "FR")


def test_the_service_worker_waits_for_a_server_that_restarts(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    written(tmp_path, {"a.txt": b"a"})
    with _browsing(browser, server, api) as browsing:
        page = browsing.page
        browsing.cut(page)
        drag(page, tmp_path / "a.txt")
        until_stored(page, 1)
        page.close()
        server.stop()
        try:
            browsing.sync()
            browsing.until_begun()
        finally:
            server.start()
        browsing.until("isDone", 1)
    assert list(stored(api)) == ["a.txt"]


def test_what_needs_a_decision_and_what_is_paused_wait_for_a_page(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    api.file("taken.txt", b"what was there")
    written(tmp_path, {"taken.txt": b"something else", "free.txt": b"free"})
    with _browsing(browser, server, api) as browsing:
        page = browsing.page
        browsing.cut(page)
        drag(page, tmp_path / "taken.txt", tmp_path / "free.txt")
        until_stored(page, 2)
        panel(page).get_by_role("button", name="Pause all").click()
        browsing.until("isPaused", 2)
        page.close()
        browsing.sync()
        again = page.context.new_page()
        again.goto("/drive/files")
        expect(again.get_by_text("2 paused uploads are waiting")).to_be_visible()
        assert list(stored(api)) == ["taken.txt"]
        browsing.cut(again)
        panel(again).get_by_role("button", name="Resume").click()
        expect(panel(again).get_by_text("Waiting for the connection").first).to_be_visible()
        browsing.until("isPaused", 0)
        again.close()
        browsing.sync()
        browsing.until("isDone", 1)
        last = page.context.new_page()
        last.goto("/drive/files")
        last.get_by_role("dialog").get_by_role("button", name="Keep both").click()
        expect(over(last, 1)).to_be_visible()
    assert sorted(stored(api)) == ["free.txt", "taken (1).txt", "taken.txt"]


def test_the_panel_says_whether_the_page_may_be_closed(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    written(tmp_path, {"a.txt": b"a"})
    with visit(browser, server, api, Visit(worker=True)) as page:
        page.wait_for_function(_WORKING)
        for script, sentence in (
            (_AGREES, "You can close this page"),
            (_WITHOUT_SYNC, "Keep this page open: this browser stops uploads"),
        ):
            shown = page.context.new_page()
            shown.add_init_script(script)
            shown.goto("/drive/files")
            expect(shown.locator("main#content")).to_be_visible()
            Browsing.cut(shown)
            drag(shown, tmp_path / "a.txt")
            expect(panel(shown).get_by_text(sentence)).to_be_visible()
            shown.close()
