"""Account, feeds, sharing, boards, contacts and thumbnails, against a real server, by both clients."""

import io
from pathlib import Path

import pytest
from PIL import Image
from tests.client.serving import PASSWORD, Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import AuthenticationError, ConfigurationError, ObjectNotFoundError
from skyshelf.client.objects.outcomes import UnprocessedError
from skyshelf.client.upload.file import UploadOptions
from skyshelf.wire.limits import GIB
from skyshelf.wire.resources.contacts import Contact, ContactMailbox


async def put(client: AsyncClient, tmp_path: Path, name: str, data: bytes, **options: str) -> str:
    local = tmp_path / "local"
    local.write_bytes(data)
    return (await client.upload(local, name=name, options=UploadOptions(**options))).key  # type: ignore[arg-type]


def picture() -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (800, 400), "teal").save(data, "JPEG")
    return data.getvalue()


async def test_the_profile_has_the_user_and_the_quota(client: AsyncClient, person: Person, tmp_path: Path) -> None:
    await put(client, tmp_path, "a.bin", bytes(1024))
    profile = await client.account.profile()
    assert profile.email_id == person.account.email
    assert profile.display_name == "Ada Byron"
    quota = await client.account.quota()
    assert (quota.used_bytes, quota.allocated_bytes, quota.allocated_gb) == (1024, 100 * GIB, 100)
    assert quota.used_percent == pytest.approx(100 * 1024 / (100 * GIB))
    assert [device.device_key for device in await client.account.devices()] == [person.login.device_key]
    assert (await client.server_info.app_settings()).chunk_size
    promotions = await client.account.promotions()
    assert (promotions.active_promotions, promotions.expired_promotions) == ([], [])
    assert await client.server_info.banners() == []


async def test_a_login_opens_a_session_and_a_logout_ends_it(client: AsyncClient, person: Person) -> None:
    login = await client.login(person.account.email, PASSWORD, device_name="test")
    assert client.credentials is not None
    assert client.credentials.user_id == login.user_id
    assert (await client.account.profile()).user_id == login.user_id
    assert login.jwt is not None
    assert (await client.account.cookie_nonce(login.jwt)).nonce
    token, device = login.auth_token, login.device_key
    await client.logout()
    with pytest.raises(ConfigurationError, match="not logged in"):
        await client.account.profile()
    assert token is not None
    assert device is not None
    async with AsyncClient(person.server.url, auth_token=token, user_id=login.user_id, device_key=device) as late:
        with pytest.raises(AuthenticationError) as caught:
            await late.account.profile()
    assert (caught.value.status, caught.value.code) == (401, "TEJGA0401")


async def test_a_wrong_password_is_an_authentication_error(client: AsyncClient, person: Person) -> None:
    with pytest.raises(AuthenticationError):
        await client.login(person.account.email, "wrong")


async def test_versions_are_listed_newest_first(client: AsyncClient, tmp_path: Path) -> None:
    for content in (b"one", b"second"):
        key = await put(client, tmp_path, "a.txt", content)
    versions = await client.versions.list("/a.txt")
    assert versions.total_versions == 2
    assert [(one.version, one.size_in_bytes) for one in versions.obj_versions or ()] == [(2, 6), (1, 3)]
    assert await client.versions.list(key) == versions
    with pytest.raises(ObjectNotFoundError):
        await client.versions.list("0" * 32)


async def test_a_link_shows_one_or_several_objects_and_is_listed(client: AsyncClient, tmp_path: Path) -> None:
    keys = [await put(client, tmp_path, name, b"x") for name in ("a.txt", "b.txt")]
    link = await client.shares.create(["/a.txt", keys[1]])
    assert link.url.endswith(f"/l/?u={link.token}")
    assert link.object_keys == keys
    assert (link.nonce, link.joined_object_keys) == (link.token, ",".join(keys))
    assert len(link.share_name) == len("06May2024_070809")
    assert link.url not in repr(link)
    assert sorted([each.name async for each in client.shares.objects(page_size=1)]) == ["a.txt", "b.txt"]
    with pytest.raises(ObjectNotFoundError):
        await client.shares.create(["0" * 32])


async def test_feeds_list_the_files(client: AsyncClient, tmp_path: Path) -> None:
    await put(client, tmp_path, "a.jpg", picture())
    await put(client, tmp_path, "b.txt", b"x", appcode="dgl")
    recent = await client.recent()
    assert [each.object_name for each in recent.objects_imgs or ()] == ["a.jpg"]
    assert [each.object_name for each in recent.objects_docs or ()] == ["b.txt"]
    assert [each.name async for each in client.uploaded_by_app()] == ["b.txt"]
    assert [each async for each in client.memories()] == []
    assert await client.tags.recent() == []
    assert await client.tags.of("/a.jpg") == []
    assert "jpg" in ((await client.server_info.supported_documents()).view or ())


async def test_thumbnails_are_pictures_and_are_missing_where_there_are_none(
    client: AsyncClient, tmp_path: Path
) -> None:
    await put(client, tmp_path, "a.jpg", picture())
    await put(client, tmp_path, "b.txt", b"x")
    with Image.open(io.BytesIO(await client.thumbnail("/a.jpg", size=256, accept="image/jpeg"))) as shown:
        assert (shown.format, shown.size) == ("JPEG", (256, 128))
    with pytest.raises(ObjectNotFoundError):
        await client.thumbnail("/b.txt")


async def test_boards_are_created_listed_and_left(client: AsyncClient, person: Person) -> None:
    made = await client.boards.create("Holiday", "by the sea")
    assert [each.board_key async for each in client.boards.list()] == [made.board_key]
    details = await client.boards.get(made.board_key)
    assert details.board is not None
    assert (details.board.board_name, details.objects) == ("Holiday", [])
    (member,) = await client.boards.members(made.board_key)
    assert (member.user_id, member.member_type) == (person.login.user_id, "O")
    await client.boards.leave(made.board_key)
    assert [each async for each in client.boards.list()] == []
    with pytest.raises(ObjectNotFoundError):
        await client.boards.get(made.board_key)


async def test_contacts_come_to_their_end_however_small_the_pages_are(client: AsyncClient, person: Person) -> None:
    ctx, account = person.server.ctx, person.account.account_id
    assert [each async for each in client.contacts.list()] == []
    new = {
        ctx.new_key(): Contact(
            display_name=f"Person {number}",
            emails=[ContactMailbox(email_id=f"p{number}@example.org", type="home")],
        )
        for number in range(5)
    }
    ctx.metadata.write(lambda unit: unit.contacts.add(account, new, ctx.clock.now()))
    for size in (1, 2, 5, 6, 500):
        found = [each.display_name async for each in client.contacts.list(chunk_size=size)]
        assert found == [f"Person {number}" for number in range(5)]
        emails = [each.email_id async for each in client.contacts.emails(chunk_size=size)]
        assert emails == [f"p{number}@example.org" for number in range(5)]


async def test_refusals_hold_for_the_root_too(client: AsyncClient) -> None:
    with pytest.raises(UnprocessedError):
        (await client.move_to_trash(["/"])).raise_for_failures()
