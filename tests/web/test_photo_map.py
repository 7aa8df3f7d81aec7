"""The map of photos in the browser: drawn without other hosts, with photos of a place to open."""

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.axe import findings
from tests.web.test_photos import photos, take

from skyshelf.storage.metadata.contracts.files import MediaFacts

LISBON = MediaFacts(4000, 3000, 38_722_300, -9_139_300)
TOKYO = MediaFacts(4000, 3000, 35_680_000, 139_690_000)


def test_photos_of_a_place_are_opened_from_the_map(page: Page, api: Api) -> None:
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(request.url.split("/")[2]))
    for number in range(3):
        take(api, f"lisbon {number}.jpg", f"2025-06-1{number}", LISBON)
    take(api, "tokyo.jpg", "2025-05-01", TOKYO)
    take(api, "nowhere.jpg", "2025-04-01")
    photos(page)
    page.get_by_role("button", name="Map of photos").click()
    world = page.get_by_role("region", name="Map of photos")
    expect(world.get_by_role("button", name="3 photos from Lisbon")).to_be_visible()
    expect(world.get_by_role("button", name="1 photo from Tokyo")).to_be_visible()
    page.wait_for_function(
        "() => { const one = document.querySelector('canvas'); const made = one.getContext('2d');"
        " return made.getImageData(0, 0, one.width, one.height).data.some((value) => value > 0); }"
    )
    assert findings(page) == []
    world.get_by_role("button", name="3 photos from Lisbon").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 of 3")).to_be_visible()
    expect(dialog.get_by_role("heading", name="Thursday, 12 June 2025")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading", name="Wednesday, 11 June 2025")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    world.get_by_role("button", name="Zoom in").click()
    page.keyboard.press("ArrowLeft")
    assert len(hosts) == 1
    page.go_back()
    expect(page.get_by_role("listbox")).to_be_visible()


def test_a_map_without_places_says_so(page: Page, api: Api) -> None:
    take(api, "nowhere.jpg", "2025-04-01")
    page.goto("/drive/photos?view=map")
    expect(page.get_by_text("No photo says where it was taken")).to_be_visible()


def test_details_show_the_place_and_lead_to_the_map(page: Page, api: Api) -> None:
    key = take(api, "lisbon.jpg", "2025-06-12", LISBON)
    take(api, "tokyo.jpg", "2025-05-01", TOKYO)
    page.goto(f"/drive/photos/{key}")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("i")
    page.get_by_role("link", name="Show Lisbon, Portugal on the map").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="1 photo from Lisbon")).to_be_in_viewport()
    expect(page.get_by_role("button", name="1 photo from Tokyo")).to_have_count(0)
