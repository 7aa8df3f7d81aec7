"""Boards with people on them, tags, favourites, the timeline and contacts, typed by two people."""

from pathlib import Path

import pytest
from tests.cli.typing_commands import Typist
from tests.client.serving import ClientServer

from skyshelf.cli.base.records import ObjectRecord, OutcomeRecord
from skyshelf.cli.commands.boards.boards import BoardEventRecord, CommentRecord
from skyshelf.cli.commands.boards.members import InvitationRecord
from skyshelf.cli.commands.boards.names import BoardRecord, MemberRecord
from skyshelf.cli.commands.contacts import ContactRecord, ImportRecord
from skyshelf.cli.commands.tags import MonthRecord, TagRecord


@pytest.fixture
def friend(typist: Typist, cli_server: ClientServer, tmp_path: Path) -> Typist:
    """Somebody else, who is logged in."""
    return Typist(cli_server.person(), tmp_path / "friend").login()


def test_a_board_is_shared_and_kept_in_order(typist: Typist, friend: Typist) -> None:
    typist.done("albums", "create", "Summer")
    typist.drive.add_file("beach.jpg", b"sand")
    assert typist.records(OutcomeRecord, "albums", "add", "Summer", "/beach.jpg")[0].ok
    typist.write("sea.jpg", b"water")
    (put,) = typist.records(ObjectRecord, "albums", "put", "Summer", "sea.jpg")
    email = friend.person.account.email
    invited = typist.record(InvitationRecord, "albums", "invite", "Summer", email, "--viewer", "--expires", "7d")
    assert (invited.email, invited.role, invited.url) == (email, "viewer", None)
    code, said = typist.refused("albums", "invite", "Summer")
    assert (code, "--link" in said) == (2, True)
    link = typist.done("albums", "invite", "Summer", "--link").strip()
    sent = typist.records(InvitationRecord, "albums", "invitations", "Summer")
    assert [one.url for one in sent] == [None, link]
    typist.done("albums", "revoke", "Summer", link)
    (received,) = friend.records(InvitationRecord, "albums", "invitations")
    assert (received.board_name, received.role) == ("Summer", "viewer")
    assert friend.record(BoardRecord, "albums", "accept", "Summer").members == 2
    assert friend.refused("albums", "accept", link)[0] == 6
    said_record = friend.record(CommentRecord, "albums", "comment", "Summer", "Nice", "--about", "sea.jpg")
    assert said_record.object_key == put.object_key
    friend.done("albums", "comment", "Summer", "Very nice", "--edit", f"key:{said_record.comment_key}")
    assert [one.text for one in typist.records(CommentRecord, "albums", "comments", "Summer")] == ["Very nice"]
    name = friend.person.account.first_name
    members = typist.records(MemberRecord, "albums", "members", "Summer")
    user = next(one.user_id for one in members if not one.is_owner)
    roles = typist.records(MemberRecord, "albums", "role", "Summer", f"key:{user}", "editor")
    assert [(one.first_name, one.role) for one in roles][-1] == (name, "editor")
    cover = typist.record(BoardRecord, "albums", "cover", "Summer", "sea.jpg")
    assert cover.cover_object_key == put.object_key
    edited = typist.record(BoardRecord, "albums", "edit", "Summer", "--description", "at sea")
    assert (edited.description, edited.cover_object_key) == ("at sea", put.object_key)
    assert typist.records(OutcomeRecord, "albums", "remove", "Summer", "beach.jpg")[0].ok
    assert [one.name for one in friend.records(ObjectRecord, "albums", "show", "Summer")] == ["sea.jpg"]
    events = friend.records(BoardEventRecord, "albums", "activity", "Summer")
    assert [(one.kind, one.files) for one in events] == [
        ("withdrew", 1),
        ("joined", None),
        ("added", 2),
        ("created", None),
    ]
    assert f"{name} joined" in typist.done("albums", "activity", "Summer")
    typist.done("albums", "delete-comment", "Summer", f"key:{said_record.comment_key}", "--yes")
    typist.done("albums", "remove-member", "Summer", f"key:{user}", "--yes")
    assert friend.refused("albums", "decline", "Summer")[0] == 6
    typist.done("albums", "delete", "Summer", "--yes")
    assert friend.done("albums", "ls") == ""


def test_tags_favourites_and_the_timeline(typist: Typist) -> None:
    for name in ("a.jpg", "b.jpg", "c.txt"):
        typist.drive.add_file(name, name.encode())
    assert all(one.ok for one in typist.records(OutcomeRecord, "tags", "add", "sea", "/a.jpg", "/b.jpg"))
    assert {one.name for one in typist.records(ObjectRecord, "tags", "show", "SEA")} == {"a.jpg", "b.jpg"}
    assert typist.record(TagRecord, "tags", "rename", "sea", "ocean").name == "ocean"
    assert typist.records(OutcomeRecord, "tags", "remove", "ocean", "/a.jpg")[0].ok
    assert typist.done("tags", "ls", "--all") == "ocean\n"
    typist.done("tags", "delete", "ocean", "--yes")
    typist.done("fav", "/c.txt", "/a.jpg")
    found = typist.records(ObjectRecord, "favorites", "--by-name")
    assert [one.name for one in found] == ["a.jpg", "c.txt"]
    (month,) = typist.records(MonthRecord, "timeline", "ls")
    assert month.files == 2
    shown = typist.records(ObjectRecord, "timeline", "show", month.month)
    assert {one.name for one in shown} == {"a.jpg", "b.jpg"}
    assert typist.refused("timeline", "show", "May")[0] == 2


def test_contacts_are_changed_imported_and_exported(typist: Typist) -> None:
    added = typist.record(ContactRecord, "contacts", "add", "Grace", "--email", "grace@example.org")
    assert added.emails == ["grace@example.org"]
    edited = typist.record(ContactRecord, "contacts", "edit", "Grace", "--phone", "+1 555")
    assert (edited.emails, edited.phones) == (["grace@example.org"], ["+1 555"])
    typist.write("book.vcf", "BEGIN:VCARD\nFN:Zo\xeb\nEND:VCARD\n".encode("latin-1"))
    assert typist.record(ImportRecord, "contacts", "import", "book.vcf").imported == 1
    typist.write("broken.vcf", "BEGIN:VCARD\nFN:Ada\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD\n")
    code, said = typist.refused("contacts", "import", "broken.vcf")
    assert (code, "card 2" in said) == (3, True)
    typist.done("contacts", "export", "out.vcf")
    assert (typist.desk / "out.vcf").read_text("utf-8").count("FN:") == 3
    typist.done("contacts", "delete", "Grace", "Zoë", "--yes")
    assert [one.name for one in typist.records(ContactRecord, "contacts", "ls")] == ["Ada"]
