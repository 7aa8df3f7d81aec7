"""Another version of this program: its own clone with its own .venv, kept for the next run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = 2
"""Versions whose clones stay; each takes about 2 GB."""


class NoSuchVersionError(Exception):
    """A sentence that says what to do."""


def newest_release(root: Path = ROOT) -> str:
    """Return the tag of the newest release."""
    tags = _git(root, "tag", "--list", "v[0-9]*", "--sort=-version:refname").split()
    if not tags:
        raise NoSuchVersionError(
            "no release is tagged in this repository: fetch the tags (git fetch --tags), or name a revision to compare "
            "with: ./dev bench versions --against REV"
        )
    return tags[0]


def commit_of(revision: str, root: Path = ROOT) -> str:
    """Return the full hash of a revision."""
    try:
        return _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").strip()
    except subprocess.CalledProcessError:
        raise NoSuchVersionError(
            f"'{revision}' is no revision of this repository: name a tag, a branch or a commit, and in a shallow clone "
            "run git fetch --unshallow first"
        ) from None


def described(root: Path) -> str:
    """Return the name of what is checked out there: the tag or the commit, and whether files differ from it."""
    return _git(root, "describe", "--always", "--tags", "--dirty=, with changes").strip()


def cache() -> Path:
    """Return the folder of the clones."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "skyshelf-bench"


def set_up(commit: str, root: Path = ROOT) -> Path:
    """Return the folder of a version that can be started; make it if it is not kept from an earlier run."""
    folder = cache() / commit
    if not folder.exists():
        print(f"setting up {commit[:10]} in {folder}; this takes some minutes", flush=True)
        begun = cache() / f"{commit}.begun"
        shutil.rmtree(begun, ignore_errors=True)
        begun.parent.mkdir(parents=True, exist_ok=True)
        _git(root, "clone", "--quiet", "--no-checkout", str(root), str(begun))
        _git(begun, "checkout", "--quiet", "--detach", commit)
        begun.rename(folder)
    folder.touch()
    subprocess.run(["./dev", "setup"], cwd=folder, check=True)
    _forget_old(folder)
    return folder


def compile_all(folder: Path) -> None:
    """Compile its modules: a version whose files have changed since the setup would start slower."""
    command = [str(folder / ".venv" / "bin" / "python"), "-m", "compileall", "-q", str(folder / "src" / "skyshelf")]
    subprocess.run(command, check=True)


def program(folder: Path) -> str:
    """Return the path of its `skyshelf`."""
    is_own = folder == ROOT
    return str((Path(sys.executable).parent if is_own else folder / ".venv" / "bin") / "skyshelf")


def _forget_old(used: Path) -> None:
    others = sorted((one for one in cache().iterdir() if one != used), key=lambda one: one.stat().st_mtime)
    for folder in others[: max(0, len(others) - KEPT + 1)]:
        shutil.rmtree(folder, ignore_errors=True)


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout
