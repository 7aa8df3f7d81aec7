"""Over TLS nothing is sent to a server that is not the right one, and everything works with the one that is."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.certificates import Authority
from tests.client.downloading import client_of as fast_client_of
from tests.client.downloading import files_below
from tests.client.foreign import Asked, Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ConfigurationError, NetworkError, RedirectRefusedError, UntrustedServerError
from skyshelf.client.sync_client import Client
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestServer

pytest_plugins = ["skyshelf.testing.fixtures"]

TOKEN = "S3CR3T-T0KEN"
NAMES = ("127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority that no client trusts."""
    return Authority(tmp_path_factory.mktemp("stranger"))


def answering(_: Asked) -> Reply:
    return Reply(200, {"userId": "U"})


@pytest.fixture
def trusted(authority: Authority) -> Iterator[Foreign]:
    with foreign_server(answering, authority.server(*NAMES)) as foreign:
        yield foreign


def client_of(url: str, ca_file: str | None = None) -> AsyncClient:
    # Whatever were repeated in vain would take minutes.
    return AsyncClient(url, auth_token=TOKEN, user_id="b", device_key="c", ca_file=ca_file, retry_wait=60)


async def test_a_server_of_the_authority_that_was_named_is_trusted(trusted: Foreign, authority: Authority) -> None:
    for url in (trusted.url, trusted.url.replace("127.0.0.1", "localhost")):
        async with client_of(url, authority.ca_file) as client:
            assert (await client.account.profile()).user_id == "U"
    assert [one.headers["authorization"] for one in trusted.asked] == [f"Basic {TOKEN}"] * 2


def test_the_synchronous_client_trusts_it_too(trusted: Foreign, authority: Authority) -> None:
    with Client(trusted.url, auth_token=TOKEN, user_id="b", device_key="c", ca_file=authority.ca_file) as client:
        assert client.account.profile().user_id == "U"


def test_an_authority_can_be_named_in_the_environment(trusted: Foreign, authority: Authority) -> None:
    """In a separate program: the variable is read once, with the first request."""
    program = (
        "import sys; from skyshelf.client import Client; "
        "print(Client(sys.argv[1], auth_token='a', user_id='b', device_key='c').account.profile().user_id)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, trusted.url],
        env=os.environ | {"SSL_CERT_FILE": authority.ca_file},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("U\n", "")


@pytest.mark.parametrize(
    ("variable", "name", "sentence"),
    [
        ("SSL_CERT_FILE", "missing.pem", "SSL_CERT_FILE names .*missing.pem, which cannot be read: No such file"),
        ("SSL_CERT_FILE", "", "SSL_CERT_FILE names .*, which cannot be read: Is a directory"),
        ("SSL_CERT_FILE", "empty.pem", "SSL_CERT_FILE names .*empty.pem, which contains no certificate"),
        ("SSL_CERT_DIR", "missing", "SSL_CERT_DIR names .*missing, which does not exist"),
        ("SSL_CERT_DIR", "empty.pem", "SSL_CERT_DIR names .*empty.pem, which does not exist"),
    ],
)
async def test_a_variable_that_names_no_authority_is_refused_and_not_passed_over(
    trusted: Foreign,
    authority: Authority,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    name: str,
    sentence: str,
) -> None:
    (tmp_path / "empty.pem").touch()
    monkeypatch.setenv(variable, str(tmp_path / name))
    async with client_of(trusted.url, authority.ca_file) as client:
        with pytest.raises(ConfigurationError, match=sentence):
            await client.account.profile()
    assert trusted.asked == []


async def test_of_several_folders_of_authorities_one_is_enough(
    trusted: Foreign, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_DIR", f"{tmp_path / 'missing'}{os.pathsep}{tmp_path}")
    monkeypatch.setenv("SSL_CERT_FILE", "")
    async with client_of(trusted.url, authority.ca_file) as client:
        assert (await client.account.profile()).user_id == "U"


@pytest.mark.parametrize("ca_of", ["nobody", "somebody else"])
async def test_an_unknown_authority_is_refused_with_what_to_do(
    trusted: Foreign, stranger: Authority, ca_of: str
) -> None:
    async with client_of(trusted.url, None if ca_of == "nobody" else stranger.ca_file) as client:
        with pytest.raises(UntrustedServerError, match="certificate is not trusted") as caught:
            await client.account.profile()
    assert "ca_file" in str(caught.value)
    assert "SSL_CERT_FILE" in str(caught.value)
    assert not caught.value.may_have_happened
    assert TOKEN not in f"{caught.value!r} {vars(caught.value)}"
    assert trusted.asked == [], "nothing was sent, and so no session"


async def test_a_certificate_of_another_host_is_refused(authority: Authority) -> None:
    with foreign_server(answering, authority.server("drive.example.org")) as foreign:
        for url in (foreign.url, foreign.url.replace("127.0.0.1", "localhost")):
            async with client_of(url, authority.ca_file) as client:
                with pytest.raises(UntrustedServerError, match="not valid for"):
                    await client.account.profile()
        assert foreign.asked == []


async def test_a_certificate_that_is_over_is_refused(authority: Authority) -> None:
    with foreign_server(answering, authority.server(*NAMES, expired=True)) as foreign:
        async with client_of(foreign.url, authority.ca_file) as client:
            with pytest.raises(UntrustedServerError, match="expired"):
                await client.account.profile()
        assert foreign.asked == []


async def test_a_server_without_tls_hears_a_greeting_and_no_session() -> None:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def listen() -> None:
            connection, _ = listening.accept()
            with connection:
                heard.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 400 This is plain HTTP\r\nContent-Length: 0\r\n\r\n")

        thread = threading.Thread(target=listen)
        thread.start()
        url = f"https://127.0.0.1:{listening.getsockname()[1]}"
        client = AsyncClient(url, auth_token=TOKEN, user_id="b", device_key="c", retries=0)
        async with client:
            with pytest.raises(NetworkError, match="TLS") as caught:
                await client.account.profile()
        thread.join()
    assert not caught.value.may_have_happened
    assert heard[0][:1] == b"\x16", "a handshake"
    assert TOKEN.encode() not in heard[0]


async def test_a_redirect_from_https_to_http_is_not_followed(authority: Authority) -> None:
    with foreign_server(answering) as plain:

        def redirecting(asked: Asked) -> Reply:
            return Reply(302, b"", {"Location": f"{plain.url}{asked.path}"})

        with foreign_server(redirecting, authority.server(*NAMES)) as foreign:
            async with client_of(foreign.url, authority.ca_file) as client:
                with pytest.raises(RedirectRefusedError):
                    await client.account.profile()
    assert plain.asked == []


@pytest.mark.whole
def test_everything_arrives_over_tls_on_a_bad_network(
    skyshelf_server: TestServer, skyshelf_account: TestAccount, authority: Authority, tmp_path: Path
) -> None:
    contents = {f"{number:03d}.bin": random.Random(number).randbytes(30_000) for number in range(100)}
    contents["large.bin"] = random.Random(1).randbytes(5_000_000)
    skyshelf_account.add_files(contents.items())
    faults = (Fault.RESET, Fault.LOSE_RESPONSE, Fault.CUT, Fault.ERROR, Fault.STALL)
    plan = FaultPlan(once=faults, stall_seconds=10)
    with FaultProxy(skyshelf_server.url, plan, tls=authority.server(*NAMES)) as proxy:
        session = skyshelf_account.session.via(proxy.url)

        async def run() -> None:
            async with fast_client_of(session, ca_file=authority.ca_file, read_timeout=2) as client:
                assert (await client.download_all(tmp_path)).ok

        asyncio.run(run())
        assert proxy.counts() == dict.fromkeys(faults, 1)
    assert files_below(tmp_path) == contents
