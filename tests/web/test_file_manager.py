"""What a file manager does: columns that sort, copies, moves that can be undone, and the way to an item's folder."""

import re
from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.axe import findings
from tests.web.test_files import expect_names, in_folder, show


def picture() -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (80, 60), "teal").save(buffer, "PNG")
    return buffer.getvalue()


def test_a_column_heading_sorts_and_a_second_click_reverses(page: Page, api: Api) -> None:
    for name, size in (("b.txt", 30), ("a.txt", 200), ("c.txt", 100)):
        api.file(name, b"x" * size)
    show(page)
    heads = page.get_by_role("table", name="Columns")
    expect(heads.get_by_role("columnheader", name="Name")).to_have_attribute("aria-sort", "ascending")
    heads.get_by_role("button", name="Size").click()
    expect_names(page, ["a.txt", "c.txt", "b.txt"])
    expect(heads.get_by_role("columnheader", name="Size")).to_have_attribute("aria-sort", "descending")
    heads.get_by_role("button", name="Size").click()
    expect_names(page, ["b.txt", "c.txt", "a.txt"])
    heads.get_by_role("button", name="Name").click()
    expect_names(page, ["a.txt", "b.txt", "c.txt"])
    assert findings(page) == []


def test_thirty_files_move_from_where_they_are_into_a_new_folder_and_back(page: Page, api: Api) -> None:
    start = api.folder("Start").object_key
    api.folder("Elsewhere")
    names = {f"file {number}.txt" for number in range(30)}
    for name in names:
        api.file(name, parent_key=start)
    page.goto(f"/drive/files/{start}")
    expect(page.get_by_text("30 items")).to_be_attached()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("toolbar").get_by_role("button", name="Move…").click()
    dialog = page.get_by_role("dialog", name="Move 30 items")
    expect(dialog.locator("[aria-current=location]")).to_have_text("Start")
    expect(dialog.get_by_role("button", name="Already here")).to_be_disabled()
    dialog.get_by_role("button", name="New folder").click()
    dialog.get_by_label("Folder name").fill("Trip")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Move to “Trip”").click()
    expect(page.get_by_text("30 items moved to “Trip”")).to_be_visible()
    assert in_folder(api, start) == {"Trip"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("30 items moved back")).to_be_visible()
    expect(page.get_by_text("31 items")).to_be_attached()
    assert in_folder(api, start) == names | {"Trip"}


def test_undoing_a_move_never_overwrites_what_took_the_name(page: Page, api: Api) -> None:
    target = api.folder("Target").object_key
    api.file("a.txt", b"first")
    api.file("b.txt", b"second")
    show(page)
    page.get_by_role("option", name="a.txt").click()
    page.get_by_role("option", name="b.txt").click(modifiers=["Control"])
    page.get_by_role("toolbar").get_by_role("button", name="Move…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("targ")
    dialog.get_by_role("button", name="Target").click()
    dialog.get_by_role("button", name="Move to “Target”").click()
    expect(page.get_by_text("2 items moved to “Target”")).to_be_visible()
    api.file("a.txt", b"third")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 item moved back")).to_be_visible()
    assert in_folder(api) == {"Target", "a.txt", "b.txt"}
    assert in_folder(api, target) == {"a.txt"}


def test_items_are_copied_by_keys_and_by_dialog_and_a_copy_can_be_undone(page: Page, api: Api) -> None:
    trip = api.folder("Trip").object_key
    day = api.folder("Day", trip).object_key
    api.file("deep.txt", b"deep", parent_key=day)
    api.file("a.txt", b"text")
    target = api.folder("Target").object_key
    show(page)
    page.get_by_role("option", name="Trip").click()
    page.get_by_role("option", name="a.txt").click(modifiers=["Control"])
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    expect(page.get_by_text("2 items copied", exact=True)).to_be_visible()
    assert in_folder(api) == {"Trip", "Trip (1)", "a.txt", "a (1).txt", "Target"}
    [copy] = [one for one in listed(api, api.root_key) if one["objectName"] == "Trip (1)"]
    [inner] = listed(api, copy["objectKey"])
    assert in_folder(api, inner["objectKey"]) == {"deep.txt"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("option", name="Trip (1)")).to_have_count(0)
    page.get_by_role("option", name="a.txt").click()
    page.get_by_role("option", name="a.txt").click(button="right")
    page.get_by_role("menuitem", name="Copy to…").click()
    dialog = page.get_by_role("dialog", name="Copy 1 item")
    dialog.get_by_role("button", name="Target").click()
    dialog.get_by_role("button", name="Copy to “Target”").click()
    expect(page.get_by_text("1 item copied", exact=True)).to_be_visible()
    assert in_folder(api, target) == {"a.txt"}


def listed(api: Api, key: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = api.get("/nms/metadata", params={"folderKey": key, "limit": "50"}).json()["objects"]
    return found


def test_an_item_is_shown_in_its_folder_from_any_list(page: Page, api: Api) -> None:
    outer = api.folder("Outer").object_key
    inner = api.folder("Inner", outer).object_key
    api.file("found.txt", parent_key=inner)
    api.file("other.txt", parent_key=inner)
    page.goto("/drive/recent")
    row = page.get_by_role("option", name="found.txt")
    expect(row).to_contain_text("Outer / Inner")
    row.click(button="right")
    page.get_by_role("menuitem", name="Show in folder").click()
    expect(page).to_have_url(re.compile(inner))
    expect(page.get_by_role("option", selected=True)).to_contain_text("found.txt")
    assert findings(page) == []


def test_the_start_shows_recent_files_pinned_folders_and_covers(page: Page, api: Api) -> None:
    album = api.folder("Album").object_key
    api.file("a picture.png", picture(), parent_key=album)
    show(page)
    page.get_by_role("option", name="Album").click(button="right")
    page.get_by_role("menuitem", name="Pin to start").click()
    pinned = page.get_by_role("region", name="Pinned")
    expect(pinned.get_by_role("link", name="Album")).to_be_visible()
    expect(
        page.get_by_role("region", name="Recent").get_by_role("button", name=re.compile("^a picture.png"))
    ).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Grid view").click()
    cover = page.get_by_role("option", name="Album").locator("img:not(.tiny)")
    expect(cover).to_have_count(1)
    page.wait_for_function("() => document.querySelector('[role=option] img')?.naturalWidth > 0")
    assert findings(page) == []
    pinned.get_by_role("link", name="Album").click()
    expect(page.get_by_role("option", name="a picture.png")).to_be_visible()


def test_the_trash_says_where_things_were_and_how_long_they_stay(page: Page, api: Api) -> None:
    folder = api.folder("Papers").object_key
    file = api.file("letter.txt", parent_key=folder)
    api.trash(file.object_key)
    page.goto("/drive/trash")
    row = page.get_by_role("option", name="letter.txt")
    expect(row).to_contain_text("Papers")
    expect(row).to_contain_text("30 days left")
    assert findings(page) == []
    row.click(button="right")
    page.get_by_role("menuitem", name="Restore").click()
    expect(page.get_by_text("Restored to Papers")).to_be_visible()
    page.get_by_role("button", name="Show in folder").click()
    expect(page.get_by_role("option", selected=True)).to_contain_text("letter.txt")


def test_a_renamed_item_gets_its_name_back(page: Page, api: Api) -> None:
    api.file("before.txt")
    show(page)
    page.get_by_role("option", name="before.txt").click()
    page.keyboard.press("F2")
    page.get_by_role("textbox", name="Name").fill("after.txt")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Renamed to “after.txt”")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("option", name="before.txt")).to_be_visible()
