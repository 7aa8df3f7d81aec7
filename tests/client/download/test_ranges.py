"""Reading parts of a file into memory: from our server, and from servers that know ranges badly or not at all."""

from pathlib import Path

import pytest
from tests.client.foreign import Asked, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import IntegrityError, NetworkError, SkyshelfError

CONTENT = bytes(range(256)) * 4
MD5 = "b2ea9f7fcea831a4a63b213f41a8855b"
KEY = "A" * 32
FOUND = {
    "objectKey": KEY,
    "parentObjectKey": "F" * 32,
    "objectName": "a.bin",
    "objectType": "FE",
    "sizeInBytes": len(CONTENT),
    "hash": MD5,
}


async def test_ranges_and_the_whole_of_a_file(client: AsyncClient, tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(CONTENT)
    sent = await client.upload(tmp_path / "a.bin")
    assert await client.read(sent) == CONTENT
    assert await client.read("/a.bin", 10, 20) == CONTENT[10:20]
    assert await client.read(sent.key, 1000) == CONTENT[1000:]
    assert await client.read(sent, 1000, 5000) == CONTENT[1000:]
    assert await client.read(sent, 2000) == b""
    (tmp_path / "a.bin").write_bytes(CONTENT[::-1])
    await client.upload(tmp_path / "a.bin")
    with pytest.raises(IntegrityError, match="changed"):
        await client.read(sent, 10, 20)


async def answered(reply: Reply, start: int = 4, end: int | None = 8) -> bytes:
    """What a client reads of a server that answers every download in one way."""

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": "F" * 32})
        if asked.path == "/nms/metadata":
            files = [FOUND] if asked.query.get("type") == "f" and asked.query["page"] == "0" else []
            return Reply(200, {"objects": files})
        return reply if KEY in asked.path else Reply(404)

    device = "00000000-0000-0000-0000-000000000005"
    with foreign_server(answering) as foreign:
        async with AsyncClient(foreign.url, auth_token="t", user_id="U" * 32, device_key=device, retries=0) as client:
            return await client.read("/a.bin", start, end)


async def test_a_server_without_ranges_is_read_up_to_the_end_of_the_range() -> None:
    assert await answered(Reply(200, CONTENT)) == CONTENT[4:8]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(206, CONTENT[5:9], {"Content-Range": f"bytes 5-8/{len(CONTENT)}"}), IntegrityError),
        (Reply(206, CONTENT[4:8], {"Content-Range": "bytes 4-7/99"}), IntegrityError),
        (Reply(206, CONTENT[4:8]), IntegrityError),
        (Reply(206, CONTENT[4:6], {"Content-Range": f"bytes 4-5/{len(CONTENT)}"}), NetworkError),
        (Reply(200, CONTENT[:-1]), IntegrityError),
        (Reply(200, CONTENT, {"ETag": '"' + "0" * 32 + '"'}), IntegrityError),
    ],
    ids=["another range", "another size", "no range", "too short", "another length", "another content"],
)
async def test_anything_else_than_the_range_is_an_error(reply: Reply, error: type[SkyshelfError]) -> None:
    with pytest.raises(error):
        await answered(reply)


async def test_the_whole_content_is_verified() -> None:
    with pytest.raises(IntegrityError, match="MD5"):
        await answered(Reply(200, CONTENT[::-1]), 0, None)
    assert await answered(Reply(416)) == b""
