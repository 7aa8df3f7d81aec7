"""The public page of a share in a real browser, served by a real server."""

import io
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize
from playwright.sync_api import Error as BrowserError
from tests.end_to_end.browser import chromium
from tests.server.api import Api, new_account
from tests.server.running import RunningServer, opened, over_the_network
from tests.server.sharing import Link, share

from skyshelf.service.accounts.passwords import hash_password
from skyshelf.service.demo.generate import NOTES, film, guide, jpeg, landscape, melody

TAKEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
PHONE, DESKTOP = ViewportSize(width=360, height=740), ViewportSize(width=1280, height=860)
# Colours do not depend on the size: two looks show both of each.
LOOKS = [(PHONE, "light"), (DESKTOP, "dark")]
ATTACK = "<script>document.title = 'owned'; fetch('/owned')</script>"
HOSTILE = {
    "page.html": f"<!doctype html><body onload=\"fetch('/owned')\">{ATTACK}</body>",
    "page.xhtml": f"<html xmlns='http://www.w3.org/1999/xhtml'><body>{ATTACK}</body></html>",
    "drawing.svg": f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"fetch('/owned')\">{ATTACK}</svg>",
    "data.xml": f"<?xml version='1.0'?><x xmlns:h='http://www.w3.org/1999/xhtml'><h:script>fetch('/owned')</h:script>{ATTACK}</x>",
    "notes.txt": f"<html>{ATTACK}</html>",
}


class Gallery:
    """A share of a bit of everything, and the keys of what is in it by name."""

    def __init__(self, api: Api) -> None:
        folder = api.folder("A long name that does not fit on one line of a small telephone, however hard it tries")
        contents = {
            "lake.jpg": jpeg(landscape(3), TAKEN),
            "hills.jpg": jpeg(landscape(4), TAKEN),
            "film.mp4": film(TAKEN),
            "guide.pdf": guide(),
            "notes.md": NOTES.encode(),
            "melody.wav": melody(),
            "x" * 120 + ".bin": bytes(5000),
        }
        inner = api.file("inside.txt", b"inside", folder.object_key)
        self.contents = contents
        self.keys = {name: api.file(name, data).object_key for name, data in contents.items()}
        self.keys |= {"folder": folder.object_key, "inside.txt": inner.object_key}
        self.link = share(api, folder.object_key, *(self.keys[name] for name in contents))

    def url(self, name: str | None = None) -> str:
        return self.link.url + (f"&p={self.keys[name]}" if name else "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    data = tmp_path_factory.mktemp("shelf") / "data"
    server = RunningServer(data)
    server.start()
    try:
        with opened(data) as ctx, over_the_network(server, ctx, new_account(ctx, "ada@example.org")) as api:
            yield api
            ctx.media.close()
    finally:
        server.close()


@pytest.fixture(scope="module")
def gallery(api: Api) -> Gallery:
    return Gallery(api)


@pytest.fixture(params=LOOKS, ids=lambda look: f"{look[0]['width']}-{look[1]}")
def plain(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A page of a browser that runs no JavaScript, in each size and colour scheme."""
    size, scheme = request.param
    context = browser.new_context(viewport=size, color_scheme=scheme, java_script_enabled=False, accept_downloads=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def scripted(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that runs JavaScript."""
    context = browser.new_context(viewport=DESKTOP, accept_downloads=True)
    yield context
    context.close()


def picture_of(page: Page, name: str) -> None:
    """Keeps what the page looks like, for people who want to see it: SKYSHELF_SCREENSHOTS names the folder."""
    if folder := os.environ.get("SKYSHELF_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def is_dark(page: Page) -> bool:
    found: bool = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return found


# The lowest contrast of any text with what is behind it, by the formula of WCAG.
CONTRAST = """() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = element => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  let lowest = [21, ''];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.matches('.skip, video, audio')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < lowest[0]) lowest = [ratio, element.textContent.trim().slice(0, 60)];
  }
  return lowest;
}"""


@pytest.mark.parametrize("place", [None, "folder", "lake.jpg", "film.mp4", "melody.wav", "guide.pdf", "notes.md"])
def test_every_page_fits_and_can_be_read_without_javascript(plain: Page, gallery: Gallery, place: str | None) -> None:
    problems: list[str] = []
    plain.on("console", lambda message: problems.append(message.text))
    plain.on("requestfailed", lambda request: problems.append(request.url))
    plain.goto(gallery.url(place), wait_until="load")
    width, needed = plain.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollWidth]")
    assert needed <= width, "the page is wider than the screen"
    contrast, where = plain.evaluate(CONTRAST)
    assert contrast >= 4.5, where
    picture_of(plain, f"{place or 'top'}-{width}-{'dark' if is_dark(plain) else 'light'}")
    assert problems == []


def test_the_colours_follow_the_scheme_of_the_visitor(plain: Page, gallery: Gallery) -> None:
    plain.goto(gallery.url())
    background = plain.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(int(part) for part in background.removeprefix("rgb(").rstrip(")").split(","))
    assert (brightness < 150) if is_dark(plain) else (brightness > 600)


def test_thumbnails_show(plain: Page, gallery: Gallery) -> None:
    plain.goto(gallery.url())
    pictures = plain.locator(".photo img")
    assert pictures.count() == 3
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("image => image.decode()")
        assert picture.evaluate("image => image.naturalWidth") > 100


def test_a_visitor_walks_in_reads_and_walks_back(plain: Page, gallery: Gallery) -> None:
    plain.goto(gallery.url())
    plain.get_by_role("link", name="A long name").first.click()
    plain.get_by_role("link", name="inside.txt").first.click()
    assert plain.locator("pre").inner_text() == "inside"
    plain.get_by_role("navigation").get_by_role("link", name="Shared with you").click()
    assert plain.locator("h1").inner_text() == "Shared with you"


def test_a_file_is_downloaded_by_a_click(plain: Page, gallery: Gallery) -> None:
    plain.goto(gallery.url("lake.jpg"))
    with plain.expect_download() as coming:
        plain.get_by_role("link", name="Download").click()
    assert coming.value.suggested_filename == "lake.jpg"
    assert Path(coming.value.path()).read_bytes() == gallery.contents["lake.jpg"]


def test_everything_is_downloaded_by_a_click(plain: Page, gallery: Gallery) -> None:
    plain.goto(gallery.url())
    with plain.expect_download() as coming:
        plain.get_by_role("link", name="Download all").click()
    with zipfile.ZipFile(coming.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.read("guide.pdf") == gallery.contents["guide.pdf"]
        assert len(archive.namelist()) == len(gallery.contents) + 2


def test_the_film_plays(scripted: BrowserContext, gallery: Gallery) -> None:
    page = scripted.new_page()
    page.goto(gallery.url("film.mp4"))
    page.locator("video").evaluate(
        """video => new Promise((resolve, reject) => {
          video.addEventListener('timeupdate', () => video.currentTime > 0.2 && resolve());
          video.addEventListener('error', () => reject(video.error.message));
          video.muted = true;
          video.play();
        })"""
    )


def test_the_original_of_a_picture_opens_in_its_own_page(scripted: BrowserContext, gallery: Gallery) -> None:
    page = scripted.new_page()
    page.goto(gallery.url("lake.jpg"))
    with scripted.expect_page() as opening:
        page.get_by_role("link", name="Open").click()
    opened_page = opening.value
    opened_page.wait_for_load_state()
    assert opened_page.evaluate("document.images[0].naturalWidth") == landscape(3).width
    assert opened_page.evaluate("self.origin") == "null", "what users upload must not have our origin"
    assert opened_page.evaluate("document.referrer") == ""


def test_the_focus_of_the_keyboard_can_be_seen(scripted: BrowserContext, gallery: Gallery) -> None:
    page = scripted.new_page()
    page.goto(gallery.url())
    seen = []
    for _ in range(4):
        page.keyboard.press("Tab")
        style = "getComputedStyle(document.activeElement)"
        assert page.evaluate(f"{style}.outlineStyle") == "solid"
        assert page.evaluate(f"parseFloat({style}.outlineWidth)") >= 2
        seen.append(page.evaluate("document.activeElement.innerText.trim()"))
    assert seen[:2] == ["Skip to content", "Download all"]


# Puts an address into a frame, and tells which rule of the page's policy refused it.
FRAMED = """address => new Promise(resolve => {
  document.addEventListener('securitypolicyviolation', event => resolve(event.effectiveDirective));
  document.body.appendChild(document.createElement('iframe')).src = address;
})"""


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("view", ["", "&view=1"])
def test_a_hostile_file_never_runs(scripted: BrowserContext, api: Api, name: str, view: str) -> None:
    key = api.file(name, HOSTILE[name].encode()).object_key
    link = share(api, key)
    asked: list[str] = []
    scripted.on("request", lambda request: asked.append(request.url))
    page = scripted.new_page()
    page.goto(link.url, wait_until="networkidle")
    assert page.title() == f"{name} · Skyshelf"
    with page.expect_download(), pytest.raises(BrowserError, match=r"Download is starting|ERR_ABORTED"):
        page.goto(link.url.replace("/l/?", f"/l/file/{key}?") + view)
    # A frame would be the next best thing for it; the policy of the page refuses that too.
    address = link.url.replace("/l/?", f"/l/file/{key}?") + view
    assert page.evaluate(FRAMED, address) == "frame-src"
    assert not [url for url in asked if url.endswith("/owned")]


def test_a_link_with_a_password_opens_without_javascript(plain: Page, api: Api) -> None:
    link = share(api, api.folder(f"Secret {api.ctx.new_key()}").object_key)
    link.edit(password_hash=hash_password("open sesame"))
    plain.goto(link.url)
    picture_of(plain, "password")
    plain.get_by_label("Password").fill("wrong")
    plain.get_by_role("button", name="Open").click()
    assert "Wrong password" in plain.locator("main").inner_text()
    plain.get_by_label("Password").fill("open sesame")
    plain.get_by_role("button", name="Open").click()
    assert "Nothing here right now" in plain.locator("main").inner_text()
    picture_of(plain, "empty")


def test_an_unknown_link_is_a_page_in_the_same_design(plain: Page, api: Api, gallery: Gallery) -> None:
    answer = plain.goto(gallery.url().split("?")[0] + "?u=nothing")
    assert answer is not None
    assert answer.status == 404
    assert plain.locator("h1").inner_text() == "Nothing here"
    assert plain.evaluate(CONTRAST)[0] >= 4.5


def truncated_blob_of(api: Api, key: str) -> None:
    with api.ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, key).location
    path = api.ctx.blobs.local_path(location)
    assert path is not None
    path.chmod(0o600)
    os.truncate(path, path.stat().st_size - 1)


def test_an_archive_that_breaks_midway_is_never_taken_for_a_whole_one(api: Api) -> None:
    first, second = api.file("first.bin", os.urandom(20 << 20)), api.file("second.bin", os.urandom(1 << 20))
    link: Link = share(api, first.object_key, second.object_key)
    truncated_blob_of(api, second.object_key)
    received = io.BytesIO()

    def download() -> None:
        with api.client.stream("GET", "/l/zip", params={"u": link.token}) as answer:
            assert answer.status_code == 200
            for piece in answer.iter_bytes():
                received.write(piece)

    with pytest.raises(httpx2.TransportError):
        download()
    assert received.tell() > 10 << 20
    assert not zipfile.is_zipfile(received)
