"""The wire package loads nothing but itself and msgspec; whoever wants one constant does not pay for a server."""

import subprocess
import sys
from pathlib import Path

import skyshelf.wire

_REPORT = """
import importlib, sys
import msgspec, msgspec.json, msgspec.structs
before = set(sys.modules)
for name in {names!r}:
    importlib.import_module(name)
print("\\n".join(sorted(set(sys.modules) - before)))
"""


def _wire_modules() -> list[str]:
    (folder,) = map(Path, skyshelf.wire.__path__)
    relative = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    return sorted({".".join(("skyshelf", "wire", *path.parts)).removesuffix(".__init__") for path in relative})


def _loaded_by(names: list[str]) -> set[str]:
    script = _REPORT.format(names=names)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_all_of_the_wire_package_imports_alone() -> None:
    names = _wire_modules()
    assert "skyshelf.wire.endpoints.boards" in names
    loaded = _loaded_by(names)
    assert loaded >= set(names)
    ours = {name for name in loaded if name.split(".")[0] == "skyshelf"}
    assert {name for name in ours if not name.startswith("skyshelf.wire")} == {"skyshelf"}
    foreign = {name.split(".")[0] for name in loaded - ours} - sys.stdlib_module_names
    assert foreign == set()


def test_the_package_itself_loads_no_models() -> None:
    assert {name for name in _loaded_by(["skyshelf.wire"]) if name.startswith("skyshelf")} == {
        "skyshelf",
        "skyshelf.wire",
    }
