"""The computers of the simulation: a folder in sync, the system that it is on, and its disks."""

import os
import random
import shutil
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal

import pytest
from tests.desktop.simulator.faults import Proxy
from tests.desktop.simulator.ledger import Violation, contents_below, md5_of
from tests.desktop.simulator.moments import Moments

from skyshelf.client.errors import ServerStateError
from skyshelf.client.local.names import comparable
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import rounds
from skyshelf.desktop.sync.actions import SyncEvent
from skyshelf.desktop.sync.local_side import INCOMING
from skyshelf.desktop.sync.local_tree import STATE_FOLDER
from skyshelf.desktop.sync.rounds import SyncResult, TwoWaySync

System = Literal["linux", "folding", "mac", "windows"]
SYSTEMS: Final[tuple[System, ...]] = ("linux", "linux", "linux", "folding", "mac", "windows")
DISK: Final = "disk"
"""Name of the folder that can be a mount point."""

_ASIDE: Final = frozenset({STATE_FOLDER, "cache"})
_UNFINISHED: Final = frozenset({INCOMING, "cache"})


class Computer:
    """One of the devices. `system` says which names are the same on its file system."""

    def __init__(
        self, name: str, folder: Path, top: str, client: Client, proxy: Proxy, moments: Moments, chance: random.Random
    ) -> None:
        self.name = name
        self._top = top
        self.client = client
        self.proxy = proxy
        self.here = folder / "here"
        self.system: System = chance.choice(SYSTEMS)
        self.log: list[str] = []
        self._folder = folder
        self._moments = moments
        self._chance = chance
        self._now = datetime(2026, 5, 4, 9).astimezone()
        self._has_index = chance.random() < 0.3
        self._saved_index = folder / "saved-index"
        self._away: Path | None = None
        self._disk: Path | None = None
        self._is_plugged = False
        self.here.mkdir(parents=True)
        if self.system != "linux":
            # The system finds the state folder under that name, too, which says that it ignores case.
            (self.here / STATE_FOLDER.upper()).symlink_to(STATE_FOLDER)
        if self.system == "windows":
            moments.like_windows.add(self.here)

    # Names and contents

    def fold(self, name: str) -> str:
        """Return what two names have in common that are the same here."""
        return unicodedata.normalize("NFC", name) if self.system == "linux" else comparable(name)

    def paths(self) -> Iterator[Path]:
        """Yield everything that is synced, in a fixed order."""
        for path in sorted(self.here.rglob("*")):
            # Each disk has a state folder at its top.
            is_state = any(name.lower() == STATE_FOLDER for name in path.relative_to(self.here).parts)
            if not is_state and not path.is_symlink():
                yield path

    def open_paths(self) -> list[Path]:
        """Return what its user works with: nothing at a mount point without its disk."""
        is_missing = self._disk is not None and not self._is_plugged
        return [one for one in self.paths() if not (is_missing and DISK in one.relative_to(self.here).parts)]

    def tree(self) -> dict[str, str | None]:
        """Return the hashes of files by path, in NFC; None for folders."""
        return {
            unicodedata.normalize("NFC", path.relative_to(self.here).as_posix()): (
                None if path.is_dir() else md5_of(path.read_bytes())
            )
            for path in self.paths()
        }

    def current(self) -> set[str]:
        """Return the hashes of its files, those too that are on a disk which is not mounted now, or hidden by one."""
        return contents_below(self._folder, _ASIDE)

    def everywhere(self) -> set[str]:
        """Return the hashes of all that it has, its trash too."""
        return contents_below(self._folder, _UNFINISHED)

    # Runs

    def sync(
        self, *, accepts_state: bool = False, confirms: bool = True, start_over: bool = False
    ) -> tuple[list[SyncEvent], SyncResult]:
        """Run the sync once."""
        events: list[SyncEvent] = []
        syncing = TwoWaySync(
            self.client,
            self.here,
            self._top,
            workers=1,
            report=events.append,
            may_delete=(lambda _: True) if confirms else None,
            accept_server_state=accepts_state,
            build_index=self._has_index,
            start_over=start_over,
            now=lambda: self._now,
        )
        try:
            result = syncing.run()
        finally:
            with self._moments.paused():
                syncing.close()
            self.log += [
                f"{event.kind} {event.path} {event.to}".strip() for event in events if event.kind != "progress"
            ]
        return [event for event in events if event.kind not in {"progress", "left"}], result

    def after_a_run(self) -> None:
        """Let the file system have its way with names, and check that it could hold them all."""
        taken: dict[tuple[Path, str], Path] = {}
        for path in list(self.paths()):
            if (other := taken.setdefault((path.parent, self.fold(path.name)), path)) != path:
                raise Violation(f"{self.name} ({self.system}) has one name twice: {other} and {path}")
        if self.system == "mac":
            for path in sorted(self.paths(), reverse=True):
                decomposed = unicodedata.normalize("NFD", path.name)
                if decomposed != path.name:
                    path.rename(path.with_name(decomposed))

    def pass_time(self) -> None:
        """Let the clock go on, or jump."""
        jump = self._chance.choice((1, 1, 1, 60, 3600, -7200, 86_400 * 2))
        self._now += timedelta(seconds=jump)

    # Disks

    @property
    def is_mounted(self) -> bool:
        return self._away is None

    def unmount(self) -> None:
        """Take the disk of the whole folder away: the empty mount point is left."""
        if self._away is None:
            self._away = self._folder / "unmounted"
            self.here.rename(self._away)
            self.here.mkdir()

    def mount(self) -> None:
        """Put the disk back; it hides what was written to the mount point."""
        if self._away is not None:
            number = len(list(self._folder.glob("hidden*")))
            self.here.rename(self._folder / f"hidden{number}")
            self._away.rename(self.here)
            self._away = None

    def plug(self) -> None:
        """Mount a disk at a folder inside, which is its mount point from now on."""
        point = self.here / DISK
        if self._is_plugged or not self.is_mounted or (point.exists() and self._disk is None):
            return
        if self._disk is None:
            self._disk = self._folder / "disk"
            self._disk.mkdir()
            self._moments.disks.add(self._disk.stat().st_ino)
            point.mkdir()
        point.rename(self._folder / "point")
        self._disk.rename(point)
        self._is_plugged = True

    def unplug(self) -> None:
        if self._is_plugged and self.is_mounted and self._disk is not None:
            point = self.here / DISK
            point.rename(self._disk)
            (self._folder / "point").rename(point)
            self._is_plugged = False

    def plug_again(self) -> None:
        """Mount the disk inside, if there is one."""
        if self._disk is not None:
            self.plug()

    # The index

    def save_index(self) -> None:
        """Copy the index, as a backup of the computer does."""
        state = self.here / STATE_FOLDER
        shutil.rmtree(self._saved_index, ignore_errors=True)
        if (state / "index.db").exists():
            self._saved_index.mkdir()
            for file in state.glob("index.db*"):
                shutil.copyfile(file, self._saved_index / file.name)

    def restore_index(self) -> None:
        state = self.here / STATE_FOLDER
        if self._saved_index.exists() and state.exists():
            for file in state.glob("index.db*"):
                file.unlink()
            for file in self._saved_index.iterdir():
                shutil.copyfile(file, state / file.name)

    def lose_index(self) -> None:
        for file in (self.here / STATE_FOLDER).glob("index.db*"):
            file.unlink()


def settled(computer: Computer) -> tuple[list[SyncEvent], SyncResult]:
    """Run the sync of a computer on which everything is in order again, as its messages advise."""
    try:
        events, result = computer.sync()
    except ServerStateError:
        return computer.sync(accepts_state=True)
    if any("a disk was mounted here" in str(error) for _, error in result.failures):
        return computer.sync(start_over=True)
    if any("both sides keep changing" in str(error) for _, error in result.failures):
        return computer.sync()
    return events, result


def in_environment(computer: Computer, patch: pytest.MonkeyPatch) -> None:
    """Let the programs of a computer keep their caches on it, and know its name."""
    patch.setenv("XDG_CACHE_HOME", os.fspath(computer.here.parent / "cache"))
    patch.setattr(rounds, "device_name", lambda: computer.name)
