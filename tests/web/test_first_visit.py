"""A new user on a phone, who only uses visible texts and icon labels."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.api import PASSWORD, Api
from tests.server.running import RunningServer
from tests.service.pictures import encoded, picture
from tests.web.visiting import PHONE, Visit, visit

NAMES = ["beach.jpg", "harbour.jpg", "lighthouse.jpg"]


def go_to(phone: Page, section: str) -> None:
    link = phone.get_by_role("link", name=section, exact=True)
    if not link.count():
        phone.get_by_role("button", name="You").tap()
    link.tap()
    expect(phone.get_by_role("heading", name=section, exact=True).first).to_be_visible()


@pytest.mark.every_stack
def test_photos_become_a_board_and_a_link_and_what_is_deleted_comes_back_without_a_word_of_help(
    browser: Browser, server: RunningServer, api: Api, tmp_path: Path
) -> None:
    trip = tmp_path / "Trip"
    trip.mkdir()
    for number, name in enumerate(NAMES):
        (trip / name).write_bytes(encoded("JPEG", picture(64, 48 + number)))

    with visit(browser, server, None, Visit(size=PHONE)) as phone:
        phone.get_by_label("Email address").fill(api.account.email)
        phone.get_by_label("Password").fill(PASSWORD)
        phone.get_by_role("button", name="Log in").tap()

        expect(phone.get_by_text("This folder is empty")).to_be_visible()
        phone.get_by_role("main").get_by_text("Upload", exact=True).last.tap()
        with phone.expect_file_chooser() as choosing:
            phone.get_by_text("Upload folder").tap()
        choosing.value.set_files(trip)
        expect(phone.get_by_role("heading", name="3 files uploaded")).to_be_visible()
        phone.get_by_role("button", name="Close uploads").tap()

        go_to(phone, "Photos")
        expect(phone.get_by_text("3 photos and videos")).to_be_visible()
        phone.get_by_role("button", name="Select all of").tap()
        phone.get_by_role("button", name="More actions").tap()
        phone.get_by_role("menuitem", name="Add to album…").tap()
        phone.get_by_label("Album name").fill("Our trip")
        phone.get_by_text("Create album").tap()
        phone.get_by_text("View", exact=True).tap()
        expect(phone.get_by_role("heading", name="Our trip")).to_be_visible()
        expect(phone.get_by_role("option")).to_have_count(3)

        go_to(phone, "Files")
        phone.get_by_title("Actions for Trip").tap()
        phone.get_by_text("Share link").tap()
        phone.get_by_text("Create link").tap()
        link = phone.get_by_role("dialog").get_by_label("Share link").input_value()
        phone.get_by_role("dialog").get_by_role("button", name="Close").tap()
        for scripts in (True, False):
            with visit(browser, server, None, Visit(size=PHONE, scripts=scripts), link) as private:
                for name in NAMES:
                    expect(private.get_by_role("link", name=name).first).to_be_visible()

        phone.get_by_text("Trip", exact=True).tap()
        phone.get_by_title("Actions for beach.jpg").tap()
        phone.get_by_text("Move to trash").tap()
        expect(phone.get_by_role("option", name="beach.jpg")).to_have_count(0)
        phone.get_by_text("Undo").tap()
        expect(phone.get_by_role("option", name="beach.jpg")).to_be_visible()
        phone.get_by_title("Actions for harbour.jpg").tap()
        phone.get_by_text("Move to trash").tap()
        expect(phone.get_by_role("option", name="harbour.jpg")).to_have_count(0)
        go_to(phone, "Trash")
        phone.get_by_title("Actions for harbour.jpg").tap()
        phone.get_by_role("menuitem", name="Restore").tap()
        expect(phone.get_by_text("The trash is empty")).to_be_visible()
        go_to(phone, "Files")
        phone.get_by_text("Trip", exact=True).tap()
        for name in NAMES:
            expect(phone.get_by_role("option", name=name)).to_be_visible()
