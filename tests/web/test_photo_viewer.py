"""The viewer of photos in the browser: its address, its title, rotation, slides, and photos of several parts."""

import re
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import av
import pillow_heif
import pytest
from PIL import ExifTags, Image, ImageOps
from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.server.uploading import content_of
from tests.service.pictures import encoded, picture
from tests.web.test_files import show
from tests.web.test_photos import cell, photos, take, take_some

from skyshelf.storage.metadata.contracts.files import MediaFacts

pillow_heif.register_heif_opener()


def test_a_photo_has_an_address_that_survives_a_reload_and_back(page: Page, api: Api) -> None:
    keys = take_some(api)
    photos(page)
    cell(page, "2025-06-10").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Tuesday, 10 June 2025")).to_be_visible()
    expect(page).to_have_url(re.compile(f"/drive/photos/{keys['2025-06-10.jpg']}$"))
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"/drive/photos/{keys['2025-06-01.jpg']}$"))
    page.reload()
    expect(dialog.get_by_role("heading", name="Sunday, 1 June 2025")).to_be_visible()
    expect(dialog.get_by_text("3 of 6")).to_be_visible()
    page.go_back()
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(re.compile("/drive/photos$"))
    page.goto(f"/drive/photos/{keys['2019-03-03.jpg']}")
    expect(dialog.get_by_text("6 of 6")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(cell(page, "2019-03-03")).to_be_visible()


def test_the_viewer_is_black_names_the_place_and_its_controls_fade(page: Page, api: Api) -> None:
    take(api, "belem.jpg", "2025-06-20", MediaFacts(4000, 3000, 38_691_600, -9_216_000))
    photos(page)
    cell(page, "belem.jpg").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Lisbon, Portugal")).to_be_visible()
    assert dialog.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(0, 0, 0)"
    expect(dialog.locator("header")).to_have_css("opacity", "0")
    page.keyboard.press("Shift")
    expect(dialog.locator("header")).to_have_css("opacity", "1")


def test_rotating_is_kept_as_a_version(page: Page, api: Api) -> None:
    key = take(api, "a.jpg", "2025-06-20")
    photos(page)
    cell(page, "a.jpg").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Rotate").click()
    expect(page.get_by_text("Rotated.").first).to_be_visible()
    [fact] = api.get("/x/v1/photos/facts", params={"objectKeys": key}).json()["facts"]
    assert (fact["version"], fact["width"], fact["height"]) == (2, 48, 64)
    page.wait_for_function(
        "() => { const one = document.querySelector('dialog img[data-scale]');"
        " return one && one.naturalHeight > one.naturalWidth; }"
    )


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "HEIF"])
def test_other_formats_are_rotated_and_keep_their_date(page: Page, api: Api, kind: str) -> None:
    exif = Image.Exif()
    # The camera lay on its side: HEIC says so by a property, which is then changed.
    exif[ExifTags.Base.Orientation] = 6 if kind == "HEIF" else 1
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] = "2021:03:04 05:06:07"
    drawn = BytesIO()
    image = Image.new("RGB", (64, 48), "navy")
    image.paste("red", (0, 0, 32, 24))
    if kind == "HEIF":
        pillow_heif.encode("RGB", image.size, image.tobytes(), drawn, quality=-1, exif=exif.tobytes())
    else:
        image.save(drawn, kind, exif=exif, lossless=True)
    name = f"a.{ {'PNG': 'png', 'WEBP': 'webp', 'HEIF': 'heic'}[kind] }"
    key = api.file(name, drawn.getvalue()).object_key
    show(page)
    page.get_by_role("option", name=name).dblclick()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Rotate").click()
    expect(page.get_by_text("Rotated.").first).to_be_visible()
    turned = Image.open(BytesIO(content_of(api, key)))
    upright = ImageOps.exif_transpose(turned).convert("RGB")
    # By a quarter, and by another one if it was turned before.
    assert upright.size == ((64, 48) if kind == "HEIF" else (48, 64))
    corner = (48, 36) if kind == "HEIF" else (36, 12)
    pixel = upright.getpixel(corner)
    assert isinstance(pixel, tuple)
    assert pixel[0] > 200
    assert pixel[2] < 60
    assert turned.getexif().get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.DateTimeOriginal] == "2021:03:04 05:06:07"


def test_a_picture_that_moves_is_not_rotated(page: Page, api: Api) -> None:
    drawn = BytesIO()
    frames = [Image.new("RGB", (64, 48), colour) for colour in ("navy", "red")]
    frames[0].save(drawn, "WEBP", save_all=True, append_images=frames[1:])
    key = api.file("moves.webp", drawn.getvalue()).object_key
    show(page)
    page.get_by_role("option", name="moves.webp").dblclick()
    page.get_by_role("dialog").get_by_role("button", name="Rotate").click()
    expect(page.get_by_text("This picture cannot be rotated here").first).to_be_visible()
    assert content_of(api, key) == drawn.getvalue()


def short_film(path: Path) -> bytes:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libvpx-vp9", rate=Fraction(10))
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(10):
            image = Image.new("RGB", (64, 48), (0, 20 * number, 0))
            container.mux(stream.encode(av.VideoFrame.from_image(image)))  # type: ignore[no-untyped-call]
        container.mux(stream.encode())
    return path.read_bytes()


def test_the_film_inside_a_motion_photo_is_played(page: Page, api: Api, tmp_path: Path) -> None:
    film = short_film(tmp_path / "film.mp4")
    api.file("PXL_1.MP.jpg", encoded("JPEG", picture(64, 48)) + film)
    show(page)
    page.get_by_role("option", name="PXL_1.MP.jpg").dblclick()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Play the film").click()
    expect(dialog.locator("video")).to_have_js_property("videoWidth", 64)
    # The picture is back when the film is over.
    expect(dialog.locator("video")).to_have_count(0)


def test_a_live_photo_is_one_that_moves(page: Page, api: Api, tmp_path: Path) -> None:
    at = 1_718_000_000_000
    film = short_film(tmp_path / "film.mp4")
    for name, content in {"IMG_1.jpg": encoded("JPEG", picture(64, 48)), "IMG_1.mp4": film}.items():
        api.file(name, content, file_created_at=at, taken_at=at, taken_day=610, facts=MediaFacts(64, 48))
    take(api, "before.jpg", "2024-06-01")
    photos(page)
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    live = cell(page, "IMG_1.jpg")
    expect(live.get_by_text("Live")).to_be_visible()
    live.hover()
    expect(live.locator("video")).to_have_js_property("videoWidth", 64)
    live.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="IMG_1.mp4").click()
    expect(dialog.locator(".stage video")).to_have_js_property("videoWidth", 64)
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_text("1 June 2024").first).to_be_visible()


def test_slides_go_on_alone_and_stop_at_the_end(page: Page, api: Api) -> None:
    for number in range(2):
        take(api, f"{number}.jpg", f"2025-06-1{number}")
    page.clock.install()
    photos(page)
    cell(page, "1.jpg").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Start slideshow").click()
    page.clock.run_for(4100)
    expect(dialog.get_by_text("2 of 2")).to_be_visible()
    page.clock.run_for(4100)
    expect(dialog.get_by_role("button", name="Start slideshow")).to_be_visible()


def test_the_parts_of_a_burst_are_opened_one_by_one(page: Page, api: Api) -> None:
    for number in range(3):
        take(api, f"PXL_1.BURST-0{number}.jpg", "2025-06-20")
    take(api, "before.jpg", "2025-06-10")
    photos(page)
    cell(page, "PXL_1.BURST").click()
    parts = page.get_by_role("dialog").get_by_role("list", name="Parts of this photo")
    expect(parts.get_by_role("button")).to_have_count(3)
    parts.get_by_role("button", name="PXL_1.BURST-02.jpg").click()
    expect(page.locator("dialog img[data-scale]")).to_have_attribute("alt", "PXL_1.BURST-02.jpg")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog").get_by_role("heading", name="10 June 2025")).to_be_visible()
