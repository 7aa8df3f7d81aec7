"""DurableFiles that announce every step before they take it."""

from pathlib import Path

from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.errors import StorageError


class WatchedFiles(DurableFiles):
    """Calls before(step, what) ahead of each step that changes something or makes it durable, and after() behind it."""

    def before(self, step: str, what: str) -> None:
        """Overridden by a watching test; may raise."""

    def after(self, step: str, descriptor: int) -> None:
        """The step is done; descriptor is the file or the folder that it was about."""

    def make_folder(self, parent: int, name: str) -> None:
        self.before("make folder", name)
        super().make_folder(parent, name)
        self.after("make folder", parent)

    def create(self, folder: int, name: str) -> int:
        self.before("create", name)
        file = super().create(folder, name)
        self.after("create", file)
        return file

    def open(
        self, folder: int, name: str, *, damaged: type[StorageError], writing: bool = False, create: bool = False
    ) -> int:
        if create:
            self.before("open or create", name)
        file = super().open(folder, name, damaged=damaged, writing=writing, create=create)
        if create:
            self.after("open or create", file)
        return file

    def write(self, file: int, data: bytes | memoryview, at: int) -> None:
        self.before("write", name_of(file))
        super().write(file, data, at)
        self.after("write", file)

    def truncate(self, file: int, size: int) -> None:
        self.before("truncate", name_of(file))
        super().truncate(file, size)
        self.after("truncate", file)

    def sync_file(self, file: int) -> None:
        self.before("sync file", name_of(file))
        super().sync_file(file)
        self.after("sync file", file)

    def sync_folder(self, folder: int) -> None:
        self.before("sync folder", name_of(folder))
        super().sync_folder(folder)
        self.after("sync folder", folder)

    def sync_all(self, folder: int) -> bool:
        self.before("sync all", name_of(folder))
        synced = super().sync_all(folder)
        self.after("sync all", folder)
        return synced

    def link_open(self, source: int, folder: int, name: str) -> bool:
        self.before("link open", name)
        linked = super().link_open(source, folder, name)
        self.after("link open", folder)
        return linked

    def rename(self, folder: int, name: str, new_folder: int, new_name: str) -> None:
        self.before("rename", f"{name} to {new_name}")
        super().rename(folder, name, new_folder, new_name)
        self.after("rename", new_folder)

    def link(self, folder: int, name: str, new_folder: int, new_name: str) -> bool:
        self.before("link", f"{name} to {new_name}")
        linked = super().link(folder, name, new_folder, new_name)
        self.after("link", new_folder)
        return linked

    def remove(self, folder: int, name: str) -> None:
        self.before("remove", name)
        super().remove(folder, name)
        self.after("remove", folder)


def name_of(descriptor: int) -> str:
    """What the descriptor was opened as; tests of durability run on Linux."""
    return Path(f"/proc/self/fd/{descriptor}").readlink().name
