"""Answers that are lost after the server did its work: nothing happens twice, and nothing is given up too early."""

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.client.serving import Person

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConflictError, NetworkError, ServerError, SkyshelfError
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.http.transport import HttpTransport
from skyshelf.client.objects.outcomes import UnprocessedError
from skyshelf.client.upload.file import UploadOptions
from skyshelf.wire.resources.boards import Board
from skyshelf.wire.resources.contacts import Contact

IN_CHUNKS = UploadOptions(small=0, chunk_size=1000)


class LosingTransport(HttpTransport):
    """Sends everything, and loses some answers."""

    def __init__(self, loses: Callable[[PlannedRequest], bool]) -> None:
        super().__init__()
        self._loses = loses
        self.sent: list[str] = []

    async def send(self, request: PlannedRequest) -> BufferedResponse:
        answer = await super().send(request)
        self.sent.append(f"{request.method} {request.path}")
        if self._loses(request):
            raise NetworkError("the connection was lost", method=request.method, path=request.path)
        return answer


@asynccontextmanager
async def losing(
    person: Person, loses: Callable[[PlannedRequest], bool]
) -> AsyncIterator[tuple[AsyncClient, LosingTransport]]:
    transport = LosingTransport(loses)
    async with AsyncClient(**person.settings, retry_wait=0.001, lag=0.2, transport=transport) as client:
        yield client, transport


def the_first(path: str, times: int = 1) -> Callable[[PlannedRequest], bool]:
    left = [times]

    def loses(request: PlannedRequest) -> bool:
        if request.path != path or not left[0]:
            return False
        left[0] -= 1
        return True

    return loses


async def test_a_folder_whose_creation_was_not_acknowledged_is_found(person: Person) -> None:
    async with losing(person, the_first("/nms/folders")) as (client, transport):
        made = await client.create_folder("once")
        assert made.name == "once"
        assert transport.sent.count("POST /nms/folders") == 1
        assert [each.key async for each in client.list_folder()] == [made.key]


async def test_a_folder_that_was_there_before_is_not_taken_for_the_new_one(person: Person) -> None:
    async with AsyncClient(**person.settings) as client:
        await client.create_folder("there")
    async with losing(person, the_first("/nms/folders")) as (client, _):
        with pytest.raises(ConflictError):
            await client.create_folder("there")


async def test_a_small_file_whose_arrival_was_not_acknowledged_is_not_sent_twice(
    person: Person, tmp_path: Path
) -> None:
    local = tmp_path / "a.bin"
    for content in (b"some", b""):
        local.write_bytes(content)
        async with losing(person, the_first("/upload/files")) as (client, transport):
            done = await client.upload(local, name=f"{len(content)}.bin")
            assert (done.size, done.wire.version) == (len(content), 1)
            assert transport.sent.count("POST /upload/files") == 1


@pytest.mark.parametrize("times", [1, 2, 3])
async def test_chunks_whose_arrival_was_not_acknowledged_are_not_sent_twice(
    person: Person, tmp_path: Path, times: int
) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(4500))
    async with losing(person, the_first("/upload/files/chunked", times)) as (client, transport):
        done = await client.upload(local, options=IN_CHUNKS)
        assert (done.size, done.wire.version) == (4500, 1)
        assert transport.sent.count("PUT /upload/files/chunked") == 5


async def test_the_last_chunk_may_be_the_one_that_is_not_acknowledged(person: Person, tmp_path: Path) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(1500))
    count = [0]

    def the_second(request: PlannedRequest) -> bool:
        count[0] += request.path == "/upload/files/chunked"
        return request.path == "/upload/files/chunked" and count[0] == 2

    async with losing(person, the_second) as (client, _):
        assert (await client.upload(local, options=IN_CHUNKS)).wire.version == 1


async def test_an_upload_that_makes_no_progress_is_cancelled(person: Person, tmp_path: Path) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(1500))

    class Stuck(HttpTransport):
        async def send(self, request: PlannedRequest) -> BufferedResponse:
            if request.path == "/upload/files/chunked":
                return BufferedResponse(503, {}, b"")
            return await super().send(request)

    async with AsyncClient(**person.settings, retry_wait=0.001, transport=Stuck()) as client:
        with pytest.raises(ServerError):
            await client.upload(local, options=IN_CHUNKS)


async def test_a_batch_may_be_repeated_and_holds_then(person: Person, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")
    for path in ("/nms/metadata/1.0", "/nms/metadata/restore"):
        async with losing(person, the_first(path)) as (client, _):
            uploaded = await client.upload(tmp_path / "a.txt")
            trashed = await client.move_to_trash([uploaded])
            assert trashed.ok
            restored = await client.restore([uploaded])
            assert restored.ok, restored


async def test_damaged_chunks_are_sent_again(person: Person, tmp_path: Path) -> None:
    local = tmp_path / "a.bin"
    local.write_bytes(os.urandom(2500))

    class Damaging(HttpTransport):
        damaged = 0

        async def send(self, request: PlannedRequest) -> BufferedResponse:
            if request.path == "/upload/files/chunked" and self.damaged < 2 and request.body:
                self.damaged += 1
                from msgspec.structs import replace

                request = replace(request, body=b"\x00" + request.body[1:])
            return await super().send(request)

    async with AsyncClient(**person.settings, retry_wait=0.001, transport=Damaging()) as client:
        done = await client.upload(local, options=IN_CHUNKS)
        assert done.size == 2500


async def test_deleting_for_good_is_repeated_and_finds_that_it_was_done(person: Person, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")
    async with losing(person, the_first("/x/v1/trash/purge")) as (client, transport):
        trashed = await client.upload(tmp_path / "a.txt")
        await client.move_to_trash([trashed])
        assert (await client.trash.purge([trashed])).ok
        assert transport.sent.count("POST /x/v1/trash/purge") == 2
        assert [one async for one in client.trash.list()] == []


async def test_what_was_never_in_the_trash_is_not_called_deleted_after_a_lost_answer(
    person: Person, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_bytes(b"x")
    async with losing(person, the_first("/x/v1/trash/purge")) as (client, _):
        active = await client.upload(tmp_path / "a.txt")
        with pytest.raises(UnprocessedError):
            await client.trash.purge([active.key])


async def test_emptying_the_trash_is_repeated(person: Person) -> None:
    async with losing(person, the_first("/x/v1/trash/empty", 2)) as (client, transport):
        await client.trash.empty()
        assert transport.sent.count("POST /x/v1/trash/empty") == 3


async def test_a_logout_whose_answer_was_lost_is_a_logout(person: Person) -> None:
    async with losing(person, the_first("/security/users/logout")) as (client, transport):
        await client.logout()
        assert client.credentials is None
        assert transport.sent.count("PUT /security/users/logout") == 2


async def test_contacts_and_tags_are_removed_once_and_reported_as_removed(person: Person) -> None:
    lost = ("/x/v1/contacts/remove", "/x/v1/tags/remove")
    left = set(lost)

    def loses(request: PlannedRequest) -> bool:
        is_lost = request.path in left
        left.discard(request.path)
        return is_lost

    async with losing(person, loses) as (client, transport):
        contact = str((await client.contacts.add(Contact(display_name="Grace"))).contact_id)
        assert await client.contacts.remove([contact]) == [contact]
        folder = await client.create_folder("tagged")
        await client.tags.add("sea", [folder])
        (tag,) = await client.tags.of(folder)
        assert (await client.tags.remove(str(tag.tag_id), [folder])).ok
        assert [transport.sent.count(f"POST {path}") for path in lost] == [2, 2]
        assert await client.tags.of(folder) == []


async def test_a_board_that_is_listed_late_is_not_created_twice(person: Person) -> None:
    async with losing(person, the_first("/boards")) as (client, transport):
        late = [1]

        class Lagging(type(client.boards)):  # type: ignore[misc]
            """The list does not show the new board at first."""

            async def list(self, **given: object) -> AsyncIterator[Board]:
                hidden = transport.sent.count("POST /boards") == 1 and late.pop() if late else False
                async for board in super().list(**given):
                    if not hidden:
                        yield board

        made = await Lagging(client._engine).create("Summer")
        assert made.board_name == "Summer"
        assert transport.sent.count("POST /boards") == 1


async def test_what_cannot_be_repeated_says_that_nobody_knows(person: Person) -> None:
    async with AsyncClient(**person.settings) as client:
        board = str((await client.boards.create("Summer")).board_key)
    calls: dict[str, Callable[[AsyncClient], Awaitable[object]]] = {
        "/x/v1/contacts": lambda client: client.contacts.add(Contact(display_name="Grace")),
        "/x/v1/contacts/import": lambda client: client.contacts.import_vcards("BEGIN:VCARD\r\nFN:A\r\nEND:VCARD\r\n"),
        f"/x/v1/boards/{board}/comments": lambda client: client.boards.add_comment(board, "fine"),
        f"/x/v1/boards/{board}/links": lambda client: client.boards.create_link(board),
        "/x/v1/account/password": lambda client: client.account.change_password("old password", "new password"),
    }
    for path, call in calls.items():
        async with losing(person, the_first(path)) as (client, transport):
            with pytest.raises(NetworkError, match=r"whether the change was made is unknown: \w") as caught:
                await call(client)
            assert isinstance(caught.value, SkyshelfError)
            assert transport.sent.count(f"POST {path}") == 1
