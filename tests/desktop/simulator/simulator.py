"""Lives through seeds, one after the other, on servers that many of them share."""

import gc
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from argon2 import PasswordHasher
from tests.desktop.simulator.counts import Counts
from tests.desktop.simulator.moments import Moments
from tests.desktop.simulator.service import NoPool, OneThread, Service, SharedLoop, without_threads
from tests.desktop.simulator.world import World

from skyshelf.client import secrets, sync_client
from skyshelf.desktop.sync import rounds, transfers
from skyshelf.server.observability.watchdog import LoopWatchdog
from skyshelf.service.accounts import passwords

_SEEDS_PER_SERVER: Final = 40
"""A server with many accounts is slow to save and to put back."""

_SECRETS: Final = 8
"""How many secrets the process hides: each account adds some, and each response is searched for all."""

_LOG: Final = 150
"""How many of the last steps of a seed its failure names."""


class Simulator:
    """Use it inside `simulating`."""

    def __init__(self, folder: Path, loop: OneThread, counts: Counts) -> None:
        self.counts = counts
        self._folder = folder
        self._loop = loop
        self._service: Service | None = None
        self._lived = 0

    def live(self, seed: int) -> None:
        """Live through a seed; raises Violation where it breaks the invariant."""
        if self._lived % _SEEDS_PER_SERVER == 0:
            self.close()
            self._service = Service(self._folder / f"server{self._lived}", self._loop)
        self._lived += 1
        assert self._service is not None
        folder = self._folder / f"seed{seed}"
        folder.mkdir()
        moments = Moments()
        with pytest.MonkeyPatch.context() as patch:
            moments.install(patch)
            world = World(seed, self._service, moments, folder, patch, self.counts)
            try:
                world.run()
            except BaseException as error:
                error.add_note(f"replay it with --sync-seed {seed}; hazards: {', '.join(sorted(world.hazards))}")
                error.add_note("\n".join(world.log[-_LOG:]))
                raise
        self.counts.seeds += 1
        self.counts.kills += moments.kills
        self.counts.faults += sum(sum(one.proxy.count.values()) for one in world.computers)
        shutil.rmtree(folder)

    def close(self) -> None:
        if self._service is not None:
            self._service.close()


@contextmanager
def simulating(folder: Path) -> Iterator[Simulator]:
    """Let clients run on one loop without waiting, until the end of the block."""
    loop = OneThread()
    # What is loaded by now stays, and need not be looked at again and again.
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(rounds, "_RETRY_SECONDS", 0.0)
        patch.setattr("skyshelf.server.pipeline.admission.admission.DELAY_SECONDS", 0.0)
        patch.setattr(LoopWatchdog, "start", lambda _: None)
        patch.setattr(secrets, "_HELD_MAX", _SECRETS)
        patch.setattr(SharedLoop, "loop", loop, raising=False)
        without_threads(patch)
        patch.setattr(transfers, "ThreadPoolExecutor", NoPool)
        patch.setattr(sync_client, "LoopThread", SharedLoop)
        simulator = Simulator(folder, loop, Counts())
        try:
            yield simulator
        finally:
            simulator.close()
            loop.close()
            gc.unfreeze()
