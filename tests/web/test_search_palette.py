"""The search palette: from anywhere, with results, suggestions and filters before Enter."""

import re

from playwright.sync_api import Page, expect
from tests.server.api import Api
from tests.web.test_files import expect_names


def test_results_come_while_one_types_and_lead_to_their_folder(page: Page, api: Api) -> None:
    folder = api.folder("Letters").object_key
    api.file("aunt.txt", parent_key=folder)
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search files")
    expect(field).to_be_focused()
    field.press_sequentially("aun")
    found = page.get_by_role("dialog").get_by_role("option", name="aunt.txt")
    expect(found).to_contain_text("Letters")
    page.keyboard.press("ArrowDown")
    expect(found).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(folder))
    expect(page.get_by_role("option", selected=True)).to_contain_text("aunt.txt")
    page.keyboard.press("/")
    expect(page.get_by_role("dialog").get_by_role("option", name="aun", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_suggestions_become_filters_that_the_address_keeps(page: Page, api: Api) -> None:
    tagged = api.file("tagged note.txt")
    api.file("other note.txt")
    inner = api.folder("Inner").object_key
    api.file("inner note.txt", parent_key=inner)
    api.post("/x/v1/tags", json={"objectKeys": [tagged.object_key], "tagName": "Taxes"})
    page.goto(f"/drive/files/{inner}")
    expect(page.get_by_role("option", name="inner note.txt")).to_be_visible()
    page.keyboard.press("/")
    palette = page.get_by_role("dialog", name="Search")
    page.get_by_role("combobox", name="Search files").fill("note tax")
    palette.get_by_role("option", name="Tag: Taxes").click()
    expect(palette.get_by_label("Tag")).to_have_value("Taxes")
    expect(palette.get_by_role("option", name="tagged note.txt")).to_be_visible()
    expect(palette.get_by_role("option", name="other note.txt")).to_have_count(0)
    palette.get_by_label("Tag").select_option("Any tag")
    palette.get_by_role("button", name="In this folder").click()
    expect(palette.get_by_role("option", name="inner note.txt")).to_be_visible()
    expect(palette.get_by_role("option", name="other note.txt")).to_have_count(0)
    palette.get_by_role("option", name="Show all results").click()
    expect_names(page, ["inner note.txt"])
    page.get_by_role("button", name=re.compile("Remove filter")).click()
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(3)
