"""Albums and requests for files as people without an account meet them: in a browser without a session."""

import os
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, FilePayload, Page, Route, expect
from tests.server.api import Api
from tests.web.axe import findings
from tests.web.visiting import DESKTOP, PHONE

from skyshelf.storage.metadata.contracts.files import MediaFacts

WIDE, TALL = (480, 270), (270, 400)


def picture(colour: str, size: tuple[int, int] = WIDE) -> bytes:
    drawn = BytesIO()
    Image.new("RGB", size, colour).save(drawn, "JPEG")
    return drawn.getvalue()


def new_album(api: Api, **fields: object) -> tuple[str, str]:
    """The key of an album with five pictures, and its link."""
    board = str(api.post("/boards", json={"boardName": "Lisbon"}).json()["boardKey"])
    shapes = {"sea": WIDE, "tower": TALL, "tram": WIDE, "hill": WIDE, "night": TALL}
    colours = ["teal", "goldenrod", "firebrick", "olive", "navy"]
    keys = [
        # Of the last one, the server does not know the shape yet.
        api.file(f"{name}.jpg", picture(colour, size), facts=None if name == "night" else MediaFacts(*size)).object_key
        for (name, size), colour in zip(shapes.items(), colours, strict=True)
    ]
    assert api.post(f"/x/v1/boards/{board}/objects", json={"objectKeys": keys}).is_success
    made = api.post(f"/x/v1/boards/{board}/shares", json={"shareName": "Family", **fields}).json()
    return board, str(made["shareURL"])


def shot(page: Page, name: str) -> None:
    """Keep what the page looks like: SKYSHELF_SCREENSHOTS names the folder."""
    if folder := os.environ.get("SKYSHELF_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.fixture
def guest(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=DESKTOP, accept_downloads=True, locale="en-GB", reduced_motion="reduce")
    yield context
    context.close()


def test_a_guest_walks_through_an_album_in_place(guest: BrowserContext, api: Api) -> None:
    _, url = new_album(api)
    page = guest.new_page()
    problems: list[str] = []
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.goto(url)
    expect(page.get_by_role("heading", name="Lisbon")).to_be_visible()
    expect(page.get_by_text("5 photos and videos")).to_be_visible()
    tiles = page.locator("#gallery a")
    expect(tiles).to_have_count(5)
    for portrait in (1, 4):
        expect(page.locator("#gallery li").nth(portrait)).to_have_class(re.compile("r(65|70)"))
    shot(page, "album")
    assert findings(page) == []
    tiles.nth(1).click()
    viewer = page.get_by_role("dialog")
    expect(viewer).to_be_visible()
    expect(page.locator(".pswp__counter")).to_have_text("2 / 5")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pswp__counter")).to_have_text("3 / 5")
    shot(page, "lightbox")
    with page.expect_download() as saving:
        viewer.get_by_title("Download").click()
    assert saving.value.suggested_filename == "tram.jpg"
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(page).to_have_url(url)
    tiles.nth(0).click()
    expect(viewer).to_be_visible()
    page.go_back()
    expect(viewer).to_be_hidden()
    with page.expect_download() as zipping:
        page.get_by_role("link", name="Download all").click()
    assert zipping.value.suggested_filename == "Lisbon.zip"
    assert problems == []


def test_an_album_is_a_plain_gallery_without_javascript_in_german(browser: Browser, api: Api) -> None:
    _, url = new_album(api, rights="add")
    context = browser.new_context(viewport=PHONE, java_script_enabled=False, locale="de-DE", color_scheme="dark")
    try:
        page = context.new_page()
        page.goto(url)
        expect(page.get_by_text("Geteilt von")).to_be_visible()
        # No picture is stretched or wider than the page.
        for tile in page.locator("#gallery a").all():
            box = tile.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= PHONE["width"]
        shot(page, "album-phone-dark")
        page.locator("#gallery a").first.click()
        page.get_by_role("link", name="Weiter").click()
        expect(page.get_by_role("heading", name="tower.jpg")).to_be_visible()
        page.get_by_role("link", name="Zurück").click()
        expect(page.get_by_role("heading", name="sea.jpg")).to_be_visible()
        shot(page, "file-phone-dark")
        page.get_by_role("link", name="Lisbon").click()
        page.get_by_label("Dein Name").fill("Oma")
        page.get_by_label("Fotos und Videos auswählen").set_input_files(
            [FilePayload(name="kuchen.jpg", mimeType="image/jpeg", buffer=picture("brown"))]
        )
        page.get_by_role("button", name="Senden").click()
        expect(page.get_by_text("Danke. 1 Datei ist angekommen.")).to_be_visible()
        expect(page.locator("#gallery a")).to_have_count(6)
        expect(page.locator(".guest")).to_have_text("Oma")
    finally:
        context.close()


def test_a_request_for_files_sends_several_with_progress_and_names_what_is_refused(
    guest: BrowserContext, api: Api
) -> None:
    folder = api.folder("Inbox").object_key
    body = {"objectKeys": [folder], "shareName": "Your scans", "rights": "send", "maxUploadBytes": 1000}
    body |= {"maxUploads": 4, "expiryDate": api.ctx.clock.now() + 7 * 86_400_000}
    url = api.post("/x/v1/shares", json=body).json()["shareURL"]
    page = guest.new_page()
    page.goto(url)
    expect(page.get_by_role("heading", name="Your scans")).to_be_visible()
    expect(page.get_by_text("asks you for files")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Until \d+ \w+ \d{4}"))).to_be_visible()
    expect(page.get_by_text("4 more files can be sent.")).to_be_visible()
    assert findings(page) == []
    page.get_by_label("Your name").fill("Grace")
    files = page.get_by_label("Choose files")
    one, two, large = (
        FilePayload(name=name, mimeType="text/plain", buffer=data)
        for name, data in (("one.txt", b"1"), ("two.txt", b"2"), ("large.bin", bytes(2000)))
    )
    files.set_input_files([one, large, two])
    rows = page.locator("#progress").get_by_role("listitem")
    expect(rows).to_have_text(["one.txtsent", re.compile("large.binToo large: at most 1000 B"), "two.txtsent"])
    expect(page.get_by_role("status")).to_have_text("2 of 3 sent")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert findings(page) == []
    shot(page, "request")
    page.reload()
    expect(page.get_by_label("Your name")).to_have_value("Grace")
    expect(page.get_by_text("2 more files can be sent.")).to_be_visible()
    files.set_input_files([one])
    expect(page.get_by_role("heading", name="Thank you. 1 file has arrived.")).to_be_visible()
    expect(page.get_by_text("You can close this page.")).to_be_visible()
    expect(page.locator("#send")).to_have_count(0)
    assert findings(page) == []
    shot(page, "request-thanks")
    page.get_by_role("link", name="Send more files").click()
    files.set_input_files([one, two])
    expect(rows).to_have_text(["one.txtsent", re.compile("two.txtNot sent: this link takes no more files. Ask .+")])
    page.reload()
    expect(page.get_by_role("heading", name="No more files")).to_be_visible()
    expect(page.locator("#send")).to_have_count(0)
    with api.ctx.metadata.read() as unit:
        found = [one.name for one in unit.tree.children(api.account.account_id, folder)]
    assert found == ["one (1).txt", "one (2).txt", "one.txt", "two.txt"]


def refusing(status: int) -> Callable[[Route], None]:
    """A server that answers with the status; 0 is a lost connection."""
    return lambda route: route.fulfill(status=status) if status else route.abort()


def test_what_was_not_sent_says_what_to_do_and_is_tried_again(guest: BrowserContext, api: Api) -> None:
    folder = api.folder("Inbox").object_key
    body = {"objectKeys": [folder], "shareName": "17Nov2026_101500", "rights": "send"}
    url = api.post("/x/v1/shares", json=body).json()["shareURL"]
    page = guest.new_page()
    page.goto(url)
    # A link without a name does not show the moment in which it was made.
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Files for "))
    page.get_by_label("Your name").fill("Grace")
    file = FilePayload(name="one.txt", mimeType="text/plain", buffer=b"1")
    for status, sentence in {
        0: "Not sent. Check your connection, then try again.",
        401: "Load this page again and enter the password",
        404: "This link has ended. Ask .+ for a new one.",
        413: "There is no more space. Tell .+, and try again later.",
        429: "Too many files for now.",
    }.items():
        page.route("**/l/send*", refusing(status))
        page.get_by_label("Choose files").set_input_files([file])
        expect(page.locator("#progress .said")).to_have_text(re.compile(sentence))
        page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Thank you. 1 file has arrived.")).to_be_visible()


def test_an_owner_publishes_an_album_and_sees_at_once_what_a_guest_adds(
    page: Page, guest: BrowserContext, api: Api
) -> None:
    board = str(api.post("/boards", json={"boardName": "Porto"}).json()["boardKey"])
    page.goto(f"/drive/boards/{board}")
    page.get_by_role("button", name="1 person").click()
    panel = page.get_by_role("region", name="Public link")
    panel.get_by_label("Guests can add photos").check()
    panel.get_by_role("button", name="Create public link").click()
    expect(panel.get_by_role("list", name="Public links").get_by_role("listitem")).to_contain_text("guests can add")
    shot(page, "album-panel")
    [made] = api.get(f"/x/v1/boards/{board}/shares").json()["shares"]

    visitor = guest.new_page()
    visitor.goto(made["shareURL"])
    visitor.get_by_label("Your name").fill("Grace")
    payload = FilePayload(name="bridge.jpg", mimeType="image/jpeg", buffer=picture("orange"))
    visitor.get_by_label("Choose photos and videos").set_input_files([payload])
    expect(visitor.get_by_text("Thank you. 1 file has arrived.")).to_be_visible()
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    expect(panel.get_by_role("list", name="Guests")).to_have_text("Grace added 1 file")

    panel.get_by_label("Guests can add photos").uncheck()
    expect(panel.get_by_role("list", name="Public links").get_by_role("listitem")).not_to_contain_text("guests can add")
    visitor.reload()
    expect(visitor.get_by_role("button", name="Send")).to_have_count(0)
    panel.get_by_role("button", name="Revoke the link Porto").click()
    expect(panel.get_by_role("list", name="Public links").get_by_role("listitem")).to_have_count(0)
    visitor.reload()
    expect(visitor.get_by_text("Nothing here")).to_be_visible()


def test_a_folder_s_dialog_makes_a_request_for_files(page: Page, api: Api) -> None:
    api.folder("Inbox")
    page.goto("/drive/files")
    page.get_by_role("option", name="Inbox").click(button="right")
    page.get_by_role("menuitem", name="Share").click()
    page.get_by_label("Request files").check()
    page.get_by_text("Name, expiry, password").click()
    page.get_by_label("Most files that can be sent").fill("20")
    page.get_by_label("Largest file in MiB").fill("1.5")
    page.get_by_role("button", name="Create link").click()
    expect(page.get_by_text("Anyone with this link can send files into this folder.")).to_be_visible()
    page.goto("/drive/shared")
    expect(page.get_by_text("request for files")).to_be_visible()
    [link] = api.get("/x/v1/shares").json()["shares"]
    assert (link["maxUploads"], link["maxUploadBytes"]) == (20, 3 << 19)


def test_an_owner_renames_an_album_in_place(page: Page, api: Api) -> None:
    board = str(api.post("/boards", json={"boardName": "Porto"}).json()["boardKey"])
    page.goto(f"/drive/boards/{board}")
    page.get_by_role("button", name="Porto").click()
    page.keyboard.type("Lisbon")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Lisbon")).to_be_visible()
    assert api.get(f"/boards/{board}").json()["board"]["boardName"] == "Lisbon"
