"""Contacts in the browser."""

from pathlib import Path

from playwright.sync_api import Page, expect
from tests.server.api import Api

CARDS = """BEGIN:VCARD
VERSION:3.0
FN:Grace Hopper
N:Hopper;Grace;;;
EMAIL:grace@example.org
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Zoë Müller
N:Müller;Zoë;;;
TEL:+49 30 123
END:VCARD
"""


def test_people_come_in_by_hand_and_by_card_and_are_found(page: Page, api: Api, tmp_path: Path) -> None:
    page.goto("/drive/contacts")
    expect(page.get_by_text("No contacts yet")).to_be_visible()
    page.get_by_role("button", name="Add contact").click()
    page.get_by_label("First name").fill("Ada")
    page.get_by_label("Last name").fill("Byron")
    page.get_by_label("Email addresses").fill("ada@example.net, countess@example.net")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("listitem").filter(has_text="Ada Byron")).to_contain_text("countess@example.net")
    cards = tmp_path / "people.vcf"
    cards.write_text(CARDS, encoding="utf-8")
    page.locator("input[type=file]").set_input_files(cards)
    expect(page.get_by_text("2 contacts imported")).to_be_visible()
    page.get_by_label("Search contacts").fill("zoe")
    expect(page.get_by_role("list", name="Contacts").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Remove Zoë Müller").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove contact").click()
    expect(page.get_by_text("No results")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export").click()
    exported = waiting.value.path().read_text(encoding="utf-8")
    assert "Ada Byron" in exported
    assert "Grace Hopper" in exported
    assert "Müller" not in exported
