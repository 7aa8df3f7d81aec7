"""Uploads in the browser: by drag and drop, paste and file chooser."""

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.uploading import (
    MIB,
    Chunks,
    Tree,
    choose,
    digest,
    drag,
    hashes,
    invite,
    over,
    panel,
    stored,
    tree_of,
    written,
)
from tests.web.visiting import PATIENCE_MS


def test_a_dropped_folder_arrives_with_everything_in_it(page: Page, api: Api, tmp_path: Path) -> None:
    tree: Tree = {
        "Trip/notes.txt": b"notes",
        "Trip/Day 1/lake.jpg": b"a lake",
        "Trip/Day 1/empty.txt": b"",
        "Trip/Day 2/deep/er/hills.jpg": b"hills",
        "Trip/nothing here": None,
        "Trip/Ärger & Co.txt": b"umlauts",
    }
    written(tmp_path, tree)
    invitation = invite(page, tmp_path / "Trip")
    drag(page, tmp_path / "Trip", steps=("dragOver", "drop"))
    expect(over(page, len(tree))).to_be_visible()
    expect(invitation).to_be_hidden()
    assert tree_of(api) == hashes(tree)
    expect(page.get_by_role("option", name="Trip")).to_be_visible()


def test_a_drag_that_leaves_takes_the_invitation_away(page: Page, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a"})
    invitation = invite(page, tmp_path / "a.txt")
    drag(page, tmp_path / "a.txt", steps=("dragCancel",))
    expect(invitation).to_be_hidden()


def test_chosen_files_and_folders_arrive_and_show_up(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a", "b.txt": b"b", "Box/c.txt": b"c"})
    choose(page, "Upload files", tmp_path / "a.txt", tmp_path / "b.txt")
    expect(over(page, 2)).to_be_visible()
    choose(page, "Upload folder", tmp_path / "Box")
    expect(page.get_by_role("option", name="Box")).to_be_visible()
    expect(page.get_by_role("option", name="b.txt")).to_be_visible()
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == hashes({"a.txt": b"a", "b.txt": b"b", "Box/c.txt": b"c"})


def test_what_is_dropped_goes_into_the_folder_that_is_shown(page: Page, api: Api, tmp_path: Path) -> None:
    folder = api.folder("Inside")
    page.goto(f"/drive/files/{folder.object_key}")
    expect(page.get_by_role("heading", name="This folder is empty")).to_be_visible()
    written(tmp_path, {"a.txt": b"a"})
    drag(page, tmp_path / "a.txt")
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api, folder.object_key)) == ["a.txt"]


def test_what_is_dropped_on_a_folder_goes_into_that_folder(page: Page, api: Api, tmp_path: Path) -> None:
    folder = api.folder("Inside")
    page.reload()
    box = page.get_by_role("option", name="Inside").bounding_box()
    assert box is not None
    written(tmp_path, {"a.txt": b"a", "Trip/b.txt": b"b"})
    drag(page, tmp_path / "a.txt", tmp_path / "Trip", at=(box["x"] + 200, box["y"] + box["height"] / 2))
    expect(over(page, 2)).to_be_visible()
    assert tree_of(api) == hashes({"Inside/a.txt": b"a", "Inside/Trip/b.txt": b"b"})
    assert set(stored(api, folder.object_key)) == {"a.txt", "Trip"}


PASTE = """name => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['a picture'], name, {type: 'image/png'}));
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true}));
}"""


def test_a_pasted_picture_is_named_after_the_time(page: Page, api: Api) -> None:
    page.evaluate(PASTE, "image.png")
    expect(over(page, 1)).to_be_visible()
    (name,) = stored(api)
    assert re.fullmatch(r"Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png", name)


def test_a_pasted_file_keeps_its_name(page: Page, api: Api) -> None:
    page.evaluate(PASTE, "chart.png")
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api)) == ["chart.png"]


def test_a_large_file_goes_in_the_chunks_that_the_server_wants_and_its_dates_stay(
    page: Page, api: Api, tmp_path: Path
) -> None:
    large = tmp_path / "large.bin"
    large.write_bytes(os.urandom(8 * MIB + 17))
    os.utime(large, (1_600_000_000, 1_600_000_000))
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.headers.get("x-offset", "")))
    drag(page, large)
    expect(over(page, 1)).to_be_visible()
    assert list(filter(None, sent)) == ["0", str(8 * MIB)]
    (one,) = stored(api).values()
    assert (one["hash"], one["sizeInBytes"]) == (digest(large), large.stat().st_size)
    assert one["lastModifiedDate"] == 1_600_000_000_000


def test_content_that_the_account_has_is_not_sent_again(page: Page, api: Api, film: Path) -> None:
    api.file("the same.bin", film.read_bytes())
    chunks = Chunks(page)
    drag(page, film)
    expect(over(page, 1)).to_be_visible()
    assert chunks.offsets == []
    assert set(stored(api)) == {"film.bin", "the same.bin"}


def test_hundreds_of_small_files_arrive_and_the_page_lists_only_a_few(page: Page, api: Api, tmp_path: Path) -> None:
    tree: Tree = {f"Many/{number:03}.txt": f"text {number}".encode() for number in range(300)}
    written(tmp_path, tree)
    choose(page, "Upload folder", tmp_path / "Many")
    expect(panel(page)).to_be_visible()
    most = 0
    for _ in range(PATIENCE_MS * 4 // 250):
        most = max(most, panel(page).get_by_role("listitem").count())
        if over(page, 300).is_visible():
            break
        page.wait_for_timeout(250)
    expect(over(page, 300)).to_be_visible()
    assert 0 < most < 40
    assert tree_of(api) == hashes(tree)
