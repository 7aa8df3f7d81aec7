"""The visual language in the browser: the typeface, and the icons of types of files."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.test_files import show
from tests.web.uploading import drag, over, panel, written
from tests.web.visiting import Visit, visit

TYPES = {
    "letter.pdf": "pdf",
    "budget.xlsx": "sheet",
    "talk.odp": "slides",
    "notes.txt": "text",
    "backup.zip": "archive",
    "song.mp3": "audio",
    "main.py": "code",
    "thing.bin": "other",
}
# A browser without a screen shows no notifications: this one allows them, and remembers them.
DEVICE = """
  window.shown = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.shown.push(body); }
  };
"""


def test_words_are_set_in_the_bundled_typeface(page: Page) -> None:
    expect(page.get_by_role("heading", name="Files")).to_be_visible()
    loaded = """async () => {
      await document.fonts.ready;
      return [...document.fonts].filter((face) => face.status === 'loaded').map((face) => face.family);
    }"""
    assert any("Inter Variable" in family for family in page.evaluate(loaded))
    fetched = "() => performance.getEntriesByType('resource').map((one) => one.name).filter((one) => /woff/.test(one))"
    # Only the Latin letters, and from this server.
    [font] = page.evaluate(fetched)
    assert font.startswith(page.evaluate("location.origin"))
    assert "/assets/inter-latin-wght" in font


def test_types_of_files_have_icons_in_their_own_colours(page: Page, api: Api) -> None:
    api.folder("Folder")
    for name in TYPES:
        api.file(name, name.encode())
    show(page)
    colours = set()
    for name, kind in (TYPES | {"Folder": "folder"}).items():
        icon = page.get_by_role("option").filter(has_text=name).locator(f"[data-file-type={kind}]")
        expect(icon).to_be_visible()
        colours.add(icon.evaluate("icon => getComputedStyle(icon).color"))
    assert len(colours) == len(TYPES) + 1


def test_empty_pages_are_illustrated(page: Page) -> None:
    for section in ("photos", "boards", "shared", "recent", "favourites", "trash"):
        page.get_by_role("navigation", name="Main navigation").locator(f'a[href="/drive/{section}"]').click()
        expect(page.locator(f"[data-illustration={section}]")).to_be_visible()
    page.goto(page.url.replace("/trash", "/search?q=nothing+like+it"))
    expect(page.locator("[data-illustration=search]")).to_be_visible()


def test_uploads_are_a_pill_that_opens_into_a_list_and_leads_to_the_file(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    written(tmp_path, {"notes.txt": b"What was uploaded"})
    with visit(browser, server, api, Visit(uploads_open=False)) as page:
        drag(page, tmp_path / "notes.txt")
        expect(over(page, 1)).to_be_visible()
        expect(panel(page).get_by_role("listitem")).to_have_count(0)
        panel(page).get_by_role("button", name="Show uploads").click()
        panel(page).get_by_role("button", name="notes.txt").click()
        expect(page.get_by_text("What was uploaded")).to_be_visible()


def test_a_pill_of_uploads_that_went_well_disappears(page: Page, tmp_path: Path) -> None:
    # The time for which it stays is over at once.
    page.evaluate("""() => {
      const later = globalThis.setTimeout;
      globalThis.setTimeout = (work, ms, ...given) => later(work, ms === 8000 ? 0 : ms, ...given);
    }""")
    written(tmp_path, {"a.txt": b"a"})
    drag(page, tmp_path / "a.txt")
    expect(page.get_by_role("option").filter(has_text="a.txt")).to_be_visible()
    expect(panel(page)).to_have_count(0)


@pytest.mark.parametrize("is_on", [True, False])
def test_finished_uploads_are_reported_on_the_device_if_the_user_wants_it(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path, is_on: bool
) -> None:
    written(tmp_path, {"a.txt": b"a"})
    with visit(browser, server, api, Visit()) as page:
        page.context.add_init_script(DEVICE)
        page.goto("/drive/settings")
        page.get_by_role("switch", name="Show them on this device").click()
        expect(page.get_by_role("switch", name="Show them on this device")).to_be_checked()
        if not is_on:
            page.get_by_role("switch", name="Uploads").click()
            expect(page.get_by_role("switch", name="Uploads")).not_to_be_checked()
        page.goto("/drive/files")
        expect(page.get_by_role("heading", name="Files")).to_be_visible()
        page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
        drag(page, tmp_path / "a.txt")
        expect(over(page, 1)).to_be_visible()
        if is_on:
            page.wait_for_function("window.shown.length === 1")
        assert page.evaluate("window.shown") == (["1 file uploaded"] if is_on else [])
