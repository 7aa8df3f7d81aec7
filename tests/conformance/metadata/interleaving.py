"""Two writes of which the second begins before the first has committed."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from skyshelf.storage.metadata.store import MetadataStore, Unit

T = TypeVar("T")

LONGEST_OVERLAP = 0.1
"""Seconds after which the first write commits although the second is not done: it waits for the first by then."""


def interleave(store: MetadataStore, first: Callable[[Unit], object], second: Callable[[], T]) -> T:
    """Run second at a moment when first has done its work and has not committed; what second returned."""
    first_did_its_work, second_is_done = Event(), Event()

    def work(unit: Unit) -> None:
        first(unit)
        first_did_its_work.set()
        second_is_done.wait(LONGEST_OVERLAP)

    with ThreadPoolExecutor(2) as pool:
        earlier = pool.submit(store.write, work)
        assert first_did_its_work.wait(30)
        later = pool.submit(second)
        later.add_done_callback(lambda _: second_is_done.set())
        earlier.result()
        return later.result()
