"""Where the processor time of our own server goes when a file comes by WebDAV: its threads, the digests, the disk."""

import hashlib
import os
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from benchmarks import upload_profile as profile
from benchmarks.dav_servers import MIB, Server
from benchmarks.tables import print_table, short

SMALL = 4096


def show(server: Server, folder: Path, large: bytes, count: int) -> None:
    """Two tables: small files, and a large one."""
    _show_small(server, folder, count)
    _show_large(server, large)


def _show_small(server: Server, folder: Path, count: int) -> None:
    data = os.urandom(SMALL)

    def put(first: int) -> None:
        with closing(server.connection()) as connection:
            for number in range(first, first + count):
                server.ask(connection, "PUT", f"uploads/profile-{number}.bin", data + b"%d" % number)

    put(0)
    before, began = profile.by_role(server.process), time.perf_counter()
    put(count)
    passed = 1e6 * (time.perf_counter() - began) / count
    used = Counter(profile.by_role(server.process))
    used.subtract(before)
    each = {role: short(1e6 * seconds / count) for role, seconds in used.items()}
    folder.mkdir(exist_ok=True)
    digests = profile.alone(
        lambda _: (hashlib.md5(data, usedforsecurity=False).digest(), hashlib.sha256(data).digest())
    )
    began = time.perf_counter()
    disk = profile.alone(lambda number: profile.keep(folder, number, data))
    waited = 1e6 * (time.perf_counter() - began) / profile.ALONE
    rows = [
        [profile.MAIN, each[profile.MAIN]],
        [profile.TAKING, each[profile.TAKING]],
        ["– of these, both digests alone", short(digests)],
        ["– of these, a file, written, synced and renamed, and its folder synced, alone", short(disk)],
        [profile.COMMITTING, each[profile.COMMITTING]],
        [profile.REST, each[profile.REST]],
        ["together", short(1e6 * sum(used.values()) / count)],
        ["time that passed", short(passed)],
        ["– of it, that file, alone", short(waited)],
    ]
    print_table("Skyshelf: processor time of a PUT of 4 KiB, µs", ["", "µs"], rows, name="small PUT")


def _show_large(server: Server, large: bytes) -> None:
    before, began = sum(profile.by_role(server.process).values()), time.perf_counter()
    with closing(server.connection()) as connection:
        server.ask(connection, "PUT", "uploads/profile-large.bin", large + b"profile")
    elapsed = time.perf_counter() - began
    used = sum(profile.by_role(server.process).values()) - before
    md5 = profile.seconds(lambda: hashlib.md5(large, usedforsecurity=False).digest())
    sha256 = profile.seconds(lambda: hashlib.sha256(large).digest())
    rows = [
        ["MD5 alone", short(1000 * md5)],
        ["SHA-256 alone", short(1000 * sha256)],
        ["the rest of the server: from the socket, to the file, synced", short(1000 * (used - md5 - sha256))],
        ["together", short(1000 * used)],
        ["time that passed", short(1000 * elapsed)],
    ]
    title = f"Skyshelf: processor time of a PUT of {len(large) // MIB} MiB, ms"
    print_table(title, ["", "ms"], rows, name="large PUT")
