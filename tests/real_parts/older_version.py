"""The newest release of this program before the version in the repository, in its own environment.

It is taken from the history of the repository, with the packages that were locked then, and kept for the next run.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.real_parts.programs import program

ROOT = Path(__file__).parents[2]
VERSION_FILE = "src/skyshelf/wire/version.py"
_TAKEN = ("src/skyshelf", "pyproject.toml", "requirements-dev.txt")
_PROGRAM = "#!{python}\nfrom skyshelf.cli.main import main\n\nmain()\n"


def newest_release() -> str:
    """Return the commit of the newest release before the one that is checked out; without one the test is skipped.

    It is the newest tag of a release, or the commit that wrote the newest version.
    """
    git = program("git")

    def said(*arguments: str) -> list[str]:
        done = subprocess.run([git, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.split() if done.returncode == 0 else []

    head = said("rev-parse", "HEAD")
    tagged = said("for-each-ref", "--merged=HEAD", "--sort=-version:refname", "--format=%(objectname)", "refs/tags/v*")
    written = said("log", "--format=%H", "-G^VERSION", "--", VERSION_FILE)
    for commit in [*(one for tag in tagged for one in said("rev-parse", f"{tag}^{{commit}}")), *written]:
        # A release has all that is taken from it; the oldest commits have not.
        if [commit] != head and all(said("ls-tree", "--name-only", commit, path) for path in _TAKEN):
            return commit
    pytest.skip("the history of the repository has no release before this version")


def installed(commit: str) -> Path:
    """Return the path of `skyshelf` as of that commit."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "skyshelf-releases"
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / f"{commit}-py{sys.version_info.major}.{sys.version_info.minor}"
    with (cache / "lock").open("w") as lock:
        # Tests of several processes need it at the same time.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = folder.with_suffix(".begun")
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir()
            _install(commit, begun, folder)
            begun.rename(folder)
    return folder / "skyshelf"


def _install(commit: str, begun: Path, folder: Path) -> None:
    archive = begun / "source.tar"
    subprocess.run([program("git"), "archive", f"--output={archive}", commit, *_TAKEN], cwd=ROOT, check=True)
    shutil.unpack_archive(archive, begun, filter="data")
    archive.unlink()
    uv, python = str(Path(sys.executable).with_name("uv")), begun / "venv" / "bin" / "python"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(begun / "venv")], check=True)
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", str(python), "-r", "pyproject.toml", "--extra", "server",
         "--constraint", "requirements-dev.txt"],
        cwd=begun, check=True,
    )  # fmt: skip
    (packages,) = (begun / "venv").glob("lib/python*/site-packages")
    (packages / "skyshelf.pth").write_text(f"{folder / 'src'}\n")
    script = begun / "skyshelf"
    script.write_text(_PROGRAM.format(python=folder / "venv" / "bin" / "python"))
    script.chmod(0o755)
