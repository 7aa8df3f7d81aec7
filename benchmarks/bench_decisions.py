"""`./dev bench decisions`: the figures behind docs/decisions/, each choice compared with the plain alternative."""

import argparse
import asyncio
import itertools
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import msgspec
from starlette.routing import Match
from starlette.routing import Route as PatternRoute

from benchmarks.http_protocols import http_protocols
from benchmarks.metadata import NOW, PAGE, SampleAccount, new_file
from benchmarks.tables import milliseconds, print_table, short
from skyshelf.server.pages.web_client.routes import UnknownAddress
from skyshelf.server.pipeline.admission.fair_queue import FairQueue
from skyshelf.server.pipeline.admission.kinds import CALLS
from skyshelf.server.pipeline.router import Route, Router
from skyshelf.server.pipeline.threads import CallThreads
from skyshelf.storage.blobs.disk.store import DiskBlobs
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.sqlite.store import SqliteStore
from skyshelf.storage.metadata.wire_cache import encode_object, render_urls, wire_object
from skyshelf.wire.endpoints import ENDPOINTS

ORIGIN = "https://drive.example.org"
ROUNDS = 9
WAL_HEADER_BYTES, WAL_FRAME_BYTES = 32, 4096 + 24
# SQLite begins again at the log's start after a thousand pages; the log is emptied before that.
WAL_BYTES_MAX = 500 * WAL_FRAME_BYTES


def encoded_rows(filled: SampleAccount) -> None:
    """A page from encoded rows, and from columns that become objects and then JSON."""
    objects = [filled.file(filled.page_folder, number) for number in range(PAGE)]
    rows = [encode_object(one) for one in objects]
    encoder = msgspec.json.Encoder()
    joined = milliseconds(lambda: render_urls(b",".join(rows), ORIGIN), rounds=ROUNDS)
    built = milliseconds(lambda: encoder.encode([wire_object(one, ORIGIN) for one in objects]), rounds=ROUNDS)
    table = [["join encoded rows", short(joined)], ["build and encode objects", short(built)]]
    print_table(
        f"a page of {PAGE:,} objects in memory, ms (median of {ROUNDS})", ["", "ms"], table, name="encoded rows"
    )


def group_commit(filled: SampleAccount, *, writes: int, threads: int = 8) -> None:
    """Inserts from several threads that share commits, and with a commit for each."""
    numbers = itertools.count()
    account = filled.account.account_id
    one_at_a_time = threading.Lock()

    def insert(_: object) -> None:
        file = new_file(filled.elsewhere, f"file {next(numbers)}")
        filled.store.write(lambda unit: unit.files.put(account, file, NOW, keep_versions=10))

    def insert_alone(_: object) -> None:
        with one_at_a_time:
            insert(_)

    def rate(work: Callable[[object], None]) -> float:
        with ThreadPoolExecutor(threads) as pool:
            start = time.perf_counter()
            list(pool.map(work, range(writes)))
            return writes / (time.perf_counter() - start)

    rate(insert)
    alone, together = rate(insert_alone), rate(insert)
    table = [["one commit per write", short(alone)], ["group commit", short(together)]]
    print_table(
        f"{writes:,} inserts from {threads} threads, durable, SQLite", ["", "writes/s"], table, name="group commit"
    )


def joint_uploads(filled: SampleAccount, path: Path, *, groups: int) -> None:
    """Uploads that are committed together: what each costs the processor and the write-ahead log."""
    account, names = filled.account.account_id, itertools.count()
    table = []
    for size in (1, 8, 32):
        works = [[new_file(filled.elsewhere, f"joint {next(names)}") for _ in range(size)] for _ in range(groups)]
        pages, began = 0, time.process_time()
        for files in works:
            put = partial(_put_each, account, files)
            before = _wal_bytes(path)
            filled.store.write(put)
            pages += max(0, _wal_bytes(path) - before) // WAL_FRAME_BYTES
            if _wal_bytes(path) > WAL_BYTES_MAX:
                _empty_wal(path)
        uploads = groups * size
        cpu = (time.process_time() - began) / uploads
        table.append([f"{size} together", f"{cpu * 1000:.2f}", short(pages / uploads)])
    print_table(
        "rows of an upload, SQLite", ["", "processor ms each", "pages of the log each"], table, name="joint uploads"
    )


def pages_of_uploads(filled: SampleAccount, path: Path, *, commits: int) -> None:
    """What the commit of one upload, and of eight, writes: pages of each table and index."""
    account, names = filled.account.account_id, itertools.count()
    written: dict[int, Counter[str]] = {1: Counter(), 8: Counter()}
    for size, counted in written.items():
        for _ in range(commits):
            files = [new_file(filled.elsewhere, f"page {size} {next(names)}") for _ in range(size)]
            _empty_wal(path)
            filled.store.write(partial(_put_each, account, files))
            pages = _pages_in_wal(path)
            with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
                names_of = dict(connection.execute("SELECT pageno, name FROM dbstat"))
            counted.update(names_of.get(page, "(free pages)") for page in pages)
    rows = [
        [name, *(short(counted[name] / commits) for counted in written.values())]
        for name in sorted(set().union(*written.values()), key=lambda name: (-written[1][name], name))
    ]
    rows.append(["together", *(short(counted.total() / commits) for counted in written.values())])
    print_table("pages that a commit writes, SQLite", ["", "1 upload", "8 uploads"], rows, name="upload pages")


def _pages_in_wal(path: Path) -> list[int]:
    """Return the number of each page in the log; it was empty before the commit."""
    log = path.with_name(f"{path.name}-wal").read_bytes()
    return [int.from_bytes(log[at : at + 4], "big") for at in range(WAL_HEADER_BYTES, len(log), WAL_FRAME_BYTES)]


def _put_each(account: int, files: list[NewFile], unit: Unit) -> object:
    return unit.files.put_each(account, files, NOW, keep_versions=10)


def _wal_bytes(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


def _empty_wal(path: Path) -> None:
    """Otherwise the log is used again from its beginning, and no longer grows."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def thread_hops(*, hops: int) -> None:
    """From the event loop to a worker thread and back, in processor time."""

    async def measure() -> tuple[float, float]:
        own, pool = CallThreads(FairQueue(msgspec.structs.replace(CALLS, total=4)), "bench"), ThreadPoolExecutor(4)
        loop = asyncio.get_running_loop()

        async def cost(hop: Callable[[], Awaitable[object]]) -> float:
            start = time.process_time()
            for _ in range(hops // 8):
                await asyncio.gather(*(hop() for _ in range(8)))
            return (time.process_time() - start) / hops * 1e6

        await cost(lambda: own.run(int))
        figures = await cost(lambda: loop.run_in_executor(pool, int)), await cost(lambda: own.run(int))
        own.close()
        pool.shutdown()
        return figures

    executor, own = asyncio.run(measure())
    table = [["run_in_executor", short(executor)], ["CallThreads", short(own)]]
    print_table(f"{hops:,} hops to a thread and back, 8 at once", ["", "processor µs each"], table, name="thread hops")


def routing(*, lookups: int) -> None:
    """Finding the route of a path among all routes, and in a tree of their segments."""

    async def endpoint() -> None: ...

    patterns = [PatternRoute(each.path, endpoint, methods=[each.method]) for each in ENDPOINTS]
    router = Router(
        [Route(each.path, (each.method,), UnknownAddress(frozenset())) for each in ENDPOINTS], UnknownAddress
    )
    asked = [(each.method, each.path.replace("{", "").replace("}", "")) for each in ENDPOINTS]

    def one_after_another(method: str, path: str) -> object:
        scope = {"type": "http", "path": path, "method": method}
        return next(route for route in patterns if route.matches(scope)[0] == Match.FULL)

    def microseconds(find: Callable[[str, str], object]) -> float:
        rounds = max(1, lookups // len(asked))
        start = time.perf_counter()
        for _ in range(rounds):
            for method, path in asked:
                find(method, path)
        return (time.perf_counter() - start) / (rounds * len(asked)) * 1e6

    table = [
        ["one pattern after another", short(microseconds(one_after_another))],
        ["in a tree of segments", short(microseconds(router.operation_of))],
    ]
    print_table(f"the route of a request, {len(asked)} routes, mean over all", ["", "µs"], table, name="routing")


def known_content(folder: Path, *, puts: int) -> None:
    """Storing content at a new location, and the price of content that is already known: written, then removed."""
    blobs = DiskBlobs(folder)
    data = bytes(100_000)

    def rate(work: Callable[[], object]) -> float:
        start = time.perf_counter()
        for _ in range(puts):
            work()
        return puts / (time.perf_counter() - start)

    new = rate(lambda: blobs.put([data]))
    known = rate(lambda: blobs.delete(blobs.put([data]).location))
    table = [["new content", short(new)], ["known content, written and removed", short(known)]]
    print_table("blobs of 100 KB on disk, one at a time, durable", ["", "blobs/s"], table, name="known content")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench decisions", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first impression")
    scale = 1 if parser.parse_args().quick else 10
    with tempfile.TemporaryDirectory(prefix="skyshelf-bench-") as folder:
        path = Path(folder) / "metadata.db"
        store = SqliteStore(path)
        filled = SampleAccount(store, 2 * PAGE)
        encoded_rows(filled)
        group_commit(filled, writes=400 * scale)
        _empty_wal(path)
        joint_uploads(filled, path, groups=20 * scale)
        pages_of_uploads(filled, path, commits=2 * scale)
        store.close()
        thread_hops(hops=8000 * scale)
        routing(lookups=2000 * scale)
        known_content(Path(folder) / "blobs", puts=60 * scale)
    http_protocols()


if __name__ == "__main__":
    main()
