"""A server that ends while clients write, asked to or killed: what was acknowledged is there."""

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx2
import pytest
from tests.end_to_end.conftest import EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT
from tests.end_to_end.plain_client import PlainClient
from tests.real_parts.servers import Stack

pytestmark = pytest.mark.parametrize("stack_backend", [EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT], indirect=True)

WRITERS = 4
PATIENCE = 60
# Requests under way get eight seconds to end.
ENDS_WITHIN = 45


class Load:
    """Writers that make folders and files, and note each that was acknowledged."""

    def __init__(self, client: PlainClient) -> None:
        self._client = client
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self.acknowledged: list[str] = []
        self.surprises: list[str] = []

    def write(self) -> None:
        with self._client.twin() as client:
            while not self._ending.is_set():
                number = next(self._numbers)
                name = f"{'folder' if number % 2 else 'file'} {number}"
                try:
                    client.upload(name, name.encode()) if number % 2 == 0 else client.folder(name)
                except httpx2.TransportError:
                    continue  # nothing was promised
                except AssertionError as surprise:
                    # A repeated request may find what its first try made.
                    if "409" not in str(surprise):
                        self.surprises.append(str(surprise))
                        return
                    continue
                with self._changed:
                    self.acknowledged.append(name)
                    self._changed.notify_all()

    def wait_for(self, count: int) -> None:
        """Until that many more are acknowledged."""
        with self._changed:
            goal = len(self.acknowledged) + count
            assert self._changed.wait_for(lambda: len(self.acknowledged) >= goal, PATIENCE), self.surprises

    @contextmanager
    def under_way(self) -> Iterator[None]:
        threads = [threading.Thread(target=self.write) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ending.set()
            for thread in threads:
                thread.join()


def kill(stack: Stack) -> None:
    stack.strike(stack.urls[0])


def stop(stack: Stack) -> None:
    began = time.monotonic()
    assert stack.stop(stack.servers[0]) == 0
    assert time.monotonic() - began < ENDS_WITHIN


@pytest.mark.parametrize("end", [kill, stop], ids=lambda end: end.__name__)
def test_nothing_that_was_acknowledged_is_lost_when_a_server_ends_under_load(
    stack: Stack, client: PlainClient, end: Callable[[Stack], None]
) -> None:
    load = Load(client)
    with load.under_way():
        load.wait_for(25)
        end(stack)
        if len(stack.servers) > 1:
            load.wait_for(25)  # the other carries on alone
        stack.restart()
        load.wait_for(25)
    assert load.surprises == []
    names = client.names()
    assert len(names) == len(set(names))
    assert set(load.acknowledged) <= set(names)
    for one in client.page(type="f", limit=2000)[::10]:
        assert client.download(one["objectKey"]) == one["objectName"].encode()
