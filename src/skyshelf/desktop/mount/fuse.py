"""The operations as the system calls them: the only module that knows the FUSE library."""

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
    """The library; ConfigurationError with what to install where it or the system's part is missing."""
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
    """The library's interface: a method per call of the system."""

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

        def truncate(self, path: str, length: int, fh: int | None = None) -> int:
            drive.truncate(path, length, fh)
            return 0

        def flush(self, path: str, fh: int) -> int:  # noqa: ARG002
            drive.flush(fh)
            return 0

        def fsync(self, path: str, datasync: int, fh: int) -> int:  # noqa: ARG002
            drive.flush(fh)
            return 0

        def release(self, path: str, fh: int) -> int:  # noqa: ARG002
            drive.release(fh)
            return 0

        def mkdir(self, path: str, mode: int) -> int:  # noqa: ARG002
            drive.mkdir(path)
            return 0

        def rmdir(self, path: str) -> int:
            drive.rmdir(path)
            return 0

        def unlink(self, path: str) -> int:
            drive.unlink(path)
            return 0

        def rename(self, old: str, new: str) -> int:
            drive.rename(old, new)
            return 0

        def utimens(self, path: str, times: tuple[int, int] | None = None) -> int:
            if times is not None:
                drive.set_time(path, times[1])
            return 0

        def chmod(self, path: str, mode: int) -> int:  # noqa: ARG002 - a drive has no permissions
            return 0

        def chown(self, path: str, uid: int, gid: int) -> int:  # noqa: ARG002
            return 0

        def symlink(self, target: str, source: str) -> int:  # noqa: ARG002
            raise OSError(errno.EPERM, "a drive has no links", target)

        def link(self, target: str, source: str) -> int:  # noqa: ARG002
            raise OSError(errno.EPERM, "a drive has no links", target)

    return Calls()
