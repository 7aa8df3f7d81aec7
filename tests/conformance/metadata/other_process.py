"""Work on a store in separate processes, as several instances of one service would."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from tests.conformance.metadata.backends import Store, open_at
from tests.conformance.metadata.making import put_file

T = TypeVar("T")


def in_processes(count: int, work: Callable[[str, int], T], address: str) -> list[T]:
    """Run work(address, number) in that many new processes; what each returned, in order."""
    # A fresh interpreter each: a forked one would inherit locks of threads that it does not have.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=spawn) as pool:
        return [future.result(timeout=120) for future in [pool.submit(work, address, n) for n in range(count)]]


def put_versions(address: str, number: int) -> list[int]:
    """Put ten versions of one file, and ten files of this process."""
    store: Store = open_at(address)
    try:
        with store.read() as unit:
            (account,) = unit.accounts.list()
        versions = []
        for turn in range(10):
            data = b"%d %d" % (number, turn)
            versions.append(put_file(store, account, account.root_key, "same", data, keep_versions=999).object.version)
            put_file(store, account, account.root_key, f"{number} {turn}", data)
        return versions
    finally:
        store.close()


def open_and_close(address: str, _number: int) -> int:
    """Open a store that may still have to be made, and look into it."""
    store: Store = open_at(address)
    try:
        with store.read() as unit:
            return unit.accounts.count()
    finally:
        store.close()
