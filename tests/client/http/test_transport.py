"""The seam to the network, against real sockets."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from tests.client.foreign import Asked, Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConfigurationError, NetworkError
from skyshelf.client.http import transport as transport_module
from skyshelf.client.http.connector import TransportSettings
from skyshelf.client.http.messages import BufferedResponse, PlannedRequest
from skyshelf.client.http.transport import HttpTransport


def request(url: str, **fields: object) -> PlannedRequest:
    return PlannedRequest(method="GET", url=url, path="/x", headers={"Authorization": "S3CR3T"}, **fields)  # type: ignore[arg-type]


async def sent(url: str, settings: TransportSettings | None = None, **fields: object) -> BufferedResponse:
    """The response to one request, with a separate transport."""
    transport = HttpTransport(settings)
    try:
        return await transport.send(request(url, **fields))
    finally:
        await transport.close()


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    def answering(asked: Asked) -> Reply:
        if asked.path == "/gzip":
            import gzip

            return Reply(200, gzip.compress(b"plain"), {"Content-Encoding": "gzip"})
        if asked.path == "/short":
            return Reply(200, b"123", {"Content-Length": "100", "Connection": "close"})
        return Reply(None) if asked.path == "/cut" else Reply(200, b"x" * 1_000_000)

    with foreign_server(answering) as server:
        yield server


@pytest.mark.parametrize("binary", [True, False])
async def test_a_refused_connection_certainly_did_not_happen(binary: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(NetworkError, match="could not be reached") as caught:
            await sent(f"http://127.0.0.1:{taken.getsockname()[1]}/x", binary=binary)
    assert not caught.value.may_have_happened


async def test_a_connection_that_closes_without_an_answer_may_have_happened(foreign: Foreign) -> None:
    with pytest.raises(NetworkError, match="lost") as caught:
        await sent(f"{foreign.url}/cut?nonce=S3CR3T")
    assert caught.value.may_have_happened
    assert "S3CR3T" not in f"{caught.value} {vars(caught.value)}"


async def test_a_server_that_does_not_respond_times_out() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(NetworkError, match="in time") as caught:
            await sent(f"http://127.0.0.1:{silent.getsockname()[1]}/x", TransportSettings(read_timeout=0.1))
    assert caught.value.may_have_happened


async def test_a_body_is_read_in_pieces_and_a_cut_in_it_is_noticed(foreign: Foreign) -> None:
    transport = HttpTransport()
    async with transport.stream(request(f"{foreign.url}/x", binary=True)) as answer:
        pieces = [len(piece) async for piece in answer.pieces(1000)]
    assert sum(pieces) == 1_000_000
    assert max(pieces) <= 1000
    with pytest.raises(NetworkError):
        async with transport.stream(request(f"{foreign.url}/short", binary=True)) as answer:
            [piece async for piece in answer.pieces()]
    await transport.close()


async def test_what_is_compressed_is_opened_for_json_and_left_alone_for_content(foreign: Foreign) -> None:
    assert (await sent(f"{foreign.url}/gzip")).body == b"plain"
    assert (await sent(f"{foreign.url}/gzip", binary=True)).body[:2] == b"\x1f\x8b"


async def test_no_proxy_is_asked_for_this_very_machine(foreign: Foreign, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert (await sent(f"{foreign.url}/x")).status == 200


async def test_plain_http_to_another_machine_is_refused_by_the_transport_too() -> None:
    with pytest.raises(ConfigurationError, match="use https"):
        await sent("http://192.0.2.1/x")


def test_a_ca_file_that_is_none_is_refused(tmp_path: object) -> None:
    import asyncio

    client = AsyncClient(
        "https://127.0.0.1:1", auth_token="a", user_id="b", device_key="c", ca_file=f"{tmp_path}/missing"
    )
    with pytest.raises(ConfigurationError, match="CA file"):
        asyncio.run(client.account.profile())


async def trickled(opening: bytes, drop: bytes, *, read_timeout: float) -> BufferedResponse:
    """What comes of a server that sends the opening at once, and then a drop every few milliseconds, for ever."""
    ended = asyncio.Event()

    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(opening)
            with suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(drop)
                    await writer.drain()
                    await asyncio.sleep(0.005)
        finally:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()
            ended.set()

    async with await asyncio.start_server(trickle, "127.0.0.1", 0) as server, asyncio.timeout(30):
        port = server.sockets[0].getsockname()[1]
        try:
            return await sent(f"http://127.0.0.1:{port}/x", TransportSettings(read_timeout=read_timeout))
        finally:
            await ended.wait()


async def test_a_head_that_trickles_is_not_waited_for() -> None:
    with pytest.raises(NetworkError):
        await trickled(b"HTTP/1.1 200 OK\r\nX: ", b"x", read_timeout=0.2)


@pytest.mark.parametrize(
    "opening",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
    ],
    ids=["without a length", "of a length", "in a trailer"],
)
async def test_a_body_that_trickles_is_not_waited_for(opening: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "ANSWER_SECONDS", 0.2)
    with pytest.raises(NetworkError):
        await trickled(opening, b"x", read_timeout=20)
