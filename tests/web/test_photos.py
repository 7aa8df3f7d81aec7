"""Photos in the browser: by day, in any number, with mouse, keyboard and touch."""

import json
import re
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.service.pictures import encoded, picture
from tests.web.visiting import PHONE, Visit, visit

from skyshelf.storage.metadata.contracts.files import MediaFacts

PICTURE = encoded("JPEG", picture(64, 48))
MILLION = 1_000_000
PER_MONTH = 2000
LANDSCAPE = MediaFacts(4000, 3000)


def take(api: Api, name: str, taken: str, facts: MediaFacts = LANDSCAPE) -> str:
    """A picture taken on that day."""
    moment = datetime.fromisoformat(taken).replace(tzinfo=UTC)
    at = int(moment.timestamp()) * 1000
    day = moment.month * 100 + moment.day
    return api.file(name, PICTURE, file_created_at=at, taken_at=at, taken_day=day, facts=facts).object_key


def take_some(api: Api) -> dict[str, str]:
    """The keys of six pictures from three months, by name."""
    days = ("2025-06-20", "2025-06-10", "2025-06-01", "2024-12-24", "2024-12-01", "2019-03-03")
    return {f"{day}.jpg": take(api, f"{day}.jpg", day) for day in days}


def photos(page: Page) -> Page:
    page.goto("/drive/photos")
    expect(page.get_by_role("heading", name="Photos", exact=True)).to_be_visible()
    return page


def cells(page: Page) -> Locator:
    return page.get_by_role("listbox").get_by_role("option")


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("option", name=re.compile(f"^{re.escape(name)}"))


def is_favourite(api: Api, key: str) -> bool:
    found: bool = api.get(f"/x/v1/objects/{key}").json()["object"]["isFavorite"]
    return found


def test_days_stand_newest_first_with_their_pictures(page: Page, api: Api) -> None:
    names = list(take_some(api))
    api.file("no picture.txt")
    photos(page)
    expect(cells(page)).to_have_count(6)
    assert page.locator(".heading h2").all_inner_texts() == [
        *("Fri, 20 June 2025", "Tue, 10 June 2025", "Sun, 1 June 2025"),
        *("Tue, 24 December 2024", "Sun, 1 December 2024", "Sun, 3 March 2019"),
    ]
    assert [(one.get_attribute("aria-label") or "").split(",")[0] for one in cells(page).all()] == names
    expect(page.get_by_text("6 photos and videos")).to_be_visible()
    page.wait_for_function(
        "() => [...document.querySelectorAll('[role=option] img')].every((one) => one.naturalWidth > 0)"
    )


def test_without_photos_the_page_says_how_they_come(page: Page) -> None:
    photos(page)
    expect(page.get_by_text("No photos yet")).to_be_visible()


def test_what_is_taken_elsewhere_comes_and_what_is_trashed_goes(page: Page, api: Api) -> None:
    keys = take_some(api)
    photos(page)
    expect(cells(page)).to_have_count(6)
    take(api, "new.jpg", "2025-06-15")
    expect(cell(page, "new.jpg")).to_be_visible()
    api.trash(keys["2019-03-03.jpg"])
    expect(page.get_by_role("heading", name="3 March 2019")).to_have_count(0)


def test_some_are_selected_trashed_and_restored(page: Page, api: Api) -> None:
    keys = take_some(api)
    photos(page)
    cell(page, "2025-06-10").hover()
    cell(page, "2025-06-10").locator(".mark").click()
    cell(page, "2024-12-24").click(modifiers=["Shift"])
    expect(page.get_by_text("3 selected").first).to_be_visible()
    page.get_by_role("toolbar").get_by_role("button", name="Move to trash").click()
    expect(cells(page)).to_have_count(3)
    trashed = {one["objectName"] for one in api.get("/nms/trash").json()["objects"]}
    assert trashed == {"2025-06-10.jpg", "2025-06-01.jpg", "2024-12-24.jpg"} <= keys.keys()
    page.get_by_role("button", name="Undo").click()
    expect(cells(page)).to_have_count(6)


def test_a_whole_day_is_selected_and_made_a_favourite(page: Page, api: Api) -> None:
    take_some(api)
    keys = [take(api, f"{number}.jpg", "2025-06-20") for number in range(2)]
    photos(page)
    page.get_by_role("button", name="Select all of Fri, 20 June 2025").click()
    expect(page.get_by_text("3 selected").first).to_be_visible()
    page.get_by_role("toolbar").get_by_role("button", name="Add to favourites").click()
    expect(page.locator(".star")).to_have_count(3)
    assert all(is_favourite(api, key) for key in keys)
    page.get_by_role("button", name="Deselect all of Fri, 20 June 2025").click()
    expect(page.get_by_role("toolbar")).to_have_count(0)
    page.goto("/drive/favourites")
    expect(page.get_by_role("option", name="2025-06-20.jpg")).to_be_visible()


def test_no_picture_is_cropped_and_full_rows_fill_the_width(page: Page, api: Api) -> None:
    shapes = [(3000, 4000), (4000, 3000), (4000, 2250), (3000, 3000)]
    for number in range(14):
        take(api, f"{number:02}.jpg", "2025-06-20", MediaFacts(*shapes[number % 4]))
    photos(page)
    expect(cells(page)).to_have_count(14)
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('[role=option]')].map((one) => {"
        " const box = one.getBoundingClientRect(); return [one.ariaLabel, box.x, box.y, box.width, box.height]; })"
    )
    ends: dict[float, float] = {}
    for name, x, y, width, height in boxes:
        wide, high = shapes[int(name[:2]) % 4]
        assert abs(width / height - wide / high) < 0.01
        ends[round(y)] = max(ends.get(round(y), 0), x + width)
    full = list(ends.values())
    assert len(full) >= 2
    assert max(full) - min(full) < 1


def test_headings_stay_in_view_and_name_the_place(page: Page, api: Api) -> None:
    for number in range(60):
        take(api, f"{number}.jpg", "2025-06-20", MediaFacts(4000, 3000, 38_691_600, -9_216_000))
    photos(page)
    heading = page.get_by_role("heading", name="Fri, 20 June 2025 · Lisbon")
    expect(heading).to_be_visible()
    page.mouse.move(500, 400)
    page.mouse.wheel(0, 900)
    expect(cell(page, "59.jpg")).not_to_be_in_viewport()
    expect(heading).to_be_in_viewport()


def test_a_date_is_reached_and_the_size_of_pictures_is_remembered(page: Page, api: Api) -> None:
    take_some(api)
    for number in range(80):
        take(api, f"{number}.jpg", "2025-06-05")
    photos(page)
    expect(cell(page, "2025-06-20")).to_be_visible()
    page.get_by_label("Date to go to").fill("2024-12-20")
    # Nothing was taken on that day: what comes next.
    expect(cell(page, "2024-12-01")).to_be_in_viewport()
    expect(page.get_by_role("listbox")).to_be_focused()
    before = cell(page, "2024-12-01").bounding_box()
    page.keyboard.press("-")
    page.wait_for_function(
        "(height) => document.querySelector('[role=option]').getBoundingClientRect().height < height * 0.9",
        arg=before["height"] if before else 0,
    )
    page.keyboard.down("Control")
    page.mouse.move(500, 400)
    page.mouse.wheel(0, 200)
    page.keyboard.up("Control")
    expect(page.get_by_role("slider", name="Size of the pictures")).to_have_value("0")
    page.reload()
    expect(page.get_by_role("slider", name="Size of the pictures")).to_have_value("0")


def test_a_burst_is_shown_and_selected_as_one(page: Page, api: Api) -> None:
    for number in range(3):
        take(api, f"PXL_1.BURST-0{number}.jpg", "2025-06-20")
    take(api, "alone.jpg", "2025-06-20")
    photos(page)
    expect(cells(page)).to_have_count(2)
    burst = cell(page, "PXL_1.BURST-0")
    expect(burst).to_contain_text("3")
    burst.hover()
    burst.locator(".mark").click()
    expect(page.get_by_text("3 selected").first).to_be_visible()


def test_the_keyboard_walks_selects_and_opens(page: Page, api: Api) -> None:
    take_some(api)
    photos(page)
    expect(cells(page)).to_have_count(6)
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Tuesday, 24 December 2024")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(dialog.get_by_text("5 of 6")).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("listbox")).to_be_focused()
    page.keyboard.press("Space")
    expect(cell(page, "2024-12-01")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Shift+End")
    expect(page.get_by_text("2 selected").first).to_be_visible()
    page.keyboard.press("Control+a")
    expect(page.get_by_text("6 selected").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("toolbar")).to_have_count(0)


def test_memories_play_as_stories(page: Page, api: Api) -> None:
    then = datetime.now(UTC).replace(year=datetime.now(UTC).year - 4, day=min(datetime.now(UTC).day, 28))
    for number in range(2):
        take(api, f"then {number}.jpg", then.date().isoformat())
    page.clock.install()
    photos(page)
    card = page.get_by_role("region", name="Memories").get_by_role("button").first
    card.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_be_visible()
    bars = dialog.get_by_role("progressbar")
    expect(bars).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("ArrowRight")
    expect(bars).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("ArrowLeft")
    dialog.get_by_role("button", name="Pause").click()
    page.wait_for_function("() => document.querySelector('dialog img').complete")
    page.clock.run_for(8000)
    expect(bars).to_have_attribute("aria-valuenow", "1")
    dialog.get_by_role("button", name="Play").click()
    page.clock.run_for(5500)
    expect(bars).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.fixture
def million(page: Page, api: Api) -> Page:
    """A server that reports a million pictures and generates them on request."""
    months = [
        {"year": 2026 - index // 12, "month": 12 - index % 12, "count": PER_MONTH}
        for index in range(MILLION // PER_MONTH)
    ]
    key = take(api, "one.jpg", "2025-06-20")
    known = api.get(f"/x/v1/objects/{key}").json()["object"]

    def month(route: Route) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        first, limit = int(asked.get("cursor", 0)), int(asked["limit"])
        numbers = range(first, min(PER_MONTH, first + limit))
        name = f"{asked['year']}-{asked['month']}"
        objects = [
            known
            | {"objectKey": f"{int(asked['year']):08X}{int(asked['month']):04X}{number:020X}"}
            | {"objectName": f"{name}-{number}.jpg"}
            for number in numbers
        ]
        more = {"nextCursor": str(first + limit)} if first + limit < PER_MONTH else {}
        route.fulfill(body=json.dumps({"objects": objects} | more), content_type="application/json")

    page.route("**/x/v1/timeline", lambda route: route.fulfill(json={"months": months}))
    page.route("**/x/v1/timeline/objects*", month)
    page.route("**/download/avimages/**", lambda route: route.fulfill(body=PICTURE, content_type="image/jpeg"))
    return photos(page)


def test_a_million_photos_are_walked_from_end_to_end(million: Page) -> None:
    expect(million.get_by_text("1,000,000 photos and videos")).to_be_visible()
    expect(cell(million, "2026-12-0.jpg")).to_be_visible()
    assert cells(million).count() < 200
    slider = million.get_by_role("slider", name="Jump to a month")
    slider.focus()
    million.keyboard.press("End")
    # 500 months back from December 2026.
    expect(slider).to_have_attribute("aria-valuetext", "May 1985")
    expect(cell(million, "1985-5-0.jpg")).to_be_visible()
    million.get_by_role("listbox").focus()
    million.keyboard.press("End")
    expect(cell(million, "1985-5-1999.jpg")).to_be_visible()
    million.keyboard.press("Home")
    expect(cell(million, "2026-12-0.jpg")).to_be_visible()
    slider.focus()
    million.keyboard.press("PageDown")
    expect(slider).to_have_attribute("aria-valuetext", "December 2025")
    assert cells(million).count() < 200


def test_the_scrubber_is_dragged_and_the_wheel_goes_on_from_there(million: Page) -> None:
    expect(cell(million, "2026-12-0.jpg")).to_be_visible()
    slider = million.get_by_role("slider", name="Jump to a month")
    box = slider.bounding_box()
    assert box is not None
    x, middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    million.mouse.move(x, box["y"] + 14)
    million.mouse.down()
    million.mouse.move(x, middle, steps=5)
    million.mouse.up()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("200[56]$"))
    there = slider.get_attribute("aria-valuetext") or ""
    slider.focus()
    million.keyboard.press("ArrowUp")
    year, month = (there[-4:], datetime.strptime(f"{there} +0000", "%B %Y %z").month)
    expect(cell(million, f"{year}-{month}-0.jpg")).to_be_in_viewport()
    million.mouse.move(500, 400)
    million.mouse.wheel(0, 600)
    expect(cell(million, f"{year}-{month}-0.jpg")).not_to_be_in_viewport()
    # The wheel scrolls exactly, not proportionally to a million pictures.
    expect(cell(million, f"{year}-{month}-12.jpg")).to_be_in_viewport()
    assert slider.get_attribute("aria-valuetext") == there


def test_a_finger_opens_swipes_and_goes_back(browser: Browser, server: RunningServer, api: Api) -> None:
    take_some(api)
    with visit(browser, server, api, Visit(size=PHONE)) as phone:
        photos(phone)
        cell(phone, "2025-06-20").tap()
        dialog = phone.get_by_role("dialog")
        expect(dialog.get_by_text("1 of 6")).to_be_visible()
        swipe(phone, 300, 60)
        expect(dialog.get_by_text("2 of 6")).to_be_visible()
        swipe(phone, 60, 300)
        expect(dialog.get_by_text("1 of 6")).to_be_visible()
        phone.go_back()
        expect(dialog).to_have_count(0)
        expect(phone).to_have_url(re.compile("/drive/photos$"))
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def swipe(page: Page, start: int, end: int) -> None:
    """A quick swipe across the middle of the screen."""
    touch = page.context.new_cdp_session(page)
    kinds = ["touchStart", *["touchMove"] * 4, "touchEnd"]
    for step, kind in enumerate(kinds):
        x = start + (end - start) * min(step, 4) / 4
        points = [] if kind == "touchEnd" else [{"x": x, "y": 400}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
