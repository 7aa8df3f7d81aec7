"""`./dev bench dav`: WebDAV beside WsgiDAV, rclone serve webdav and copyparty: listings, files, a sync."""

import argparse
import base64
import http.client
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from tests.end_to_end.filling import Filler

from benchmarks import dav_profile, dav_sync
from benchmarks.dav_servers import MIB, Server
from benchmarks.peers import _installed
from benchmarks.server_process import ServerProcess, free_port
from benchmarks.tables import print_fact, print_left_out, print_note, print_table, short
from skyshelf.service.accounts import accounts, app_passwords
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

PASSWORD = "correct horse battery staple"
SMALL = 4096
MANY = 50_000
PROPFIND = (
    b'<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/>'
    b"<getetag/></prop></propfind>"
)


@dataclass(frozen=True)
class Measure:
    """One row: what is done, and how often in a round."""

    name: str
    work: Callable[[Server, http.client.HTTPConnection, int], object]
    times: int = 1
    rounds: int | None = None
    """Rounds of a request that takes some servers a minute; None means as many as all others."""


def list_folder(server: Server, connection: http.client.HTTPConnection, count: int) -> int:
    more = {"Depth": "1", "Content-Type": "application/xml"}
    return server.ask(connection, "PROPFIND", f"list-{count}/", PROPFIND, **more)


def measures(*, large: bytes, listed: Sequence[int], small: int) -> list[Measure]:
    def listing(count: int) -> Measure:
        return Measure(
            f"PROPFIND of {count:,} entries",
            lambda server, connection, _: list_folder(server, connection, count),
            rounds=1 if count >= MANY else None,
        )

    content = os.urandom(SMALL)
    slug = "uploads"
    return [
        *map(listing, listed),
        Measure("GET of 4 KiB", lambda server, connection, _: server.ask(connection, "GET", "small.bin"), small),
        Measure(
            "PUT of 4 KiB",
            lambda server, connection, number: server.ask(
                connection, "PUT", f"{slug}/{server.name.split()[0]}-{number}.bin", content + b"%d" % number
            ),
            small,
        ),
        Measure(
            f"GET of {len(large) // MIB} MiB", lambda server, connection, _: server.ask(connection, "GET", "large.bin")
        ),
        Measure(
            f"PUT of {len(large) // MIB} MiB",
            lambda server, connection, number: server.ask(
                connection, "PUT", f"{slug}/{server.name.split()[0]}-large-{number}.bin", large + b"%d" % number
            ),
        ),
    ]


def measure(servers: Sequence[Server], rows: Sequence[Measure], rounds: int) -> list[list[str]]:
    """Milliseconds per request, and CPU milliseconds of the server; medians of rounds in turns."""
    table = []
    for row in rows:
        took: dict[str, list[float]] = {server.name: [] for server in servers}
        used: dict[str, list[float]] = {server.name: [] for server in servers}
        for turn in range((row.rounds or rounds) + 1):
            for server in servers:
                with closing(server.connection()) as connection:
                    began, cpu = time.perf_counter(), server.process.cpu_seconds()
                    for number in range(row.times):
                        row.work(server, connection, turn * row.times + number)
                    if turn:  # the first round warms up
                        took[server.name].append((time.perf_counter() - began) * 1000 / row.times)
                        used[server.name].append((server.process.cpu_seconds() - cpu) * 1000 / row.times)
        cells = [
            f"{short(statistics.median(took[server.name]))} ({short(statistics.median(used[server.name]))})"
            for server in servers
        ]
        table.append([row.name, *cells])
        print(".", end="", flush=True, file=sys.stderr)
    print(file=sys.stderr)
    return table


def show_listing(servers: Sequence[Server], listed: Sequence[int]) -> None:
    """What a small and a large listing need of the memory, after a new start."""
    rows = []
    for server in servers:
        server.process.stop()
        server.process.start()
        peaks, size = [], 0
        for count in listed:
            with server.process.watching() as peak, closing(server.connection()) as connection:
                size = list_folder(server, connection, count)
            peaks.append(short(peak.most))
        rows.append([server.name, *peaks, short(size / 1e6)])
    head = ["MB", *(f"at most, with {count:,} entries" for count in listed), "the larger answer"]
    print_table("PROPFIND: memory of the server", head, rows, name="listing")
    print_note("Looked at 50 times a second. Mapped files do not count: the system drops them when it needs the space.")


def ours(folder: Path, large: bytes, listed: Sequence[int]) -> Server:
    data = folder / "skyshelf"
    data.mkdir()
    metadata, blobs = embedded_urls(data)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    account = accounts.add_account(ctx, "bench@example.org", "Bench", "Mark", PASSWORD)
    password, _ = app_passwords.create(ctx, account.account_id, "bench", AppScope())
    filler = Filler(ctx, account)
    for count in listed:
        filler.files(count, filler.folder(f"list-{count}"))
    filler.folder("uploads")
    ctx.metadata.close()
    ctx.blobs.close()
    port = free_port()
    command = [str(Path(sys.executable).with_name("skyshelf")), "serve", "--data", str(data), "--port", str(port)]
    basic = base64.b64encode(f"bench@example.org:{password}".encode()).decode()
    server = Server("Skyshelf", ServerProcess(command, port), "/dav/", {"Authorization": f"Basic {basic}"})
    server.process.start()
    with closing(server.connection()) as connection:
        server.ask(connection, "PUT", "small.bin", b"x" * SMALL)
        server.ask(connection, "PUT", "large.bin", large)
    return server


def peers(folder: Path, large: bytes, listed: Sequence[int]) -> list[Server]:
    """Start the servers that could be installed, each on the same folder of files."""
    binaries = _installed(folder / "venv")
    if binaries is None:
        print_left_out("WsgiDAV, rclone and copyparty could not be installed")
        return []
    files = folder / "files"
    (files / "uploads").mkdir(parents=True)
    (files / "small.bin").write_bytes(b"x" * SMALL)
    (files / "large.bin").write_bytes(large)
    for count in listed:
        (files / f"list-{count}").mkdir()
        for number in range(count):
            (files / f"list-{count}" / f"{number:06}.txt").write_bytes(b"x")
    ports = [free_port() for _ in range(3)]
    wsgidav = [str(binaries / "wsgidav"), "--host", "127.0.0.1", "--port", str(ports[0]), "--root", str(files)]
    rclone = [str(binaries / "rclone"), "serve", "webdav", str(files), "--addr", f"127.0.0.1:{ports[1]}"]
    copyparty = [str(binaries / "copyparty"), "-q", "-i", "127.0.0.1", "-p", str(ports[2]), "-v", f"{files}::rwd"]
    copyparty += ["--hist", str(folder / "history"), "--daw"]
    found = [
        Server("WsgiDAV", ServerProcess([*wsgidav, "--auth", "anonymous", "--server", "cheroot", "-q"], ports[0])),
        Server("rclone serve webdav", ServerProcess([*rclone, "--config", "/dev/null"], ports[1])),
        Server("copyparty", ServerProcess(copyparty, ports[2], env={"XDG_CONFIG_HOME": str(folder)})),
    ]
    for server in found:
        server.process.start()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench dav", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer entries and rounds, for a first look")
    options = parser.parse_args()
    listed = [2000, 10_000] if options.quick else [2000, 100_000]
    rounds, small, size, synced = (2, 200, 64, 1000) if options.quick else (4, 500, 256, 10_000)
    large = os.urandom(MIB) * size
    with tempfile.TemporaryDirectory() as name, ExitStack() as until:
        folder = Path(name)
        servers = [ours(folder, large, listed), *peers(folder, large, listed)]
        for server in servers:
            until.callback(server.process.stop)
        print_fact("One client on one connection, over loopback; our own server also checks an app password.")
        rows = measure(servers, measures(large=large, listed=listed, small=small), rounds)
        head = ["milliseconds (of the server's CPU)", *(server.name for server in servers)]
        print_table("WebDAV: one request", head, rows, name="requests")
        print_note("Our server syncs every upload to the disk before it answers; the others do not.")
        show_listing(servers, listed)
        dav_sync.show(servers, folder, synced)
        dav_profile.show(servers[0], folder / "alone", large, small)


if __name__ == "__main__":
    main()
