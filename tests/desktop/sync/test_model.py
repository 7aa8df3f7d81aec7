"""Random changes on both sides, and a sync that is killed anywhere: in the end both are the same, and nothing is lost.

A kill is an exception that no code handles, raised before or after any write to the index, the disk or the server.
More of it: `--hypothesis-profile thorough`.
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.sync.both_sides import TOP, hashes, local_tree, md5, put, remote_hashes, run, trash_hashes
from tests.examples import examples

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import transfers
from skyshelf.desktop.sync.index import SyncIndex
from skyshelf.desktop.sync.local_side import LocalSide

NAMES = ["a.txt", "b.txt", "c", "d", "Ä.txt", "A.TXT", "e:f.txt"]


class Killed(BaseException):
    """The process ends here."""


class Fuse:
    """Burns down with every step of a sync."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None
        for owner, names in (
            (SyncIndex, ("record", "forget", "put")),
            (LocalSide, ("create_folder", "move", "give_way", "place", "trash")),
            (
                Client,
                (
                    "upload",
                    "upload_all",
                    "download",
                    "download_all",
                    "create_folder",
                    "move",
                    "rename",
                    "move_to_trash",
                ),
            ),
        ):
            for name in names:
                monkeypatch.setattr(owner, name, self._wrapped(getattr(owner, name)))

    def _wrapped(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **options: Any) -> Any:
            self._burn()
            result = method(*arguments, **options)
            self._burn()
            return result

        return wrapper

    def _burn(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                raise Killed


class World:
    """Both sides, and all contents that were ever written to one of them."""

    def __init__(self, client: Client, here: Path, scratch: Path, chance: random.Random) -> None:
        self.client = client
        self.here = here
        self.scratch = scratch
        self.chance = chance
        self.kept: set[str] = set()
        """Contents that the server or a finished sync has acknowledged: they must be somewhere for good."""
        self.fresh: set[str] = set()
        """Contents that were only written here so far; whoever overwrites one wants that."""
        self._number = 0

    def content(self, known: set[str]) -> bytes:
        self._number += 1
        content = f"{self._number} ".encode() * self.chance.choice([1, 1, 500])
        known.add(md5(content))
        return content

    def _overwritten(self, path: Path) -> None:
        self.fresh.discard(md5(path.read_bytes()))

    def local(self) -> None:
        """One change here, as a program makes it."""
        paths = list(local_tree(self.here))
        folders = [self.here, *(self.here / path for path in paths if (self.here / path).is_dir())]
        target = self.chance.choice(folders) / self.chance.choice(NAMES)
        chosen = self.here / self.chance.choice(paths) if paths else None
        match self.chance.choice(["write", "write", "folder", "edit", "save", "move", "move", "delete"]):
            case "write" if not target.exists():
                target.write_bytes(self.content(self.fresh))
            case "folder" if not target.exists():
                target.mkdir()
            case "edit" if chosen is not None and chosen.is_file():
                self._overwritten(chosen)
                chosen.write_bytes(self.content(self.fresh))
            case "save" if chosen is not None and chosen.is_file():
                saved = chosen.with_name("saving.tmp")
                saved.write_bytes(self.content(self.fresh))
                self._overwritten(chosen)
                saved.replace(chosen)
            case "move" if chosen is not None and not target.exists() and not target.is_relative_to(chosen):
                chosen.rename(target)
            case "delete" if chosen is not None:
                self._delete(chosen)

    def _delete(self, path: Path) -> None:
        for one in [path] if path.is_file() else path.rglob("*"):
            if one.is_file():
                self._overwritten(one)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def on_server(self) -> set[str]:
        """Contents on the server, earlier versions and the trash too: it is restored, which nothing else needs then."""
        while trashed := list(self.client.trash.list()):
            self.client.restore(trashed)
        files = [one.object for one in self.client.walk() if one.object.is_file]
        versions = [one for file in files for one in self.client.versions.list(file).obj_versions or ()]
        return {file.md5 or "" for file in files} | {one.hash or "" for one in versions}

    def remote(self) -> None:
        """One change by another device."""
        found = list(self.client.walk(TOP))
        folders = ["", *(one.path.strip("/") for one in found if one.object.is_folder)]
        folder = self.chance.choice(folders)
        name = self.chance.choice(NAMES)
        target = f"{folder}/{name}".strip("/")
        chosen = self.chance.choice(found) if found else None
        try:
            match self.chance.choice(["write", "write", "folder", "edit", "move", "rename", "delete"]):
                case "write":
                    if not any(one.path.strip("/") == target for one in found):
                        put(self.client, self.scratch, target, self.content(self.kept))
                case "folder":
                    self.client.create_folder(name, f"{TOP}/{folder}".rstrip("/"))
                case "edit" if chosen is not None and chosen.object.is_file:
                    put(self.client, self.scratch, chosen.path.strip("/"), self.content(self.kept))
                case "move" if chosen is not None:
                    self.client.move([chosen.object], f"{TOP}/{folder}".rstrip("/"))
                case "rename" if chosen is not None:
                    self.client.rename(chosen.object, name)
                case "delete" if chosen is not None:
                    self.client.move_to_trash([chosen.object])
        except SkyshelfError:
            pass  # a name that is taken, or a folder moved into itself


def sync_killed(world: World, fuse: Fuse, after: int) -> None:
    fuse.left = after
    try:
        run(world.client, world.here, max_delete=10_000, may_delete=lambda _: True)
    except Killed:
        pass
    finally:
        fuse.left = None


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(examples(12)))
def test_both_sides_are_the_same_in_the_end_and_nothing_is_lost(
    client: Client, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    client.create_path(TOP)
    # Few files are transferred one by one, and many together: each half of the seeds does one of both.
    monkeypatch.setattr(transfers, "BULK_FROM", 1 if seed % 2 else 1000)
    world = World(client, here, tmp_path, chance)
    fuse = Fuse(monkeypatch)
    for _ in range(4):
        for _ in range(chance.randint(1, 10)):
            world.local()
        for _ in range(chance.randint(0, 8)):
            world.remote()
        for _ in range(chance.randint(0, 3)):
            sync_killed(world, fuse, chance.randint(1, 40))
            if chance.random() < 0.3:
                world.local()
            if chance.random() < 0.3:
                world.remote()
        _, result = run(client, here, max_delete=10_000, may_delete=lambda _: True)
        assert result.failures == []
        _same(world)
    events, result = run(client, here, max_delete=10_000, may_delete=lambda _: True)
    assert (events, result.failures) == ([], [])
    here_and_in_the_trash = {one for one in hashes(local_tree(here)).values() if one} | trash_hashes(here)
    assert world.kept <= here_and_in_the_trash | world.on_server()


def _same(world: World) -> None:
    """Both sides have the same names and contents."""
    assert hashes(local_tree(world.here)) == remote_hashes(world.client)
    world.kept |= world.fresh
    world.fresh.clear()
