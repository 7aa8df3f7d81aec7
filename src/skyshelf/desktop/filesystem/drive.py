"""Contents and names: reading, writing, moving and deleting files, and files that are open."""

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from fsspec.callbacks import DEFAULT_CALLBACK
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem
from fsspec.utils import stringify_path

from skyshelf.client.errors import SkyshelfError
from skyshelf.client.moves import move_and_rename
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.desktop.filesystem.listings import DriveListings, Info
from skyshelf.desktop.os_errors import as_os_errors


class ReadFile(AbstractBufferedFile):  # type: ignore[misc]
    """A file that is read by ranges, all of the content that it had when it was opened."""

    def __init__(self, fs: DriveListings, path: str, mode: str, block_size: Any, **options: Any) -> None:
        self._found = fs.file_info(path)["object"]
        super().__init__(fs, path, mode, block_size, **options)

    def _fetch_range(self, start: int, end: int) -> bytes:
        with as_os_errors(self.path):
            content: bytes = self.fs.drive.read(self._found, start, end)
        return content


class WriteFile:
    """A temporary file that is uploaded when it is closed, or at the end of a transaction."""

    def __init__(self, fs: AbstractFileSystem, path: str, name: str, mode: str, autocommit: bool) -> None:
        self.fs = fs
        self.path = path
        self.mode = mode
        self.autocommit = autocommit
        self._name = name
        self._file = open(name, mode)  # noqa: SIM115, PTH123 - closed by close()
        self._is_settled = False
        self._is_kept = False

    def __enter__(self) -> "WriteFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.discard()
        else:
            self.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __del__(self) -> None:
        with suppress(Exception):
            self._file.close()
            if not self._is_kept:
                Path(self._name).unlink(missing_ok=True)

    @property
    def closed(self) -> bool:
        return self._file.closed

    def readable(self) -> bool:
        """Whether it can be read, which only an update (`r+b`) allows."""
        return "+" in self.mode

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Upload the content, unless a transaction does so later."""
        if not self._file.closed:
            self._file.close()
            if self.autocommit:
                self.commit()

    def commit(self) -> None:
        if not self._is_settled:
            self._is_settled = self._is_kept = True
            try:
                self.fs.put_file(self._name, self.path)
            except OSError as error:
                error.add_note(f"What was written is kept in {self._name}.")
                raise
            Path(self._name).unlink(missing_ok=True)

    def discard(self) -> None:
        """Leave the server as it is."""
        self._is_settled = True
        self._file.close()
        Path(self._name).unlink(missing_ok=True)


class SkyshelfFileSystem(DriveListings):
    """The drive of one account. Every argument is optional: what is missing comes from the environment, then from the
    config file that `skyshelf login` writes.
    """

    # Contents

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        """Read the content, or a part of it; negative numbers count from the end."""
        found = self.file_info(path)
        size = found["size"]
        first = 0 if start is None else start if start >= 0 else max(0, size + start)
        last = None if end is None else end if end >= 0 else size + end
        with as_os_errors(path):
            return self.drive.read(found["object"], first, last)

    def _open(
        self,
        path: str,
        mode: str = "rb",
        block_size: int | str | None = None,
        autocommit: bool = True,
        cache_options: dict[str, Any] | None = None,
        **options: Any,
    ) -> Any:
        if mode == "rb":
            return ReadFile(self, path, mode, block_size or "default", cache_options=cache_options, **options)
        return self._open_to_write(path, mode, autocommit=autocommit)

    def _open_to_write(self, path: str, mode: str, *, autocommit: bool) -> WriteFile:
        if mode not in {"wb", "xb", "ab", "r+b"}:
            raise ValueError(f"the mode {mode} is not supported: use rb, wb, xb, ab or r+b")
        with suppress(FileNotFoundError):
            self.file_info(path)
            if mode == "xb":
                raise FileExistsError(errno.EEXIST, "it already exists", path)
        descriptor, name = tempfile.mkstemp(prefix="skyshelf-")
        os.close(descriptor)
        try:
            if mode == "r+b" or (mode == "ab" and self.exists(path)):
                self.get_file(path, name)
            return WriteFile(self, path, name, "r+b" if mode == "r+b" else "ab" if mode == "ab" else "wb", autocommit)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def put_file(
        self, lpath: Any, rpath: Any, callback: Any = DEFAULT_CALLBACK, mode: str = "overwrite", **_: Any
    ) -> None:
        """Upload a file, atomically; an existing one gets a new version."""
        path, source = self._strip_protocol(rpath), Path(lpath)
        if source.is_dir():
            self.makedirs(path, exist_ok=True)
            return
        if mode == "create" and self.exists(path):
            raise FileExistsError(errno.EEXIST, "it already exists", path)
        key = self._made_folder(self._parent(path))
        callback.set_size(source.stat().st_size)
        with as_os_errors(path):
            self.drive.upload(
                source, key, name=path.rpartition("/")[2], progress=lambda done, _: callback.absolute_update(done)
            )
        self.invalidate_cache(path)

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **_: Any) -> None:
        """Write a whole content, atomically."""
        with self.open(path, "xb" if mode == "create" else "wb") as opened:
            opened.write(value)

    def get_file(self, rpath: str, lpath: Any, callback: Any = DEFAULT_CALLBACK, outfile: Any = None, **_: Any) -> None:
        """Download a file, verified."""
        path = self._strip_protocol(rpath)
        if self.isdir(path):
            os.makedirs(lpath, exist_ok=True)  # noqa: PTH103 - a path of any kind
            return
        found = self.file_info(path)
        if outfile is not None or hasattr(lpath, "write"):
            target = outfile if outfile is not None else lpath
            with self.open(path, "rb") as opened:
                while piece := opened.read(self.blocksize):
                    target.write(piece)
            return
        Path(lpath).parent.mkdir(parents=True, exist_ok=True)
        callback.set_size(found["size"])
        with as_os_errors(path):
            self.drive.download(
                found["object"], Path(lpath), overwrite=True, progress=lambda done, _: callback.absolute_update(done)
            )

    # Names

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:
        path = self._strip_protocol(path)
        if self.exists(path):
            raise FileExistsError(errno.EEXIST, "it already exists", path)
        if not create_parents:
            self.info(self._parent(path))
        key = self._made_folder(self._parent(path))
        with as_os_errors(path):
            self.drive.create_folder(path.rpartition("/")[2], key)
        self.invalidate_cache(path)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:
        """Create a folder and those above it."""
        path = self._strip_protocol(path)
        if not exist_ok and self.exists(path):
            raise FileExistsError(errno.EEXIST, "it already exists", path)
        self._made_folder(path)

    def _made_folder(self, path: str) -> str:
        """Return the key of a folder, which is created if needed."""
        try:
            found = self.info(path)
        except FileNotFoundError:
            with as_os_errors(path):
                key = self.drive.create_path(path).key
            self.invalidate_cache()
            return key
        if found["type"] != "directory":
            raise NotADirectoryError(errno.ENOTDIR, "it is a file", path)
        return str(found["key"])

    def rmdir(self, path: str) -> None:
        """Move an empty folder to the trash."""
        path = self._strip_protocol(path)
        found = self.info(path)
        if found["type"] != "directory":
            raise NotADirectoryError(errno.ENOTDIR, "it is a file", path)
        self.invalidate_cache(path)
        if self._list(path, found):
            raise OSError(errno.ENOTEMPTY, "the folder is not empty", path)
        self._trash([path])

    def rm_file(self, path: str) -> None:
        """Move a file to the trash."""
        self.file_info(path)
        self._trash([path])

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:
        """Move files to the trash; folders, with everything in them, if `recursive`."""
        if maxdepth is not None:
            super().rm(path, recursive=recursive, maxdepth=maxdepth)
            return
        paths = self.expand_path(path, recursive=False)
        for one in paths:
            if not recursive:
                self.file_info(one)
        self._trash(paths)

    def _trash(self, paths: list[str]) -> None:
        topmost = [path for path in paths if not any(path.startswith(f"{above}/") for above in paths)]
        if "/" in topmost:
            topmost = self.ls("/", detail=False)
        with as_os_errors(topmost[0] if topmost else "/"):
            self.drive.move_to_trash([self.info(path)["object"] for path in topmost])
        for path in topmost:
            self.invalidate_cache(path)

    def cp_file(self, path1: str, path2: str, **_: Any) -> None:
        """Copy on the server where it can, else through this machine; an existing file gets a new version."""
        source, target = self._strip_protocol(path1), self._strip_protocol(path2)
        found = self.info(source)
        if found["type"] == "directory":
            self.makedirs(target, exist_ok=True)
            return
        if source == target:
            return
        key = self._made_folder(self._parent(target))
        try:
            if not self.exists(target):
                self._copy_there(found, key, target)
                return
        except NotImplementedError:
            pass
        with tempfile.TemporaryDirectory(prefix="skyshelf-") as folder:
            between = Path(folder, "content")
            self.get_file(source, between)
            self.put_file(between, target)

    def _copy_there(self, found: Info, folder_key: str, target: str) -> None:
        with as_os_errors(target):
            copied = self.drive.copy([found["object"]], folder_key).outcomes[0].object
            name = target.rpartition("/")[2]
            if copied is not None and copied.name != name:
                self.drive.rename(copied, name)
        self.invalidate_cache(target)

    def mv(self, path1: Any, path2: Any, recursive: bool = False, maxdepth: int | None = None, **options: Any) -> None:
        """Move or rename in one step on the server, into an existing folder or to a new path; a file is replaced."""
        if not isinstance(path1, (str, os.PathLike)) or maxdepth is not None or _has_glob(stringify_path(path1)):
            super().mv(path1, path2, recursive=recursive, maxdepth=maxdepth, **options)
            return
        source, target = self._strip_protocol(path1), self._strip_protocol(path2)
        found = self.info(source)
        if source == target:
            return
        if self.isdir(target) or stringify_path(path2).endswith("/"):
            target = f"{target.rstrip('/')}/{source.rpartition('/')[2]}"
        if f"{target}/".startswith(f"{source}/"):
            raise OSError(errno.EINVAL, "a folder cannot be moved into itself", source)
        key = self._made_folder(self._parent(target))
        replaced: RemoteObject | None = None
        if self.exists(target):
            if self.isdir(target) or found["type"] == "directory":
                raise FileExistsError(errno.EEXIST, "it already exists", target)
            replaced = self.info(target)["object"]
            self._trash([target])
        try:
            with as_os_errors(target):
                folder = self.drive.get(key)
                move_and_rename(self.drive, found["object"], folder, target.rpartition("/")[2]).raise_for_failures()
        except OSError:
            if replaced is not None:
                with suppress(SkyshelfError):
                    self.drive.restore([replaced])
            raise
        finally:
            self.invalidate_cache(source)
            self.invalidate_cache(target)

    def touch(self, path: str, truncate: bool = True, **_: Any) -> None:
        """Create an empty file, or empty an existing one."""
        if not truncate:
            raise NotImplementedError("a server of this interface cannot set the time of a file alone")
        self.pipe_file(path, b"")


def _has_glob(path: str) -> bool:
    return any(character in path for character in "*?[")
