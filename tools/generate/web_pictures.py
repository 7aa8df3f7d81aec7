"""Take `pictures/web-*.png`: screenshots of the web client in a real browser, with demo content.

`./dev docs --pictures` runs this: every page in light and dark mode, and some on a phone.
"""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tools.generate.terminal_pictures import PASSWORD, PICTURES, demo_server

SIZES: Final = {"desktop": (1280, 800), "phone": (360, 780)}
MAX_BYTES: Final = 120_000
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")


# Images outside the view load only when they are scrolled into it.
_LOADED: Final = """() => [...document.images].every((image) => {
  const { top, bottom, left, right, width } = image.getBoundingClientRect();
  return image.complete || !width || top > innerHeight || bottom < 0 || left > innerWidth || right < 0;
})"""


class Shot(Struct, frozen=True):
    """A page and how it is shown."""

    path: str
    size: str
    scheme: Scheme
    prepare: Callable[[Page], None] | None = None


def _grid_view(page: Page) -> None:
    page.get_by_role("button", name="Grid view").click()


def _details(page: Page) -> None:
    page.get_by_role("listbox").get_by_role("option").last.click()
    page.keyboard.press("i")


def _first_board(page: Page) -> None:
    page.locator('main a[href^="/drive/boards/"]').first.click()


def _new_app_password(page: Page, name: str = "Finder on my Mac") -> None:
    page.get_by_role("button", name="New app password").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill(name)
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    dialog.get_by_label("App password", exact=True).wait_for()


def _app_passwords(page: Page) -> None:
    _new_app_password(page, "Phone")
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    page.get_by_role("region", name="Connect your apps").scroll_into_view_if_needed()


def _connect(page: Page) -> None:
    begun = page.request.post("/index.php/login/v2", headers={"user-agent": "Nextcloud desktop client"}).json()
    page.goto(begun["login"])


PAGES: Final[dict[str, tuple[str, Callable[[Page], None] | None]]] = {
    "login": ("", None),
    "files": ("files", _grid_view),
    "details": ("files", _details),
    "photos": ("photos", None),
    "boards": ("boards", None),
    "board": ("boards", _first_board),
    "shared": ("shared", None),
    "trash": ("trash", None),
    "recent": ("recent", None),
    "favourites": ("favourites", None),
    "search": ("search?q=lake", None),
    "contacts": ("contacts", None),
    "settings": ("settings", None),
}
"""Every page; each one is captured in light and dark mode."""

SHOTS: Final[dict[str, Shot]] = {
    f"web-{name}{'' if scheme == 'light' else '-dark'}": Shot(path, "desktop", scheme, prepare)
    for name, (path, prepare) in PAGES.items()
    for scheme in SCHEMES
} | {
    "web-files-phone": Shot("files", "phone", "light"),
    "web-photos-phone": Shot("photos", "phone", "dark"),
    "web-board-phone": Shot("boards", "phone", "dark", _first_board),
    "web-trash-phone": Shot("trash", "phone", "light"),
    "web-contacts-phone": Shot("contacts", "phone", "light"),
    "web-settings-phone": Shot("settings", "phone", "dark"),
    "web-new-app-password": Shot("settings", "desktop", "light", _new_app_password),
    "web-app-passwords": Shot("settings", "phone", "light", _app_passwords),
    "web-connect": Shot("settings", "desktop", "light", _connect),
    "web-connect-phone": Shot("settings", "phone", "dark", _connect),
}


def draw(folder: Path = PICTURES) -> list[Path]:
    """Take all screenshots."""
    folder.mkdir(exist_ok=True)
    paths = []
    with (
        tempfile.TemporaryDirectory(prefix="skyshelf-pictures-") as name,
        demo_server(Path(name)) as address,
        chromium() as browser,
    ):
        for title, shot in SHOTS.items():
            path = folder / f"{title}.png"
            path.write_bytes(small(_taken(browser, address, shot)))
            paths.append(path)
    return paths


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's browser."""
    found = os.environ.get("SKYSHELF_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if found is None:
        raise SystemExit("Chromium is missing: run apt-get install chromium, or set SKYSHELF_CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def _taken(browser: Browser, address: str, shot: Shot) -> bytes:
    width, height = SIZES[shot.size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=shot.scheme,
        reduced_motion="reduce",
        locale="en-GB",
        base_url=address,
        service_workers="block",
    )
    try:
        page = context.new_page()
        page.goto("/drive/settings")
        page.locator("input[type=email]").wait_for()
        if not shot.path:
            _settle(page)
            return page.screenshot()
        page.locator("input[type=email]").fill("demo@skyshelf.example")
        page.locator("input[type=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        page.locator("main#content").wait_for()
        page.goto(f"/drive/{shot.path}")
        page.locator("main h1, main h2").first.wait_for()
        if shot.prepare:
            shot.prepare(page)
        _settle(page)
        return page.screenshot()
    finally:
        context.close()


def _settle(page: Page) -> None:
    """Wait until the page and all visible images have loaded."""
    page.wait_for_timeout(700)  # The event stream never ends, so the network is never idle.
    page.wait_for_function(_LOADED)
    page.evaluate("() => document.fonts.ready.then(() => true)")


def small(picture: bytes) -> bytes:
    """Reduce the colours until the picture is small enough for the repository."""
    full = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32, 16):
        body = io.BytesIO()
        full.quantize(colours, method=Image.Quantize.MEDIANCUT).save(body, "PNG", optimize=True)
        if body.tell() <= MAX_BYTES:
            break
    return body.getvalue()


def main() -> int:
    """Take the screenshots and print their paths."""
    for path in draw():
        sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
