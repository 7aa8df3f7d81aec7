"""The installed app: opens offline, receives shared files, and stores no secrets."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.visiting import NO_LAYER, PHONE, Visit, log_in, visit

_CACHED = """async () => {
  const all = [];
  for (const name of await caches.keys())
    for (const kept of await (await caches.open(name)).keys()) all.push(new URL(kept.url).pathname);
  return all;
}"""
_SHARE = """({ name, text, title }) => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action: '/drive/share-target' });
  const field = (type, name) => form.appendChild(Object.assign(document.createElement('input'), { type, name }));
  if (name) {
    const chosen = new DataTransfer();
    chosen.items.add(new File(['what was shared'], name, { type: 'text/plain' }));
    field('file', 'files').files = chosen.files;
  }
  field('text', 'title').value = title;
  field('text', 'text').value = text;
  document.body.append(form);
  form.submit();
}"""


@pytest.fixture
def installed(browser: Browser, server: RunningServer, api: Api) -> Iterator[Page]:
    """A logged-in page on a phone with an active service worker."""
    with visit(browser, server, api, Visit(size=PHONE, worker=True)) as page:
        page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
        yield page


def test_the_drive_opens_without_a_connection_says_so_and_goes_on_when_the_server_is_back(
    installed: Page, server: RunningServer, api: Api
) -> None:
    api.folder("Holiday")
    server.stop()
    try:
        installed.goto("/drive/photos")
        expect(installed.get_by_role("heading", name="No connection")).to_be_visible()
        expect(installed.locator("main img, main svg").first).to_be_visible()
        installed.goto("/drive/files")
        expect(installed.get_by_text("Skyshelf opens as soon as")).to_be_visible()
    finally:
        server.start()
    expect(installed.get_by_role("option", name="Holiday")).to_be_visible()


def test_neither_answers_nor_content_are_kept_by_the_service_worker(installed: Page, api: Api) -> None:
    api.file("secret.txt", b"nobody else reads this")
    expect(installed.get_by_role("option", name="secret.txt")).to_be_visible()
    installed.goto("/drive/settings")
    expect(installed.get_by_role("heading", name="Settings")).to_be_visible()
    kept: list[str] = installed.evaluate(_CACHED)
    needed = re.findall(r'"(/assets/[^"]+)"', installed.request.get("/").text())
    assert needed
    assert {"/", *needed} <= set(kept)
    assert [path for path in kept if path != "/" and not path.startswith(("/assets/", "/icons/"))] == []


def test_a_page_that_was_open_before_an_update_still_finds_its_scripts(installed: Page) -> None:
    # The page's build is outdated: the server no longer has its scripts, but the browser does.
    script = installed.evaluate(
        "async () => {"
        " const gone = '/assets/PhotosPage-of-an-older-build.js';"
        " const old = await caches.open('skyshelf-shell-older');"
        " await old.put(gone, new Response('export default 1', { headers: { 'content-type': 'text/javascript' } }));"
        " return (await fetch(gone)).text(); }"
    )
    assert script == "export default 1"


def test_a_file_that_another_application_shares_is_uploaded_when_the_person_wants_it(installed: Page) -> None:
    installed.evaluate(_SHARE, {"name": "from another app.txt", "title": "Ignored", "text": ""})
    asked = installed.get_by_role("dialog", name="Upload 1 shared file?")
    expect(asked.get_by_text("from another app.txt")).to_be_visible()
    asked.get_by_role("button", name="Upload", exact=True).click()
    expect(installed.get_by_role("listbox").get_by_role("option", name="from another app.txt")).to_be_visible()
    installed.evaluate(_SHARE, {"name": "unwanted.txt", "title": "", "text": ""})
    # Any web page could have sent this: without a confirmation nothing is uploaded, and the question is not repeated.
    installed.get_by_role("dialog").get_by_role("button", name="Do not upload").click()
    # The dialog's entry in the history is left in a moment, which would end a load.
    installed.wait_for_function(NO_LAYER)
    installed.reload()
    expect(installed.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    expect(installed.get_by_role("dialog")).to_have_count(0)


def test_a_shared_link_becomes_a_text_and_waits_for_the_login(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    with visit(browser, server, None, Visit(worker=True, bypass_policy=True)) as page:
        page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
        page.evaluate(_SHARE, {"name": "", "title": "The lake", "text": "https://lake.example/"})
        page.wait_for_url("**/drive/files")
        log_in(page, api)
        expect(page.get_by_role("dialog", name="Upload 1 shared file?")).to_be_visible()
        assert_nothing({"the question": findings(page, "dialog[open]")})
        page.get_by_role("dialog").get_by_role("button", name="Upload", exact=True).click()
        expect(page.get_by_role("listbox").get_by_role("option", name="The lake.txt")).to_be_visible()


def test_the_application_can_be_installed(page: Page, server: RunningServer) -> None:
    manifest = page.request.get("/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = json.loads(manifest.text())
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    assert "maskable" in {icon["purpose"] for icon in told["icons"]}
    for icon in told["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == icon["type"]
    assert told["share_target"]["action"] == "/drive/share-target"
    # Only the service worker handles this URL: other sites cannot post files to the server.
    assert page.request.post(told["share_target"]["action"]).status == 405
    worker = page.request.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert "connect-src 'self'" in worker.headers["content-security-policy"]
