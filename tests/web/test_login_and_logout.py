"""Opening the client without duplicate requests, and logging out without leaving data behind."""

import re
from collections import Counter
from urllib.parse import urlsplit

from playwright.sync_api import Browser, FilePayload, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.service.pictures import encoded, picture
from tests.web.visiting import Visit, until, visit

PICTURE = encoded("JPEG", picture(64, 48))
KEPT_UPLOADS = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open('skyshelf-uploads');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const reading = opening.result.transaction(['rows', 'contents']);
    const counts = ['rows', 'contents'].map((name) => reading.objectStore(name).count());
    reading.oncomplete = () => { opening.result.close(); resolve(counts.map((one) => one.result)); };
  };
})"""
PICTURES = """() => performance.getEntriesByType('resource').filter((one) => one.name.includes('/avimages/'))
  .map((one) => one.transferSize)"""


def test_what_was_asked_for_early_is_not_asked_for_again(page: Page, api: Api) -> None:
    folder = api.folder("Holidays").object_key
    api.folder("Norway", folder)
    api.file("fjord.jpg", PICTURE, folder)
    expect(page.get_by_role("option", name="Holidays")).to_be_visible()
    asked: Counter[str] = Counter()
    page.on("request", lambda request: asked.update([urlsplit(request.url).path]))
    for address, key, shown in (("/", api.root_key, "Holidays"), (f"/drive/files/{folder}", folder, "Norway")):
        asked.clear()
        page.goto(address)
        expect(page.get_by_role("option", name=shown)).to_be_visible()
        # The profile is loaded after the prefetched responses.
        expect(page.get_by_role("meter")).to_be_visible()
        early = ["/x/v1/session", "/x/v1/changes", "/nms/metadata", f"/x/v1/objects/{key}"]
        if key == api.root_key:
            expect(page.get_by_role("heading", name="Recent")).to_be_visible()
            early += ["/nms/metadata/recent/objects", "/x/v1/search"]
        assert {path: asked[path] for path in early} == dict.fromkeys(early, 1)


def test_pictures_wait_for_their_key_and_are_fetched_once(page: Page, api: Api) -> None:
    page.goto("about:blank")
    api.file("fjord.jpg", PICTURE)
    # As after ten minutes: without a new nonce no thumbnail loads.
    page.context.clear_cookies(name="skyshelf_nonce")
    shown = page.get_by_role("option", name="fjord.jpg").locator("img:not(.tiny)")
    page.goto("/")
    expect(shown).to_have_js_property("naturalWidth", 64)
    page.reload()
    expect(shown).to_have_js_property("naturalWidth", 64)
    page.wait_for_function(f"() => ({PICTURES})().length === 1")
    assert page.evaluate(PICTURES) == [0], "the browser has it already"


def test_logging_out_asks_about_unfinished_uploads_and_leaves_nothing_behind(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit(browser, server, api, Visit()) as page:
        # No response, so the upload is still running at the logout.
        page.route(re.compile("/upload/"), lambda _: None)
        page.get_by_role("button", name="Upload", exact=True).first.click()
        with page.expect_file_chooser() as choosing:
            page.get_by_role("menuitem", name="Upload files").click()
        choosing.value.set_files(FilePayload(name="letter.txt", mimeType="text/plain", buffer=b"dear reader"))
        expect(page.get_by_role("region", name="Uploads").get_by_text("letter.txt")).to_be_visible()
        until(page, f"async () => String(await ({KEPT_UPLOADS})()) === '1,1'")

        page.get_by_role("button", name="Log out").click()
        asking = page.get_by_role("dialog", name="Log out with unfinished uploads?")
        expect(asking.get_by_text("1 file has not finished uploading.")).to_be_visible()
        asking.get_by_role("button", name="Cancel").click()
        expect(asking).to_have_count(0)
        page.get_by_role("button", name="Log out").click()
        asking.get_by_role("button", name="Log out").click()

        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
        until(page, f"async () => String(await ({KEPT_UPLOADS})()) === '0,0'")
        assert page.evaluate("() => [localStorage.getItem('skyshelf.root'), sessionStorage.length]") == [None, 0]


def test_logging_out_with_nothing_unfinished_asks_nothing(page: Page) -> None:
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
