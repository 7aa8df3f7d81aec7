"""Thumbnails in the browser: whole in their frames, sharp, and with a placeholder until they have loaded."""

from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.service.pictures import encoded
from tests.web.test_files import show
from tests.web.visiting import DESKTOP, Visit, visit

FRAME = """picture => {
  const frame = picture.parentElement.getBoundingClientRect(), box = picture.getBoundingClientRect();
  return {
    fits: ['left', 'top', 'right', 'bottom'].every((side) => Math.abs(frame[side] - box[side]) < 1),
    sharp: Math.min(picture.naturalWidth, picture.naturalHeight) >= Math.min(box.width, box.height) * devicePixelRatio,
    fit: getComputedStyle(picture).objectFit,
  };
}"""
# A portrait, a landscape, and something square.
SHAPES = {"portrait.jpg": (900, 1600), "landscape.jpg": (1600, 1066), "square.jpg": (1500, 1500)}


def put_pictures(api: Api) -> None:
    for name, size in SHAPES.items():
        api.file(name, encoded("JPEG", Image.new("RGB", size, "teal")))


def loaded(place: Locator) -> Locator:
    pictures = place.locator("img.loaded")
    expect(pictures).to_have_count(len(SHAPES))
    return pictures


def assert_framed(place: Locator, **also: Any) -> None:
    for picture in loaded(place).all():
        assert picture.evaluate(FRAME) == {"fits": True, "sharp": True, "fit": "cover"} | also


@pytest.mark.parametrize("density", [1, 2])
def test_pictures_of_any_shape_fill_their_frames_and_are_sharp(
    browser: Browser, server: RunningServer, api: Api, density: int
) -> None:
    put_pictures(api)
    with visit(browser, server, api, Visit(size=DESKTOP, density=density)) as page:
        assert_framed(page.get_by_role("listbox"))
        page.get_by_role("button", name="Grid view").click()
        assert_framed(page.get_by_role("listbox"))
        page.get_by_role("link", name="Photos").click()
        assert_framed(page.get_by_role("listbox"))


def test_a_placeholder_is_shown_until_the_thumbnail_has_loaded(page: Page, api: Api) -> None:
    put_pictures(api)
    show(page)
    loaded(page.get_by_role("listbox"))
    # From now on no thumbnail comes.
    page.route("**/download/avimages/**", lambda _: None)
    page.get_by_role("link", name="Photos").click()
    tiny = page.get_by_role("listbox").locator("img.tiny")
    expect(tiny).to_have_count(len(SHAPES))
    for picture in tiny.all():
        assert picture.evaluate(FRAME)["fits"]
        assert picture.get_attribute("src").startswith("data:image/webp;base64,")  # type: ignore[union-attr]
    page.unroute_all(behavior="ignoreErrors")


def test_the_trash_shows_thumbnails(page: Page, api: Api) -> None:
    put_pictures(api)
    show(page)
    loaded(page.get_by_role("listbox"))
    page.get_by_role("listbox").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.get_by_role("link", name="Trash").click()
    loaded(page.get_by_role("listbox"))
