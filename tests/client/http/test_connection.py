"""Connections between a client and a server that behaves as badly as sockets allow."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from skyshelf.client.errors import ConfigurationError, NetworkError
from skyshelf.client.http import connector
from skyshelf.client.http.connector import TransportSettings
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.client.http.transport import HttpTransport

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
Served = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(served: Served) -> AsyncIterator[str]:
    """The address of a server; each connection is served by that function, and closed then."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await served(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def transport_with(**settings: object) -> AsyncIterator[HttpTransport]:
    transport = HttpTransport(TransportSettings(**settings))  # type: ignore[arg-type]
    try:
        yield transport
    finally:
        await transport.close()


def ask(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> PlannedRequest:
    return PlannedRequest(method=method, url=f"{url}/x", path="/x", headers=headers, body=body)


async def test_one_connection_carries_many_requests() -> None:
    opened = 0

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        while await reader.readuntil(b"\r\n\r\n"):
            writer.write(OK)

    async with serving(served) as url, transport_with() as transport:
        for _ in range(20):
            assert (await transport.send(ask(url))).body == b"ok"
    assert opened == 1


async def test_no_more_connections_are_open_than_allowed() -> None:
    now, most = 0, 0
    together = asyncio.Barrier(3)

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                await together.wait()
                writer.write(OK)
        finally:
            now -= 1

    async with serving(served) as url, transport_with(connections=3) as transport:
        answers = await asyncio.gather(*(transport.send(ask(url)) for _ in range(30)))
    assert {answer.body for answer in answers} == {b"ok"}
    assert most == 3


@pytest.mark.parametrize(
    "last", [b"", b"HTTP/1.1 408 Too late\r\nContent-Length: 0\r\n\r\n"], ids=["silent", "unasked"]
)
async def test_a_connection_closed_by_the_server_is_not_reused(last: bytes) -> None:
    kept, closed = asyncio.Event(), asyncio.Event()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await writer.drain()
        if not closed.is_set():
            await kept.wait()
            writer.write(last)
            writer.close()
            await writer.wait_closed()
            closed.set()
        await reader.read()

    async with serving(served) as url, transport_with() as transport:
        assert (await transport.send(ask(url))).body == b"ok"
        ((connection,),) = transport._connections.pool()._idle.values()
        kept.set()
        await closed.wait()
        async with asyncio.timeout(30):
            while connection.is_usable:
                await asyncio.sleep(0)
        assert (await transport.send(ask(url))).body == b"ok"


async def test_what_must_not_happen_twice_is_not_risked_with_a_server_that_drops_what_it_seemed_to_keep() -> None:
    """The server closes every connection after one response without announcing it, perhaps during a request."""
    asked: list[bytes] = []

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n"))[:4])
        writer.write(OK)
        await writer.drain()

    async with serving(served) as url, transport_with() as transport:
        look = PlannedRequest(method="GET", url=f"{url}/x", path="/x", headers={}, repeatable=True)
        for _ in range(20):
            for _ in range(2):
                # Whether the second one is lost is a matter of moments; the client sends it again then.
                with suppress(NetworkError):
                    await transport.send(look)
            assert (await transport.send(ask(url, "POST", b"1"))).body == b"ok"
    assert asked.count(b"POST") == 20


async def test_an_answer_that_was_not_read_does_not_become_the_next_one() -> None:
    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        target = (await reader.readuntil(b"\r\n\r\n")).split()[1]
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + target * 1_000_000)
        await writer.drain()
        await reader.read()

    async with serving(served) as url, transport_with() as transport:
        for _ in range(3):
            async with transport.stream(ask(url)) as answer:
                async for piece in answer.pieces(1000):
                    assert piece[:2] == b"/x"
                    break


async def test_a_server_that_refuses_a_large_body_is_heard_before_all_was_sent() -> None:
    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too large\r\nContent-Length: 3\r\n\r\nbig")
        await writer.drain()
        await reader.read()

    async with serving(served) as url, transport_with() as transport:
        answer = await transport.send(ask(url, "POST", b"x" * 60_000_000))
    assert (answer.status, answer.body) == (413, b"big")


@pytest.mark.whole
async def test_a_server_that_takes_a_body_slowly_is_waited_for_and_one_that_takes_nothing_is_not() -> None:
    is_slow = True

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        left = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        while left:
            if not is_slow:
                await asyncio.Event().wait()
            left -= len(await reader.read(4_000_000))
            await asyncio.sleep(0.02)
        writer.write(OK.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))

    async with serving(served) as url, transport_with(read_timeout=2.0) as transport:
        assert (await transport.send(ask(url, "POST", b"x" * 20_000_000))).status == 200
        is_slow = False
        with pytest.raises(NetworkError, match="in time") as caught:
            await transport.send(ask(url, "POST", b"x" * 50_000_000))
    assert caught.value.may_have_happened


async def test_bytes_that_trickle_in_are_handed_on_as_they_come_and_a_cut_loses_none_of_them() -> None:
    seen = asyncio.Event()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"a" * 500)
        await writer.drain()
        await seen.wait()
        writer.write(b"b" * 500)

    async with serving(served) as url, transport_with() as transport:
        got = b""
        async with transport.stream(ask(url)) as answer:
            pieces = answer.pieces()
            while len(got) < 1000:
                got += await anext(pieces)
                seen.set()
            with pytest.raises(NetworkError, match="incomplete"):
                await anext(pieces)
    assert got == b"a" * 500 + b"b" * 500


async def test_a_client_that_is_closed_ends_what_is_on_its_way() -> None:
    arrived = asyncio.Event()

    async def served(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        arrived.set()
        await reader.read()

    async with serving(served) as url:
        transport = HttpTransport()
        sending = asyncio.ensure_future(transport.send(ask(url)))
        await arrived.wait()
        await transport.close()
        with pytest.raises(NetworkError, match="closed during the request"):
            await sending


async def test_cancelled_requests_give_their_turn_to_others() -> None:
    slow = asyncio.Barrier(3)

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if b"slow" in head:
            await slow.wait()
            await reader.read()
        writer.write(OK)
        await writer.drain()
        await reader.read()

    async with serving(served) as url, transport_with(connections=2) as transport:
        waiting = [asyncio.ensure_future(transport.send(ask(url, wait="slow"))) for _ in range(6)]
        await slow.wait()
        for one in waiting:
            one.cancel()
        assert all(
            isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*waiting, return_exceptions=True)
        )
        assert (await transport.send(ask(url))).body == b"ok"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", "a\rb"])
async def test_no_header_can_smuggle_another_one(value: str) -> None:
    async with transport_with() as transport:
        with pytest.raises(ConfigurationError, match="not valid") as caught:
            await transport.send(ask("http://127.0.0.1:1", session=value))
    assert value not in f"{caught.value!r} {caught.value}"


@pytest.mark.parametrize("path", ["/a b", "/a\r\nX: 1", "/ä"])
async def test_no_url_can_smuggle_a_header(path: str) -> None:
    request = PlannedRequest(method="GET", url=f"http://127.0.0.1:1{path}", path="/x", headers={})
    async with transport_with() as transport:
        with pytest.raises(ConfigurationError, match="not valid"):
            await transport.send(request)


@pytest.mark.parametrize("packed", ["bomb", "cut", "garbage", "unknown"])
async def test_a_packed_answer_is_bounded_and_whole_or_an_error(packed: str) -> None:
    import gzip

    body = {"bomb": gzip.compress(bytes(200_000_000), 1), "cut": gzip.compress(b"x" * 1000)[:-9]}.get(
        packed, b"\x1f\x8b?"
    )
    encoding = b"zstd" if packed == "unknown" else b"gzip"

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (encoding, len(body)))
        writer.write(body)
        await writer.drain()

    async with serving(served) as url, transport_with() as transport:
        with pytest.raises(Exception, match="larger than the 32 MiB" if packed == "bomb" else "damaged"):
            await transport.send(ask(url))


async def test_no_connection_stays_open_when_a_request_is_cancelled_while_it_is_made() -> None:
    opened, closed = 0, 0

    async def served(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        nonlocal opened, closed
        opened += 1
        try:
            await reader.read()
        finally:
            closed += 1

    async with serving(served) as url, transport_with() as transport:
        for turns in range(60):
            # The server never answers the greeting of TLS: whatever is open then is not yet a connection.
            sending = asyncio.ensure_future(transport.send(ask(url.replace("http:", "https:"))))
            for _ in range(turns % 12):
                await asyncio.sleep(0)
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
        async with asyncio.timeout(30):
            while closed < opened or not opened:
                await asyncio.sleep(0.01)


async def test_an_address_that_leads_nowhere_is_passed_over_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(OK)
        await writer.drain()

    async def addresses(host: str, port: int) -> list[tuple[int, tuple[object, ...]]]:
        # An address family that this machine does not have, a closed port, and the right one.
        return [(9999, (host, port)), (socket.AF_INET, (host, taken.getsockname()[1])), (socket.AF_INET, (host, port))]

    monkeypatch.setattr(connector, "_addresses", addresses)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with serving(served) as url, transport_with() as transport:
            assert (await transport.send(ask(url))).body == b"ok"
