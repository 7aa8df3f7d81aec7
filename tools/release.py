"""Makes a release: version, changelog, packages, commit and tag. `./dev release X.Y.Z` runs it.

Nothing is pushed or published. If a step fails, the files are put back as they were.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tools.release_files import make_release_files

VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
VERSION_FILE: Final = "src/skyshelf/wire/version.py"


class ReleaseError(Exception):
    """Why there is no release, and what to do about it."""


def main(arguments: list[str] | None = None) -> int:
    """Release from the current folder, which must be a clean checkout."""
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("version", help="the new version, such as 0.1.0; larger than the released one")
    parser.add_argument("--dry-run", action="store_true", help="print the changelog entry and change nothing")
    given = parser.parse_args(arguments)
    try:
        _release(Path.cwd(), given.version, dry_run=given.dry_run)
    except ReleaseError as problem:
        sys.stderr.write(f"release: {problem}\n")
        return 1
    return 0


def _release(root: Path, version: str, *, dry_run: bool) -> None:
    _check_version(root, version)
    if dry_run:
        _run(root, sys.executable, "-m", "towncrier", "build", "--draft", "--version", version)
        return
    if _output(root, "git", "status", "--porcelain"):
        raise ReleaseError("the checkout has uncommitted changes: commit or remove them first")
    try:
        _write_version(root, version)
        _run(root, sys.executable, "-m", "towncrier", "build", "--yes", "--version", version)
        built = _build(root, version)
    except BaseException:
        _run(root, "git", "reset", "--quiet", "--hard", "HEAD")
        raise
    _run(root, "git", "add", "--all", VERSION_FILE, "CHANGELOG.md", "changes")
    _run(root, "git", "commit", "--quiet", "--message", f"release: {version}")
    _run(root, "git", "tag", "--annotate", f"v{version}", "--message", f"Skyshelf {version}")
    sys.stdout.write("\n".join(["built:", *(f"  {path.relative_to(root)}" for path in built), ""]))
    sys.stdout.write(
        f"Committed and tagged v{version}. Next: git push --follow-tags, then publish the files in dist/.\n"
    )


def _check_version(root: Path, version: str) -> None:
    """Semantic, newer than every tag, and with something to say about it."""
    if VERSION.fullmatch(version) is None:
        raise ReleaseError(f"{version!r} is not a version: write it like 0.1.0")
    released = [tag.removeprefix("v") for tag in _output(root, "git", "tag", "--list", "v*").split()]
    newest = max((_numbers(one) for one in released if VERSION.fullmatch(one)), default=(0, 0, 0))
    if _numbers(version) <= newest:
        raise ReleaseError(f"{version} is not newer than the last release, {'.'.join(map(str, newest))}")
    if not any(path.name != "README.md" for path in (root / "changes").glob("*.md")):
        raise ReleaseError("there is nothing to release: changes/ has no fragment")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _write_version(root: Path, version: str) -> None:
    module = root / VERSION_FILE
    text = module.read_text(encoding="utf-8")
    changed, count = re.subn(r'(?m)^VERSION: Final = "[^"]+"$', f'VERSION: Final = "{version}"', text)
    if count != 1:
        raise ReleaseError(f"{VERSION_FILE} must have exactly one version line")
    module.write_text(changed, encoding="utf-8", newline="\n")


def _build(root: Path, version: str) -> list[Path]:
    """Wheel, sdist, the container's context, the files for systems and checksums in dist/.

    A wheel without the web client is an error.
    """
    target = root / "dist"
    shutil.rmtree(target, ignore_errors=True)
    _run(root, sys.executable, "-m", "hatchling", "build", "--directory", str(target))
    make_release_files(root, target, version)
    return sorted(target.iterdir())


def _run(root: Path, *command: str) -> None:
    if subprocess.run(command, cwd=root, check=False).returncode != 0:
        raise ReleaseError(f"`{' '.join(command)}` failed: the lines above say why")


def _output(root: Path, *command: str) -> str:
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
