"""Everything in the account is exported in the settings: confirmed with the password, then saved part by part."""

import re
import zipfile

from playwright.sync_api import Page, expect
from tests.server.api import PASSWORD, Api
from tests.web.axe import findings


def test_everything_is_exported_after_the_password_in_parts_that_the_browser_saves(page: Page, api: Api) -> None:
    folder = api.folder("Letters").object_key
    api.file("letter.txt", b"first", parent_key=folder)
    api.file("letter.txt", b"second", parent_key=folder)
    page.goto("/drive/settings")
    section = page.locator("section", has=page.get_by_role("heading", name="Export", exact=True))
    expect(section).to_contain_text(re.compile(r"Your account has .* B"))
    section.get_by_label("Size of the parts").select_option(label="4 GiB")
    section.get_by_role("button", name="Export everything").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill("a wrong password")
    dialog.get_by_role("button", name="Export everything").click()
    expect(dialog.get_by_text("Wrong password.")).to_be_visible()
    dialog.get_by_label("Password").fill(PASSWORD)
    assert findings(page) == []
    dialog.get_by_role("button", name="Export everything").click()
    expect(section.get_by_text("The export has 1 part")).to_be_visible()
    assert findings(page) == []
    with page.expect_download() as started:
        section.get_by_role("button", name="Download part 1").click()
    assert started.value.suggested_filename.endswith("-part-1-of-1.zip")
    with zipfile.ZipFile(started.value.path()) as archive:
        assert archive.testzip() is None
        assert archive.read("files/Letters/letter.txt") == b"second"
        assert archive.read("versions/files/Letters/letter.txt/1.txt") == b"first"
    expect(section.get_by_role("button", name="Part 1 was begun; download it again")).to_be_visible()
    page.reload()
    expect(page.get_by_text("An export of everything was begun").first).to_be_visible()
