"""Texts are edited in place, and nothing that was typed is lost."""

import re

from playwright.sync_api import Browser, Locator, Page, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.server.uploading import content_of, upload
from tests.web.axe import assert_nothing, findings
from tests.web.test_files import show
from tests.web.test_recovery import end_sessions
from tests.web.visiting import PHONE, Visit, visit


def editor(page: Page, name: str) -> Locator:
    """The text field, once it is there."""
    field = page.get_by_role("textbox", name=name)
    expect(field).to_be_focused()
    return field


def edit(page: Page, key: str, name: str, typed: str) -> Locator:
    """Replace the text of the file, without saving."""
    page.goto(f"/drive/edit/{key}")
    field = editor(page, name)
    page.keyboard.press("Control+a")
    page.keyboard.type(typed)
    expect(page.get_by_text("kept as a draft")).to_be_visible()
    return field


def test_a_text_is_opened_edited_and_saved(page: Page, api: Api) -> None:
    key = api.file("notes.md", "# Old\r\nline\r\n".encode("utf-8-sig")).object_key
    show(page)
    page.get_by_role("option", name="notes.md").dblclick()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    editor(page, "notes.md")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()
    page.keyboard.press("Control+Home")
    page.keyboard.type("# New\n")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("region", name="Preview").get_by_role("heading", name="New")).to_be_visible()
    assert_nothing({"editor": findings(page)})
    page.keyboard.press("Control+s")
    expect(page.get_by_text("notes.md saved")).to_be_visible()
    # Byte order mark and ends of lines stay as they were.
    assert content_of(api, key) == "# New\r\n# Old\r\nline\r\n".encode("utf-8-sig")
    page.get_by_role("button", name="Back to the folder").click()
    expect(page.get_by_role("option", name="notes.md")).to_be_visible()
    expect(page.get_by_text("not saved")).to_have_count(0)


def test_who_saves_second_is_asked_and_both_texts_are_kept(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"one\n").object_key
    edit(page, key, "plan.txt", "mine")
    upload(api, "plan.txt", b"theirs")
    expect(page.get_by_text("Somebody has saved a newer version")).to_be_visible()
    page.keyboard.press("Control+s")
    asked = page.get_by_role("dialog", name="Somebody else has saved this file")
    asked.get_by_role("button", name="Compare").click()
    expect(asked.get_by_text("theirs", exact=True)).to_be_visible()
    expect(asked.get_by_text("mine", exact=True)).to_be_visible()
    assert_nothing({"conflict": findings(page)})
    asked.get_by_role("button", name="Keep both").click()
    expect(page.get_by_role("heading", name=re.compile(r"^plan \(.*\)\.txt$"))).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_text("mine")
    assert content_of(api, key) == b"theirs"


def test_overwriting_keeps_the_other_text_as_a_version(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"one\n").object_key
    edit(page, key, "plan.txt", "mine")
    upload(api, "plan.txt", b"theirs")
    page.keyboard.press("Control+s")
    page.get_by_role("dialog").get_by_role("button", name="Overwrite").click()
    expect(page.get_by_text("plan.txt saved")).to_be_visible()
    assert content_of(api, key) == b"mine"
    versions = api.get(f"/nms/metadata/version/{key}").json()["objVersions"]
    assert [one["sizeInBytes"] for one in versions] == [4, 6, 4]


def test_a_draft_survives_the_way_back_a_reload_and_a_logout_ends_it(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"one\n").object_key
    show(page)
    page.get_by_role("option", name="plan.txt").dblclick()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    editor(page, "plan.txt")
    page.keyboard.type("unsaved ")
    page.go_back()
    page.get_by_role("button", name="Go on editing").click()
    expect(editor(page, "plan.txt")).to_have_text("unsaved one")
    page.keyboard.type("words ")
    # The browser asks; whoever leaves all the same finds the words again.
    page.once("dialog", lambda question: question.accept())
    page.reload()
    expect(page.get_by_role("textbox", name="plan.txt")).to_contain_text("words")
    expect(page.get_by_text("Changes that you did not save")).to_be_visible()
    page.get_by_role("button", name="Discard draft").click()
    expect(page.get_by_role("textbox", name="plan.txt")).to_have_text("one")
    assert content_of(api, key) == b"one\n"
    assert page.evaluate("Object.keys(localStorage).filter((one) => one.includes('draft'))") == []


def test_logging_out_asks_before_it_discards_a_draft(page: Page, api: Api) -> None:
    api.file("plan.txt", b"one\n")
    show(page)
    page.get_by_role("option", name="plan.txt").dblclick()
    page.get_by_role("dialog").get_by_role("button", name="Edit").click()
    editor(page, "plan.txt")
    page.keyboard.type("unsaved ")
    page.go_back()
    page.get_by_role("button", name="Log out").click()
    question = page.get_by_role("dialog", name="Log out with unsaved texts?")
    expect(question.get_by_text("1 text has changes that are not saved.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    question.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Email address")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((one) => one.includes('draft'))") == []


def test_saving_after_the_session_has_ended_goes_on_with_the_password(page: Page, api: Api) -> None:
    key = api.file("plan.txt", b"one\n").object_key
    edit(page, key, "plan.txt", "typed")
    end_sessions(api)
    page.keyboard.press("Control+s")
    page.get_by_role("dialog", name="Log in again").get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_text("plan.txt saved")).to_be_visible()
    assert content_of(api, key) == b"typed"


def test_what_cannot_be_edited_says_why(browser: Browser, server: RunningServer, api: Api) -> None:
    large = api.file("large.log", b"x" * (1024 * 1024 + 1)).object_key
    other = api.file("old.txt", "schön".encode("latin-1")).object_key
    with visit(browser, server, api, Visit(size=PHONE, scheme="dark"), f"/drive/edit/{large}") as page:
        expect(page.get_by_text("Texts of up to 1 MiB")).to_be_visible()
        page.goto(f"/drive/edit/{other}")
        expect(page.get_by_text("It is not text in UTF-8")).to_be_visible()
        assert_nothing({"not editable": findings(page)})
