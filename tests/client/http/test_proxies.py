"""A proxy is a tunnel: it sees which host a client connects to, and nothing of the traffic."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.client.certificates import Authority
from tests.client.foreign import Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConfigurationError, NetworkError, UntrustedServerError

TOKEN = "S3CR3T-T0KEN"
HOST = "drive.example.org"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(autouse=True)
def no_proxies_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


@contextmanager
def proxy(port: int, answer: bytes = b"HTTP/1.1 200 Connected\r\n\r\n") -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that leads everybody to that port of this machine; its address, and what it was asked in the clear."""
    asked: list[bytes] = []

    def serve(client: socket.socket) -> None:
        with client:
            head = b""
            while b"\r\n\r\n" not in head and (data := client.recv(65536)):
                head += data
            asked.append(head)
            client.sendall(answer)
            if b" 200 " not in answer:
                return
            with socket.create_connection(("127.0.0.1", port)) as server:
                back = threading.Thread(target=_pass_on, args=(server, client))
                back.start()
                _pass_on(client, server)
                back.join()

    def listen() -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(client,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        accepting = threading.Thread(target=listen, daemon=True)
        accepting.start()
        yield f"http://ada:sesame@127.0.0.1:{listening.getsockname()[1]}", asked
        listening.shutdown(socket.SHUT_RDWR)
        accepting.join()


def client_of(authority: Authority) -> AsyncClient:
    return AsyncClient(
        f"https://{HOST}", auth_token=TOKEN, user_id="b", device_key="c", ca_file=authority.ca_file, retries=0
    )


async def test_the_session_goes_through_the_tunnel_alone(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        foreign_server(lambda _: Reply(200, {"userId": "U"}), authority.server(HOST)) as server,
        proxy(int(server.url.rsplit(":", 1)[1])) as (address, asked),
    ):
        monkeypatch.setenv("https_proxy", address)
        async with client_of(authority) as client:
            assert (await client.account.profile()).user_id == "U"
    assert len(asked) == 1
    assert asked[0].startswith(f"CONNECT {HOST}:443 HTTP/1.1\r\n".encode())
    assert b"proxy-authorization: basic" in asked[0].lower()
    assert TOKEN.encode() not in asked[0]
    assert [one.headers["authorization"] for one in server.asked] == [f"Basic {TOKEN}"]
    assert "proxy-authorization" not in server.asked[0].headers


async def test_behind_a_proxy_the_certificate_must_be_the_servers_too(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        foreign_server(lambda _: Reply(200, {"userId": "U"}), authority.server("other.example.org")) as server,
        proxy(int(server.url.rsplit(":", 1)[1])) as (address, _),
    ):
        monkeypatch.setenv("https_proxy", address)
        async with client_of(authority) as client:
            with pytest.raises(UntrustedServerError):
                await client.account.profile()
    assert server.asked == []


async def test_a_proxy_that_refuses_is_named_as_the_one_that_did(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxy(9, b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n") as (address, _):
        monkeypatch.setenv("https_proxy", address)
        async with client_of(authority) as client:
            with pytest.raises(NetworkError, match="proxy refused the connection with 407") as caught:
                await client.account.profile()
    assert not caught.value.may_have_happened
    assert "sesame" not in f"{caught.value!r} {caught.value} {vars(caught.value)}"


async def test_a_proxy_of_another_kind_is_refused_in_a_sentence(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", "socks5://ada:sesame@127.0.0.1:9")
    async with client_of(authority) as client:
        with pytest.raises(ConfigurationError, match="neither http nor https") as caught:
            await client.account.profile()
    assert "sesame" not in str(caught.value)
