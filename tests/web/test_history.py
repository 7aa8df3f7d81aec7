"""A folder as it was: the moment is chosen on a slider, and what has changed since is listed with who did it."""

import re
import time

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.axe import findings
from tests.web.test_files import in_folder
from tests.web.visiting import PHONE


def changed_folder(api: Api) -> tuple[str, int]:
    """A folder with a file that was overwritten and one that was deleted; the moment before that."""
    folder = api.folder("Papers").object_key
    api.folder("Inner", folder)
    api.file("letter.txt", b"first", parent_key=folder)
    gone = api.file("gone.txt", b"to be deleted", parent_key=folder).object_key
    at = api.ctx.clock.now() + 1
    while api.ctx.clock.now() <= at + 1:
        time.sleep(0.002)
    api.file("letter.txt", b"second version", parent_key=folder)
    api.trash(gone)
    return folder, at


def test_a_folder_is_shown_and_downloaded_as_it_was(page: Page, api: Api) -> None:
    folder, at = changed_folder(api)
    page.goto(f"/drive/files/{folder}")
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("heading", name="History of Papers")).to_be_visible()
    then = page.locator("section", has=page.get_by_role("heading", name="The folder then"))
    expect(then.get_by_text("letter.txt")).to_be_visible()
    expect(then.get_by_text("gone.txt")).to_have_count(0)
    expect(page.get_by_text("Nothing has changed since.")).to_be_visible()

    page.goto(f"/drive/history/{folder}?at={at}")
    expect(then.get_by_text("gone.txt")).to_be_visible()
    changes = page.locator("section", has=page.get_by_role("heading", name="What has changed since"))
    expect(changes.get_by_role("listitem").filter(has_text="Removed")).to_contain_text("/Papers/gone.txt")
    expect(changes.get_by_role("listitem").filter(has_text="Changed")).to_contain_text("/Papers/letter.txt")
    assert findings(page) == []
    with page.expect_download() as started:
        then.get_by_role("link", name="Download letter.txt as it was").click()
    assert started.value.path().read_bytes() == b"first"

    slider = page.get_by_role("slider", name="Moment")
    slider.focus()
    slider.press("End")
    expect(then.get_by_text("gone.txt")).to_have_count(0)
    page.get_by_role("button", name="Earlier change").click()
    expect(then.get_by_text("gone.txt")).to_be_visible()
    then.get_by_role("link", name="Inner").click()
    expect(page.get_by_role("heading", name="History of Inner")).to_be_visible()
    expect(page.get_by_text("The folder was empty.")).to_be_visible()
    page.get_by_role("button", name="Folder above").click()
    expect(then.get_by_text("gone.txt")).to_be_visible()


def test_a_folder_is_rewound_after_a_preview_and_the_rewind_undone(page: Page, api: Api) -> None:
    folder, at = changed_folder(api)
    api.file("new.txt", b"made later", parent_key=folder)
    page.goto(f"/drive/history/{folder}?at={at}")
    page.get_by_role("button", name="Rewind…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 item comes back")).to_be_visible()
    expect(dialog.get_by_text("1 file gets its former content")).to_be_visible()
    expect(dialog.get_by_text("1 item goes to the trash")).to_be_visible()
    assert findings(page) == []
    dialog.get_by_role("button", name="Rewind", exact=True).click()
    expect(dialog.get_by_text("The folder is as it was then.")).to_be_visible(timeout=60_000)
    assert in_folder(api, folder) == {"Inner", "letter.txt", "gone.txt"}
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog.get_by_text("The rewind was undone.")).to_be_visible(timeout=60_000)
    assert in_folder(api, folder) == {"Inner", "letter.txt", "new.txt"}
    dialog.get_by_role("button", name="Close").last.click()
    expect(dialog).to_have_count(0)


def test_it_fits_on_a_phone(page: Page, api: Api) -> None:
    folder, at = changed_folder(api)
    page.set_viewport_size(PHONE)
    page.goto(f"/drive/history/{folder}?at={at}")
    expect(page.get_by_text("gone.txt", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert findings(page) == []


def test_on_a_phone_it_is_in_the_sheet_of_the_account(page: Page, api: Api) -> None:
    folder, _ = changed_folder(api)
    page.set_viewport_size(PHONE)
    page.goto(f"/drive/files/{folder}")
    page.get_by_role("button", name="You").click()
    page.get_by_role("link", name="History").click()
    expect(page).to_have_url(re.compile(f"/drive/history/{folder}"))
