"""The failing disk as the harness steers it: the compiled shim, and the block of memory that both sides map."""

import ctypes
import hashlib
import importlib.util
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

KINDS = (
    "write EIO", "write ENOSPC", "short write", "torn write", "sync EIO", "name EIO", "name ENOSPC", "read EIO",
    "truncate EIO",
)  # fmt: skip
"""What can fail, in the order of the shim's enum."""
ALL_KINDS = (1 << len(KINDS)) - 1
DATABASE_KINDS = ALL_KINDS & ~(1 << KINDS.index("read EIO"))
"""PostgreSQL takes a failed read of its log during recovery for the end of the log, and drops what comes after it."""
LIES = {"": 0, "files": 1, "folders": 2}
"""Whose syncs a lying disk acknowledges without doing anything."""
_HERE = Path(__file__).parent
_SOURCES = ("shim.c", "shim_names.h")


class _Block(ctypes.Structure):
    """`struct control` of shim.c."""

    _fields_ = (
        ("sequence", ctypes.c_uint64),
        ("calls", ctypes.c_uint64),
        ("die_at", ctypes.c_uint64),
        ("chance", ctypes.c_uint64),
        ("faults_on", ctypes.c_uint64),
        ("one_in", ctypes.c_uint64),
        ("kinds", ctypes.c_uint64),
        ("lying", ctypes.c_uint64),
        ("counts", ctypes.c_uint64 * 16),
        ("root", ctypes.c_char * 512),
        ("logs", ctypes.c_char * 512),
    )


class FailingDisk:
    """One folder whose files fail and forget on demand, for every process that is started with `environment`."""

    def __init__(self, folder: Path) -> None:
        self.logs = folder / "logs"
        self.logs.mkdir(parents=True)
        # A database server runs as a user of its own, and writes its log here too.
        folder.chmod(0o777)
        self.logs.chmod(0o777)
        place = folder / "control"
        place.write_bytes(bytes(ctypes.sizeof(_Block)))
        place.chmod(0o666)
        with place.open("r+b") as file:
            self._mapped = mmap.mmap(file.fileno(), ctypes.sizeof(_Block))
        self._block = _Block.from_buffer(self._mapped)
        self._block.logs = str(self.logs).encode()
        self._counted: Counter[str] = Counter()
        self.environment = {"LD_PRELOAD": str(compiled()), "CRASH_CONTROL": str(place)}

    def watch(self, root: Path, lie: str = "") -> None:
        """Stand below everything in this folder from now on, and perhaps lie about some syncs."""
        self._block.root = str(root.resolve()).encode()
        self._block.lying = LIES[lie]

    def fail(self, kinds: int, one_in: int, seed: int) -> None:
        """Let one call in so many fail, of the kinds whose bits are set."""
        self._block.kinds, self._block.one_in, self._block.chance = kinds, one_in, seed
        self._block.faults_on = 1

    def heal(self) -> None:
        self._block.faults_on = 0
        self._block.die_at = 0

    @property
    def is_failing(self) -> bool:
        return bool(self._block.faults_on)

    def die_after(self, calls: int) -> None:
        """SIGKILL the process group of whoever makes the call of this number, counted from now."""
        self._block.die_at = self._block.calls + calls

    @property
    def calls(self) -> int:
        """How many calls have changed something so far."""
        return int(self._block.calls)

    def struck(self) -> Counter[str]:
        """How often each kind of fault struck since the last look."""
        now = Counter({name: int(self._block.counts[bit]) for bit, name in enumerate(KINDS)})
        since, self._counted = now - self._counted, now
        return since

    def forget(self) -> None:
        """Drop the log: everything that was written is durable."""
        for place in self.logs.iterdir():
            place.unlink()


def compiled() -> Path:
    """The shim as a library, made by the compiler of the machine or by that of the package ziglang; made once."""
    digest = hashlib.sha256(b"".join((_HERE / name).read_bytes() for name in _SOURCES)).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"skyshelf-shim-{os.getuid()}"
    folder.mkdir(mode=0o755, exist_ok=True)
    library = folder / f"{digest}.so"
    if not library.exists():
        made = library.with_suffix(f".{os.getpid()}")
        options = ("-O2", "-shared", "-fPIC", "-o", str(made), str(_HERE / "shim.c"), "-ldl")
        subprocess.run([*_compiler(), *options], check=True)
        made.rename(library)
    return library


def _compiler() -> list[str]:
    if found := shutil.which("cc") or shutil.which("gcc") or shutil.which("clang"):
        return [found]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise RuntimeError("the failing disk needs a C compiler: install cc (gcc or clang), or `pip install ziglang`")
