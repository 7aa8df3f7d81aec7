"""The visual language in the browser: the typeface, and the icons of types of files."""

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.test_files import show

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
