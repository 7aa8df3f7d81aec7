"""Makes a release: version, notes, sample, packages, commit and tag. `./dev release X.Y.Z` runs it.

The notes are the section of the version in CHANGELOG.md. `--notes` writes it from the fragments in changes/, to be
edited and committed; without such a section, the release does the same. Nothing is pushed or published. If a step
fails, the files are put back as they were.
"""

import argparse
import datetime
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.debian_package import PLATFORMS
from tools.release_files import make_release_files

VERSION: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
VERSION_LINES: Final = (
    ("src/skyshelf/wire/version.py", "VERSION: Final = "),
    ("docs/openapi.json", '    "version": '),
    ("packaging/helm/skyshelf/Chart.yaml", "version: "),
    ("packaging/helm/skyshelf/Chart.yaml", "appVersion: "),
)
"""The files with the version, and how its line begins in each."""
SAMPLES: Final = "tests/releases"


class ReleaseError(Exception):
    """Why there is no release, and what to do about it."""


def main(arguments: list[str] | None = None) -> int:
    """Release from the current folder, which must be a clean checkout."""
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("version", help="the new version, such as 0.1.0; larger than the released one")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--dry-run", action="store_true", help="print the notes and change nothing")
    only.add_argument("--notes", action="store_true", help="only write the notes into CHANGELOG.md, to be edited")
    parser.add_argument(
        "--architecture", action="append", choices=tuple(PLATFORMS), help="of the Debian package; by default all"
    )
    given = parser.parse_args(arguments)
    root = Path.cwd()
    try:
        _check_version(root, given.version)
        if given.dry_run:
            sys.stdout.write(_notes(root, given.version) or _drafted_notes(root, given.version))
        elif given.notes:
            _write_notes(root, given.version)
        else:
            _release(root, given.version, given.architecture or tuple(PLATFORMS))
    except ReleaseError as problem:
        sys.stderr.write(f"release: {problem}\n")
        return 1
    return 0


def _release(root: Path, version: str, architectures: Sequence[str]) -> None:
    if _output(root, "git", "status", "--porcelain"):
        raise ReleaseError("the checkout has uncommitted changes: commit or remove them first")
    _check_frozen_schema(root)
    try:
        _write_version(root, version)
        if not _notes(root, version):
            _write_notes(root, version)
        _date_notes(root, version)
        _run(root, sys.executable, "-m", "tests.releases.sample", version)
        built = _build(root, version, architectures)
    except BaseException:
        _run(root, "git", "reset", "--quiet", "--hard", "HEAD")
        _run(root, "git", "clean", "--quiet", "--force", SAMPLES)
        raise
    _run(root, "git", "add", "--all", *(name for name, _ in VERSION_LINES), "CHANGELOG.md", "changes", SAMPLES)
    _run(root, "git", "commit", "--quiet", "--message", f"release: {version}")
    _run(root, "git", "tag", "--annotate", f"v{version}", "--message", f"Skyshelf {version}")
    sys.stdout.write("\n".join(["built:", *(f"  {path.relative_to(root)}" for path in built), ""]))
    sys.stdout.write(
        f"Committed and tagged v{version}. Next: git push --follow-tags, then publish the files in dist/.\n"
    )


def _check_version(root: Path, version: str) -> None:
    """Check that it is semantic, newer than every tag, and that there is something to say about it, once."""
    if VERSION.fullmatch(version) is None:
        raise ReleaseError(f"{version!r} is not a version: write it like 0.1.0")
    released = [tag.removeprefix("v") for tag in _output(root, "git", "tag", "--list", "v*").split()]
    newest = max((_numbers(one) for one in released if VERSION.fullmatch(one)), default=(0, 0, 0))
    if _numbers(version) <= newest:
        raise ReleaseError(f"{version} is not newer than the last release, {'.'.join(map(str, newest))}")
    has_fragments = any(path.name != "README.md" for path in (root / "changes").glob("*.md"))
    has_notes = bool(_notes(root, version))
    if has_notes and has_fragments:
        raise ReleaseError(
            f"CHANGELOG.md already has notes for {version}: move the fragments in changes/ into them, and delete them"
        )
    if not has_notes and not has_fragments:
        raise ReleaseError(
            f"there is nothing to release: changes/ has no fragment, and CHANGELOG.md no notes for {version}"
        )


def _notes(root: Path, version: str) -> str:
    """Return the section of a version in CHANGELOG.md, or nothing."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"(?ms)^## {re.escape(version)} \(.*?(?=^## |\Z)", changelog)
    return found[0] if found else ""


def _drafted_notes(root: Path, version: str) -> str:
    return _output(root, *_towncrier(version), "--draft")


def _write_notes(root: Path, version: str) -> None:
    if _notes(root, version):
        raise ReleaseError(f"CHANGELOG.md already has notes for {version}: edit them there")
    _run(root, *_towncrier(version), "--yes")


def _towncrier(version: str) -> list[str]:
    return [sys.executable, "-m", "towncrier", "build", "--version", version, "--date", "unreleased"]


def _date_notes(root: Path, version: str) -> None:
    """Replace the heading's "(unreleased)" by today's date."""
    path = root / "CHANGELOG.md"
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = path.read_text(encoding="utf-8").replace(f"## {version} (unreleased)", f"## {version} ({today})")
    path.write_text(text, encoding="utf-8", newline="\n")


def _check_frozen_schema(root: Path) -> None:
    """Check that the schema of this version is frozen, so that later releases are tested with it."""
    _run(root, sys.executable, "-m", "tests.storage.schemas.freeze")
    if _output(root, "git", "status", "--porcelain"):
        _run(root, "git", "diff", "--stat")
        raise ReleaseError("the frozen schema is not the current one: look at what freezing changed, and commit it")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _write_version(root: Path, version: str) -> None:
    for name, line in VERSION_LINES:
        place = root / name
        text = place.read_text(encoding="utf-8")
        changed, count = re.subn(rf'(?m)^({re.escape(line)})"[^"]+"', rf'\g<1>"{version}"', text)
        if count != 1:
            raise ReleaseError(f"{name} must have exactly one version line")
        place.write_text(changed, encoding="utf-8", newline="\n")


def _build(root: Path, version: str, architectures: Sequence[str]) -> list[Path]:
    """Build everything that is published into dist/: wheel, sdist, Debian packages and the files of `release_files`.

    A wheel without the web client is an error.
    """
    target = root / "dist"
    shutil.rmtree(target, ignore_errors=True)
    _run(root, sys.executable, "-m", "hatchling", "build", "--directory", str(target))
    (wheel,) = target.glob("*.whl")
    for architecture in architectures:
        _run(root, sys.executable, "-m", "tools.debian_package", str(wheel), "--architecture", architecture)
    make_release_files(root, target, version)
    return sorted(target.iterdir())


def _run(root: Path, *command: str) -> None:
    if subprocess.run(command, cwd=root, check=False).returncode != 0:
        raise ReleaseError(f"`{' '.join(command)}` failed: the lines above say why")


def _output(root: Path, *command: str) -> str:
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
