"""`./dev bench integrity`: what it costs that content is verified when it is sent, and that the scrub reads it."""

import argparse
import http.client
import math
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from tests.real_parts.servers import Stack, embedded, scaled_out
from tests.server.api import Api, new_account
from tests.server.running import over_the_network

from benchmarks.tables import print_table, short
from skyshelf.service.integrity import scrub
from skyshelf.service.integrity.scrub import ScrubRound, ScrubState, save_state

STACKS = {"sqlite+disk": embedded, "postgres+s3": scaled_out}
TABLES = {"sqlite+disk": "SQLite and disk", "postgres+s3": "PostgreSQL and S3"}
MIB = 1024 * 1024
SIZES = {"4 KiB": 4096, "256 KiB": 256 * 1024, "4 MiB": 4 * MIB, "32 MiB": 32 * MIB}
PIECE = MIB
SCRUBBED = 16 * MIB
"""The size of the files that only the scrub reads."""
SAVED_SECONDS = 10
"""How often it notes how far it is."""
DAY = 24 * 60 * 60 * 1000


class Downloads:
    """A client that does nothing but read."""

    def __init__(self, api: Api, url: str) -> None:
        self._headers = {name: str(value) for name, value in api.headers.items()}
        self._headers.setdefault("accept-language", "en")
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=300)

    def __call__(self, key: str, size: int) -> float:
        """How many seconds one download takes."""
        began = time.perf_counter()
        self._connection.request("GET", f"/download/files/{key}", headers=self._headers)
        response = self._connection.getresponse()
        read = 0
        while piece := response.read(PIECE):
            read += len(piece)
        assert (response.status, read) == (200, size)
        return time.perf_counter() - began

    def reconnect(self) -> None:
        """The server has closed the connection if uploads took long."""
        self._connection.close()


def measured_downloads(stack: Stack, api: Api, large: int) -> list[list[str]]:
    rows = []
    download = Downloads(api, stack.urls[0])
    for name, size in {**SIZES, f"{large} MiB": large * MIB}.items():
        count = max(3, min(100, 64 * MIB // size))
        keys = [api.file(f"{name} {number}", os.urandom(size)).object_key for number in range(count)]
        download.reconnect()
        download(keys[0], size)  # opens the connection
        first = statistics.median(download(key, size) for key in keys[1:])
        again = statistics.median(download(key, size) for key in keys[1:])
        rows.append(
            [name, f"{first * 1000:.2f}", f"{again * 1000:.2f}", *(short(size / MIB / s) for s in (first, again))]
        )
    return rows


def measured_scrub(stack: Stack, api: Api, seconds: float) -> list[list[str]]:
    """Small downloads, without and with a scrub that is far behind and reads at its limit."""
    download = Downloads(api, stack.urls[0])
    key = api.file("small", os.urandom(4096)).object_key
    idle = percentiles(lambda: download(key, 4096), seconds)
    for number in range(math.ceil((seconds + 3 * SAVED_SECONDS) * scrub.BYTES_PER_SECOND / SCRUBBED)):
        api.file(f"scrubbed {number}", os.urandom(SCRUBBED))
    began = int(time.time() * 1000) - 300 * DAY
    stack.ctx.metadata.write(lambda unit: save_state(unit, ScrubState(now=ScrubRound(began=began))))
    before, since = _next_save(stack, 0)
    download.reconnect()
    busy = percentiles(lambda: download(key, 4096), seconds)
    after, until = _next_save(stack, _read(stack))
    rate = (after - before) / MIB / (until - since)
    return [
        ["idle", *(f"{value:.2f}" for value in idle), ""],
        ["scrub at its limit", *(f"{value:.2f}" for value in busy), short(rate)],
    ]


def _next_save(stack: Stack, size: int) -> tuple[int, float]:
    """How much was read when the scrub noted more than this, and when that was."""
    while (read := _read(stack)) == size:
        time.sleep(0.1)
    return read, time.perf_counter()


def _read(stack: Stack) -> int:
    state = scrub.state_of(stack.ctx)
    return state.now.size if state else 0


def percentiles(work: Callable[[], float], seconds: float) -> tuple[float, float]:
    took, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until:
        took.append(work() * 1000)
    took.sort()
    return took[len(took) // 2], took[len(took) * 99 // 100]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stack", choices=list(STACKS), action="append", help="only this stack")
    parser.add_argument("--large", type=int, default=256, help="size of the largest file in MiB")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long small downloads are made, twice")
    options = parser.parse_args()
    for name in options.stack or STACKS:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
            stack = running.enter_context(STACKS[name](Path(folder)))
            account = new_account(stack.ctx, "bench@example.org")
            api = running.enter_context(over_the_network(stack.servers[0], stack.ctx, account))
            print_table(
                f"downloads, {name}",
                ["size", "first, ms", "again, ms", "first, MiB/s", "again, MiB/s"],
                measured_downloads(stack, api, options.large),
                name=TABLES[name],
            )
            print_table(
                f"small downloads, {name}",
                ["", "median, ms", "99 %, ms", "scrub, MiB/s"],
                measured_scrub(stack, api, options.seconds),
                name=f"scrub, {TABLES[name]}",
            )


if __name__ == "__main__":
    main()
