"""The small lists of an account, with something in them: contacts, their addresses, tags, promotions, banners."""

from collections.abc import Iterator

import msgspec
import pytest
from tests.cli.typing_commands import Typist

from skyshelf.cli.commands.about import BannerRecord, PromotionRecord
from skyshelf.cli.commands.contacts import ContactRecord, EmailRecord
from skyshelf.cli.commands.tags import TagRecord
from skyshelf.storage.metadata.contracts.accounts import Banner, Promotion
from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone

DAY = 24 * 3600 * 1000


@pytest.fixture
def known(typist: Typist) -> Iterator[Typist]:
    """An account with three contacts, two tags, two promotions, and a banner of the server."""
    ctx, account = typist.person.server.ctx, typist.person.account.account_id
    photo, now = typist.drive.add_file("beach.jpg", b"sand"), ctx.clock.now()
    banner = ctx.new_key()
    people = [
        Contact(
            display_name="Zoë Ångström",
            emails=[ContactMailbox(email_id="zoe@example.org"), ContactMailbox(email_id="z@example.net")],
            phones=[ContactPhone(number="+46 1 23")],
        ),
        Contact(display_name="王小明", emails=[ContactMailbox(email_id="wang@example.org")]),
        Contact(display_name="Mallory \x1b[31m"),
    ]

    def fill(unit: Unit) -> None:
        unit.contacts.add(account, {ctx.new_key(): one for one in people}, now)
        for name in ("sea", "summer\u202e"):
            unit.tags.add(account, [photo], NewTag(tag_key=ctx.new_key(), name=name), now)
        for name, start, end in (("Welcome", now - DAY, now + DAY), ("Last year", now - 9 * DAY, now - 8 * DAY)):
            unit.promotions.add(
                Promotion(
                    promotion_key=ctx.new_key(),
                    account_id=account,
                    name=name,
                    space=5 << 30,
                    start_at=start,
                    end_at=end,
                )
            )
        unit.banners.add(
            Banner(
                banner_key=banner,
                title="Tonight",
                text="The server rests from 2 to 3.",
                image_url="",
                action_url="https://example.org/news",
                start_at=now - DAY,
                end_at=now + DAY,
            )
        )

    ctx.metadata.write(fill)
    yield typist
    ctx.metadata.write(lambda unit: unit.banners.remove(banner))


def test_contacts_come_by_name_with_all_addresses_and_numbers(known: Typist) -> None:
    found = known.records(ContactRecord, "contacts", "ls")
    assert {one.name: (one.emails, one.phones) for one in found} == {
        "Mallory \x1b[31m": ([], []),
        "Zoë Ångström": (["zoe@example.org", "z@example.net"], ["+46 1 23"]),
        "王小明": (["wang@example.org"], []),
    }
    lines = known.done("contacts", "ls").splitlines()
    assert r"Mallory \x1b[31m" in lines
    # A wide character takes two columns, so that the second column begins where it does for the others.
    assert "Zoë Ångström      zoe@example.org, z@example.net  +46 1 23" in lines
    assert "王小明            wang@example.org" in lines


def test_every_address_is_listed_with_its_name(known: Typist) -> None:
    found = known.records(EmailRecord, "contacts", "emails")
    assert {one.email: one.name for one in found} == {
        "zoe@example.org": "Zoë Ångström",
        "z@example.net": "Zoë Ångström",
        "wang@example.org": "王小明",
    }
    streamed = known.done("contacts", "emails", "--jsonl").splitlines()
    assert [msgspec.json.decode(line, type=EmailRecord) for line in streamed] == found


def test_tags_of_a_file_and_those_used_lately(known: Typist) -> None:
    assert {one.name for one in known.records(TagRecord, "tags", "ls")} == {"sea", "summer\u202e"}
    assert [one.name for one in known.records(TagRecord, "tags", "ls", "/beach.jpg")] == ["sea", "summer\u202e"]
    assert sorted(known.done("tags", "ls", "/beach.jpg").splitlines()) == ["sea", r"summer\u202e"]
    assert known.refused("tags", "ls", "/none.jpg")[0] == 6


def test_promotions_show_their_space_and_end_date(known: Typist) -> None:
    found = known.records(PromotionRecord, "promotions")
    assert [(one.name, one.is_active, one.quota_bytes) for one in found] == [
        ("Welcome", True, 5 << 30),
        ("Last year", False, 5 << 30),
    ]
    assert found[0].ends is not None
    assert found[0].ends.endswith("Z")
    lines = known.done("promotions").splitlines()
    assert lines[0].startswith("Welcome    5 GiB  until 2")
    assert lines[1].startswith("Last year  5 GiB  ended 2")


def test_banners_say_what_the_operator_has_to_say(known: Typist) -> None:
    (found,) = known.records(BannerRecord, "banners")
    assert (found.title, found.text, found.action_url) == (
        "Tonight",
        "The server rests from 2 to 3.",
        "https://example.org/news",
    )
    assert known.done("banners") == "Tonight: The server rests from 2 to 3.  https://example.org/news\n"
