"""Behind real proxies with the examples in packaging/proxies: who the client is, HTTP/2, and bodies of any size."""

import itertools
import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
import yaml  # type: ignore[import-untyped]
from tests.cli.serving import make_certificate
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.proxies import EXAMPLES, example, free_port, running_caddy, running_haproxy
from tests.server.api import PASSWORD, new_account
from tests.server.running import RunningServer, opened

from skyshelf.service.accounts import app_passwords
from skyshelf.storage.metadata.contracts.sessions import AppScope

EMAIL = "grace@example.org"
PATIENCE = 60
_NUMBERS = itertools.count()


class Site:
    """A server, and the proxies in front of it by their names: where each listens."""

    def __init__(self, server: RunningServer, app_password: str) -> None:
        self.server = server
        self.app_password = app_password
        self.ports: dict[str, int] = {}
        self.tls_port = 0

    def lines(self, path: str) -> list[dict[str, object]]:
        """What the server has logged about a path."""
        found = [json.loads(line) for line in self.server.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in found if line.get("path") == path]

    def line(self, path: str) -> dict[str, object]:
        deadline = time.monotonic() + PATIENCE
        while not (found := self.lines(path)):
            assert time.monotonic() < deadline, f"{path} was not logged"
            time.sleep(0.02)
        return found[0]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as until:
        server = RunningServer(tmp_path_factory.mktemp("behind") / "data", "--proxy-protocol", "127.0.0.9/32")
        put_migrated(server.data)
        server.start()
        until.callback(server.close)
        with opened(server.data) as ctx:
            account = new_account(ctx, EMAIL)
            password, _ = app_passwords.create(ctx, account.account_id, "App", AppScope())
        site = Site(server, password)
        backend = f"127.0.0.1:{server.port}"

        folder = tmp_path_factory.mktemp("haproxy")
        cert, key = make_certificate(folder, "drive.example.org")
        both = folder / "both.pem"
        both.write_text(cert.read_text() + key.read_text())
        plain, tls = free_port(), free_port()
        text = example(
            "haproxy.cfg",
            {
                "bind :80\n": f"bind 127.0.0.1:{plain}\n",
                "bind :443": f"bind 127.0.0.1:{tls}",
                "/etc/haproxy/drive.example.org.pem": str(both),
                "127.0.0.1:8600": backend,
                # Over the plain port, too: not every client of these tests speaks TLS.
                "    http-request redirect scheme https code 308 unless { ssl_fc }\n": "",
            },
        )
        site.ports["haproxy"] = until.enter_context(running_haproxy(folder, text, plain))
        site.tls_port = tls

        folder, port = tmp_path_factory.mktemp("announcing"), free_port()
        text = (
            "defaults\n  mode tcp\n  timeout connect 5s\n  timeout client 300s\n  timeout server 300s\n"
            f"listen x\n  bind 127.0.0.1:{port}\n  source 127.0.0.9\n  server one {backend} send-proxy-v2\n"
        )
        site.ports["haproxy, PROXY protocol"] = until.enter_context(running_haproxy(folder, text, port))

        folder, port = tmp_path_factory.mktemp("caddy"), free_port()
        text = example("Caddyfile", {"drive.example.org {": f"http://127.0.0.1:{port} {{", "127.0.0.1:8600": backend})
        site.ports["caddy"] = until.enter_context(running_caddy(folder, text, port))
        yield site


PROXIES = ["haproxy", "haproxy, PROXY protocol", "caddy"]


@pytest.mark.parametrize("proxy", PROXIES)
def test_the_client_is_known_and_cannot_claim_another_address(site: Site, proxy: str) -> None:
    path = f"/forged-{next(_NUMBERS)}"
    transport = httpx2.HTTPTransport(local_address="127.0.0.21")
    with httpx2.Client(base_url=f"http://127.0.0.1:{site.ports[proxy]}", transport=transport) as client:
        client.get(path, headers={"X-Forwarded-For": "203.0.113.9"})
    assert site.line(path)["address"] == "127.0.0.21"


@pytest.mark.parametrize("proxy", PROXIES)
def test_an_upload_of_any_size_reaches_the_server(site: Site, proxy: str) -> None:
    """The server refuses ten terabytes, not the proxy."""
    name = f"huge-{next(_NUMBERS)}.bin"
    with socket.create_connection(("127.0.0.1", site.ports[proxy]), timeout=PATIENCE) as client:
        client.sendall(put_head(site, proxy, name, 10**13))
        assert site.line(f"/dav/{name}")["status"] == 413


@pytest.mark.parametrize("proxy", PROXIES)
def test_the_bytes_of_an_upload_arrive_before_the_last_one_is_sent(site: Site, proxy: str) -> None:
    number = next(_NUMBERS)
    # Content of its own: a second copy of the same one is deleted later, and the folder would shrink meanwhile.
    part = number.to_bytes(4) * 256 * 1024
    before = sizes(site.server.data)
    with socket.create_connection(("127.0.0.1", site.ports[proxy]), timeout=PATIENCE) as client:
        client.sendall(put_head(site, proxy, f"large-{number}.bin", 16 * len(part)))
        client.sendall(8 * part)
        deadline = time.monotonic() + PATIENCE
        while sizes(site.server.data) < before + 4 * len(part):
            assert time.monotonic() < deadline, "the proxy holds the upload back"
            time.sleep(0.02)
        client.sendall(8 * part)
        assert client.recv(65536).startswith(b"HTTP/1.1 201 ")


def put_head(site: Site, proxy: str, name: str, size: int) -> bytes:
    request = httpx2.Request("PUT", "http://x/", headers=None)
    authorization = httpx2.BasicAuth(EMAIL, site.app_password)
    signed = next(authorization.auth_flow(request)).headers["authorization"]
    return (
        f"PUT /dav/{name} HTTP/1.1\r\nHost: 127.0.0.1:{site.ports[proxy]}\r\nContent-Length: {size}\r\n"
        f"Authorization: {signed}\r\n\r\n"
    ).encode()


def sizes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total


@pytest.mark.parametrize("proxy", PROXIES)
def test_events_arrive_as_they_happen(site: Site, proxy: str) -> None:
    base = f"http://127.0.0.1:{site.ports[proxy]}"
    with httpx2.Client(base_url=base, timeout=PATIENCE) as client:
        login = client.post("/x/v1/login", json={"emailId": EMAIL, "password": PASSWORD}).json()
        from skyshelf.wire.headers import session_headers

        headers = session_headers(login["authToken"], login["userId"], login["deviceKey"])
        cursor = client.get("/x/v1/changes", headers=headers).json()["cursor"]
        with client.stream("GET", "/x/v1/changes/stream", params={"cursor": cursor}, headers=headers) as events:
            lines = events.iter_lines()
            name = f"event-{next(_NUMBERS)}.txt"
            put = httpx2.put(f"{base}/dav/{name}", content=b"x", auth=(EMAIL, site.app_password))
            assert put.status_code == 201
            assert any(name in line for line in lines)


def test_haproxy_speaks_http2_over_tls(site: Site) -> None:
    said = subprocess.run(
        ["curl", "-sS", "--http2", "-k", "-o", "/dev/null", "-w", "%{http_version} %{http_code}",
         "--resolve", f"drive.example.org:{site.tls_port}:127.0.0.1", f"https://drive.example.org:{site.tls_port}/livez"],
        capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert said.stdout == "2 200"
    posted = subprocess.run(
        ["curl", "-sS", "--http2", "-k", "-u", f"{EMAIL}:{site.app_password}", "-T", "-",
         "-w", "%{http_version} %{http_code}",
         f"https://127.0.0.1:{site.tls_port}/dav/by-http2.bin"],
        input="x" * 3_000_000, capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip
    assert posted.stdout.endswith("2 201")
    assert site.line("/dav/by-http2.bin")["address"] == "127.0.0.1"


def test_the_example_for_traefik_has_no_limit_and_waits() -> None:
    """Traefik is not in Debian: what its documentation says about these settings is checked by hand."""
    own = yaml.safe_load((EXAMPLES / "traefik.yaml").read_text())
    timeouts = own["entryPoints"]["websecure"]["transport"]["respondingTimeouts"]
    assert (timeouts["readTimeout"], timeouts["writeTimeout"]) == ("0s", "0s")
    assert own["providers"]["file"]["filename"].endswith("traefik-skyshelf.yaml")
    http = yaml.safe_load((EXAMPLES / "traefik-skyshelf.yaml").read_text())["http"]
    router = http["routers"]["skyshelf"]
    assert set(router["middlewares"]) == set(http["middlewares"])
    assert router["entryPoints"] == ["websecure"]
    assert router["tls"]["certResolver"] in own["certificatesResolvers"]
    service = http["services"][router["service"]]["loadBalancer"]
    assert service["serversTransport"] in http["serversTransports"]
    assert service["responseForwarding"]["flushInterval"].startswith("-")
    assert not any("buffering" in middleware for middleware in http["middlewares"].values())
