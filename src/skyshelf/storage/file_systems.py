"""What a path is on: a disk of this machine, or a file system that other machines use, too.

SQLite's write-ahead log needs memory that all its users share, and locks that hold them apart. A file system of the
network offers neither to two machines, and often not even the locks to one: rows that were acknowledged get lost, and
the file is damaged. So a database is refused there. File contents are never written twice, and need neither.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final

from skyshelf.storage.errors import StoreUnavailable

_MOUNTS: Final = Path("/proc/self/mountinfo")
_FUSE: Final = 0x65735546
_NETWORK: Final = {
    0x6969: "NFS",
    0x517B: "SMB",
    0xFE534D42: "SMB",
    0xFF534D42: "SMB (CIFS)",
    0x00C36400: "CephFS",
    0x0BD00BD0: "Lustre",
    0x47504653: "GPFS",
    0x19830326: "BeeGFS",
    0x5346414F: "AFS",
    0x6B414653: "AFS",
    0x564C: "NCP",
    0x73757245: "Coda",
}
"""By the magic numbers that statfs returns on Linux."""
_NETWORK_FUSE: Final = {
    "sshfs": "SSHFS",
    "glusterfs": "GlusterFS",
    "ceph": "CephFS",
    "ceph-fuse": "CephFS",
    "davfs": "WebDAV",
    "rclone": "rclone",
    "s3fs": "a bucket (s3fs)",
    "goofys": "a bucket (goofys)",
    "gcsfuse": "a bucket (gcsfuse)",
    "geesefs": "a bucket (geesefs)",
    "mount-s3": "a bucket (mount-s3)",
    "juicefs": "JuiceFS",
    "JuiceFS": "JuiceFS",
    "seaweedfs": "SeaweedFS",
    "smbnetfs": "SMB",
    "moosefs": "MooseFS",
    "mfs": "MooseFS",
    "curlftpfs": "FTP",
}
"""By the type that a program of the user's space gives itself: fuse.sshfs."""


def network_file_system(path: Path) -> str | None:
    """Return the name of the network's file system that a path is on, or would be; None for any other place."""
    place = _existing(path)
    magic = None if place is None else _magic(place)
    if place is None or magic is None:
        return None
    return _NETWORK_FUSE.get(_fuse_type(place)) if magic == _FUSE else network_name(magic)


def network_name(magic: int) -> str | None:
    """Return the name of the network's file system with this magic number."""
    return _NETWORK.get(magic)


def refuse_network(metadata: Path) -> None:
    """Raise StoreUnavailable for a database on a file system of the network."""
    if (name := network_file_system(metadata)) is not None:
        raise StoreUnavailable(
            f"the metadata at {metadata} would be on {name}, where SQLite loses data: name a folder on a disk of this"
            " machine with --data, or a PostgreSQL database with --metadata. `skyshelf admin move` takes a store that"
            " already exists off it"
        )


def mount_point(path: Path) -> Path:
    """Return where the file system of a path is mounted."""
    place = _existing(path) or Path("/")
    place = place if place.is_dir() else place.parent
    while not place.is_mount() and place != place.parent:
        place = place.parent
    return place


def _existing(path: Path) -> Path | None:
    """The path, or the nearest folder above it that exists and can be reached."""
    for place in (path.absolute(), *path.absolute().parents):
        try:
            return place.resolve(strict=True)
        except OSError:
            continue
    return None


def _magic(path: Path) -> int | None:
    """The number of the file system's type; None where the system has no such thing."""
    statfs = _statfs()
    if statfs is None:
        return None
    # The type is the first word of the structure, which is shorter than this.
    into = (ctypes.c_ulong * 64)()
    return int(into[0]) & 0xFFFFFFFF if statfs(os.fsencode(path), ctypes.addressof(into)) == 0 else None


@cache
def _statfs() -> Callable[..., int] | None:
    if sys.platform != "linux":
        return None
    try:
        found = ctypes.CDLL(None, use_errno=True).statfs
    except (OSError, AttributeError):
        return None
    found.argtypes, found.restype = (ctypes.c_char_p, ctypes.c_void_p), ctypes.c_int
    return found


def _fuse_type(path: Path) -> str:
    """What comes after `fuse.` in the type of a mounted file system; empty where there is nothing."""
    device = path.stat().st_dev
    numbers = f"{os.major(device)}:{os.minor(device)}"
    try:
        lines = _MOUNTS.read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    kinds = [line.rpartition(" - ")[2].split()[0] for line in lines if line.split()[2] == numbers]
    return kinds[-1].partition(".")[2] if kinds else ""
