"""Boards with people on them, tags, the timeline, favourites and contacts, by both clients, against a real server."""

from pathlib import Path

import pytest
from tests.client.foreign import Asked, Reply, foreign_server
from tests.client.serving import ClientServer, Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ForbiddenError, InvalidRequestError, NotOfferedError, ObjectNotFoundError
from skyshelf.client.objects.outcomes import UnprocessedError
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone


@pytest.fixture
def friend(client_host: ClientServer, person: Person) -> Person:
    """Somebody else; the person comes first, so that passwords are cheap."""
    return client_host.person()


def client_of(person: Person) -> AsyncClient:
    return AsyncClient(**person.settings)


async def test_a_board_is_shared_with_somebody_who_is_invited(
    client: AsyncClient, person: Person, friend: Person, tmp_path: Path
) -> None:
    local = tmp_path / "beach.jpg"
    local.write_bytes(b"sand")
    board = await client.create_board("Summer")
    uploaded = await client.upload_to_board(board.board_key, local)
    assert (await client.get("/Boards/Summer/beach.jpg")).key == uploaded.key
    folder = await client.create_folder("Folder")
    added = await client.add_to_board(board.board_key, [uploaded, folder])
    assert [outcome.ok for outcome in added] == [True, False]
    with pytest.raises(UnprocessedError):
        added.raise_for_failures()
    invitation = await client.invite_to_board(board.board_key, friend.account.email, role="V")
    assert invitation.member_type == "V"
    assert [one.email_id for one in (await client.board_invitations(board.board_key)).invitations or ()] == [
        friend.account.email
    ]
    async with client_of(friend) as other:
        (received,) = [one async for one in other.received_invitations()]
        joined = await other.accept_invitation(received.board_key)
        assert joined.board_name == "Summer"
        (shown,) = (await other.board(board.board_key)).objects or []
        assert (shown.object_key, shown.parent_object_key) == (uploaded.key, None)
        with pytest.raises(ForbiddenError):
            await other.edit_board(board.board_key, name="Mine")
        said = await other.add_board_comment(board.board_key, "Nice", about=uploaded.key)
        await other.edit_board_comment(board.board_key, said.comment_key, "Very nice")
    assert [one.text async for one in client.board_comments(board.board_key, page_size=1)] == ["Very nice"]
    members = await client.set_board_role(board.board_key, friend.login.user_id, "M")
    assert [one.member_type for one in members] == ["O", "M"]
    assert (await client.set_board_cover(board.board_key, uploaded)).cover_object_key == uploaded.key
    assert (await client.edit_board(board.board_key, description="2026")).board_description == "2026"
    with pytest.raises(InvalidRequestError):
        await client.edit_board(board.board_key)
    await client.remove_board_comment(board.board_key, said.comment_key)
    await client.remove_board_member(board.board_key, friend.login.user_id)
    removed = await client.remove_from_board(board.board_key, [uploaded])
    assert removed.ok
    assert (await client.board(board.board_key)).objects == []
    await client.delete_board(board.board_key)
    with pytest.raises(ObjectNotFoundError):
        await client.board(board.board_key)


async def test_a_link_and_an_invitation_can_be_taken_back(client: AsyncClient, person: Person, friend: Person) -> None:
    board = (await client.create_board("Summer")).board_key
    link = await client.create_board_link(board, role="V")
    assert link.token is not None
    assert link.token not in repr(link)
    async with client_of(friend) as other:
        assert (await other.accept_invitation(link.link_url or "")).board_key == board
        await other.leave_board(board)
        await client.revoke_board_link(board, link.link_key)
        with pytest.raises(ObjectNotFoundError):
            await other.accept_invitation(link.token)
        await client.invite_to_board(board, friend.account.email)
        await other.decline_invitation(board)
        await client.invite_to_board(board, friend.account.email)
        await client.revoke_board_invitation(board, friend.account.email)
        assert [one async for one in other.received_invitations()] == []


async def test_tags_favourites_and_the_timeline(client: AsyncClient, tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
        await client.upload(tmp_path / name)
    assert (await client.add_tag("sea", ["/a.jpg", "/b.jpg"])).ok
    (tag,) = [one async for one in client.tags(page_size=1)]
    assert tag.tag_id is not None
    assert sorted([one.name async for one in client.tagged(tag.tag_id, page_size=1)]) == ["a.jpg", "b.jpg"]
    assert (await client.rename_tag(tag.tag_id, "ocean")).tag_name == "ocean"
    taken = await client.remove_tag(tag.tag_id, ["/a.jpg", "/c.txt"])
    assert [outcome.ok for outcome in taken] == [True, False]
    await client.delete_tag(tag.tag_id)
    assert [one async for one in client.tags()] == []
    await client.set_favorite(["/c.txt", "/a.jpg"])
    assert [one.name async for one in client.favorites(order="name", page_size=1)] == ["a.jpg", "c.txt"]
    (month,) = await client.timeline()
    assert month.count == 2
    assert month.month is not None
    found = [one.name async for one in client.timeline_objects(month.year, month.month, page_size=1)]
    assert sorted(found) == ["a.jpg", "b.jpg"]


async def test_contacts_are_changed_imported_and_exported(client: AsyncClient) -> None:
    new = Contact(
        display_name="Ada",
        emails=[ContactMailbox(email_id="ada@example.org", type="home")],
        phones=[ContactPhone(number="1")],
    )
    added = await client.add_contact(new)
    assert added.contact_id is not None
    edited = await client.edit_contact(added.contact_id, Contact(first_name="Augusta"))
    assert (edited.display_name, edited.emails) == ("Augusta", None)
    with pytest.raises(InvalidRequestError):
        await client.add_contact(Contact())
    imported = await client.import_contacts("BEGIN:VCARD\nFN:Grace\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD\n")
    assert [one.display_name for one in imported.contacts or ()] == ["Grace"]
    assert [one.card for one in imported.unprocessed or ()] == [2]
    text = "".join([page async for page in client.export_contacts()])
    assert text.count("BEGIN:VCARD") == 2
    assert await client.remove_contacts([added.contact_id, "0" * 32]) == [added.contact_id]


async def test_a_server_without_any_of_it_is_told_in_one_sentence(tmp_path: Path) -> None:
    def page(_: Asked) -> Reply:
        return Reply(404, b"<html>nothing here</html>", {"Content-Type": "text/html"})

    key = "0" * 32
    with foreign_server(page) as foreign:
        async with AsyncClient(foreign.url, auth_token="a", user_id=key, device_key="d", retries=0) as client:
            for attempt, what in (
                (client.add_to_board(key, [key]), "boards that can be changed"),
                (client.accept_invitation(key), "boards that can be changed"),
                (client.add_tag("sea", [key]), "tags that can be given"),
                (client.timeline(), "a timeline"),
                (client.import_contacts("x"), "contacts that can be changed"),
            ):
                with pytest.raises(NotOfferedError, match=f"does not offer {what}"):
                    await attempt
            with pytest.raises(NotOfferedError, match="a list of favourites"):
                [one async for one in client.favorites()]
