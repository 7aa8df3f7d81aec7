"""`./dev bench crowd`: many accounts with many files, and clients that poll, list, upload and download, on both stacks.

The mix is in benchmarks/crowd_clients.py. Each stack is one server of one worker, as it is installed. PostgreSQL syncs.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

import psycopg
from tests.real_parts import shared
from tests.real_parts.servers import Stack, embedded, scaled_out

from benchmarks import crowd_fill
from benchmarks.crowd_clients import MIX
from benchmarks.crowd_fill import FilledAccounts
from benchmarks.crowd_parts import Parts, share
from benchmarks.server_process import MB
from benchmarks.tables import print_fact, print_left_out, print_note, print_table, short
from skyshelf.service.jobs.maintenance import PERIODIC_TASKS
from skyshelf.storage.open import METADATA_FILE

STACKS: Final = {"SQLite and disk": embedded, "PostgreSQL and S3": scaled_out}
WARM_UP: Final = 10
SETTLE: Final = 60
"""Seconds after a start until only what repeats is left."""
AT_REST_ACCOUNTS: Final = 10_000
AIMS_MS: Final = {"listing": 100, "upload": 250}
AT_REST_AIM: Final = 0.01
_NAMES: Final = {
    "poll": "poll the changes",
    "listing": "list a folder of 200",
    "download": "download 100 KB",
    "upload": "upload 100 KB",
}


class Crowd:
    """One stack with its accounts."""

    def __init__(self, name: str, stack: Stack, options: argparse.Namespace) -> None:
        self.name, self.stack, self.options = name, stack, options
        self.server = stack.servers[0]
        self.parts = Parts(stack)
        self._metadata = (
            f"file://{self.server.data.absolute() / METADATA_FILE}" if self.parts.url is None else self.parts.url
        )

    @contextmanager
    def stopped(self) -> Iterator[None]:
        self.stack.stop(self.server)
        try:
            yield
        finally:
            self.stack.restart()

    def fill(self) -> tuple[FilledAccounts, float]:
        began = time.perf_counter()
        with self.stopped():
            filled = crowd_fill.fill(
                self.stack.ctx, self._metadata, number=self.options.accounts, files=self.options.files
            )
        return filled, time.perf_counter() - began

    def load(self, filled: FilledAccounts) -> tuple[dict[str, Any], list[list[str]]]:
        """Let the clients work; what they measured, and what it took."""
        headers = crowd_fill.sessions(self.stack.ctx, filled, self.options.clients)
        spec = {
            "port": self.server.port,
            "clients": headers,
            "folders": filled.folder_keys,
            "real": filled.real_keys,
            "upload_folder": filled.folder_keys[0],
            "seconds": self.options.seconds,
            "warm_up": WARM_UP if self.options.seconds > WARM_UP else 1,
            "run": token_hex(4),
        }
        command = [sys.executable, "-m", "benchmarks.crowd_clients"]
        before = self.parts.memory()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as clients:
            assert clients.stdin is not None
            assert clients.stdout is not None
            clients.stdin.write(json.dumps(spec) + "\n")
            clients.stdin.flush()
            if clients.stdout.readline().strip() != "connected":
                raise RuntimeError("the clients could not connect")
            time.sleep(2)
            connected = self.parts.memory()
            sizes = self.parts.sizes()
            used = self.parts.processor()
            clients.stdin.write("go\n")
            clients.stdin.flush()
            time.sleep(self.options.seconds * 0.8)
            busy, connections = self.parts.memory(), self.parts.connections()
            said: dict[str, Any] = json.loads(clients.stdout.readline())
        used = {name: seconds - used[name] for name, seconds in self.parts.processor().items()}
        grown = {name: size - sizes[name] for name, size in self.parts.sizes().items()}
        uploads = len(said["times"]["upload"])
        rows = [
            *([f"processor: {name}", f"{share(seconds, said['seconds'])} of a core"] for name, seconds in used.items()),
            ["processor: the load generator", f"{share(said['processor'], said['seconds'])} of a core"],
            *([f"memory with nobody connected: {name}", f"{short(size / MB)} MB"] for name, size in before.items()),
            *([f"memory at work: {name}", f"{short(size / MB)} MB"] for name, size in busy.items()),
            [
                "memory of the server per connection that waits",
                f"{short((connected['server'] - before['server']) / 1000 / self.options.clients)} kB",
            ],
            *([name, str(number)] for name, number in connections.items()),
            *([f"{name}, by {uploads:,} uploads", f"{short(size / MB)} MB"] for name, size in grown.items()),
        ]
        return said, rows

    def at_rest(self, filled: FilledAccounts) -> dict[str, float]:
        """Return the shares of a core over some time without clients.

        What the filled rows and the start leave to do is done before: the database's vacuum, the first run of each job.
        """
        with self.stopped():
            more = max(2, self.options.at_rest_accounts - filled.accounts)
            crowd_fill.add_empty(self.stack.ctx, self._metadata, more)
            self.parts.vacuum()
        time.sleep(min(SETTLE, self.options.at_rest_seconds))
        seconds, used = self.options.at_rest_seconds, self.parts.processor()
        time.sleep(seconds)
        return {name: (took - used[name]) / seconds for name, took in self.parts.processor().items()}

    def jobs(self) -> list[tuple[str, int, float]]:
        """Return each periodic job, how often it runs, and the processor time of its second run."""
        found = []
        with self.stopped():
            for task in PERIODIC_TASKS:
                taken = []
                for _ in range(2):
                    used = sum(self.parts.processor().values()) + time.process_time()
                    for _ in task.steps(self.stack.ctx):
                        pass
                    taken.append(sum(self.parts.processor().values()) + time.process_time() - used)
                found.append((task.name, task.every, taken[-1]))
        return found


def measure(name: str, options: argparse.Namespace) -> list[list[str]]:
    """Print the tables of a stack; returns its rows at rest."""
    starting = STACKS[name]
    more = {} if name == "SQLite and disk" else {"instances": 1}
    with tempfile.TemporaryDirectory(prefix="bench-crowd-") as folder:
        if more:
            with psycopg.connect(shared.postgres().url, autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = on")
                connection.execute("ALTER SYSTEM SET max_wal_size = '4GB'")
                connection.execute("SELECT pg_reload_conf()")
        with starting(Path(folder), *options.serve, **more) as stack:
            crowd = Crowd(name, stack, options)
            filled, took = crowd.fill()
            files = options.accounts * options.files
            print_fact(
                f"{name}: {files:,} files filled in {took:.0f} s, {short(crowd.parts.database() / files)} B each"
            )
            said, rows = crowd.load(filled)
            _print_times(name, said, options)
            print_table(f"{name}: what it took", ["", "figure"], rows, name=f"{name}, costs")
            shares = crowd.at_rest(filled)
            return _at_rest_rows(name, shares, crowd.jobs())


def _print_times(name: str, said: dict[str, Any], options: argparse.Namespace) -> None:
    rows = []
    for kind, times in said["times"].items():
        if len(times) < 2:
            print_left_out(f"'{kind}' on {name}: too few requests in {options.seconds} s")
            continue
        cuts = statistics.quantiles(times, n=100, method="inclusive")
        aim = AIMS_MS.get(kind)
        reached = "" if aim is None else f"≤ {aim}: {'reached' if cuts[94] <= aim else 'missed'}"
        rows.append([_NAMES[kind], f"{len(times):,}", *map(short, (cuts[49], cuts[94], cuts[98])), reached])
    title = f"{name}: {options.accounts:,} accounts of {options.files:,} files, {options.clients:,} clients"
    print_table(title, ["", "requests", "median ms", "95 % ms", "99 % ms", "aim of 95 %"], rows, name=name)
    failed = [error for error in said["errors"] if error != "reopened"]
    if failed:
        print_note(f"{len(failed)} requests failed: {failed[0]}")
    if reopened := len(said["errors"]) - len(failed):
        print_note(f"{reopened} idle connections were closed by the server, and opened again")


def _at_rest_rows(name: str, shares: dict[str, float], jobs: Sequence[tuple[str, int, float]]) -> list[list[str]]:
    added = sum(seconds * 1000 / every for _, every, seconds in jobs)
    total = sum(shares[part] for part in shares if part != "S3")
    dearest = sorted(jobs, key=lambda job: job[2] / job[1], reverse=True)[:3]
    rows = [[f"{name}: {part}", f"{100 * used:.2f} %"] for part, used in shares.items()]
    rows.append([f"{name}: jobs of a day, spread over it", f"{100 * added:.2f} %"])
    rows += [
        [f"{name}: of these {job}, {seconds * 1000:.0f} ms of processor a run", f"{100 * seconds * 1000 / every:.3f} %"]
        for job, every, seconds in dearest
    ]
    verdict = "reached" if total + added <= AT_REST_AIM else "missed"
    return [
        *rows,
        [
            f"{name}: without the object store; aim {100 * AT_REST_AIM:.0f} %: {verdict}",
            f"{100 * (total + added):.2f} %",
        ],
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench crowd", description=__doc__)
    parser.add_argument("--accounts", type=int, default=200, help="with files (default: 200)")
    parser.add_argument("--files", type=int, default=2000, help="of each account (default: 2,000)")
    parser.add_argument("--clients", type=int, default=300, help="connected at once (default: 300)")
    parser.add_argument("--seconds", type=int, default=90, help="of work that counts (default: 90)")
    parser.add_argument("--at-rest-accounts", type=int, default=AT_REST_ACCOUNTS, help="accounts in all (10,000)")
    parser.add_argument("--at-rest-seconds", type=int, default=120, help="without clients (default: 120)")
    parser.add_argument("--only", choices=sorted(STACKS), help="one stack")
    parser.add_argument("--serve", action="append", default=[], metavar="OPTION", help="for `skyshelf serve`")
    parser.add_argument("--large", action="store_true", help="1,000 accounts of 10,000 files; fills for half an hour")
    parser.add_argument("--quick", action="store_true", help="a first look: small, and figures that scatter")
    options = parser.parse_args()
    if options.large:
        options.accounts, options.files = 1000, 10_000
    if options.quick:
        options.accounts, options.files, options.clients, options.seconds = 10, 400, 30, 20
        options.at_rest_accounts, options.at_rest_seconds = 500, 10
    mix = ", ".join(f"{_NAMES[kind]} every {seconds:.0f} s" for kind, seconds in MIX.items())
    print_fact(f"Each client, on average, with one connection: {mix}")
    rows = [row for name in STACKS if options.only in {None, name} for row in measure(name, options)]
    title = f"at rest, with {options.at_rest_accounts:,} accounts: shares of one core"
    print_table(title, ["", "share"], rows, name="at rest")


if __name__ == "__main__":
    main()
