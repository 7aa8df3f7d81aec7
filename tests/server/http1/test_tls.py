"""TLS by the server itself: whole answers, files and uploads over an encrypted connection."""

import gc
import hashlib
import os
import socket
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

import httpx2
import pytest
import trustme
from tests.attacks.attacked import SOURCE, eventually
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.programs import program
from tests.server.api import PASSWORD, Api, logged_in, new_account
from tests.server.http1.talking import Application, Running
from tests.server.in_process import TestClient
from tests.server.running import RunningServer

from skyshelf.server.http1.connection import Connection
from skyshelf.server.serving.listener import ConnectionSettings, TlsFiles
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

END = "-----END CERTIFICATE-----\n"


class Files:
    """A certificate for this machine, and the authority that has signed it."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1", "localhost")
        self.certificate, self.key = folder / "cert.pem", folder / "key.pem"
        self.certificate.write_bytes(b"".join(part.bytes() for part in issued.cert_chain_pems))
        self.key.write_bytes(issued.private_key_pem.bytes())
        self.context = ssl.create_default_context()
        authority.configure_trust(self.context)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture
def served(tmp_path: Path, files: Files) -> Iterator[Api]:
    server = RunningServer(tmp_path / "data", "--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    metadata, blobs = embedded_urls(server.data)
    server.start()
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        with httpx2.Client(base_url=server.url, verify=files.context, timeout=60) as client:
            yield logged_in(cast("TestClient", client), ctx, new_account(ctx, "ada@example.org"))
    finally:
        ctx.metadata.close()
        ctx.blobs.close()
        server.close()


@pytest.mark.parametrize("size", [0, 1000, 100_000, 5_000_000])
def test_files_arrive_as_they_are(served: Api, size: int) -> None:
    content = os.urandom(size)
    path = f"/download/files/{served.file('a.bin', content).object_key}"
    for _ in range(3):
        answer = served.get(path)
        assert answer.status_code == 200
        assert hashlib.sha256(answer.content).digest() == hashlib.sha256(content).digest()
    assert answer.headers["strict-transport-security"]


NAMES = ("localhost", "elsewhere.example", "a" * 63 + ".example", "xn--80ak6aa92e.example", "127.0.0.1", None)


def test_whatever_name_a_client_asks_for_it_sees_the_same_server(served: Api, files: Files) -> None:
    """There is one certificate, so a name chooses nothing, and tells nobody what there is."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    own = ssl.PEM_cert_to_DER_cert(files.certificate.read_text("ascii").partition("-----END")[0] + END)
    for name in NAMES:
        with (
            socket.create_connection(address_of(served), timeout=20) as bare,
            context.wrap_socket(bare, server_hostname=name) as connection,
        ):
            assert connection.getpeercert(binary_form=True) == own, name
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert connection.recv(12) == b"HTTP/1.1 200", name


def test_a_name_that_is_none_ends_its_connection_alone(served: Api) -> None:
    for length in (0, 1, 255, 256, 16_000):
        with socket.create_connection(address_of(served), timeout=20) as bare:
            bare.sendall(hello_for(b"\xff\x00" * length))
            with suppress(ConnectionError):
                # A handshake message is refused by an alert, or the connection just ends.
                assert bare.recv(1) in {b"", b"\x15"}, length
        assert served.get("/security/users").status_code == 200


def address_of(served: Api) -> tuple[str, int]:
    url = served.client.base_url
    return url.host, url.port or 443


def hello_for(name: bytes) -> bytes:
    """Begin a handshake with a server of any name."""

    def sized(content: bytes, length: int = 2) -> bytes:
        return len(content).to_bytes(length, "big") + content

    extensions = b"\x00\x00" + sized(sized(b"\x00" + sized(name)))
    hello = b"\x03\x03" + bytes(32) + b"\x00" + sized(b"\x13\x01") + b"\x01\x00" + sized(extensions)
    message = b"\x01" + sized(hello, 3)
    records = (message[start : start + 16_384] for start in range(0, len(message), 16_384))
    return b"".join(b"\x16\x03\x01" + sized(record) for record in records)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_older_versions_and_other_protocols_are_refused(served: Api, files: Files) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    url = str(served.client.base_url)
    with httpx2.Client(verify=context) as old, pytest.raises(httpx2.ConnectError):
        old.get(url)
    with httpx2.Client() as plain, pytest.raises(httpx2.HTTPError):
        plain.get(url.replace("https:", "http:"))
    assert served.get("/security/users").status_code == 200


def test_what_is_wrong_with_the_files_is_said(tmp_path: Path, files: Files) -> None:
    assert TlsFiles(files.certificate, files.key).problem() is None
    missing = TlsFiles(tmp_path / "none", files.key).problem()
    assert missing is not None
    assert "do not both exist" in missing
    swapped = TlsFiles(files.key, files.certificate).problem()
    assert swapped is not None
    assert "cannot be used for TLS" in swapped


HELLO = b"\x16\x03\x01\x40\x00\x01\x00\x3f\xfc" + b"h" * 200
"""The beginning of a client's hello that does not end."""
CROWD = 900


def test_what_a_connection_held_is_free_when_it_ends(tmp_path: Path, files: Files) -> None:
    """The garbage collector runs rarely, and does not know how much memory TLS takes."""
    running = Running(
        Application(tmp_path), "uvloop", settings=ConnectionSettings(tls=TlsFiles(files.certificate, files.key))
    )
    gc.collect()
    gc.disable()
    try:
        for beginning in (b"", HELLO, None):
            with socket.create_connection(("127.0.0.1", running.port)) as raw:
                if beginning is not None:
                    raw.sendall(beginning)
                    continue
                with files.context.wrap_socket(raw, server_hostname="localhost") as secure:
                    secure.sendall(b"GET /early HTTP/1.1\r\nHost: x\r\n\r\n")
                    assert secure.recv(12) == b"HTTP/1.1 200"
        eventually(lambda: not any(isinstance(one, Connection) for one in gc.get_objects()))
    finally:
        gc.enable()
        running.stop()


@pytest.mark.whole
def test_crowds_that_never_finish_the_handshake_leave_no_memory_behind(tmp_path: Path, files: Files) -> None:
    server = RunningServer(tmp_path / "data", "--tls-cert", str(files.certificate), "--tls-key", str(files.key))
    put_migrated(server.data)
    server.start()

    def megabytes() -> int:
        places = [Path(f"/proc/{pid}/statm") for pid in server.processes()]
        return sum(int(place.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") for place in places) // 1_000_000

    try:
        before = megabytes()
        for _ in range(4):
            crowd = [socket.create_connection(("127.0.0.1", server.port), 20, (SOURCE, 0)) for _ in range(CROWD)]
            for one in crowd:
                with suppress(OSError):  # closed by the server
                    one.send(HELLO)
                one.close()
        eventually(lambda: megabytes() < before + 30)
    finally:
        server.close()


@pytest.mark.program("openssl")
def test_clients_begin_no_second_handshake(served: Api) -> None:
    port = int(str(served.client.base_url).rpartition(":")[2].strip("/"))
    asked = subprocess.run(
        [program("openssl"), "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_2"],
        input=b"R\n",
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"no renegotiation" in asked.stderr


def test_other_protocols_are_not_spoken(served: Api, files: Files) -> None:
    port = int(str(served.client.base_url).rpartition(":")[2].strip("/"))
    for offered, chosen in ((["h2"], None), (["h2", "http/1.1"], "http/1.1")):
        files.context.set_alpn_protocols(offered)
        with (
            socket.create_connection(("127.0.0.1", port)) as raw,
            files.context.wrap_socket(raw, server_hostname="localhost") as secure,
        ):
            assert secure.selected_alpn_protocol() == chosen


@pytest.mark.parametrize("is_ended_well", [True, False], ids=["close_notify", "cut"])
def test_an_upload_that_somebody_cuts_is_not_stored(served: Api, files: Files, *, is_ended_well: bool) -> None:
    """Whoever is on the way can close a connection, but cannot make a part of a file look like the whole."""
    made = served.post("/x/v1/app-passwords", json={"name": "app", "password": PASSWORD}).json()
    credentials = b64encode(f"{made['userName']}:{made['password']}".encode()).decode()
    framing = "Transfer-Encoding: chunked"
    head = f"PUT /dav/a.txt HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {credentials}\r\n{framing}\r\n\r\n"
    raw = socket.create_connection(("127.0.0.1", served.client.base_url.port or 0), 60)
    secure = files.context.wrap_socket(raw, server_hostname="localhost")
    secure.sendall(head.encode() + b"4\r\nhalf\r\n")
    if is_ended_well:
        with suppress(OSError):
            secure.unwrap()
    secure.shutdown(socket.SHUT_WR)
    with suppress(OSError):
        assert not secure.recv(100).startswith(b"HTTP/1.1 2")
    secure.close()
    assert served.get(f"/nms/metadata?folderKey={served.root_key}&type=f&limit=5&page=0").json()["objects"] == []
    whole = f"https://127.0.0.1:{served.client.base_url.port}/dav/a.txt"
    headers = {"Authorization": f"Basic {credentials}"}
    assert served.client.put(whole, content=b"whole", headers=headers).status_code == 201
