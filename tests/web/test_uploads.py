"""Uploads in the browser: dropped, pasted and chosen, over bad lines, after reloads, and many at once."""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Locator, Page, Route, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.visiting import PATIENCE_MS, PHONE, Visit, log_in, visit

MIB = 1024 * 1024
CHUNKS = re.compile(r"/upload/files/chunked\?")
Tree = Mapping[str, bytes | None]


def written(folder: Path, tree: Tree) -> Path:
    """A folder on the disk; None is an empty folder."""
    for name, content in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(content)
    return folder


def stored(api: Api, key: str | None = None) -> dict[str, dict[str, object]]:
    listing = api.get("/nms/metadata", params={"folderKey": key or api.root_key, "limit": "5000"})
    return {found["objectName"]: found for found in listing.json()["objects"]}


def tree_of(api: Api, key: str | None = None, way: str = "") -> dict[str, str | None]:
    """Every file by its path with its hash, and every empty folder."""
    found: dict[str, str | None] = {}
    for name, one in stored(api, key).items():
        if one["objectType"] == "FR":
            found |= tree_of(api, str(one["objectKey"]), f"{way}{name}/") or {f"{way}{name}": None}
        else:
            found[way + name] = str(one["hash"])
    return found


def hashes(tree: Tree) -> dict[str, str | None]:
    return {
        name: None if content is None else hashlib.md5(content, usedforsecurity=False).hexdigest()
        for name, content in tree.items()
    }


def drag(page: Page, *paths: Path, steps: tuple[str, ...] = ("dragEnter", "dragOver", "drop")) -> None:
    """Real files and folders, dragged into the window from outside of the browser."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for step in steps:
        devtools.send("Input.dispatchDragEvent", {"type": step, "x": 300, "y": 400, "data": data})
    devtools.detach()


def choose(page: Page, button: str, *paths: Path) -> None:
    """Upload by a menu or button of the page."""
    uploading = page.get_by_role("button", name="Upload", exact=True)
    if uploading.count():
        uploading.first.click()
        entry = page.get_by_role("menuitem", name=button)
    else:
        entry = page.get_by_role("button", name=button)
    with page.expect_file_chooser() as choosing:
        entry.click()
    choosing.value.set_files([str(path) for path in paths] if len(paths) > 1 else str(paths[0]))


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Uploads")


def over(page: Page, count: int) -> Locator:
    return panel(page).get_by_role("heading", name=f"{count:,} file{'' if count == 1 else 's'} uploaded")


class Chunks:
    """The chunks that the page sends, of which so many get through; the others wait until they are aborted."""

    def __init__(self, page: Page) -> None:
        self.offsets: list[int] = []
        self.let_through = 10**9
        page.route(CHUNKS, self._meet)

    def _meet(self, route: Route) -> None:
        self.offsets.append(int(route.request.headers["x-offset"]))
        if len(self.offsets) <= self.let_through:
            route.continue_()

    def seen(self, page: Page, count: int) -> None:
        """Wait until so many have begun."""
        for _ in range(PATIENCE_MS // 50):
            if len(self.offsets) >= count:
                return
            page.wait_for_timeout(50)
        pytest.fail(f"{self.offsets} and no more")


class Gate:
    """Holds small files back until it is opened; those that it has met before then never get through."""

    def __init__(self, page: Page) -> None:
        self.is_open = False
        page.route("**/upload/files", self._meet)

    def _meet(self, route: Route) -> None:
        if self.is_open:
            route.continue_()


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.bin"
    path.write_bytes(os.urandom(30 * MIB + 17))
    return path


def digest(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


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
    drag(page, tmp_path / "Trip", steps=("dragEnter", "dragOver"))
    expect(page.get_by_text("Drop to upload into")).to_be_visible()
    drag(page, tmp_path / "Trip", steps=("drop",))
    expect(over(page, len(tree))).to_be_visible()
    expect(page.get_by_text("Drop to upload into")).to_be_hidden()
    assert tree_of(api) == hashes(tree)
    expect(page.get_by_role("option", name="Trip")).to_be_visible()


def test_a_drag_that_leaves_takes_the_invitation_away(page: Page, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a"})
    drag(page, tmp_path / "a.txt", steps=("dragEnter", "dragOver"))
    expect(page.get_by_text("Drop to upload into")).to_be_visible()
    drag(page, tmp_path / "a.txt", steps=("dragCancel",))
    expect(page.get_by_text("Drop to upload into")).to_be_hidden()


def test_chosen_files_and_folders_arrive_and_show_up(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a", "b.txt": b"b", "Box/c.txt": b"c"})
    choose(page, "Upload files", tmp_path / "a.txt", tmp_path / "b.txt")
    expect(over(page, 2)).to_be_visible()
    choose(page, "Upload a folder", tmp_path / "Box")
    expect(page.get_by_role("option", name="Box")).to_be_visible()
    expect(page.get_by_role("option", name="b.txt")).to_be_visible()
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == hashes({"a.txt": b"a", "b.txt": b"b", "Box/c.txt": b"c"})


def test_what_is_dropped_goes_into_the_folder_that_is_shown(page: Page, api: Api, tmp_path: Path) -> None:
    folder = api.folder("Inside")
    page.goto(f"/drive/files/{folder.object_key}")
    expect(page.get_by_role("heading", name="Nothing in here yet")).to_be_visible()
    written(tmp_path, {"a.txt": b"a"})
    drag(page, tmp_path / "a.txt")
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api, folder.object_key)) == ["a.txt"]


PASTE = """name => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(['a picture'], name, {type: 'image/png'}));
  document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true}));
}"""


def test_a_pasted_picture_gets_a_name_that_tells_when(page: Page, api: Api) -> None:
    page.evaluate(PASTE, "image.png")
    expect(over(page, 1)).to_be_visible()
    (name,) = stored(api)
    assert re.fullmatch(r"Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png", name)


def test_a_pasted_file_keeps_its_name(page: Page, api: Api) -> None:
    page.evaluate(PASTE, "chart.png")
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api)) == ["chart.png"]


def test_a_large_file_goes_in_chunks_and_its_dates_stay(page: Page, api: Api, film: Path) -> None:
    chunks = Chunks(page)
    os.utime(film, (1_600_000_000, 1_600_000_000))
    drag(page, film)
    expect(over(page, 1)).to_be_visible()
    assert chunks.offsets == [0, 8 * MIB, 16 * MIB, 24 * MIB]
    (one,) = stored(api).values()
    assert (one["hash"], one["sizeInBytes"]) == (digest(film), film.stat().st_size)
    assert one["lastModifiedDate"] == 1_600_000_000_000


def test_content_that_the_account_has_is_not_sent_again(page: Page, api: Api, film: Path) -> None:
    api.file("the same.bin", film.read_bytes())
    chunks = Chunks(page)
    drag(page, film)
    expect(over(page, 1)).to_be_visible()
    assert chunks.offsets == []
    assert set(stored(api)) == {"film.bin", "the same.bin"}


def test_pausing_stops_and_going_on_sends_only_what_is_missing(page: Page, api: Api, film: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 2
    drag(page, film)
    chunks.seen(page, 3)
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads are paused")).to_be_visible()
    chunks.let_through = 10**9
    panel(page).get_by_role("button", name="Go on").click()
    expect(over(page, 1)).to_be_visible()
    assert chunks.offsets == [0, 8 * MIB, 16 * MIB, 16 * MIB, 24 * MIB]
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_lost_connection_is_waited_for(page: Page, api: Api, film: Path, tmp_path: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 1
    drag(page, film)
    chunks.seen(page, 2)
    page.context.set_offline(True)
    page.unroute(CHUNKS)
    small = written(tmp_path / "small", {"a.txt": b"a", "b.txt": b"b"})
    drag(page, small / "a.txt", small / "b.txt")
    expect(panel(page).get_by_text("Waiting for the connection").first).to_be_visible()
    again = Chunks(page)
    page.context.set_offline(False)
    expect(over(page, 3)).to_be_visible()
    # The small ones, of which an answer may be lost, are sent again as chunks; the first of the film is not.
    assert [offset for offset in again.offsets if offset] == [8 * MIB, 16 * MIB, 24 * MIB]
    assert again.offsets.count(0) <= 2
    assert tree_of(api) == {"film.bin": digest(film)} | hashes({"a.txt": b"a", "b.txt": b"b"})
    assert all(one["version"] == 1 for one in stored(api).values())


def test_a_server_that_fails_for_a_while_is_asked_again(page: Page, api: Api, film: Path) -> None:
    failures = iter([503, 429, 500])

    def meet(route: Route) -> None:
        status = next(failures, None)
        if status is None:
            route.continue_()
        else:
            route.fulfill(status=status, headers={"retry-after": "1"}, json={"code": "SKY5001", "message": "later"})

    page.route(re.compile("/upload/files"), meet)
    drag(page, film)
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_server_that_dies_on_the_way_and_comes_back(page: Page, api: Api, server: RunningServer, film: Path) -> None:
    chunks = Chunks(page)
    chunks.let_through = 2
    drag(page, film)
    chunks.seen(page, 3)
    server.kill()
    page.unroute_all()
    page.context.set_offline(True)
    server.start()
    page.context.set_offline(False)
    expect(over(page, 1)).to_be_visible()
    assert tree_of(api) == {"film.bin": digest(film)}


def test_a_session_that_ends_on_the_way_loses_nothing(page: Page, api: Api, film: Path, tmp_path: Path) -> None:
    written(tmp_path, {f"{number}.txt": b"text" for number in range(6)})
    chunks, gate = Chunks(page), Gate(page)
    chunks.let_through = 1
    drag(page, film, *sorted(tmp_path.glob("*.txt")))
    chunks.seen(page, 2)
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads are paused")).to_be_visible()
    page.context.clear_cookies()
    chunks.let_through, gate.is_open = 10**9, True
    panel(page).get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    expect(panel(page)).to_be_hidden()
    log_in(page, api)
    expect(over(page, 7)).to_be_visible()
    assert len(stored(api)) == 7


def test_after_a_reload_it_goes_on_by_itself_and_says_so(page: Page, api: Api, film: Path, tmp_path: Path) -> None:
    tree: Tree = {f"many/{number}.txt": f"text {number}".encode() for number in range(12)}
    written(tmp_path, tree)
    chunks, gate = Chunks(page), Gate(page)
    chunks.let_through = 2
    drag(page, film, tmp_path / "many")
    chunks.seen(page, 3)
    # What the browser is to keep is written a moment after it came.
    page.wait_for_function(KEPT, arg=13)
    page.once("dialog", lambda dialog: dialog.accept())
    chunks.let_through, gate.is_open = 10**9, True
    page.reload()
    expect(page.get_by_text("13 uploads from before go on")).to_be_visible()
    expect(over(page, 13)).to_be_visible()
    # What the server had is not sent again; the third chunk is the one that was cut off.
    assert chunks.offsets == [0, 8 * MIB, 16 * MIB, 16 * MIB, 24 * MIB]
    assert tree_of(api) == {"film.bin": digest(film)} | hashes(tree)
    page.wait_for_function(KEPT, arg=0)


# Whether the browser keeps the content of so many files.
KEPT = """wanted => new Promise(resolve => {
  const opening = indexedDB.open('skyshelf-uploads');
  opening.onsuccess = () => {
    const counting = opening.result.transaction('contents').objectStore('contents').count();
    counting.onsuccess = () => { opening.result.close(); resolve(counting.result === wanted); };
  };
})"""


def test_a_reload_is_warned_of_only_while_something_runs(page: Page, tmp_path: Path) -> None:
    asked: list[str] = []

    def meet(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", meet)
    written(tmp_path, {"a.txt": b"a"})
    gate = Gate(page)
    # Browsers warn only those who have done something on the page.
    page.get_by_role("searchbox").click()
    drag(page, tmp_path / "a.txt")
    expect(panel(page)).to_be_visible()
    page.wait_for_function(KEPT, arg=1)
    gate.is_open = True
    page.reload()
    assert asked == ["beforeunload"]
    expect(over(page, 1)).to_be_visible()
    page.get_by_role("searchbox").click()
    page.reload()
    expect(page.locator("main#content")).to_be_visible()
    assert asked == ["beforeunload"]


@contextmanager
def conflict(page: Page, api: Api, tmp_path: Path) -> Iterator[Locator]:
    api.file("a.txt", b"old")
    written(tmp_path, {"a.txt": b"new"})
    drag(page, tmp_path / "a.txt")
    dialog = page.get_by_role("dialog", name="a.txt is already here")
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
    expect(panel(page).get_by_role("heading", name="Nothing was uploaded")).to_be_visible()
    expect(panel(page)).to_contain_text("1 file was already there or was skipped")
    assert tree_of(api) == hashes({"a.txt": b"old"})


def test_a_question_can_be_put_off_and_is_not_lost(page: Page, api: Api, tmp_path: Path) -> None:
    with conflict(page, api, tmp_path) as dialog:
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        panel(page).get_by_role("button", name="Decide about a.txt").click()
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
    expect(dialog.get_by_label("Do the same for 19 more files")).to_be_visible()
    dialog.get_by_role("checkbox").check()
    dialog.get_by_role("button", name="Replace").click()
    expect(over(page, 20)).to_be_visible()
    found = stored(api)
    assert [found[f"{number}.txt"]["version"] for number in numbers] == [2] * 20
    assert found["same.txt"]["version"] == 1


def test_a_bad_name_is_told_and_the_others_go_on(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"good.txt": b"good", "bad\x01.txt": b"bad"})
    drag(page, *sorted(tmp_path.iterdir()))
    expect(panel(page).get_by_role("heading", name="Uploaded, but 1 file failed")).to_be_visible()
    expect(panel(page).get_by_text("This name cannot be used")).to_be_visible()
    assert list(stored(api)) == ["good.txt"]


def test_a_file_that_is_gone_from_the_disk_is_told_and_the_others_arrive(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {f"{number}.txt": f"text {number}".encode() for number in range(9)})
    gate = Gate(page)
    drag(page, *sorted(tmp_path.iterdir()))
    expect(panel(page).get_by_role("heading", name="Uploading 9 files")).to_be_visible()
    # The first four are on their way, and the last one has not been read yet.
    (tmp_path / "8.txt").unlink()
    panel(page).get_by_role("button", name="Pause all").click()
    expect(panel(page).get_by_role("heading", name="Uploads are paused")).to_be_visible()
    gate.is_open = True
    panel(page).get_by_role("button", name="Go on").click()
    expect(panel(page).get_by_role("heading", name="Uploaded, but 1 file failed")).to_be_visible()
    expect(panel(page).get_by_text("The file cannot be read any more")).to_be_visible()
    assert set(stored(api)) == {f"{number}.txt" for number in range(8)}


def test_a_full_drive_is_told_and_the_file_can_be_tried_again(page: Page, api: Api, tmp_path: Path) -> None:
    refusing = {"code": "SKY4007", "message": "The storage of the account is full"}
    page.route("**/upload/files", lambda route: route.fulfill(status=413, json=refusing))
    written(tmp_path, {"a.txt": b"a", "b.txt": b"b"})
    drag(page, tmp_path / "a.txt", tmp_path / "b.txt")
    expect(panel(page).get_by_text("does not have enough room")).to_have_count(2)
    page.unroute_all()
    panel(page).get_by_role("button", name="Try a.txt again").click()
    expect(page.get_by_role("option", name="a.txt")).to_be_visible()
    panel(page).get_by_role("button", name="Try all again").click()
    expect(over(page, 2)).to_be_visible()
    assert set(stored(api)) == {"a.txt", "b.txt"}


def test_one_or_all_can_be_cancelled(page: Page, api: Api, tmp_path: Path) -> None:
    Gate(page)
    written(tmp_path, {f"{number}.txt": b"text" for number in range(8)})
    drag(page, *sorted(tmp_path.iterdir()))
    panel(page).get_by_role("button", name="Cancel the upload of 2.txt").click()
    expect(panel(page).get_by_role("heading", name="Uploading 7 files")).to_be_visible()
    panel(page).get_by_role("button", name="Cancel all").click()
    dialog = page.get_by_role("dialog", name="Cancel all uploads?")
    expect(dialog).to_contain_text("7 files")
    dialog.get_by_role("button", name="Cancel all").click()
    expect(panel(page)).to_be_hidden()
    assert stored(api) == {}


def test_five_hundred_small_files_arrive_and_the_page_lists_only_a_few(page: Page, api: Api, tmp_path: Path) -> None:
    tree: Tree = {f"Many/{number:03}.txt": f"text {number}".encode() for number in range(500)}
    written(tmp_path, tree)
    choose(page, "Upload a folder", tmp_path / "Many")
    expect(panel(page)).to_be_visible()
    most = 0
    for _ in range(PATIENCE_MS * 4 // 250):
        most = max(most, panel(page).get_by_role("listitem").count())
        if over(page, 500).is_visible():
            break
        page.wait_for_timeout(250)
    expect(over(page, 500)).to_be_visible()
    assert 0 < most < 40
    assert tree_of(api) == hashes(tree)


def test_uploads_go_on_on_a_phone_while_somebody_walks_through_the_drive(
    browser: Browser, server: RunningServer, api: Api, film: Path
) -> None:
    folder = api.folder("Elsewhere")
    with visit(browser, server, api, Visit(size=PHONE)) as page:
        chunks = Chunks(page)
        chunks.let_through = 1
        drag(page, film)
        chunks.seen(page, 2)
        expect(panel(page).get_by_role("heading", name="Uploading 1 file")).to_be_visible()
        panel(page).get_by_role("button", name="Show the list of uploads").click()
        expect(panel(page).get_by_role("listitem")).to_contain_text("film.bin")
        box = panel(page).bounding_box()
        assert box is not None
        assert (box["x"], box["width"]) == (0, 360)
        panel(page).get_by_role("button", name="Make the list of uploads small").click()
        page.evaluate("key => history.pushState(null, '', `/drive/files/${key}`)", folder.object_key)
        page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
        expect(page.get_by_role("heading", name="Elsewhere")).to_be_visible()
        panel(page).get_by_role("button", name="Pause all").click()
        chunks.let_through = 10**9
        panel(page).get_by_role("button", name="Go on").click()
        expect(over(page, 1)).to_be_visible()
    assert "film.bin" in stored(api)


def test_what_a_closed_page_left_is_taken_over_by_the_one_that_is_open(page: Page, api: Api, tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"a"})
    other = page.context.new_page()
    Gate(other)
    other.goto("/drive/files")
    expect(other.get_by_role("heading", name="Nothing in here yet")).to_be_visible()
    drag(other, tmp_path / "a.txt")
    expect(panel(other)).to_be_visible()
    other.wait_for_function(KEPT, arg=1)
    page.reload()
    expect(page.locator("main#content")).to_be_visible()
    expect(panel(page)).to_be_hidden()
    other.close()
    expect(over(page, 1)).to_be_visible()
    assert list(stored(api)) == ["a.txt"]
