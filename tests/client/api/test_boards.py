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
    board = await client.boards.create("Summer")
    uploaded = await client.boards.upload(board.board_key, local)
    assert (await client.get("/Boards/Summer/beach.jpg")).key == uploaded.key
    folder = await client.create_folder("Folder")
    added = await client.boards.add_files(board.board_key, [uploaded, folder], on_error="return")
    assert [outcome.ok for outcome in added] == [True, False]
    with pytest.raises(UnprocessedError):
        added.raise_for_failures()
    invitation = await client.boards.invite(board.board_key, friend.account.email, role="V")
    assert invitation.member_type == "V"
    assert [one.email_id for one in (await client.boards.invitations(board.board_key)).invitations or ()] == [
        friend.account.email
    ]
    async with client_of(friend) as other:
        (received,) = [one async for one in other.boards.received_invitations()]
        joined = await other.boards.accept(received.board_key)
        assert joined.board_name == "Summer"
        (shown,) = (await other.boards.get(board.board_key)).objects or []
        assert (shown.object_key, shown.parent_object_key) == (uploaded.key, None)
        with pytest.raises(ForbiddenError):
            await other.boards.edit(board.board_key, name="Mine")
        said = await other.boards.add_comment(board.board_key, "Nice", about=uploaded.key)
        await other.boards.edit_comment(board.board_key, said.comment_key, "Very nice")
    assert [one.text async for one in client.boards.comments(board.board_key, page_size=1)] == ["Very nice"]
    members = await client.boards.set_role(board.board_key, friend.login.user_id, "M")
    assert [one.member_type for one in members] == ["O", "M"]
    assert (await client.boards.set_cover(board.board_key, uploaded)).cover_object_key == uploaded.key
    assert (await client.boards.edit(board.board_key, description="2026")).board_description == "2026"
    with pytest.raises(InvalidRequestError):
        await client.boards.edit(board.board_key)
    await client.boards.remove_comment(board.board_key, said.comment_key)
    await client.boards.remove_member(board.board_key, friend.login.user_id)
    removed = await client.boards.remove_files(board.board_key, [uploaded])
    assert removed.ok
    assert (await client.boards.get(board.board_key)).objects == []
    await client.boards.delete(board.board_key)
    with pytest.raises(ObjectNotFoundError):
        await client.boards.get(board.board_key)


async def test_a_link_and_an_invitation_can_be_revoked(client: AsyncClient, person: Person, friend: Person) -> None:
    board = (await client.boards.create("Summer")).board_key
    link = await client.boards.create_link(board, role="V")
    assert link.token is not None
    assert link.token not in repr(link)
    async with client_of(friend) as other:
        assert (await other.boards.accept(link.link_url or "")).board_key == board
        await other.boards.leave(board)
        await client.boards.revoke_link(board, link.link_key)
        with pytest.raises(ObjectNotFoundError):
            await other.boards.accept(link.token)
        await client.boards.invite(board, friend.account.email)
        await other.boards.decline(board)
        await client.boards.invite(board, friend.account.email)
        await client.boards.revoke_invitation(board, friend.account.email)
        assert [one async for one in other.boards.received_invitations()] == []


async def test_tags_favourites_and_the_timeline(client: AsyncClient, tmp_path: Path) -> None:
    for name in ("a.jpg", "b.jpg", "c.txt"):
        (tmp_path / name).write_bytes(name.encode())
        await client.upload(tmp_path / name)
    assert (await client.tags.add("sea", ["/a.jpg", "/b.jpg"])).ok
    (tag,) = [one async for one in client.tags.list(page_size=1)]
    assert tag.tag_id is not None
    assert sorted([one.name async for one in client.tags.objects(tag.tag_id, page_size=1)]) == ["a.jpg", "b.jpg"]
    assert (await client.tags.rename(tag.tag_id, "ocean")).tag_name == "ocean"
    taken = await client.tags.remove(tag.tag_id, ["/a.jpg", "/c.txt"], on_error="return")
    assert [outcome.ok for outcome in taken] == [True, False]
    await client.tags.delete(tag.tag_id)
    assert [one async for one in client.tags.list()] == []
    await client.set_favorite(["/c.txt", "/a.jpg"])
    assert [one.name async for one in client.favorites(order="name", page_size=1)] == ["a.jpg", "c.txt"]
    (month,) = await client.timeline.months()
    assert month.count == 2
    assert month.month is not None
    found = [one.name async for one in client.timeline.objects(month.year, month.month, page_size=1)]
    assert sorted(found) == ["a.jpg", "b.jpg"]


async def test_contacts_are_changed_imported_and_exported(client: AsyncClient) -> None:
    new = Contact(
        display_name="Ada",
        emails=[ContactMailbox(email_id="ada@example.org", type="home")],
        phones=[ContactPhone(number="1")],
    )
    added = await client.contacts.add(new)
    assert added.contact_id is not None
    edited = await client.contacts.edit(added.contact_id, Contact(first_name="Augusta"))
    assert (edited.display_name, edited.emails) == ("Augusta", None)
    with pytest.raises(InvalidRequestError):
        await client.contacts.add(Contact())
    imported = await client.contacts.import_vcards("BEGIN:VCARD\nFN:Grace\nEND:VCARD\nBEGIN:VCARD\nEND:VCARD\n")
    assert [one.display_name for one in imported.contacts or ()] == ["Grace"]
    assert [one.card for one in imported.unprocessed or ()] == [2]
    text = "".join([page async for page in client.contacts.export_vcards()])
    assert text.count("BEGIN:VCARD") == 2
    assert await client.contacts.remove([added.contact_id, "0" * 32]) == [added.contact_id]


async def test_a_server_without_any_of_it_says_so_in_one_sentence(tmp_path: Path) -> None:
    def page(_: Asked) -> Reply:
        return Reply(404, b"<html>nothing here</html>", {"Content-Type": "text/html"})

    key = "0" * 32
    with foreign_server(page) as foreign:
        async with AsyncClient(foreign.url, auth_token="a", user_id=key, device_key="d", retries=0) as client:
            for attempt, what in (
                (client.boards.add_files(key, [key]), "change boards; it only shows them"),
                (client.boards.accept(key), "change boards; it only shows them"),
                (client.tags.add("sea", [key]), "change tags; it only shows them"),
                (client.timeline.months(), "show a timeline"),
                (client.contacts.import_vcards("x"), "change contacts; it only shows them"),
            ):
                with pytest.raises(NotOfferedError, match=f"this server cannot {what}"):
                    await attempt
            with pytest.raises(NotOfferedError, match="this server cannot list favourites"):
                [one async for one in client.favorites()]
