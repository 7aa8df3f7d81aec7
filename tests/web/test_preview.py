"""The viewer and all previews; content of files never runs with the page's permissions."""

import re
import time
import wave
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import av
import pytest
from PIL import ExifTags, Image
from playwright.sync_api import Browser, Locator, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.service.pictures import encoded, picture
from tests.web.visiting import PHONE, Visit, visit

MIB = 1024 * 1024


def opened(page: Page, name: str) -> Locator:
    """Open the file in the viewer."""
    page.get_by_role("option").get_by_text(name, exact=True).dblclick()
    viewer = page.get_by_role("dialog", name="Preview")
    expect(viewer.get_by_role("heading", name=name)).to_be_visible()
    return viewer


def scale(viewer: Locator) -> float:
    return float(viewer.locator("img[data-scale]").get_attribute("data-scale") or 0)


def three_pictures(api: Api) -> list[str]:
    names = ["a.jpg", "b.jpg", "c.jpg"]
    for name in names:
        api.file(name, encoded("JPEG", picture(1600, 1200)))
    return names


def pdf(*pages: str) -> bytes:
    """A document with a line of text on each page."""
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    kids = []
    for text in pages:
        stream = f"BT /F1 24 Tf 72 700 Td ({text}) Tj ET"
        objects.append(f"<</Length {len(stream)}>>stream\n{stream}\nendstream")
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {len(objects)} 0 R>>"
        )
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>"
    data = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj{body}endobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}/Root 1 0 R>>\n"
    return data + f"{end}startxref\n{len(data)}\n%%EOF".encode()


def film(path: Path) -> bytes:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx", rate=Fraction(10))
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for number in range(20):
            image = Image.new("RGB", (320, 240), (0, 10 * number, 0))
            container.mux(stream.encode(av.VideoFrame.from_image(image)))  # type: ignore[no-untyped-call]
        container.mux(stream.encode())
    return path.read_bytes()


def sound() -> bytes:
    data = BytesIO()
    with wave.open(data, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(8000)
        written.writeframes(b"\0\1" * 16000)
    return data.getvalue()


def test_pictures_are_walked_zoomed_and_closed_by_keys_and_mouse(page: Page, api: Api) -> None:
    api.folder("Not shown in between")
    three_pictures(api)
    expect(page.get_by_role("option")).to_have_count(4)
    viewer = opened(page, "b.jpg")
    expect(viewer.get_by_text("2 of 3")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(viewer.get_by_role("heading", name="c.jpg")).to_be_visible()
    expect(viewer.get_by_role("button", name="Next")).to_have_count(0)
    viewer.get_by_role("button", name="Previous").click()
    expect(viewer.get_by_role("heading", name="b.jpg")).to_be_visible()
    page.wait_for_function("() => document.querySelector('img[data-scale]')?.naturalWidth === 1600")
    page.mouse.move(640, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_function("() => Number(document.querySelector('img[data-scale]').dataset.scale) > 2")
    page.keyboard.press("0")
    expect(viewer.locator("img[data-scale='1.00']")).to_be_visible()
    viewer.locator("img[data-scale]").dblclick()
    expect(viewer.locator("img[data-scale='2.50']")).to_be_visible()
    page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    expect(page.get_by_role("option", name="b.jpg")).to_be_visible()


def test_the_way_back_closes_the_viewer_and_stays_on_the_page(page: Page, api: Api) -> None:
    api.file("found.jpg", encoded("JPEG"))
    page.goto("/drive/search?q=found")
    viewer = opened(page, "found.jpg")
    page.go_back()
    expect(viewer).to_have_count(0)
    expect(page).to_have_url(re.compile(r"search\?q=found"))
    viewer = opened(page, "found.jpg")
    viewer.get_by_role("button", name="Details").click()
    viewer.get_by_role("complementary").get_by_role("link", name="Files").click()
    expect(page).to_have_url(re.compile("/drive/files$"))
    expect(viewer).to_have_count(0)
    page.go_back()
    expect(page).to_have_url(re.compile(r"search\?q=found"))


def test_what_is_trashed_in_the_viewer_comes_back_by_undo(page: Page, api: Api) -> None:
    three_pictures(api)
    expect(page.get_by_role("option")).to_have_count(3)
    viewer = opened(page, "b.jpg")
    page.keyboard.press("Delete")
    expect(viewer.get_by_role("heading", name="c.jpg")).to_be_visible()
    expect(viewer.get_by_text("2 of 2")).to_be_visible()
    viewer.get_by_role("button", name="Undo").click()
    viewer.get_by_role("button", name="Back").click()
    expect(page.get_by_role("option", name="b.jpg")).to_be_visible()
    assert api.get("/nms/trash").json()["objects"] == []


def test_the_last_one_that_is_trashed_closes_the_viewer(page: Page, api: Api) -> None:
    api.file("only.jpg", encoded("JPEG"))
    viewer = opened(page, "only.jpg")
    viewer.get_by_role("button", name="Move to trash").click()
    expect(viewer).to_have_count(0)
    expect(page.get_by_text("This folder is empty")).to_be_visible()


def test_a_picture_can_be_a_favourite_shared_downloaded_and_shows_its_camera_data(page: Page, api: Api) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Make], exif[ExifTags.Base.Model] = "Acme", "Pinhole 3"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2021:07:04 12:30:00"
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FNumber] = 2.8
    data = encoded("JPEG", exif=exif)
    key = api.file("told.jpg", data).object_key
    viewer = opened(page, "told.jpg")
    page.keyboard.press("f")
    expect(viewer.get_by_role("button", name="Remove from favourites")).to_be_visible()
    assert api.get(f"/x/v1/objects/{key}").json()["object"]["isFavorite"] is True
    page.keyboard.press("i")
    details = viewer.get_by_role("complementary")
    expect(details.get_by_text("Acme Pinhole 3")).to_be_visible()
    expect(details.get_by_text("4 Jul 2021")).to_be_visible()
    expect(details.get_by_text("ƒ/2.8")).to_be_visible()
    with page.expect_download() as download:
        viewer.get_by_role("button", name="Download").click()
    assert Path(download.value.path()).read_bytes() == data
    viewer.get_by_role("button", name="Share link").click()
    expect(page.get_by_role("dialog", name="Share link")).to_be_visible()


@pytest.mark.parametrize("kind", ["video", "audio"])
def test_films_and_music_play(page: Page, api: Api, tmp_path: Path, kind: str) -> None:
    if kind == "video":
        api.file("film.webm", film(tmp_path / "film.webm"))
    else:
        api.file("film.wav", sound())
    page.get_by_role("option", name=re.compile("film")).dblclick()
    player = page.get_by_role("dialog").locator(kind)
    player.evaluate("async (one) => { one.muted = true; await one.play(); }")
    page.wait_for_function("() => document.querySelector('video, audio').currentTime > 0.2")


def test_a_pdf_is_drawn_page_by_page_and_can_be_read_aloud(page: Page, api: Api) -> None:
    api.file("guide.pdf", pdf(*[f"This is page {number}" for number in range(1, 31)]))
    viewer = opened(page, "guide.pdf")
    first = viewer.get_by_role("group", name="Page 1 of 30")
    expect(first.get_by_text("This is page 1", exact=True)).to_be_attached()
    drawn = "(one) => one.getContext('2d').getImageData(0, 0, one.width, one.height).data.some((value) => value < 200)"
    assert first.locator("canvas").evaluate(drawn)
    assert viewer.locator("canvas").count() < 6
    viewer.get_by_role("group", name="Page 30 of 30").scroll_into_view_if_needed()
    expect(viewer.get_by_text("This is page 30")).to_be_attached()
    width = first.bounding_box()
    viewer.get_by_role("button", name="Zoom in").click()
    expect(viewer.get_by_text("125 %")).to_be_visible()
    assert width is not None


def test_a_pdf_says_which_page_is_shown_and_keys_turn_them(page: Page, api: Api) -> None:
    api.file("guide.pdf", pdf(*[f"This is page {number}" for number in range(1, 13)]))
    viewer = opened(page, "guide.pdf")
    position = viewer.get_by_role("status").filter(has_text="of 12")
    expect(position).to_have_text("Page 1 of 12")
    # Wherever the focus is.
    viewer.get_by_role("button", name="Details").focus()
    page.keyboard.press("End")
    expect(position).to_have_text("Page 12 of 12")
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    expect(position).not_to_have_text("Page 12 of 12")
    page.keyboard.press("Home")
    expect(position).to_have_text("Page 1 of 12")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(position).not_to_have_text("Page 1 of 12")


def test_on_a_phone_nothing_covers_the_controls_of_a_film(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    data = film(tmp_path / "film.webm")
    for name in ("a.webm", "b.webm", "c.webm"):
        api.file(name, data)
    with visit(browser, server, api, Visit(size=PHONE)) as page:
        page.get_by_role("option", name="b.webm").tap()
        player = page.get_by_role("dialog").locator("video")
        expect(player).to_be_visible()
        # The browser draws its controls along the lower edge.
        covered = """one => {
          const box = one.getBoundingClientRect();
          const rows = [20, 45, 70].map((up) => box.bottom - up);
          return [0.05, 0.2, 0.5, 0.8, 0.95].flatMap((part) => rows.map((y) => [box.left + box.width * part, y]))
            .filter(([x, y]) => document.elementFromPoint(x, y) !== one);
        }"""
        assert player.evaluate(covered) == []


def test_a_broken_document_says_so_and_can_be_downloaded(page: Page, api: Api) -> None:
    api.file("broken.pdf", b"%PDF-1.4 and nothing of it")
    viewer = opened(page, "broken.pdf")
    expect(viewer.get_by_text("The preview could not be loaded.")).to_be_visible()
    expect(viewer.get_by_role("link", name="Download")).to_be_visible()


def test_only_the_beginning_of_a_long_text_is_loaded(page: Page, api: Api) -> None:
    api.file("long.log", b"first line\n" + b"x" * 79 + b"\n" + b"0123456789\n" * (3 * MIB // 11))
    with page.expect_response("**/download/files/**") as asked:
        viewer = opened(page, "long.log")
    assert asked.value.status == 206
    assert int(asked.value.headers["content-length"]) == MIB
    expect(viewer.get_by_text("Only the first 1 MiB of 3.0 MiB are shown")).to_be_visible()
    expect(viewer.locator("pre")).to_contain_text("first line")


HOSTILE = """# A title

<script>window.ran = 1</script>
<img src=x onerror="window.ran = 2">
<a href="javascript:window.ran = 3">a trap</a>
<form action="/x"><input name="q"></form>
<p style="position:fixed" id="content" onclick="window.ran = 4">words</p>

![a picture](https://example.org/spy.png) and [a link](https://example.org/)

- [x] done
"""


def test_markdown_is_shown_and_nothing_in_it_runs_or_is_loaded(page: Page, api: Api) -> None:
    api.file("notes.md", HOSTILE.encode())
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    viewer = opened(page, "notes.md")
    prose = viewer.locator(".prose")
    expect(prose.get_by_role("heading", name="A title")).to_be_visible()
    expect(prose.get_by_text("☑ done")).to_be_visible()
    link = prose.get_by_role("link", name="a link")
    expect(link).to_have_attribute("rel", re.compile("noopener"))
    expect(link).to_have_attribute("target", "_blank")
    expect(prose.get_by_role("link", name="a picture")).to_be_visible()
    assert prose.locator("script, img, form, input, [style], [id], [onclick], a[href^=javascript]").count() == 0
    assert page.evaluate("window.ran") is None
    assert not any("example.org" in url for url in asked)
    viewer.get_by_role("button", name="View source").click()
    expect(viewer.locator("pre")).to_contain_text("<script>window.ran = 1</script>")


TRAP = '<img src="https://example.org/spy.png" onerror="window.ran = 1"><script>window.ran = 2</script>'
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99" onload="window.ran = 3"><script>window.ran = 4'
    '</script><image href="https://example.org/spy.png" width="9" height="9"/><foreignObject width="9" height="9">'
    '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://example.org/"/></foreignObject></svg>'
)
ACTIONS = (
    b"<</Type/Catalog/OpenAction<</S/JavaScript/JS(window.ran = 5; app.launchURL\\('https://example.org/'\\))>>"
    b"/AA<</WC<</S/URI/URI(https://example.org/spy)>>>>"
)


def test_what_files_say_about_themselves_never_runs_or_loads_anything(page: Page, api: Api) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = exif[ExifTags.Base.Model] = exif[ExifTags.Base.ImageDescription] = TRAP
    api.file("told.jpg", encoded("JPEG", exif=exif))
    api.file("<img src=x onerror=window.ran=6>.png", encoded("PNG", picture(90, 90)))
    api.file("drawn.svg", SVG.encode())
    api.file("acts.pdf", pdf("a page").replace(b"<</Type/Catalog", ACTIONS))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    viewer = opened(page, "told.jpg")
    page.keyboard.press("i")
    expect(viewer.get_by_role("complementary").get_by_text("example.org").first).to_be_visible()
    for name in ("<img src=x onerror=window.ran=6>.png", "drawn.svg", "acts.pdf"):
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Preview")).to_have_count(0)
        opened(page, name)
    expect(page.get_by_text("a page", exact=True)).to_be_attached()
    assert page.evaluate("window.ran") is None
    assert not [url for url in asked if "example.org" in url]
    assert len(page.context.pages) == 1


@pytest.mark.parametrize(
    ("name", "text", "coloured"),
    [
        ("tool.py", "def run() -> None:\n    return '<b>'\n", "def"),
        ("page.html", "<script>window.ran = 1</script>", "script"),
    ],
)
def test_code_is_coloured_and_never_runs(page: Page, api: Api, name: str, text: str, coloured: str) -> None:
    api.file(name, text.encode())
    viewer = opened(page, name)
    expect(viewer.locator("pre span[class^=hljs]", has_text=coloured).first).to_be_visible()
    assert viewer.locator("pre").inner_text().strip() == text.strip()
    assert viewer.locator("pre b, pre script").count() == 0
    assert page.evaluate("window.ran") is None


def test_what_cannot_be_shown_is_offered_as_a_download(page: Page, api: Api) -> None:
    api.file("archive.zip", b"PK and so on")
    viewer = opened(page, "archive.zip")
    expect(viewer.get_by_text("No preview available for this type of file.")).to_be_visible()
    with page.expect_download() as download:
        viewer.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "archive.zip"


def test_what_is_in_the_trash_is_restored_before_it_is_opened(page: Page, api: Api) -> None:
    key = api.file("thrown.jpg", encoded("JPEG")).object_key
    api.trash(key)
    page.goto("/drive/trash")
    page.get_by_role("option", name="thrown.jpg").dblclick()
    page.get_by_role("status").get_by_role("button", name="Restore").click()
    expect(page.get_by_text("The trash is empty")).to_be_visible()
    assert api.get("/nms/trash").json()["objects"] == []


def test_two_fingers_zoom_and_a_double_tap_shows_the_whole_again(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    three_pictures(api)
    with visit(browser, server, api, Visit(size=PHONE)) as phone:
        phone.get_by_role("option", name="a.jpg").tap()
        viewer = phone.get_by_role("dialog", name="Preview")
        phone.wait_for_function("() => document.querySelector('img[data-scale]')?.naturalWidth > 0")
        touch = phone.context.new_cdp_session(phone)
        for kind, apart in (("touchStart", 40), ("touchMove", 80), ("touchMove", 120), ("touchEnd", 0)):
            points = [{"x": 180 - apart / 2, "y": 400, "id": 1}, {"x": 180 + apart / 2, "y": 400, "id": 2}]
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if apart else []})
        expect(viewer.locator("img[data-scale='3.00']")).to_be_visible()
        expect(viewer.get_by_text("1 of 3")).to_be_visible()
        now = time.time()
        for number, kind in enumerate(["touchStart", "touchEnd"] * 2):
            points = [{"x": 180, "y": 400}] if kind == "touchStart" else []
            # As quick as a finger, even on a busy machine.
            told = {"type": kind, "touchPoints": points, "timestamp": now + number / 20}
            touch.send("Input.dispatchTouchEvent", told)
        expect(viewer.locator("img[data-scale='1.00']")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360
