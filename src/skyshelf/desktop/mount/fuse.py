"""Connects the operations to the system; the only module that knows the FUSE library."""

import errno
import os
from pathlib import Path
from typing import Any, Final

from skyshelf.client.errors import ConfigurationError, LocalFileError
from skyshelf.desktop.mount.operations import DriveOperations

_ENDED_BY_SIGNAL: Final = 8
INSTALL: Final = (
    "install it: `apt install fuse3` on Debian and Ubuntu, `dnf install fuse3` on Fedora, macFUSE or FUSE-T on macOS,"
    " WinFsp on Windows"
)


def fuse_library() -> Any:
    """Import the library; ConfigurationError with what to install where it or the system's part is missing."""
    try:
        import mfusepy
    except ImportError:
        raise ConfigurationError("mounting needs the package mfusepy: run `pip install skyshelf[mount]`") from None
    except OSError:
        raise ConfigurationError(f"this system has no FUSE: {INSTALL}") from None
    if os.name == "posix" and os.uname().sysname == "Linux" and not Path("/dev/fuse").exists():
        raise ConfigurationError(
            "this system has no /dev/fuse: load the kernel's module with `modprobe fuse`, or give the container"
            " `--device /dev/fuse --cap-add SYS_ADMIN`"
        )
    return mfusepy


def mount(operations: DriveOperations, folder: Path, *, read_only: bool) -> None:
    """Mount the drive at a folder, until it is unmounted or interrupted."""
    library = fuse_library()
    options: dict[str, Any] = {"ro": True} if read_only else {}
    try:
        library.FUSE(_calls(library, operations), str(folder), foreground=True, fsname="skyshelf", **options)
    except RuntimeError as error:
        if error.args[:1] != (_ENDED_BY_SIGNAL,):
            raise LocalFileError(
                f"cannot mount at {folder} (FUSE reports {error}): use an empty folder that nothing is mounted at"
            ) from None


def _calls(library: Any, drive: DriveOperations) -> Any:
    """Implement the library's interface: a method per call of the system. It takes None for success."""

    class Calls(library.Operations):  # type: ignore[misc]
        use_ns = True

        def getattr(self, path: str, fh: int | None = None) -> dict[str, int]:  # noqa: ARG002
            return drive.getattr(path)

        def readdir(self, path: str, fh: int) -> list[str]:  # noqa: ARG002
            return list(drive.readdir(path))

        def statfs(self, path: str) -> dict[str, int]:  # noqa: ARG002
            return drive.statfs()

        def open(self, path: str, flags: int) -> int:
            return drive.open(path, flags)

        def create(self, path: str, mode: int, fi: Any = None) -> int:  # noqa: ARG002
            return drive.create(path)

        def read(self, path: str, size: int, offset: int, fh: int) -> bytes:  # noqa: ARG002
            return drive.read(fh, size, offset)

        def write(self, path: str, data: bytes, offset: int, fh: int) -> int:  # noqa: ARG002
            return drive.write(fh, data, offset)

        def truncate(self, path: str, length: int, fh: int | None = None) -> None:
            drive.truncate(path, length, fh)

        def flush(self, path: str, fh: int) -> None:  # noqa: ARG002
            drive.flush(fh)

        def fsync(self, path: str, datasync: int, fh: int) -> None:  # noqa: ARG002
            drive.flush(fh)

        def release(self, path: str, fh: int) -> None:  # noqa: ARG002
            drive.release(fh)

        def mkdir(self, path: str, mode: int) -> None:  # noqa: ARG002
            drive.mkdir(path)

        def rmdir(self, path: str) -> None:
            drive.rmdir(path)

        def unlink(self, path: str) -> None:
            drive.unlink(path)

        def rename(self, old: str, new: str) -> None:
            drive.rename(old, new)

        def utimens(self, path: str, times: tuple[int, int] | None = None) -> None:
            if times is not None:
                drive.set_time(path, times[1])

        def chmod(self, path: str, mode: int) -> None:
            pass  # a drive has no permissions

        def chown(self, path: str, uid: int, gid: int) -> None:
            pass

        def symlink(self, target: str, source: str) -> int:  # noqa: ARG002
            raise OSError(errno.EPERM, "a drive has no links", target)

        def link(self, target: str, source: str) -> int:  # noqa: ARG002
            raise OSError(errno.EPERM, "a drive has no links", target)

    return Calls()
