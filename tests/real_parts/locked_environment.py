"""Environments for tests beside that of the project: installed once, at locked versions."""

import fcntl
import functools
import hashlib
import os
import subprocess
import sys
from pathlib import Path


@functools.cache
def python_with(locked: Path) -> Path:
    """The Python that has the packages of a lock file; the first that needs them installs them, and the others wait."""
    version = hashlib.sha256(locked.read_bytes()).hexdigest()[:16]
    folder = Path(sys.prefix) / f"{locked.stem}-{version}"
    python, done = folder / "bin" / "python", folder / ".installed"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            uv = [str(Path(sys.prefix) / "bin" / "uv"), "--quiet", "--no-python-downloads"]
            _run([*uv, "venv", "--clear", "--python", sys.executable, str(folder)])
            _run([*uv, "pip", "sync", "--require-hashes", "--python", str(python), str(locked)])
            done.touch()
    return python


def _run(command: list[str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    finished = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
