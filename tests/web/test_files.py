"""Files and folders in the browser: with mouse, keyboard and touch."""

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.web.visiting import PHONE, Visit, visit

from skyshelf.storage.metadata.contracts.tree import NewFolder


def expect_names(page: Page, names: list[str]) -> None:
    """Expect these items in this order."""
    expect(page.get_by_role("option").locator(".name")).to_have_text(names)


def in_folder(api: Api, key: str | None = None) -> set[str]:
    listing = api.get("/nms/metadata", params={"folderKey": key or api.root_key, "limit": "1000"})
    return {found["objectName"] for found in listing.json()["objects"]}


def wait_for_later(api: Api) -> None:
    """What is stored next arrives later: of files that arrive in the same millisecond, none is the older one."""
    before = api.ctx.clock.now()
    while api.ctx.clock.now() <= before:
        time.sleep(0.0005)


def show(page: Page) -> None:
    """Reload, to show what was created through the API."""
    page.reload()
    expect(page.locator("main#content")).to_be_visible()


def test_a_wrong_password_is_said_and_the_address_stays(browser: Browser, server: RunningServer, api: Api) -> None:
    with visit(browser, server, None, Visit()) as page:
        page.get_by_label("Email address").fill(api.account.email)
        page.get_by_label("Password").fill("not the password")
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_contain_text("Wrong email address or password.")
        expect(page.get_by_label("Email address")).to_have_value(api.account.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Files")).to_be_visible()


def test_a_reload_keeps_the_session_and_no_script_can_read_its_token(page: Page) -> None:
    show(page)
    assert page.evaluate("document.cookie") == ""
    assert "ATK" not in page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")


def test_logging_out_leaves_nothing_behind(page: Page) -> None:
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    page.goto("/drive/files")
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_folders_open_and_the_way_back_is_shown(page: Page, api: Api) -> None:
    outer = api.folder("Outer")
    inner = api.folder("Inner", outer.object_key)
    api.file("deep.txt", parent_key=inner.object_key)
    show(page)
    page.get_by_role("option", name="Outer").dblclick()
    page.get_by_role("option", name="Inner").dblclick()
    expect(page.get_by_role("option", name="deep.txt")).to_be_visible()
    expect(page).to_have_url(re.compile(inner.object_key))
    page.get_by_label("Folder path").get_by_role("link", name="Outer").click()
    expect(page.get_by_role("option", name="Inner")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("option", name="deep.txt")).to_be_visible()


def test_an_empty_drive_says_what_to_do(page: Page) -> None:
    expect(page.get_by_text("This folder is empty")).to_be_visible()


def test_a_new_folder_and_a_taken_name(page: Page, api: Api) -> None:
    for _ in range(2):
        page.get_by_role("button", name="New folder").click()
        page.get_by_label("Folder name").fill("Summer")
        page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Folder name")).to_have_value("Summer")
    page.get_by_label("Folder name").fill("Winter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="Winter")).to_be_visible()
    assert in_folder(api) == {"Summer", "Winter"}


def test_renaming_by_the_keyboard(page: Page, api: Api) -> None:
    api.file("before.txt")
    show(page)
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("F2")
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_be_focused()
    # Only the name without its extension is selected.
    page.keyboard.type("after")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="after.txt")).to_be_visible()
    assert in_folder(api) == {"after.txt"}


@pytest.mark.every_stack
def test_the_trash_gives_back(page: Page, api: Api) -> None:
    api.file("kept.txt")
    api.file("thrown.txt")
    show(page)
    page.get_by_role("option", name="thrown.txt").click()
    page.keyboard.press("Delete")
    expect(page.get_by_role("option", name="thrown.txt")).to_have_count(0)
    assert in_folder(api) == {"kept.txt"}
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("option", name="thrown.txt")).to_be_visible()
    assert in_folder(api) == {"kept.txt", "thrown.txt"}


def test_many_are_selected_and_moved_by_the_dialog(page: Page, api: Api) -> None:
    target = api.folder("Target")
    for number in range(5):
        api.file(f"file {number}.txt")
    show(page)
    page.get_by_role("option", name="file 1.txt").click()
    page.get_by_role("option", name="file 3.txt").click(modifiers=["Shift"])
    expect(page.get_by_text("3 selected").first).to_be_visible()
    page.get_by_role("toolbar").get_by_role("button", name="Move…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Target").click()
    dialog.get_by_role("button", name="Move to “Target”").click()
    expect(page.get_by_text("3 items moved to “Target”")).to_be_visible()
    assert in_folder(api, target.object_key) == {"file 1.txt", "file 2.txt", "file 3.txt"}
    expect_names(page, ["Target", "file 0.txt", "file 4.txt"])


def test_a_file_is_dragged_into_a_folder(page: Page, api: Api) -> None:
    target = api.folder("Target")
    api.file("dragged.txt")
    show(page)
    page.get_by_role("option", name="dragged.txt").drag_to(page.get_by_role("option", name="Target"))
    expect(page.get_by_role("option", name="dragged.txt")).to_have_count(0)
    assert in_folder(api, target.object_key) == {"dragged.txt"}


def test_a_context_menu_makes_a_favourite(page: Page, api: Api) -> None:
    key = api.file("loved.txt").object_key
    show(page)
    page.get_by_role("option", name="loved.txt").click(button="right")
    page.get_by_role("menuitem", name="Add to favourites").click()
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.get_by_role("option", name="loved.txt").locator(".star")).to_be_visible()
    assert api.get(f"/x/v1/objects/{key}").json()["object"]["isFavorite"] is True


def test_a_link_is_shared_and_opens_in_a_private_window(
    browser: Browser, server: RunningServer, page: Page, api: Api
) -> None:
    api.file("shown.txt", b"for everybody")
    show(page)
    page.get_by_role("option", name="shown.txt").click()
    page.get_by_role("toolbar").get_by_role("button", name="Share link").click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_role("dialog").get_by_label("Share link").input_value()
    with visit(browser, server, None, Visit(), link) as private:
        expect(private.get_by_text("shown.txt").first).to_be_visible()


def test_sorting_stays_chosen(page: Page, api: Api) -> None:
    api.file("a small.txt", b"1")
    api.file("b large.txt", b"1" * 5000)
    show(page)
    expect_names(page, ["a small.txt", "b large.txt"])
    page.get_by_role("button", name="Sort by").click()
    page.get_by_role("menuitem", name="Size").click()
    page.get_by_role("button", name="Sort by").click()
    page.get_by_role("menuitem", name="Descending").click()
    expect_names(page, ["b large.txt", "a small.txt"])
    show(page)
    expect(page.get_by_role("option").first).to_contain_text("b large.txt")


def test_names_that_hide_something_are_shown_as_they_are(page: Page, api: Api) -> None:
    api.file("photo\u202egpj.exe")
    show(page)
    expect(page.get_by_role("option", name="photo\ufffd202egpj.exe")).to_be_visible()


def test_a_folder_of_thousands_is_there_from_end_to_end(page: Page, api: Api) -> None:
    big = api.folder("Big")
    many = [
        NewFolder(object_key=api.ctx.new_key(), parent_key=big.object_key, name=f"entry {n:05}") for n in range(2100)
    ]
    api.ctx.metadata.write(lambda unit: [unit.tree.add_folder(api.account.account_id, one, 1) for one in many])
    page.goto(f"/drive/files/{big.object_key}")
    expect(page.get_by_text("2,100 items")).to_have_count(1)
    assert page.get_by_role("option").count() < 100
    page.get_by_role("listbox").focus()
    page.keyboard.press("End")
    expect(page.get_by_role("option", name="entry 02099")).to_be_visible()


def test_a_folder_that_is_gone_says_so(page: Page, api: Api) -> None:
    key = api.folder("gone").object_key
    api.trash(key)
    page.goto(f"/drive/files/{key}")
    expect(page.get_by_text("This folder no longer exists.")).to_be_visible()
    page.get_by_role("button", name="Go to all files").click()
    expect(page.get_by_role("heading", name="Files")).to_be_visible()


def test_a_lost_connection_is_said_and_found_again(page: Page, api: Api) -> None:
    key = api.folder("there").object_key
    show(page)
    page.context.set_offline(True)
    expect(page.get_by_text("No connection to the server")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("No connection to the server")).to_have_count(0)
    page.get_by_role("option", name="there").dblclick()
    expect(page).to_have_url(re.compile(key))


def test_a_finger_opens_selects_and_finds_the_menu(browser: Browser, server: RunningServer, api: Api) -> None:
    folder = api.folder("Tapped")
    api.file("inside.txt", parent_key=folder.object_key)
    with visit(browser, server, api, Visit(size=PHONE)) as phone:
        phone.get_by_role("option", name="Tapped").tap()
        expect(phone.get_by_role("option", name="inside.txt")).to_be_visible()
        phone.get_by_label("Main navigation").get_by_role("link", name="Files").tap()
        expect(phone.get_by_role("option", name="Tapped")).to_be_visible()
        assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_does_not_fit_beside_a_selection_on_a_phone_is_in_a_menu(
    browser: Browser, server: RunningServer, api: Api
) -> None:
    api.file("notes.txt")
    with visit(browser, server, api, Visit(size=PHONE)) as phone:
        # With a mouse, because touch would need a long press.
        phone.get_by_role("option", name="notes.txt").click()
        bar = phone.get_by_role("toolbar", name="1 selected")
        expect(bar.get_by_role("button", name="Move to trash")).to_be_visible()
        expect(bar.get_by_role("button", name="Rename")).to_be_hidden()
        bar.get_by_role("button", name="More actions").tap()
        phone.get_by_role("menuitem", name="Rename").tap()
        expect(phone.get_by_role("dialog", name="Rename")).to_be_visible()


@pytest.mark.parametrize(("language", "words"), [("de-DE", "Dateien"), ("fr-FR", "Files")])
def test_the_page_speaks_the_language_of_the_browser(
    browser: Browser, server: RunningServer, api: Api, language: str, words: str
) -> None:
    with visit(browser, server, api, Visit(language=language)) as page:
        expect(page.get_by_role("heading", name=words, exact=True)).to_be_visible()


@pytest.mark.parametrize(("language", "day"), [("en-GB", r"^\d{1,2} \w+ \d{4}$"), ("en-US", r"^\w+ \d{1,2}, \d{4}$")])
def test_days_are_written_as_in_the_region_of_the_browser(
    browser: Browser, server: RunningServer, api: Api, language: str, day: str
) -> None:
    api.file("notes.txt")
    with visit(browser, server, api, Visit(language=language)) as page:
        expect(page.get_by_role("option", name="notes.txt").locator(".modified")).to_have_text(re.compile(day))
