"""Contacts in the browser."""

import base64
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


SPY = "https://example.org/spy.png"
TEXT = base64.b64encode(b"<script>window.ran = 1</script> is no picture").decode()
TRAPS = f"""BEGIN:VCARD
VERSION:4.0
FN:<img src={SPY} onerror="window.ran = 2">
N:<script>window.ran = 3</script>;<b>Eve</b>;;;
EMAIL:javascript:window.ran=4
EMAIL:"><img src={SPY}>@example.org
TEL;VALUE=uri:javascript:window.ran=5
URL:javascript:window.ran=6
URL:data:text/html,<script>window.ran=7</script>
URL:file:///etc/passwd
IMPP:javascript:window.ran=8
PHOTO:{SPY}
PHOTO:data:text/html;base64,{TEXT}
PHOTO;ENCODING=b;TYPE=PNG:{TEXT}
LOGO;VALUE=uri:{SPY}
SOUND;VALUE=uri:https://example.org/spy.ogg
KEY:https://example.org/key
ORG:<svg onload="window.ran = 9">
NICKNAME:javascript:window.ran=10
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Large
PHOTO;ENCODING=b;TYPE=JPEG:{{photo}}
END:VCARD
"""


def test_nothing_in_a_card_runs_or_is_loaded(page: Page, api: Api, tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    cards = tmp_path / "people.vcf"
    cards.write_text(TRAPS.format(photo="A" * (10 << 20)), encoding="utf-8")
    page.goto("/drive/contacts")
    page.locator("input[type=file]").set_input_files(cards)
    expect(page.get_by_text("2 contacts imported")).to_be_visible()
    rows = page.get_by_role("list", name="Contacts").get_by_role("listitem")
    expect(rows.filter(has_text="Large")).to_be_visible()
    trap = rows.filter(has_text="onerror")
    expect(trap).to_contain_text("<img src=")
    trap.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("dialog").get_by_label("Email addresses")).to_be_visible()
    risky = ["javascript:", "data:", "file:", "https://example.org"]
    links = ", ".join(f'[href^="{one}" i], [src^="{one}" i]' for one in risky)
    assert page.locator(links).count() == 0
    page.keyboard.press("Escape")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Export").click()
    exported = waiting.value.path().read_text(encoding="utf-8")
    assert not any(name in exported for name in ("PHOTO", "URL", "LOGO", "SOUND", "KEY", "IMPP"))
    # The file as such is shown as the text that it is.
    api.file("people.vcf", TRAPS.encode())
    page.goto("/drive")
    page.get_by_role("option").get_by_text("people.vcf", exact=True).dblclick()
    expect(page.get_by_role("dialog", name="Preview").get_by_role("heading", name="people.vcf")).to_be_visible()
    assert page.locator(links).count() == 0
    assert page.evaluate("window.ran") is None
    own = page.url.split("/drive")[0]
    assert [url for url in asked if not url.startswith((f"{own}/", "blob:", "data:"))] == []
    assert len(page.context.pages) == 1
