"""A folder with wheels of packages that are installed here: pip installs from it without a network."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_OF_INSTALLER = {"INSTALLER", "REQUESTED", "direct_url.json", "RECORD"}


def make_wheelhouse(folder: Path, names: Iterable[str]) -> None:
    """Pack these packages again, with what they need."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _with_needs(names):
        _pack(folder, metadata.distribution(name))


def _with_needs(names: Iterable[str]) -> set[str]:
    waiting = [canonicalize_name(name) for name in names]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for one in map(Requirement, metadata.requires(name) or []):
            if one.marker is None or one.marker.evaluate({"extra": ""}):
                waiting.append(canonicalize_name(one.name))
    return found


def _pack(folder: Path, package: metadata.Distribution) -> None:
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (\S+)", package.read_text("WHEEL") or "", re.MULTILINE)]
    tag = "-".join(".".join(dict.fromkeys(parts)) for parts in zip(*tags, strict=True))
    info = next(file.parts[0] for file in package.files or [] if file.name == "METADATA")
    name = info.removesuffix(".dist-info")
    rows = []
    with zipfile.ZipFile(folder / f"{name}-{tag}.whl", "w") as wheel:
        for file in package.files or []:
            # Programs are made again from the entry points.
            if file.parts[0] in {"..", "/"} or "__pycache__" in file.parts:
                continue
            if file.parts[0] == info and file.name in _OF_INSTALLER:
                continue
            wheel.write(Path(str(file.locate())), str(file))
            rows.append((str(file), f"{file.hash.mode}={file.hash.value}" if file.hash else "", file.size or ""))
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows([*rows, (f"{info}/RECORD", "", "")])
        wheel.writestr(f"{info}/RECORD", record.getvalue())
