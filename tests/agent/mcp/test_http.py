"""MCP over HTTP: only with the token, and only from allowed hosts and origins."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.agent.entry_points import SKYSHELF, environment_of
from tests.agent.mcp.test_confirmation import User, no, yes
from tests.agent.mcp.test_server import ERAS, INITIALIZE
from tests.agent.shelf import Shelf
from tests.client.conftest import client_host
from tests.client.serving import ClientServer, Person

from skyshelf.agent.mcp.http import BearerAuth, allowed_hosts
from skyshelf.cli.commands.agent import agent
from skyshelf.client.hosts import is_loopback
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy

TOKEN = "a-token-that-is-hard-to-guess"
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

__all__ = ["client_host"]


class Served:
    """A running server."""

    def __init__(self, url: str, token: str | None, person: Person, root: Path) -> None:
        self.url = url
        self.token = token
        self.person = person
        self.root = root


@contextmanager
def serving(
    person: Person, root: Path, *arguments: str, token: str | None = TOKEN, server: str | None = None
) -> Iterator[Served]:
    """A server process on a free port."""
    environment = environment_of(person, root)
    if server is not None:
        environment["SKYSHELF_SERVER"] = server
    if token is not None:
        environment["SKYSHELF_MCP_TOKEN"] = token
    command = [SKYSHELF, "agent", "mcp", "--http", "0", *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            where = re.fullmatch(rb"Serving MCP at (http://127\.0\.0\.1:\d+/mcp)\n", process.stderr.readline())
            assert where is not None
            shown = None
            if token is None:
                printed = re.fullmatch(rb"Token \(not shown again\): (\S+)\n", process.stderr.readline())
                assert printed is not None
                shown = printed[1].decode()
            yield Served(where[1].decode(), shown or token, person, root)
        finally:
            process.terminate()
            assert process.wait(30) == 0
            assert process.stdout.read() == b""


@pytest.fixture(scope="module")
def served(client_host: ClientServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that do not change it."""
    root = tmp_path_factory.mktemp("http") / "downloads"
    root.mkdir()
    file = root.parent / "token"
    file.write_text(f"{TOKEN}\n")
    with serving(client_host.person(), root, "--token-file", str(file), token="another-that-the-file-beats") as running:
        running.token = TOKEN
        yield running


@asynccontextmanager
async def host_at(served: Served, era: str, user: User | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {served.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False) as http,
        Client(streamable_http_client(served.url, http_client=http), mode=era, elicitation_callback=user) as host,
    ):
        yield host


@pytest.mark.parametrize("era", ERAS)
async def test_a_host_with_the_token_calls_tools(era: str, served: Served) -> None:
    async with host_at(served, era) as host:
        assert len((await host.list_tools()).tools) == 16
        made = (await host.call_tool("create_folder", {"name": f"{TOKEN} {era}"})).structured_content
    assert made["ok"] is True
    # The token is as secret as the session.
    assert made["result"]["name"] == f"[hidden] {era}"


@pytest.mark.parametrize("era", ERAS)
async def test_the_user_of_a_host_over_http_is_asked(era: str, served: Served) -> None:
    async with host_at(served, era, user := no()) as host:
        made = (await host.call_tool("create_folder", {"name": f"asked {era}"})).structured_content["result"]
        arguments = {"object_keys": [made["object_key"]], "confirm": True}
        refused = (await host.call_tool("move_to_trash", arguments)).structured_content
        assert refused["error"]["type"] == "confirmation_required"
        user.answer = yes().answer
        assert (await host.call_tool("move_to_trash", arguments)).is_error is False
    assert user.questions == [f"Move «asked {era}», without a file, to the trash?"] * 2


REFUSED: dict[str, tuple[dict[str, str], int]] = {
    "no token": ({}, 401),
    "wrong token": ({"authorization": f"Bearer {TOKEN}x"}, 401),
    "empty token": ({"authorization": "Bearer"}, 401),
    "another kind": ({"authorization": f"Basic {TOKEN}"}, 401),
    "foreign origin": ({"authorization": f"Bearer {TOKEN}", "origin": "https://evil.example"}, 403),
    "null origin": ({"authorization": f"Bearer {TOKEN}", "origin": "null"}, 403),
    "another port of this machine": ({"authorization": f"Bearer {TOKEN}", "origin": "http://localhost:1"}, 403),
    "foreign host": ({"authorization": f"Bearer {TOKEN}", "host": "evil.example"}, 421),
    "foreign host with our port in it": ({"authorization": f"Bearer {TOKEN}", "host": "127.0.0.1.evil.example"}, 421),
}


@pytest.mark.parametrize("case", list(REFUSED))
async def test_unauthorised_requests_are_refused_before_the_body_is_read(case: str, served: Served) -> None:
    headers, status = REFUSED[case]
    async with httpx2.AsyncClient(trust_env=False) as http:
        for method in ("POST", "GET", "DELETE", "OPTIONS"):
            answer = await http.request(method, served.url, headers={**HEADERS, **headers}, json=INITIALIZE)
            assert answer.status_code == status
            assert TOKEN not in answer.text
        allowed = {**HEADERS, "authorization": f"bearer {TOKEN}"}
        assert (await http.post(served.url, headers=allowed, json=INITIALIZE)).status_code == 200


@pytest.mark.parametrize("name", ["oauth-protected-resource", "oauth-protected-resource/mcp", "openid-configuration"])
async def test_a_host_that_looks_for_oauth_learns_that_there_is_none(name: str, served: Served) -> None:
    async with httpx2.AsyncClient(trust_env=False) as http:
        address = served.url.removesuffix("/mcp") + "/.well-known/" + name
        assert (await http.get(address)).status_code == 404
        assert (await http.get(address, headers={"host": "evil.example"})).status_code == 421


@pytest.mark.whole
def test_a_generated_token_is_printed_once_and_works(person: Person, root: Path, shelf: Shelf) -> None:
    made = shelf.file("a.txt", b"the content")

    async def download(running: Served) -> Any:
        async with host_at(running, "auto") as host:
            arguments = {"object_key": made.key, "destination": "a.txt", "confirm": True}
            return (await host.call_tool("download_file", arguments)).structured_content

    with serving(person, root, token=None) as running:
        assert running.token is not None
        assert len(running.token) >= 32
        assert asyncio.run(download(running))["ok"] is True
    assert (root / "a.txt").read_bytes() == b"the content"


@pytest.mark.whole
def test_a_download_cancelled_by_the_host_stops(person: Person, root: Path, shelf: Shelf) -> None:
    """The server's response stalls. While a download runs, its part file is locked."""
    made = shelf.file("large.bin", bytes(3_000_000))
    arguments = {"object_key": made.key, "destination": "large.bin", "overwrite": True, "confirm": True}
    endless = FaultPlan(rates={Fault.STALL: 1.0}, only="/download/", stall_seconds=600)

    async def cancel_and_retry(running: Served, proxy: FaultProxy, era: str) -> None:
        async with host_at(running, era) as host:
            proxy.plan = endless
            with anyio.CancelScope() as scope:

                async def cancel(progress: float, total: float | None, message: str | None) -> None:
                    scope.cancel()

                await host.call_tool("download_file", arguments, progress_callback=cancel)
            assert scope.cancelled_caught
            proxy.plan = FaultPlan()
            # A cancelled call has ended once another one can lock the part file.
            with anyio.fail_after(60):
                while (await host.call_tool("download_file", arguments)).is_error:
                    await anyio.sleep(0.05)

    with FaultProxy(person.server.url) as proxy, serving(person, root, server=proxy.url) as running:
        for era in ERAS:
            asyncio.run(cancel_and_retry(running, proxy, era))
    assert (root / "large.bin").read_bytes() == bytes(3_000_000)


def test_a_weak_token_an_open_address_and_contradictions_are_refused(tmp_path: Path) -> None:
    weak, missing = tmp_path / "weak", tmp_path / "missing"
    weak.write_text("short\n")
    for arguments in (
        ["--http", "0", "--token-file", str(weak)],
        ["--http", "0", "--token-file", str(missing)],
        ["--http", "0.0.0.0:0"],
        ["--http", "[::]:0"],
        ["--http", "nowhere"],
        ["--http", "99999"],
        ["--allow-host", "drive.example.org"],
        ["--must-ask", "--trust-confirm"],
    ):
        done = CliRunner().invoke(agent, ["mcp", *arguments])
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr


def test_only_this_machine_is_loopback() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.8.8.8", "localhost", "::1", "[::1]"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.1.1", "localhost.example", "example.org", ""]))


async def status_of(auth: BearerAuth, *headers: tuple[bytes, bytes]) -> int:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("a body was read")

    await auth({"type": "http", "headers": headers}, receive, send)
    return int(sent[0]["status"])


async def test_allowed_hosts_may_call_and_duplicate_headers_are_refused() -> None:
    async def inner(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    hosts = allowed_hosts(8700, ["Drive.example.org"])
    auth = BearerAuth(inner, token=TOKEN, hosts=hosts, origins=["https://app.example/"])
    token, host = (b"authorization", f"Bearer {TOKEN}".encode()), (b"host", b"drive.example.org")
    assert await status_of(auth, token, host) == 200
    assert await status_of(auth, token, (b"host", b"LOCALHOST:8700")) == 200
    assert await status_of(auth, token, host, (b"origin", b"https://app.example")) == 200
    assert await status_of(auth, token, host, (b"origin", b"https://drive.example.org")) == 200
    assert await status_of(auth, token, host, (b"origin", b"https://other.example")) == 403
    assert await status_of(auth, token, host, (b"origin", b"")) == 403
    assert await status_of(auth, token, (b"host", b"localhost")) == 421
    assert await status_of(auth, token) == 421
    assert await status_of(auth, token, token, host) == 401
    assert await status_of(auth, token, host, host) == 421
    assert await status_of(auth, (b"authorization", b"Bearer \xff"), host) == 401
