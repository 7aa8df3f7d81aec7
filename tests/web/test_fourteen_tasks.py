"""Fourteen tasks of daily life in the real browser, in no more steps than docs/web.md says, from the start page on.

The table there also has the steps of other products. Where both can do a task, ours takes no more of them.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.server.uploading import content_of, upload
from tests.service.pictures import encoded, picture
from tests.web.steps import Hands, table
from tests.web.test_files import in_folder, show, wait_for_later
from tests.web.test_photos import cell, take
from tests.web.uploading import Chunks, digest, drag, over, tree_of
from tests.web.visiting import PHONE, Visit, visit

from skyshelf.service.accounts import accounts

DAY = "2024-05-17"
CLIPBOARD = "navigator.clipboard.readText()"


def agrees(task: int, hands: Hands) -> None:
    """The count is the table's."""
    assert hands.steps == table()[task].here, table()[task].name


def section(page: Page, name: str) -> Locator:
    return page.get_by_label("Main navigation").get_by_role("link", name=name)


def test_no_task_takes_more_steps_than_elsewhere() -> None:
    assert list(table()) == list(range(1, 15))
    for task in table().values():
        elsewhere = [steps for steps in (task.google, task.immich) if steps is not None]
        assert task.here <= min(elsewhere, default=task.here), task.name


def test_1_nested_photos_are_uploaded(page: Page, api: Api, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    count: int = pytestconfig.getoption("--nested-photos")
    content = encoded("JPEG", picture(40, 30))
    for number in range(count):
        path = tmp_path / "Holiday" / f"week {number % 4}" / f"day {number % 7}" / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        # Different contents: equal ones are uploaded once.
        path.write_bytes(content + str(number).encode())
    hands = Hands(page)
    hands.steps += 1
    drag(page, tmp_path / "Holiday")
    expect(over(page, count)).to_be_visible()
    agrees(1, hands)
    assert len(tree_of(api)) == count


def test_2_a_photo_of_a_certain_day_is_found(page: Page, api: Api) -> None:
    for month in range(1, 13):
        take(api, f"2025-{month:02}.jpg", f"2025-{month:02}-10")
    take(api, "wanted.jpg", DAY)
    hands = Hands(page)
    hands.click(section(page, "Photos"))
    hands.fill(page.get_by_label("Date to go to"), DAY)
    hands.click(cell(page, "wanted.jpg"))
    expect(page.get_by_role("dialog", name="Preview")).to_be_visible()
    agrees(2, hands)


def share_album(hands: Hands) -> None:
    """Make an album of all photos of a day, for anybody with its link."""
    page = hands.page
    hands.click(section(page, "Photos"))
    hands.click(page.get_by_role("button", name="Select all of"))
    hands.click(page.get_by_role("toolbar").get_by_role("button", name="Add to album"))
    hands.fill(page.get_by_label("Album name"), "Lisbon")
    hands.click(page.get_by_role("button", name="Create album"))
    hands.click(page.get_by_role("button", name="View"))
    hands.click(page.get_by_role("button", name="1 person"))
    panel = page.get_by_role("region", name="Public link")
    hands.click(panel.get_by_label("Guests can add photos"))
    hands.click(panel.get_by_role("button", name="Create public link"))
    expect(page.get_by_text("Link copied")).to_be_visible()


def test_3_and_4_an_album_for_somebody_without_an_account_who_adds_photos(
    browser: Browser, server: RunningServer, page: Page, api: Api
) -> None:
    for number in range(3):
        take(api, f"{number}.jpg", DAY)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands = Hands(page)
    share_album(hands)
    agrees(3, hands)
    with visit(browser, server, None, Visit(size=PHONE), page.evaluate(CLIPBOARD)) as visitor:
        guest = Hands(visitor)
        guest.fill(visitor.get_by_label("Your name"), "Grace")
        guest.steps += 1
        payload = FilePayload(name="bridge.jpg", mimeType="image/jpeg", buffer=encoded("JPEG", picture(40, 30)))
        visitor.get_by_label("Choose photos and videos").set_input_files([payload])
        expect(visitor.get_by_text("Thank you. 1 file has arrived.")).to_be_visible()
        agrees(4, guest)
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(4)


def test_5_a_folder_is_shared_until_a_day_with_a_password(
    browser: Browser, server: RunningServer, page: Page, api: Api
) -> None:
    folder = api.folder("Plans").object_key
    api.file("plan.txt", b"the plan", parent_key=folder)
    show(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands = Hands(page)
    hands.menu(page.get_by_role("option", name="Plans"))
    hands.click(page.get_by_role("menuitem", name="Share"))
    dialog = page.get_by_role("dialog")
    hands.click(dialog.get_by_text("Name, expiry, password, download limit"))
    hands.fill(dialog.get_by_label("Expires after"), "2031-05-04")
    hands.fill(dialog.get_by_label("Password", exact=True), "open sesame")
    hands.click(dialog.get_by_role("button", name="Create link"))
    expect(page.get_by_text("Link copied")).to_be_visible()
    agrees(5, hands)
    with visit(browser, server, None, Visit(), page.evaluate(CLIPBOARD)) as visitor:
        visitor.locator("input[type=password]").fill("open sesame")
        visitor.keyboard.press("Enter")
        expect(visitor.get_by_text("plan.txt").first).to_be_visible()


def test_6_yesterdays_version_is_looked_at_and_restored(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"yesterday\n").object_key
    upload(api, "plan.txt", b"today\n")
    show(page)
    hands = Hands(page)
    hands.click(page.get_by_role("option", name="plan.txt"))
    hands.click(page.get_by_role("toolbar").get_by_role("button", name="Details"))
    hands.click(page.get_by_role("button", name="Show V1"))
    expect(page.get_by_role("dialog").get_by_text("yesterday")).to_be_visible()
    hands.click(page.get_by_role("button", name="Restore version 1"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    agrees(6, hands)
    assert content_of(api, key) == b"yesterday\n"


def test_7_thirty_files_are_moved_and_moved_back(page: Page, api: Api) -> None:
    start, trip = api.folder("Start").object_key, api.folder("Trip").object_key
    names = {f"{number}.txt" for number in range(30)}
    for name in names:
        api.file(name, parent_key=start)
    show(page)
    hands = Hands(page)
    hands.open(page.get_by_role("option", name="Start"))
    expect(page.get_by_text("30 items")).to_be_attached()
    hands.press("Control+a")
    hands.click(page.get_by_role("toolbar").get_by_role("button", name="Move…"))
    dialog = page.get_by_role("dialog", name="Move 30 items")
    hands.fill(dialog.get_by_label("Search folders"), "Trip")
    hands.click(dialog.get_by_role("button", name="Trip").or_(dialog.get_by_role("option", name="Trip")).first)
    hands.click(dialog.get_by_role("button", name="Move to “Trip”"))
    expect(page.get_by_text("30 items moved to “Trip”")).to_be_visible()
    assert in_folder(api, trip) == names
    hands.click(page.get_by_role("button", name="Undo"))
    expect(page.get_by_text("30 items moved back")).to_be_visible()
    agrees(7, hands)
    assert in_folder(api, start) == names


def test_8_the_ten_largest_files_are_found_and_freed(page: Page, api: Api) -> None:
    for number in range(12):
        api.file(f"{number}.bin", bytes(1000 * (number + 1)))
    show(page)
    hands = Hands(page)
    hands.click(page.get_by_role("link", name=re.compile("of .* used")))
    largest = page.locator("section", has=page.get_by_role("heading", name="Largest files"))
    hands.click(largest.get_by_label("Select all 10"))
    hands.click(largest.get_by_role("button", name="Move 73.2 KiB to trash"))
    hands.click(page.get_by_role("button", name="Empty trash and free 73.2 KiB"))
    hands.click(page.get_by_role("dialog").get_by_role("button", name="Delete permanently"))
    expect(page.get_by_text("73.2 KiB freed")).to_be_visible()
    agrees(8, hands)
    assert in_folder(api) == {"0.bin", "1.bin"}


def test_9_all_duplicates_are_found_and_freed(page: Page, api: Api) -> None:
    folder = api.folder("Copies").object_key
    for number in range(3):
        api.file(f"{number}.txt", f"content {number}".encode())
        wait_for_later(api)
        api.file(f"copy of {number}.txt", f"content {number}".encode(), parent_key=folder)
    show(page)
    hands = Hands(page)
    hands.click(page.get_by_role("link", name=re.compile("of .* used")))
    hands.click(page.get_by_role("button", name="Move 3 duplicates to trash (27 B)"))
    hands.click(page.get_by_role("button", name="Empty trash and free 27 B"))
    hands.click(page.get_by_role("dialog").get_by_role("button", name="Delete permanently"))
    expect(page.get_by_text("27 B freed")).to_be_visible()
    agrees(9, hands)
    assert in_folder(api, folder) == set()


def test_10_a_text_is_edited(page: Page, api: Api) -> None:
    key = api.file("notes.txt", b"old").object_key
    show(page)
    hands = Hands(page)
    hands.open(page.get_by_role("option", name="notes.txt"))
    hands.click(page.get_by_role("dialog").get_by_role("button", name="Edit"))
    expect(page.get_by_role("textbox", name="notes.txt")).to_be_focused()
    hands.type("new and ")
    hands.press("Control+s")
    expect(page.get_by_text("notes.txt saved")).to_be_visible()
    agrees(10, hands)
    assert content_of(api, key) == b"new and old"


def test_11_a_folder_is_downloaded_as_a_zip(page: Page, api: Api) -> None:
    api.file("deep.txt", b"deep", parent_key=api.folder("Trip").object_key)
    show(page)
    hands = Hands(page)
    hands.menu(page.get_by_role("option", name="Trip"))
    with page.expect_download() as downloaded:
        hands.click(page.get_by_role("menuitem", name="Download"))
    assert downloaded.value.suggested_filename == "Trip.zip"
    agrees(11, hands)


def test_12_a_relative_gets_an_account(browser: Browser, server: RunningServer, page: Page, api: Api) -> None:
    accounts.set_operator(api.ctx, api.account, is_operator=True)
    show(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands = Hands(page)
    hands.click(section(page, "Administration"))
    hands.click(page.get_by_role("button", name="Add a person"))
    dialog = page.get_by_role("dialog", name="Add a person")
    hands.fill(dialog.get_by_label("First name"), "Grace")
    hands.fill(dialog.get_by_label("Last name"), "Hopper")
    hands.fill(dialog.get_by_label("Email address"), f"grace-{api.account.account_id}@example.org")
    hands.click(dialog.get_by_role("button", name="Create link"))
    shown = page.get_by_role("dialog", name="Invitation for Grace Hopper")
    hands.click(shown.get_by_role("button", name=re.compile("Copy")))
    agrees(12, hands)
    with visit(browser, server, None, Visit(), page.evaluate(CLIPBOARD)) as other:
        expect(other.get_by_role("heading", name="Welcome, Grace")).to_be_visible()


def test_13_a_lost_connection_needs_nobody(page: Page, api: Api, film: Path) -> None:
    hands = Hands(page)
    chunks = Chunks(page)
    chunks.let_through = 1
    drag(page, film)
    chunks.seen(page, 2)
    page.context.set_offline(True)
    chunks.cut()
    expect(page.get_by_text("Waiting for the connection").first).to_be_visible()
    page.context.set_offline(False)
    expect(over(page, 1)).to_be_visible()
    agrees(13, hands)
    assert tree_of(api) == {"film.bin": digest(film)}


def test_14_a_phone_from_login_to_a_shared_photo(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    photo = tmp_path / "beach.jpg"
    photo.write_bytes(encoded("JPEG", picture(64, 48)))
    with visit(browser, server, None, Visit(size=PHONE, uploads_open=False)) as phone:
        phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
        hands = Hands(phone)
        hands.fill(phone.get_by_label("Email address"), api.account.email)
        hands.fill(phone.get_by_label("Password"), PASSWORD)
        hands.tap(phone.get_by_role("button", name="Log in"))
        hands.choose(phone.get_by_role("button", name="Upload photos"), photo, tapped=True)
        hands.tap(phone.get_by_role("option", name="beach.jpg"))
        viewer = phone.get_by_role("dialog", name="Preview")
        hands.tap(viewer.get_by_role("button", name="Share link"))
        hands.tap(phone.get_by_role("button", name="Create link"))
        expect(phone.get_by_text("Link copied").last).to_be_visible()
        agrees(14, hands)
        with visit(browser, server, None, Visit(size=PHONE), phone.evaluate(CLIPBOARD)) as friend:
            expect(friend.get_by_role("img", name="beach.jpg").first).to_be_visible()
