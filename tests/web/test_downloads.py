"""Downloads in the browser: a file as it is, several and folders as one ZIP."""

import zipfile

from playwright.sync_api import Page, Route, expect
from tests.server.api import Api
from tests.web.test_files import show


def saved(page: Page) -> tuple[str, zipfile.ZipFile]:
    """Download what is selected; the name and the archive."""
    with page.expect_download() as download:
        page.get_by_role("toolbar").get_by_role("button", name="Download").click()
    archive = zipfile.ZipFile(download.value.path())
    assert archive.testzip() is None
    return download.value.suggested_filename, archive


def test_forty_selected_files_and_a_folder_come_as_one_zip(page: Page, api: Api) -> None:
    folder = api.folder("Trip")
    inner = api.folder("Day 1", folder.object_key)
    api.file("deep.txt", b"deep", parent_key=inner.object_key)
    for number in range(40):
        api.file(f"file {number}.txt", f"content {number}".encode())
    show(page)
    # Nothing can be selected before it is listed.
    expect(page.get_by_role("option", name="Trip")).to_be_visible()
    page.get_by_role("listbox").focus()
    page.keyboard.press("Control+a")
    name, archive = saved(page)
    assert name == "41 items.zip"
    assert sorted(archive.namelist()) == sorted(
        ["Trip/", "Trip/Day 1/", "Trip/Day 1/deep.txt", *(f"file {number}.txt" for number in range(40))]
    )
    assert archive.read("file 39.txt") == b"content 39"
    expect(page.get_by_text("Downloading 41 items as a ZIP file (")).to_be_visible()
    page.get_by_role("option", name="Trip").click()
    page.get_by_role("option", name="Trip").click(button="right")
    with page.expect_download() as of_folder:
        page.get_by_role("menuitem", name="Download").click()
    assert of_folder.value.suggested_filename == "Trip.zip"
    page.get_by_role("option", name="file 0.txt").click()
    with page.expect_download() as of_file:
        page.get_by_role("toolbar").get_by_role("button", name="Download").click()
    assert of_file.value.suggested_filename == "file 0.txt"
    assert of_file.value.path().read_bytes() == b"content 0"


def test_what_cannot_be_downloaded_is_said(page: Page, api: Api) -> None:
    folder = api.folder("Going")
    show(page)
    page.get_by_role("option", name="Going").click()

    def trash_first(route: Route) -> None:
        api.trash(folder.object_key)
        route.continue_()

    page.route("**/x/v1/archives", trash_first)
    page.get_by_role("toolbar").get_by_role("button", name="Download").click()
    expect(page.get_by_role("status").get_by_text("no longer exists")).to_be_visible()
