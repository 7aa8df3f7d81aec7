"""Ways through the drive: up and back on a phone, by the keyboard from anywhere, and by dragging."""

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import Api
from tests.server.running import RunningServer
from tests.web.axe import assert_nothing, findings
from tests.web.test_files import in_folder, show
from tests.web.visiting import PHONE, Visit, visit


def nested(api: Api, *names: str) -> list[str]:
    """The keys of folders, each in the one before."""
    keys = [api.root_key]
    for name in names:
        keys.append(api.folder(name, keys[-1]).object_key)
    return keys[1:]


def test_on_a_phone_there_is_a_way_up(browser: Browser, server: RunningServer, api: Api) -> None:
    keys = nested(api, "Holidays of the family", "Portugal and Spain", "Lisbon in spring", "Day 1")
    with visit(browser, server, api, Visit(size=PHONE), f"/drive/files/{keys[3]}") as page:
        heading = page.get_by_role("heading", name="Day 1")
        expect(heading).to_be_visible()
        assert heading.evaluate("one => one.scrollWidth <= one.clientWidth")
        assert_nothing({"deep folder": findings(page)})
        page.get_by_role("link", name="Up to Lisbon in spring").click()
        expect(page.get_by_role("heading", name="Lisbon in spring")).to_be_visible()


def test_a_deep_path_names_its_ends_and_the_middle_is_in_a_menu(page: Page, api: Api) -> None:
    keys = nested(api, "One", "Two", "Three", "Four", "Five")
    page.goto(f"/drive/files/{keys[-1]}")
    path = page.get_by_label("Folder path")
    expect(path.get_by_role("listitem")).to_have_count(5)
    expect(path.get_by_role("link", name="Three")).to_be_visible()
    path.get_by_role("button", name="Folders in between").click()
    page.get_by_role("menuitem", name="Two").click()
    expect(page.get_by_role("heading", name="Two")).to_be_visible()


def test_items_are_dropped_on_a_folder_of_the_path(page: Page, api: Api) -> None:
    [outer, inner] = nested(api, "Outer", "Inner")
    api.file("moved.txt", parent_key=inner)
    page.goto(f"/drive/files/{inner}")
    page.get_by_role("option", name="moved.txt").click()
    expect(page.get_by_role("toolbar")).to_be_visible()
    page.get_by_role("option", name="moved.txt").drag_to(
        page.get_by_label("Folder path").get_by_role("link", name="Outer")
    )
    expect(page.get_by_role("option", name="moved.txt")).to_have_count(0)
    assert in_folder(api, outer) == {"Inner", "moved.txt"}


def test_keys_work_after_a_click_in_the_toolbar_and_right_after_a_folder_was_opened(page: Page, api: Api) -> None:
    [folder] = nested(api, "Folder")
    for number in range(3):
        api.file(f"{number}.txt", parent_key=folder)
    show(page)
    page.get_by_role("option", name="Folder").dblclick()
    selected = page.locator("[role=option][aria-selected=true]")
    expect(page.get_by_role("option")).to_have_count(3)
    page.keyboard.press("Control+a")
    expect(selected).to_have_count(3)
    assert page.evaluate("getSelection().toString()") == ""
    toolbar = page.get_by_role("toolbar")
    toolbar.get_by_role("button", name="Add to favourites").click()
    expect(toolbar.get_by_role("button", name="Remove from favourites")).to_be_visible()
    page.keyboard.press("Escape")
    expect(selected).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(selected).to_have_count(1)
    expect(page.get_by_role("listbox")).to_be_focused()
    # A click leaves the focus with the list, so the ring moves with the arrows.
    page.get_by_role("option", name="1.txt").click()
    expect(page.get_by_role("listbox")).to_be_focused()
    toolbar.get_by_role("button", name="Add to favourites").or_(
        toolbar.get_by_role("button", name="Remove from favourites")
    ).click()
    page.keyboard.press("Delete")
    expect(page.get_by_role("option", name="1.txt")).to_have_count(0)


def test_dialogs_begin_with_what_is_to_be_done(page: Page, api: Api) -> None:
    api.file("a.txt")
    show(page)
    page.get_by_role("option", name="a.txt").click()
    toolbar = page.get_by_role("toolbar")
    toolbar.get_by_role("button", name="Share link").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Create link")).to_be_focused()
    page.keyboard.press("Escape")
    toolbar.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    page.get_by_role("link", name="Trash").click()
    page.get_by_role("button", name="Empty trash").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Cancel")).to_be_focused()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_an_unknown_address_shows_a_page_and_programs_get_json(
    browser: Browser, server: RunningServer, language: str
) -> None:
    with visit(browser, server, None, Visit(language=language), "/no/such/place") as page:
        words = {"en-GB": "Nothing at this address", "de-DE": "Unter dieser Adresse gibt es nichts"}
        expect(page.get_by_role("heading", name=words[language])).to_be_visible()
        assert_nothing({"unknown address": findings(page)})
        assert page.request.get("/no/such/place", headers={"accept": "*/*"}).json()["code"]
        page.get_by_role("main").get_by_role("link").click()
        expect(page.locator("input[type=email]")).to_be_focused()


def test_tags_are_shown_and_found(page: Page, api: Api) -> None:
    tagged = api.file("tagged.txt").object_key
    api.file("other.txt")
    assert api.post("/x/v1/tags", json={"tagName": "Taxes", "objectKeys": [tagged]}).status_code < 300
    show(page)
    page.get_by_role("option", name="tagged.txt").click()
    page.keyboard.press("i")
    page.get_by_role("region", name="Tags").get_by_role("link", name="Taxes").click()
    expect(page.get_by_role("heading", name="Tagged “Taxes”")).to_be_visible()
    expect(page.get_by_role("option").locator(".name")).to_have_text(["tagged.txt"])
    page.get_by_label("Tag", exact=True).select_option("")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    page.get_by_label("Tag", exact=True).select_option("Taxes")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
