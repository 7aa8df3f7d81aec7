"""Batches of anything that is too much for one step."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield items in batches: `itertools.batched`, which Python 3.11 does not have."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
