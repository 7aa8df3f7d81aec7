"""The storage report: what takes up space, and freeing it."""

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.axe import findings
from tests.web.test_files import in_folder, wait_for_later


def test_large_files_duplicates_and_versions_are_found_and_freed(page: Page, api: Api) -> None:
    folder = api.folder("Copies").object_key
    api.file("large.bin", b"x" * 5000)
    api.file("original.txt", b"the same content")
    wait_for_later(api)
    for name in ("copy 1.txt", "copy 2.txt"):
        api.file(name, b"the same content", parent_key=folder)
    api.file("changed.txt", b"first version")
    api.file("changed.txt", b"second")
    page.goto("/drive/storage")
    expect(page.get_by_role("region", name="Storage").get_by_text("Earlier versions")).to_be_visible()
    assert findings(page) == []
    duplicates = page.locator("section", has=page.get_by_role("heading", name="Duplicates"))
    expect(duplicates.get_by_text("copy 1.txt")).to_be_visible()
    duplicates.get_by_role("button", name="Move 2 duplicates to trash (32 B)").click()
    expect(page.get_by_text("2 files moved to trash. Emptying the trash frees 32 B.")).to_be_visible()
    assert in_folder(api, folder) == set()
    assert "original.txt" in in_folder(api)
    page.get_by_role("button", name="Undo").click()
    expect(duplicates.get_by_text("copy 1.txt")).to_be_visible()
    assert in_folder(api, folder) == {"copy 1.txt", "copy 2.txt"}

    largest = page.locator("section", has=page.get_by_role("heading", name="Largest files"))
    expect(largest.get_by_role("listitem").first).to_contain_text("large.bin")
    largest.get_by_role("checkbox", name="large.bin").check()
    largest.get_by_role("button", name="Move 4.9 KiB to trash").click()
    expect(largest.get_by_text("large.bin")).to_have_count(0)

    versions = page.locator("section", has=page.get_by_role("heading", name="Earlier versions"))
    versions.get_by_role("button", name="Delete earlier versions of 1 file (13 B)").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("13 B freed")).to_be_visible()
    expect(versions.get_by_text("No earlier versions.")).to_be_visible()
    page.get_by_role("button", name="Empty trash and free 4.9 KiB").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_text("4.9 KiB freed")).to_be_visible()


def test_the_last_copy_is_never_removed(page: Page, api: Api) -> None:
    kept = api.file("kept.txt", b"the same content")
    wait_for_later(api)
    api.file("spare.txt", b"the same content")
    page.goto("/drive/storage")
    duplicates = page.locator("section", has=page.get_by_role("heading", name="Duplicates"))
    expect(duplicates.get_by_text("spare.txt")).to_be_visible()
    # Somebody else removes the one that would be kept.
    api.trash(kept.object_key)
    duplicates.get_by_role("button", name="Move 1 duplicate to trash").click()
    expect(page.get_by_text("Some files have changed in the meantime and were left alone.")).to_be_visible()
    assert in_folder(api) == {"spare.txt"}
