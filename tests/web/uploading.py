"""Helpers for uploads: creating files, passing them to a page, and reading the result from the server."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, Locator, Page, Route
from tests.server.api import Api
from tests.web.visiting import PATIENCE_MS, until

MIB = 1024 * 1024
# Smaller than the server's chunks, so tests need less data.
CHUNK = 3 * MIB // 2
CHUNKS = re.compile(r"/upload/files/chunked\?")
Tree = Mapping[str, bytes | None]
# Whether the browser has stored this many files. It must not create the database if it does not exist yet.
_STORED = """wanted => new Promise(resolve => {
  const opening = indexedDB.open('skyshelf-uploads');
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onerror = () => resolve(false);
  opening.onsuccess = () => {
    const counting = opening.result.transaction('contents').objectStore('contents').count();
    counting.onsuccess = () => { opening.result.close(); resolve(counting.result === wanted); };
  };
})"""


def until_stored(page: Page, count: int) -> None:
    """Wait until the browser has stored this many files: shortly after they were added, or were uploaded."""
    until(page, _STORED, count)


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


_DRAGS = 4
_DROP_SECONDS = 10
# Counts the drops that the page receives.
_DROPS = """() => {
  if (window.dropsHeard === undefined) {
    window.dropsHeard = 0;
    addEventListener('drop', () => { window.dropsHeard += 1; }, true);
  }
  return window.dropsHeard;
}"""


def drag(
    page: Page,
    *paths: Path,
    steps: tuple[str, ...] = ("dragEnter", "dragOver", "drop"),
    at: tuple[float, float] = (300, 400),
) -> None:
    """Drag real files and folders to a place in the window.

    A slow browser may abandon a drag at the moment of the drop without an event. So the page is asked whether it
    received the drop, and the drag is repeated if not.
    """
    devtools = page.context.new_cdp_session(page)
    data: dict[str, object] = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    before = page.evaluate(_DROPS) if "drop" in steps else 0
    for _ in range(_DRAGS):
        for step in steps:
            if step == "drop":
                _until_welcome(page, devtools, data, at)
            devtools.send("Input.dispatchDragEvent", {"type": step, "x": at[0], "y": at[1], "data": data})
        if "drop" not in steps or _is_dropped(page, before):
            break
        steps = ("dragEnter", "dragOver", "drop")
    devtools.detach()


def _is_dropped(page: Page, before: int) -> bool:
    for _ in range(_DROP_SECONDS * 20):
        if page.evaluate(_DROPS) > before:
            return True
        page.wait_for_timeout(50)
    return False


def _until_welcome(page: Page, devtools: CDPSession, data: dict[str, object], at: tuple[float, float]) -> None:
    """Repeat the drag until the page accepts it, which may take a while; without this the browser ignores the drop."""
    for _ in range(100):
        if page.get_by_text("Drop to upload to").count():
            return
        page.wait_for_timeout(50)
        devtools.send("Input.dispatchDragEvent", {"type": "dragOver", "x": at[0], "y": at[1], "data": data})


def invite(page: Page, path: Path) -> Locator:
    """Drag over the window until it shows the drop target."""
    shown = page.get_by_text("Drop to upload to")
    drag(page, path, steps=("dragEnter",))
    for _ in range(PATIENCE_MS // 50):
        drag(page, path, steps=("dragOver",))
        if shown.is_visible():
            return shown
    pytest.fail("A drag over the window is not seen")


def choose(page: Page, button: str, *paths: Path) -> None:
    """Upload with a menu entry or button."""
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


def small_chunks(page: Page) -> None:
    """Make the server request small chunks."""

    def meet(route: Route) -> None:
        told = route.fetch()
        route.fulfill(response=told, json=told.json() | {"chunkSize": CHUNK})

    page.route("**/app/settings*", meet)


class Chunks:
    """The chunks that the page sends: some get through, the others wait until the connection is cut."""

    def __init__(self, page: Page) -> None:
        self.offsets: list[int] = []
        self._waiting: list[Route] = []
        self.let_through = 10**9
        small_chunks(page)
        page.route(CHUNKS, self._meet)

    def _meet(self, route: Route) -> None:
        self.offsets.append(int(route.request.headers["x-offset"]))
        if len(self.offsets) <= self.let_through:
            route.continue_()
        else:
            self._waiting.append(route)

    def cut(self) -> None:
        """Cut the connection of the waiting chunks; all later ones get through."""
        self.let_through = 10**9
        for route in self._waiting:
            route.abort("internetdisconnected")

    def seen(self, page: Page, count: int) -> None:
        """Wait until this many have started."""
        for _ in range(PATIENCE_MS // 50):
            if len(self.offsets) >= count:
                return
            page.wait_for_timeout(50)
        pytest.fail(f"{self.offsets} and no more")


class Gate:
    """Blocks the upload of small files until it is opened; requests from before then never finish."""

    def __init__(self, page: Page) -> None:
        self.is_open = False
        page.route("**/upload/files", self._meet)

    def _meet(self, route: Route) -> None:
        if self.is_open:
            route.continue_()


def digest(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
