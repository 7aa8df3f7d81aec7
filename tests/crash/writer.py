"""The process that is killed: opens the store, and works on it with one thread per shelf until it dies.

It says each operation before it begins and acknowledges it after the call returned, by one write of one line, shorter
than what a pipe takes whole. It ends on its own only when its parent is gone.
"""

import os
import sys
import threading
import traceback
from pathlib import Path
from random import Random

import apsw
import msgspec
from tests.crash.choosing import Chooser
from tests.crash.clock import now_ms
from tests.crash.dying import Fate, MortalFiles, MortalVfs
from tests.crash.expecting import expect
from tests.crash.folder import blobs_in, metadata_in
from tests.crash.hands import Hands
from tests.crash.lines import Began, Done, Failed, Line, Opened, Opening, Orders
from tests.crash.performing import perform
from tests.crash.shelf import Shelf

from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.metadata.sqlite.store import SqliteStore

_encoder = msgspec.json.Encoder()


class Writer:
    """One life."""

    def __init__(self, orders: Orders) -> None:
        self._orders = orders
        self._fate = Fate(orders.death)

    def live(self) -> None:
        self._say(Opening())
        self._prepare_sqlite()
        folder = Path(self._orders.folder)
        metadata = SqliteStore(metadata_in(folder))
        blobs = DiskBlobs(blobs_in(folder), MortalFiles(self._fate))
        self._say(Opened())
        for shelf in self._orders.shelves:
            threading.Thread(target=self._work, args=(shelf, metadata, blobs), daemon=True).start()

    def _prepare_sqlite(self) -> None:
        pages = self._orders.checkpoint_pages
        if pages is not None:
            apsw.connection_hooks.append(lambda connection: connection.wal_autocheckpoint(pages))
        if self._fate.may_strike_at("commit"):
            apsw.connection_hooks.append(lambda connection: connection.set_commit_hook(self._passes_commit))
        if self._fate.may_strike_at("page", "log", "database"):
            self._vfs = MortalVfs(self._fate)

    def _passes_commit(self) -> bool:
        self._fate.passes("commit")
        return False

    def _work(self, shelf: Shelf, metadata: SqliteStore, blobs: DiskBlobs) -> None:
        try:
            chooser = Chooser(shelf, Random(self._orders.seed * 1000 + shelf.worker))
            outcomes: list[list[str]] = []

            def acknowledge(outcome: list[str]) -> None:
                if not self._orders.too_early:
                    self._say(Done(shelf.worker, outcome))
                outcomes.append(outcome)

            hands = Hands(metadata, blobs, shelf.account_id, acknowledge)
            while True:
                operation = chooser.next(now_ms())
                self._say(Began(shelf.worker, operation))
                expected = expect(shelf, operation)
                if self._orders.too_early:
                    self._say(Done(shelf.worker, expected))
                perform(hands, operation)
                if outcomes.pop() != expected:
                    return  # the parent expects the same, and says what differs
        except BaseException:  # noqa: BLE001 - whatever it is, the parent must hear of it
            self._say(Failed(traceback.format_exc()[-3000:]))

    def _say(self, line: Line) -> None:
        self._fate.passes("line")
        os.write(sys.stdout.fileno(), _encoder.encode(line) + b"\n")


def main() -> None:
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    Writer(orders).live()
    sys.stdin.buffer.read()  # returns when the parent is gone
    os._exit(1)


if __name__ == "__main__":
    main()
