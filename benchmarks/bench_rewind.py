"""`./dev bench rewind`: an account in which everything was changed is rewound while somebody else keeps working."""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from tests.end_to_end.filling import PER_COMMIT, Filler
from tests.end_to_end.plain_client import PASSWORD, PlainClient
from tests.real_parts.servers import Stack, embedded, scaled_out

from benchmarks.bench_trash import BEFORE_SECONDS, TABLES, Work, figures_of, together
from benchmarks.server_process import MB, kilobytes
from benchmarks.tables import print_table, short
from skyshelf.service.accounts import accounts
from skyshelf.storage.metadata.contracts.tree import Relocate, Rename, StoredObject, Trash, TreeChange

STACKS = {"sqlite+disk": embedded, "postgres+s3": scaled_out}
PER_FOLDER = 1000
ENDED = {"done", "cancelled", "refused"}


def measure(stack: Stack, objects: int) -> list[list[str]]:
    """Rows of the table, of one stack."""
    owner, neighbour = (accounts.add_account(stack.ctx, f"{who}@example.org", who, "B", PASSWORD) for who in "ab")
    assert owner.account_id != neighbour.account_id
    filler = Filler(stack.ctx, owner)
    folders = [filler.folder(f"folder {number}") for number in range(-(-objects // PER_FOLDER))]
    keys = [key for folder in folders for key in filler.files(PER_FOLDER, folder)[0]]
    elsewhere = filler.folder("elsewhere")
    with (
        PlainClient(stack.urls).log_in("a@example.org") as client,
        PlainClient(stack.urls).log_in("b@example.org") as other,
    ):
        with stack.ctx.metadata.read() as unit:
            moment = unit.history.bounds(owner.account_id).newest
        began = time.perf_counter()
        _change(filler, keys, elsewhere)
        changing = time.perf_counter() - began
        numbers = count()
        jobs: dict[str, Work] = {
            "somebody else uploads a small file": lambda: other.upload(f"{next(numbers)}.txt", b"%d" % next(numbers))
        }
        before = together(jobs, lambda: time.sleep(BEFORE_SECONDS))
        resting = _memory(stack)
        began = time.perf_counter()
        key = client.json("POST", "/x/v1/rewind", json={"toNumber": moment})["rewindKey"]
        ended: dict[str, object] = {}
        memory: list[float] = []
        during = together(jobs, lambda: ended.update(_ended(client, key, lambda: memory.append(_memory(stack)))))
        took = time.perf_counter() - began
    assert ended["state"] == "done", ended
    assert ended["done"] == len(keys), ended
    rows = [
        ["changing everything took, s", short(changing), "", f"{short(len(keys) / changing)} objects/s"],
        ["rewinding it took, s", short(took), "", f"{short(len(keys) / took)} objects/s"],
        ["memory of the servers before and at most, MB", short(resting), "", short(max(memory))],
    ]
    for name in jobs:
        rows.append([f"{name}: before", *figures_of(before[name])])
        rows.append([f"{name}: during the rewind", *figures_of(during[name])])
    return rows


def _change(filler: Filler, keys: Sequence[str], elsewhere: str) -> None:
    """A third renamed, a third moved, a third trashed."""
    for first in range(0, len(keys), PER_COMMIT):
        changes: list[TreeChange] = []
        for number, key in enumerate(keys[first : first + PER_COMMIT], first):
            name = f"{number} encrypted"
            kinds: tuple[TreeChange, ...] = (Rename(key, name), Relocate(key, elsewhere, name), Trash(key))
            changes.append(kinds[number % 3])
        outcomes = filler.ctx.metadata.write(
            lambda unit, changes=changes: unit.tree.apply(  # type: ignore[misc]
                filler.account.account_id, changes, filler.ctx.clock.now()
            )
        )
        assert all(isinstance(outcome, StoredObject) for outcome in outcomes), outcomes[:3]


def _ended(client: PlainClient, key: str, look: Callable[[], None]) -> dict[str, object]:
    while True:
        look()
        found: dict[str, object] = client.json("GET", f"/x/v1/rewind/{key}")
        if found["state"] in ENDED:
            return found
        time.sleep(0.1)


def _memory(stack: Stack) -> float:
    """Return the memory of the largest process in MB, without mapped files, which the system drops when needed."""
    pids = [pid for server in stack.servers for pid in server.processes()]
    return max(kilobytes(pid, "status", "RssAnon:") for pid in pids) * 1024 / MB


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench rewind", description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000, help="files that were changed (default: 1,000,000)")
    parser.add_argument("--only", choices=sorted(STACKS), help="one stack")
    options = parser.parse_args()
    for name, starting in STACKS.items():
        if options.only in {None, name}:
            with tempfile.TemporaryDirectory() as folder, starting(Path(folder)) as stack:
                rows = measure(stack, options.objects)
            title = f"{name}: {options.objects:,} changed files are rewound, one worker beside it"
            print_table(title, ["", "median ms", "99 % ms", "longest ms"], rows, name=TABLES[name])


if __name__ == "__main__":
    main()
