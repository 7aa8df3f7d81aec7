"""What users do: on a computer, as programs save files, and in the browser."""

import os
import random
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.desktop.simulator.computers import DISK, Computer
from tests.desktop.simulator.ledger import Ledger, contents_below, md5_of
from tests.desktop.sync.both_sides import TOP

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import SkyshelfError
from skyshelf.client.objects.remote_object import FoundObject, RemoteObject

NAMES: Final = ("a.txt", "b.txt", "c", "d", "Ä.txt", "A.TXT", "e:f.txt", "x.", "con", "é")
_LOCAL_ACTIONS: Final = (
    *("write", "write", "write", "folder", "edit", "edit", "save", "backup save", "office", "move", "move", "rename"),
    *("delete", "delete", "swap", "replace", "copy", "quiet edit", "quiet edit"),
)
_PAST: Final = 1_700_000_000
SERVER: Final = "the server"
"""The name of its side in the ledger; a computer's is its own."""


class LocalUser:
    """Somebody at a computer."""

    def __init__(
        self,
        computer: Computer,
        ledger: Ledger,
        chance: random.Random,
        names: Sequence[str],
        note: Callable[[str], None],
    ) -> None:
        self._computer = computer
        self._names = names
        self._note = note
        self._ledger = ledger
        self._chance = chance
        self.edited = ""
        """The path of the file that was edited last."""

    def act(self, *, is_racing: bool = False) -> None:
        """Change something in the folder; racing with a sync, no program takes the time to give a file its old time."""
        if not self._computer.is_mounted:
            return
        every = self._computer.open_paths()
        paths = [one for one in every if one.name != DISK]
        folders = [self._computer.here, *(one for one in every if one.is_dir())]
        target = self._free(self._chance.choice(folders))
        files = [one for one in paths if one.is_file()]
        action = self._chance.choice(_LOCAL_ACTIONS)
        if is_racing and action == "quiet edit":
            action = "edit"
        if action in {"write", "folder"} and target is not None:
            self._note(f"  {action} {self._where(target)}")
            target.mkdir() if action == "folder" else self._write(target, "written")
        elif action in {"move", "rename", "delete"} and paths:
            chosen = self._chance.choice(paths)
            self._note(f"  {action} {self._where(chosen)} {target or ''}")
            self._arrange(action, chosen, target)
        elif files and action not in {"write", "folder", "move", "rename", "delete"}:
            chosen = self._chance.choice(files)
            self._note(f"  {action} {self._where(chosen)}")
            self._save(action, chosen, files, target)

    def _save(self, action: str, file: Path, files: list[Path], target: Path | None) -> None:
        match action:
            case "edit":
                self.edited = file.relative_to(self._computer.here).as_posix()
                self._ended(file, "edited")
                self._write(file, "edited")
            case "quiet edit":
                self._edit_quietly(file)
            case "save":
                saving = file.with_name(".saving~")
                self._write(saving, f"saved by renaming over {self._where(file)}")
                self._ended(file, "replaced")
                saving.replace(file)
            case "backup save":
                backup = file.with_name(f"{file.name}~")
                if not self._is_taken(backup):
                    self._moved(file)
                    file.rename(backup)
                    self._write(file, "saved beside its backup")
                    if self._chance.random() < 0.5:
                        self._ended(backup, "deleted as a backup")
                        backup.unlink()
            case "office":
                self._with_lock_file(file)
            case "swap":
                other = self._chance.choice(files)
                if other != file:
                    self._moved(file)
                    self._moved(other)
                    aside = file.with_name(".aside~")
                    file.rename(aside)
                    other.rename(file)
                    aside.rename(other)
            case "replace":
                self._ended(file, "deleted for a folder")
                file.unlink()
                file.mkdir()
                self._write(file / "inside", "written in a folder that replaced a file")
            case "copy" if target is not None:
                shutil.copy2(file, target)

    def _edit_quietly(self, file: Path) -> None:
        """Change a content, but neither its length nor its time."""
        before = file.stat()
        self._ended(file, "edited quietly")
        content = self._ledger.content(before.st_size)
        self._ledger.wrote(content, f"edited quietly at {self._where(file)}", side=self._computer.name)
        file.write_bytes(content)
        while True:
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
            if file.stat().st_ctime_ns != before.st_ctime_ns:
                break
            time.sleep(0.001)  # the clock of the file system is coarse

    def _with_lock_file(self, file: Path) -> None:
        """Save in place as an office does, with a lock file that is sometimes left behind."""
        lock = file.with_name(f".~lock.{file.name}#")
        if self._is_taken(lock):
            return
        self._write(lock, "a lock file")
        self._ended(file, "saved in place")
        self._write(file, "saved in place")
        if self._chance.random() < 0.7:
            self._ended(lock, "a lock file that was removed")
            lock.unlink()

    def _arrange(self, action: str, path: Path, target: Path | None) -> None:
        if action == "delete":
            if any(one.name == DISK for one in path.rglob("*")):
                return
            for one in [path] if path.is_file() else path.rglob("*"):
                if one.is_file():
                    self._ended(one, "deleted")
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        elif target is not None and not target.is_relative_to(path):
            if action == "rename":
                target = path.with_name(target.name)
                if self._is_taken(target):
                    return
            self._moved(path)
            path.rename(target)

    def _write(self, path: Path, what: str) -> None:
        content = self._ledger.content(filler=" x" * self._chance.choice((0, 0, 300)))
        self._ledger.wrote(content, f"{what} at {self._where(path)}", side=self._computer.name)
        path.write_bytes(content)
        if self._chance.random() < 0.5:
            at = _PAST + self._chance.randint(0, 3)
            os.utime(path, (at, at))

    def _moved(self, path: Path) -> None:
        self._ledger.moved(contents_below(path) if path.is_dir() else {md5_of(path.read_bytes())})

    def _ended(self, path: Path, what: str) -> None:
        self._ledger.ended(md5_of(path.read_bytes()), f"{what} at {self._where(path)}")

    def _where(self, path: Path) -> str:
        return f"{self._computer.name}:{path.relative_to(self._computer.here).as_posix()}"

    def _free(self, folder: Path) -> Path | None:
        path = folder / self._chance.choice(self._names)
        return None if self._is_taken(path) or self._is_refused(path.name) else path

    def _is_taken(self, path: Path) -> bool:
        folded = self._computer.fold(path.name)
        return any(self._computer.fold(one.name) == folded for one in path.parent.iterdir())

    def _is_refused(self, name: str) -> bool:
        return self._computer.system == "windows" and name in {"e:f.txt", "x.", "con"}


class WebUser:
    """Somebody who changes things on the server itself."""

    def __init__(
        self,
        client: AsyncClient,
        ledger: Ledger,
        chance: random.Random,
        scratch: Path,
        names: Sequence[str],
        note: Callable[[str], None],
    ) -> None:
        self._client = client
        self._names = names
        self._note = note
        self._ledger = ledger
        self._chance = chance
        self._scratch = scratch

    async def act(self) -> None:
        """Change something; what the server refuses is no change."""
        # A name can be taken, and a folder cannot be moved into itself.
        with suppress(SkyshelfError):
            await self._act()

    async def edit(self, path: str) -> None:
        """Edit the file at a path, if there is one."""
        with suppress(SkyshelfError):
            found = await self._client.get(f"{TOP}/{path}")
            if found.is_file:
                self._note(f"  web edits {path} in this moment")
                await self._replace(f"{TOP}/{path}".rpartition("/")[0], found)

    async def _replace(self, folder: str, found: RemoteObject) -> None:
        await self._upload(folder, found.name, "edited")
        self._ledger.ended(found.md5, f"edited at web:{folder}/{found.name}")

    async def _act(self) -> None:
        found = [one async for one in self._client.walk(TOP) if DISK not in one.parts[:1]]
        folders = ["", *(one.path.strip("/") for one in found if one.object.is_folder)]
        folder = f"{TOP}/{self._chance.choice(folders)}".rstrip("/")
        name = self._chance.choice(self._names)
        chosen = self._chance.choice(found) if found else None
        action = self._chance.choice(
            ("write", "write", "edit", "edit", "folder", "move", "rename", "delete", "restore", "link")
        )
        self._note(f"  web {action} {chosen.path if chosen else ''} {folder}/{name}")
        if action == "write" and not any(f"{TOP}/{one.path.strip('/')}" == f"{folder}/{name}" for one in found):
            await self._upload(folder, name, "written")
        elif action == "folder":
            await self._client.create_folder(name, folder)
        elif action == "restore":
            if trashed := [one async for one in self._client.trash.list()]:
                await self._client.restore([self._chance.choice(trashed)])
        elif chosen is not None:
            await self._change(action, chosen, folder, name, found)

    async def _change(self, action: str, chosen: FoundObject, folder: str, name: str, found: list[FoundObject]) -> None:
        path = chosen.path.strip("/")
        below = [
            one.object.md5
            for one in found
            if one.object.md5 and (one.path == chosen.path or one.path.startswith(f"{chosen.path.rstrip('/')}/"))
        ]
        if action in {"move", "rename"}:
            self._ledger.moved(below)
        match action:
            case "edit" if chosen.object.is_file:
                await self._replace(f"{TOP}/{path}".rpartition("/")[0], chosen.object)
            case "move":
                await self._client.move([chosen.object], folder)
            case "rename":
                await self._client.rename(chosen.object, name)
            case "delete":
                await self._client.move_to_trash([chosen.object])
                for one in below:
                    self._ledger.ended(one, f"deleted at web:{path}")
            case "link":
                await self._client.shares.create([chosen.object], name="link")

    async def _upload(self, folder: str, name: str, what: str) -> None:
        content = self._ledger.content()
        source = self._scratch / "outgoing"
        source.write_bytes(content)
        await self._client.upload(source, folder, name=name)
        self._ledger.wrote(content, f"{what} at web:{folder}/{name}", side=SERVER, acknowledged=True)

    async def begin(self) -> str:
        """Begin with a few files and a folder; return the key of the folder that is synced."""
        top = await self._client.create_path(TOP)
        first, second, third, *_ = self._names
        await self._client.create_folder(first, TOP)
        for folder, name in ((TOP, second), (TOP, third), (f"{TOP}/{first}", second)):
            await self._upload(folder, name, "written")
        return top.key

    async def tree(self) -> dict[str, str | None]:
        return {one.path.strip("/"): one.object.md5 async for one in self._client.walk(TOP)}
