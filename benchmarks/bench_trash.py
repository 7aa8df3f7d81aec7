"""`./dev bench trash`: a full trash is emptied while its owner and another user keep working."""

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tests.end_to_end.filling import Filler
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack, embedded, scaled_out

from benchmarks.tables import print_table, short
from skyshelf.service.accounts import accounts
from skyshelf.storage.metadata.contracts.accounts import Account

STACKS = {"sqlite+disk": embedded, "postgres+s3": scaled_out}
TABLES = {"sqlite+disk": "SQLite and disk", "postgres+s3": "PostgreSQL and S3"}
BEFORE_SECONDS = 5.0
# How many files the folder has that is listed over and over.
LISTED = 200

Work = Callable[[], object]


class Worker:
    """One thread that does the same thing again and again, and notes how long each took."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.took: list[float] = []

    def _run(self) -> None:
        while not self._stopping.is_set():
            began = time.perf_counter()
            self._work()
            self.took.append((time.perf_counter() - began) * 1000)

    def __enter__(self) -> "Worker":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()


def measure(stack: Stack, count: int) -> list[list[str]]:
    """Rows of the table, of one stack."""
    owner, neighbour = (accounts.add_account(stack.ctx, f"{who}@example.org", who, "B", PASSWORD) for who in "ab")
    filler = Filler(stack.ctx, owner)
    filler.fill_trash(count)
    filler.files(LISTED, listed := filler.folder("listed"))
    clients = [PlainClient(stack.urls).log_in(f"{who}@example.org") for who in "aab"]
    numbers = iter(range(10**9))
    lock = threading.Lock()

    def upload(client: PlainClient) -> Work:
        def work() -> None:
            with lock:
                number = next(numbers)
            client.upload(f"{number}.txt", b"%d" % number)

        return work

    jobs: dict[str, Work] = {
        "the owner lists a folder": lambda: clients[0].listing(listed),
        "the owner uploads a small file": upload(clients[1]),
        "somebody else uploads a small file": upload(clients[2]),
    }
    before = together(jobs, lambda: time.sleep(BEFORE_SECONDS))
    with PlainClient(stack.urls).log_in("a@example.org") as asking:
        began = time.perf_counter()
        asking.json("POST", "/x/v1/trash/empty")
        answered = time.perf_counter() - began
        during = together(jobs, lambda: _until_gone(stack, owner))
        gone = time.perf_counter() - began
    assert neighbour.account_id != owner.account_id
    for client in clients:
        client.close()
    told = [["answered after, ms", short(answered * 1000), "", ""]]
    told.append(["all of it gone after, s", short(gone), "", f"{short(count / gone)} objects/s"])
    for name in jobs:
        told.append([f"{name}: before", *figures_of(before[name])])
        told.append([f"{name}: during the purge", *figures_of(during[name])])
    return told


def together(jobs: dict[str, Work], waiting: Callable[[], None]) -> dict[str, list[float]]:
    with ExitStack() as running:
        workers = {name: running.enter_context(Worker(work)) for name, work in jobs.items()}
        waiting()
    return {name: worker.took for name, worker in workers.items()}


def _until_gone(stack: Stack, owner: Account) -> None:
    """Nothing of the trash is left: neither in the objects nor in the outbox."""
    while True:
        with stack.ctx.metadata.read() as unit:
            text = "SELECT count(*) FROM outbox WHERE kind = 'purge' AND subject = :subject"
            left = unit.sql.all(text, {"subject": str(owner.account_id)})[0][0]
        if not left:
            return
        time.sleep(0.05)


def figures_of(took: list[float]) -> list[str]:
    ordered = sorted(took)
    last = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return [short(statistics.median(ordered)), short(last), short(ordered[-1])]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench trash", description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000, help="files in the trash (default: 1,000,000)")
    parser.add_argument("--only", choices=sorted(STACKS), help="one stack")
    options = parser.parse_args()
    for name, starting in STACKS.items():
        if options.only in {None, name}:
            with tempfile.TemporaryDirectory() as folder, starting(Path(folder)) as stack:
                rows = measure(stack, options.objects)
            title = f"{name}: a trash of {options.objects:,} files is emptied, one worker of each kind beside it"
            print_table(title, ["", "median ms", "99 % ms", "longest ms"], rows, name=TABLES[name])


if __name__ == "__main__":
    main()
