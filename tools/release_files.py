"""The files of a release beside its packages: the container's context, the chart, files for systems, and checksums."""

import hashlib
import io
import re
import tarfile
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CHECKSUMS: Final = "SHA256SUMS"
_CONTAINER: Final = "packaging/container"
_CHART: Final = "packaging/helm/skyshelf"
_FOR_SYSTEMS: Final = ("packaging/systemd", "packaging/proxies", "packaging/ansible", "packaging/monitoring")
PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
"""The versions that the server runs with."""
_BEGINS: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==")


def make_release_files(root: Path, target: Path, version: str) -> None:
    """Write the files next to the wheel in the target folder."""
    (wheel,) = target.glob("*.whl")
    context = {path.name: path.read_bytes() for path in sorted((root / _CONTAINER).iterdir())}
    context["requirements.txt"] = server_requirements(root).encode()
    context[wheel.name] = wheel.read_bytes()
    _pack(target / f"skyshelf-{version}-container.tar.gz", f"skyshelf-{version}-container", context)
    chart = {
        path.relative_to(root / _CHART).as_posix(): path.read_bytes()
        for path in sorted((root / _CHART).rglob("*"))
        if path.is_file()
    }
    _pack(target / f"skyshelf-{version}-helm-chart.tgz", "skyshelf", chart)
    files = {
        path.relative_to(root / "packaging").as_posix(): path.read_bytes()
        for folder in _FOR_SYSTEMS
        for path in sorted((root / folder).iterdir())
    }
    _pack(target / f"skyshelf-{version}-packaging.tar.gz", f"skyshelf-{version}-packaging", files)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(target.iterdir())]
    (target / CHECKSUMS).write_text("".join(lines), encoding="utf-8", newline="\n")


def server_requirements(root: Path) -> str:
    """Return the server's requirements, at the versions and with the hashes that the tests ran with."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # Nothing is installed into an image later.
    extras = project["optional-dependencies"]
    given = [*project["dependencies"], *extras["server"], *extras["tracing"]]
    names = _needed(map(Requirement, given))
    # A package may be locked twice, for different versions of Python.
    locked = sorted(_blocks((root / "requirements-dev.txt").read_text(encoding="utf-8")))
    return "".join(lines for name, lines in locked if name in names)


def _needed(requirements: Iterable[Requirement]) -> set[str]:
    """Return the names of all packages that these requirements need on Linux, directly or not."""
    needed: set[str] = set()
    waiting = list(requirements)
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        needed.add(name)
        try:
            further = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue  # for another version of Python than this one
        for extra in ("", *requirement.extras):
            waiting += [one for one in map(Requirement, further) if _holds(one, extra)]
    return needed


def _holds(requirement: Requirement, extra: str) -> bool:
    if requirement.marker is None:
        return not extra
    return any(
        requirement.marker.evaluate(
            {"extra": extra, "python_version": python, "python_full_version": f"{python}.0", "sys_platform": "linux"}
        )
        for python in PYTHONS
    )


def _blocks(locked: str) -> Iterator[tuple[str, str]]:
    """Yield each package of a lock file with its lines: the requirement, and its hashes below."""
    name, lines = "", ""
    for line in locked.splitlines(keepends=True):
        if (found := _BEGINS.match(line)) is not None:
            if name:
                yield name, lines
            name, lines = canonicalize_name(found[1]), ""
        if not line.lstrip().startswith("#"):
            lines += line
    if name:
        yield name, lines


def _pack(path: Path, folder: str, files: dict[str, bytes]) -> None:
    """Write an archive that depends only on its files, except for the time in its gzip header."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mode = len(content), 0o644
            archive.addfile(entry, io.BytesIO(content))
