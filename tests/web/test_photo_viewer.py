"""The viewer of photos in the browser: its address, its title, rotation, slides, and photos of several parts."""

import re

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.test_photos import cell, photos, take, take_some

from skyshelf.storage.metadata.contracts.media_facts import MediaFacts


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
