"""What is refused before anything reads it: heads that are too large, and crowds of requests."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.server.api import error_of
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.server.connections.evictions import Limits
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.observability.counts import WorkerCounts
from skyshelf.server.pipeline.gate import RETRY_SECONDS, Gate
from skyshelf.server.pipeline.request import Head, ServerRequest
from skyshelf.service.context import ServiceContext
from skyshelf.service.networks import network_of
from skyshelf.wire.limits import HEADER_BYTES_MAX, TARGET_BYTES_MAX

PROXY = "10.0.0.1"


@pytest.mark.parametrize("path", ["/healthz", "/security/users", "/l/abc", "/", "/x/v1/login", "/no/such/path"])
def test_header_fields_are_limited_together_on_every_path(anonymous: TestClient, path: str) -> None:
    for headers in (
        {"X-Large": "x" * HEADER_BYTES_MAX},
        {"Cookie": 'a="' + "\\" * HEADER_BYTES_MAX + '"'},
        {f"X-{number}": "x" * 1000 for number in range(17)},
    ):
        answer = anonymous.get(path, headers=headers)
        assert error_of(answer) == (431, "SKY1014")
        assert answer.headers["x-request-id"]
        assert answer.headers["connection"] == "close"
    assert anonymous.get(path, headers={"X-Large": "x" * (HEADER_BYTES_MAX - 1000)}).status_code != 431


def test_the_target_is_limited(anonymous: TestClient) -> None:
    for target in ("/healthz?" + "x" * TARGET_BYTES_MAX, "/" + "x" * TARGET_BYTES_MAX):
        assert error_of(anonymous.get(target)) == (414, "SKY1015")
    assert anonymous.get("/healthz?" + "x" * (TARGET_BYTES_MAX - 100)).status_code == 200


def test_a_body_behind_a_refused_head_is_not_read_for_long(anonymous: TestClient) -> None:
    answer = anonymous.post("/x/v1/login", content=b"x" * 1_000_000, headers={"X-Large": "x" * HEADER_BYTES_MAX})
    assert error_of(answer) == (431, "SKY1014")


def test_refusals_are_counted(ctx: ServiceContext, settings: ServerSettings) -> None:
    with TestClient(app_for(ctx, settings), client=("127.0.0.1", 40000)) as client:
        client.get("/healthz", headers={"X-Large": "x" * HEADER_BYTES_MAX})
        lines = client.get("/metrics").text.splitlines()
    assert 'skyshelf_requests_refused_total{status="431"} 1.0' in lines


class Crowd:
    """A gate, and requests that are answered when a test says so."""

    def __init__(self, per_address: int = 2, connections: int = 160) -> None:
        self._proxies = Proxies(None, (PROXY,))
        is_exempt = self._proxies.trusts
        limits = Limits(connections=connections, descriptors=9999, per_address=per_address, is_exempt=is_exempt)
        self.gate = Gate(WorkerCounts(), limits)
        self.can_answer = asyncio.Event()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = ServerRequest(scope)
        request.head = Head(request.headers, self._proxies.client_of(request))
        request.attach(receive)
        visit = self.gate.begin(request)
        try:
            if request.refused is not None:
                await self.gate.refusal(request, request.refused)(scope, receive, send)
                return
            await self.can_answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
        finally:
            self.gate.visits.end(visit)

    async def ask(self, address: str, forwarded: str | None = None) -> dict[str, Any]:
        """The start of the response, when it comes."""
        started: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                started.set_result(message)

        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers}
        await self._serve({**scope, "client": (address, 1)}, receive, send)
        return dict(started.result())

    async def waiting(self, until: AsyncExitStack, count: int, address: str, forwarded: str | None = None) -> None:
        """So many requests in progress."""
        tasks = [asyncio.create_task(self.ask(address, forwarded)) for _ in range(count)]

        async def finish() -> None:
            self.can_answer.set()
            assert [answer["status"] for answer in await asyncio.gather(*tasks)] == [200] * count

        until.push_async_callback(finish)
        await asyncio.sleep(0)

    async def is_refused(self, address: str, forwarded: str | None = None) -> bool:
        asking = asyncio.create_task(self.ask(address, forwarded))
        done, _ = await asyncio.wait([asking], timeout=0.05)
        if not done:
            asking.cancel()
            return False
        answer = asking.result()
        assert answer["status"] == 503
        assert (b"retry-after", str(RETRY_SECONDS).encode()) in answer["headers"]
        return True


def run(work: Callable[[AsyncExitStack], Coroutine[Any, Any, None]]) -> None:
    async def with_stack() -> None:
        async with AsyncExitStack() as until:
            await work(until)

    asyncio.run(asyncio.wait_for(with_stack(), 10))


def test_an_address_has_so_many_requests_at_a_time() -> None:
    async def work(until: AsyncExitStack) -> None:
        crowd = Crowd(per_address=2)
        await crowd.waiting(until, 2, "203.0.113.1")
        assert await crowd.is_refused("203.0.113.1")
        assert not await crowd.is_refused("203.0.113.2")

    run(work)


def test_behind_a_proxy_the_clients_count_and_not_the_proxy() -> None:
    async def work(until: AsyncExitStack) -> None:
        crowd = Crowd(per_address=2)
        await crowd.waiting(until, 2, PROXY, "203.0.113.1")
        assert await crowd.is_refused(PROXY, "203.0.113.1")
        assert not await crowd.is_refused(PROXY, "203.0.113.2")
        await crowd.waiting(until, 5, PROXY)
        assert not await crowd.is_refused(PROXY)

    run(work)


def test_with_hardly_a_place_left_the_greedy_are_refused_first_and_then_all() -> None:
    async def work(until: AsyncExitStack) -> None:
        crowd = Crowd(per_address=100, connections=160)
        await crowd.waiting(until, 10, "203.0.113.1")
        assert not await crowd.is_refused("203.0.113.1")
        crowd.gate.set_pressure(0.85)
        assert await crowd.is_refused("203.0.113.1")
        assert not await crowd.is_refused("203.0.113.2")
        crowd.gate.set_pressure(0.97)
        assert await crowd.is_refused("203.0.113.2")
        crowd.gate.set_pressure(0.1)

    run(work)


def test_a_request_in_progress_is_forgotten_when_it_ends() -> None:
    async def work(until: AsyncExitStack) -> None:
        crowd = Crowd(per_address=1)
        async with AsyncExitStack() as first:
            await crowd.waiting(first, 1, "203.0.113.1")
        assert crowd.gate.visits.in_progress() == []
        assert [one.peer for one in crowd.gate.visits.take_finished()] == [("203.0.113.1", 1)]
        crowd.can_answer.clear()
        assert not await crowd.is_refused("203.0.113.1")

    run(work)


def test_what_counts_as_one_client() -> None:
    assert network_of("192.0.2.1") == network_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") != network_of("2001:db8:0:1::1")
    assert network_of("testclient") == "testclient"
