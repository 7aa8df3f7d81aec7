"""What the interface says of clients, as a server sees it that is made from the text alone."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from tests.client.certificates import Authority
from tests.foreign.drive import BOARD, CREATED, USER
from tests.foreign.headers import EXPECTED, missing_headers
from tests.foreign.operations import OPERATIONS, all_of
from tests.foreign.quirk import NO_QUIRK
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer, foreign_server
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConfigurationError, NetworkError, ServerError
from skyshelf.client.objects.remote_object import RemoteObject


@pytest.fixture
def begun(foreign: ForeignServer) -> ForeignServer:
    foreign.begin(NO_QUIRK)
    return foreign


async def test_every_request_of_every_operation_carries_the_eleven_headers(
    foreign: ForeignServer, tmp_path: Path
) -> None:
    assert len(EXPECTED) == 11
    for name, operation in OPERATIONS.items():
        foreign.begin(NO_QUIRK)
        (tmp_path / name).mkdir()
        async with AsyncClient(**foreign.settings) as client:
            await operation.run(ForeignWorld(foreign, client, tmp_path / name))
        requests = [one for one in foreign.asked if one.is_of_the_interface]
        assert requests, name
        assert {f"{one.path}: {missing_headers(one)}" for one in requests if missing_headers(one)} == set()


def test_plain_http_to_another_machine_is_refused() -> None:
    for server in ("http://drive.example.org", "http://192.0.2.1:8000"):
        with pytest.raises(ConfigurationError, match="not encrypted"):
            AsyncClient(server, auth_token="t", user_id="u", device_key="d")


async def test_a_certificate_that_nobody_signed_is_final(tmp_path: Path) -> None:
    with foreign_server(Authority(tmp_path).server("127.0.0.1")) as secure:
        async with AsyncClient(**secure.settings, retry_wait=60, use_proxies=False) as client:
            with pytest.raises(NetworkError, match="certificate"):
                await client.account.profile()
        assert secure.asked == []


async def run_all(foreign: ForeignServer, place: Path, seen: Callable[[], Awaitable[None] | None]) -> None:
    for name, operation in OPERATIONS.items():
        if "writes" in operation.concerns:
            foreign.begin(NO_QUIRK)
            (place / name).mkdir()
            async with AsyncClient(**foreign.settings) as client:
                await operation.run(ForeignWorld(foreign, client, place / name))
            seen()


async def test_the_correlation_id_is_the_user_id(foreign: ForeignServer, tmp_path: Path) -> None:
    ids: set[str] = set()

    def seen() -> None:
        for one in foreign.asked:
            if one.path == "/nms/metadata/1.0":
                ids.update(entry["correlationId"] for entry in one.json()["objects"])

    await run_all(foreign, tmp_path, seen)
    assert ids == {USER}


async def test_no_operation_uses_the_legacy_delete(foreign: ForeignServer, tmp_path: Path) -> None:
    calls: set[str] = set()
    await run_all(foreign, tmp_path, lambda: calls.update(foreign.calls()))
    assert "PUT /nms/metadata/1.0" in calls
    assert "PUT /nms/metadata/delete" not in calls


async def test_what_clients_derive_is_derived(begun: ForeignServer) -> None:
    async with AsyncClient(**begun.settings) as client:
        profile = await client.account.profile()
        quota = await client.account.quota()
        found: dict[str, RemoteObject] = {one.name: one async for one in client.list_folder()}
    assert profile.display_name == "Ada Byron"
    assert (quota.allocated_gb, quota.used_gb, quota.used_percent) == (1000 / 2**30, 250 / 2**30, 25.0)
    assert (found["hello.txt"].is_file, found["hello.txt"].is_folder) == (True, False)
    assert (found["Photos"].is_file, found["Photos"].is_folder) == (False, True)
    assert (found["hello.txt"].extension, found["Photos"].extension) == ("txt", "")


async def test_a_share_record_keeps_url_nonce_name_and_keys(begun: ForeignServer) -> None:
    keys = [begun.drive.named("hello.txt").key, begun.drive.named("Photos").key]
    async with AsyncClient(**begun.settings) as client:
        link = await client.shares.create(["/hello.txt", "/Photos"])
    (sent,) = begun.drive.links
    assert link.url.endswith(f"/l/?u={link.token}")
    assert link.share_name == sent["shareName"]
    kept: object = link.object_keys
    assert (
        (kept if isinstance(kept, str) else ",".join(link.object_keys))
        == ",".join(keys)
        == ",".join(one["objectKey"] for one in sent["objects"])
    )


async def test_a_board_has_the_names_of_the_interface(begun: ForeignServer) -> None:
    async with AsyncClient(**begun.settings) as client:
        (board,) = await all_of(client.boards.list())
    assert (board.board_key, board.board_name, board.board_type) == (BOARD, "Summer", "P")
    assert (board.status, board.owner_user_id, board.users_count) == ("A", USER, 2)
    assert (board.description, board.created_date, board.last_modified_date) == ("by the sea", CREATED - 1, CREATED)
    counts = (board.files_count, board.image_count, board.video_count, board.audio_count)
    assert (*counts, board.comments_count, board.size_in_bytes) == (1, 2, 3, 4, 5, 6)


async def test_a_session_is_validated_by_one_call(begun: ForeignServer) -> None:
    async with AsyncClient(**begun.settings) as client:
        await client.account.profile()
    assert begun.calls() == ["GET /security/users"]


@pytest.mark.parametrize("retries", [0, 1, 3])
async def test_retries_are_configurable(foreign: ForeignServer, retries: int) -> None:
    foreign.begin(QUIRKS["500"])
    async with AsyncClient(**foreign.settings, retries=retries, retry_wait=0.001) as client:
        with pytest.raises(ServerError):
            await client.account.profile()
    assert len(foreign.asked) == retries + 1


async def test_a_session_comes_from_the_environment(begun: ForeignServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(begun.environment) == {
        "SKYSHELF_SERVER",
        "SKYSHELF_AUTH_TOKEN",
        "SKYSHELF_USER_ID",
        "SKYSHELF_DEVICE_KEY",
    }
    for name, value in begun.environment.items():
        monkeypatch.setenv(name, value)
    async with AsyncClient() as client:
        assert (await client.account.profile()).user_id == USER


async def test_downloads_change_nothing_on_the_server(foreign: ForeignServer, tmp_path: Path) -> None:
    for name, operation in OPERATIONS.items():
        if "downloads" in operation.concerns:
            foreign.begin(NO_QUIRK)
            (tmp_path / name).mkdir()
            async with AsyncClient(**foreign.settings) as client:
                await operation.run(ForeignWorld(foreign, client, tmp_path / name))
            assert {one.method for one in foreign.asked} == {"GET"}


async def test_contacts_are_paged_by_offset(begun: ForeignServer) -> None:
    async with AsyncClient(**begun.settings) as client:
        assert len(await all_of(client.contacts.list(chunk_size=30))) == 35
    asked = [one for one in begun.asked if one.path == "/amiko/cab/contacts"]
    # The text does not say how a list ends, so one more call may find nothing.
    assert [one.headers["x-offset"] for one in asked][:2] == ["0", "30"]
    assert {one.headers["x-chunk-size"] for one in asked} == {"30"}
    assert {one.query["nextPageDate"] for one in asked} == {"1970-01-01 00:00:00.000000"}
