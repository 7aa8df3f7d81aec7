"""A folder that stands for a machine with Python and nothing else: a fresh copy of the tree, and programs for its PATH.

The programs are those of the Debian packages that every installation has. `PATH=FOLDER/bin SKYSHELF_BARE=1 ./dev test`
in `FOLDER/skyshelf` is then what somebody sees who has just cloned the repository.
"""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

_TREE: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("/usr/bin", "/usr/sbin", "/bin", "/sbin")


def make_bare_machine(folder: Path) -> None:
    """Fill an empty folder with `bin` and `skyshelf`."""
    programs = folder / "bin"
    programs.mkdir(parents=True)
    for program in _base_programs():
        link = programs / program.name
        if not link.exists():
            link.symlink_to(program)
    # A Python of pyenv, of a container image or of the system, whichever the tests run with: that of a virtual
    # environment would take its packages along.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (programs / "python3").unlink(missing_ok=True)
    (programs / "python3").symlink_to(Path(sysconfig.get_config_var("BINDIR")) / version)
    names = _said("git", "-C", str(_TREE), "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in names:
        if (_TREE / name).is_file():
            copy = folder / "skyshelf" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(_TREE / name, copy)


def _base_programs() -> list[Path]:
    """Return the programs of the packages without which no Debian is complete."""
    packages = _said("dpkg-query", "--show", "--showformat", "${Package} ${Essential} ${Priority}\\n").splitlines()
    names = [name for name, *rest in map(str.split, packages) if "yes" in rest or "required" in rest]
    files = map(Path, _said("dpkg-query", "--listfiles", *names).splitlines())
    owned = {file.name for file in files if str(file.parent) in _FOLDERS}
    # What update-alternatives links is in no package: awk is one.
    linked = {file.name for file in Path("/etc/alternatives").iterdir() if file.resolve().name in owned}
    found = (Path(place) / name for name in sorted(owned | linked) for place in _FOLDERS)
    return [file for file in found if file.is_file()]


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    make_bare_machine(Path(sys.argv[1]))
