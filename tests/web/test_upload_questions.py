"""Uploads that need a decision: name conflicts, failures and cancelling."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from tests.server.api import Api
from tests.web.uploading import Gate, drag, hashes, over, panel, stored, tree_of, written


@contextmanager
def conflict(page: Page, api: Api, tmp_path: Path) -> Iterator[Locator]:
    api.file("a.txt", b"old")
    written(tmp_path, {"a.txt": b"new"})
    drag(page, tmp_path / "a.txt")
    dialog = page.get_by_role("dialog", name="a.txt already exists")
    expect(dialog).to_be_visible()
    yield dialog
    expect(dialog).to_be_hidden()


def test_replacing_makes_a_new_version(page: Page, api: Api, tmp_path: Path) -> None:
    with conflict(page, api, tmp_path) as dialog:
        dialog.get_by_role("button", name="Replace").click()
    expect(over(page, 1)).to_be_visible()
    (one,) = stored(api).values()
    assert one["version"] == 2
    assert tree_of(api) == hashes({"a.txt": b"new"})


def test_keeping_both_gives_the_new_one_a_number(page: Page, api: Api, tmp_path: Path) -> None:
    with conflict(page, api, tmp_path) as dialog:
        dialog.get_by_role("button", name="Keep both").click()
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == hashes({"a.txt": b"old", "a (1).txt": b"new"})


def test_skipping_leaves_what_is_there(page: Page, api: Api, tmp_path: Path) -> None:
    with conflict(page, api, tmp_path) as dialog:
        dialog.get_by_role("button", name="Skip").click()
    expect(panel(page).get_by_role("heading", name="No files uploaded")).to_be_visible()
    expect(panel(page)).to_contain_text("1 file skipped or already uploaded")
    assert tree_of(api) == hashes({"a.txt": b"old"})


def test_a_question_can_be_put_off_and_is_not_lost(page: Page, api: Api, tmp_path: Path) -> None:
    with conflict(page, api, tmp_path) as dialog:
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        panel(page).get_by_role("button", name="Resolve the name conflict of a.txt").click()
        dialog.get_by_role("button", name="Replace").click()
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == hashes({"a.txt": b"new"})


def test_one_answer_for_all_and_no_question_about_the_same_content(page: Page, api: Api, tmp_path: Path) -> None:
    numbers = range(20)
    for number in numbers:
        api.file(f"{number}.txt", b"old")
    api.file("same.txt", b"same")
    written(tmp_path, {f"{number}.txt": f"new {number}".encode() for number in numbers} | {"same.txt": b"same"})
    drag(page, *sorted(tmp_path.iterdir()))
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Do this for 19 more files")).to_be_visible()
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Replace").click()
    expect(over(page, 20)).to_be_visible()
    found = stored(api)
    assert [found[f"{number}.txt"]["version"] for number in numbers] == [2] * 20
    assert found["same.txt"]["version"] == 1


def test_an_invalid_name_is_reported_and_the_others_continue(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"good.txt": b"good", "bad\x01.txt": b"bad"})
    drag(page, *sorted(tmp_path.iterdir()))
    expect(panel(page).get_by_role("heading", name="Upload finished; 1 file failed")).to_be_visible()
    expect(panel(page).get_by_text("This name cannot be used")).to_be_visible()
    assert list(stored(api)) == ["good.txt"]


def test_a_deleted_local_file_is_reported_and_the_others_are_uploaded(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {f"{number}.txt": f"text {number}".encode() for number in range(9)})
    gate = Gate(page)
    drag(page, *sorted(tmp_path.iterdir()))
    expect(panel(page).get_by_role("heading", name="Uploading 9 files")).to_be_visible()
    # The first four are being sent, and the last one has not been read yet.
    (tmp_path / "8.txt").unlink()
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads paused")).to_be_visible()
    gate.is_open = True
    panel(page).get_by_role("button", name="Resume").click()
    expect(panel(page).get_by_role("heading", name="Upload finished; 1 file failed")).to_be_visible()
    expect(panel(page).get_by_text("The file can no longer be read")).to_be_visible()
    assert set(stored(api)) == {f"{number}.txt" for number in range(8)}


def test_a_full_account_is_reported_and_the_file_can_be_retried(page: Page, api: Api, tmp_path: Path) -> None:
    refusing = {"code": "SKY4007", "message": "The account's storage is full"}
    page.route("**/upload/files", lambda route: route.fulfill(status=413, json=refusing))
    written(tmp_path, {"a.txt": b"a", "b.txt": b"b"})
    drag(page, tmp_path / "a.txt", tmp_path / "b.txt")
    expect(panel(page).get_by_text("Not enough storage space")).to_have_count(2)
    page.unroute_all()
    panel(page).get_by_role("button", name="Retry a.txt").click()
    expect(page.get_by_role("option", name="a.txt")).to_be_visible()
    panel(page).get_by_role("button", name="Retry all").click()
    expect(over(page, 2)).to_be_visible()
    assert set(stored(api)) == {"a.txt", "b.txt"}


def test_one_or_all_can_be_cancelled(page: Page, api: Api, tmp_path: Path) -> None:
    Gate(page)
    written(tmp_path, {f"{number}.txt": b"text" for number in range(8)})
    drag(page, *sorted(tmp_path.iterdir()))
    panel(page).get_by_role("button", name="Cancel upload of 2.txt").click()
    expect(panel(page).get_by_role("heading", name="Uploading 7 files")).to_be_visible()
    panel(page).get_by_role("button", name="Cancel all").click()
    dialog = page.get_by_role("dialog", name="Cancel all uploads?")
    expect(dialog).to_contain_text("7 files")
    dialog.get_by_role("button", name="Cancel all").click()
    expect(panel(page)).to_be_hidden()
    assert stored(api) == {}
