"""Builds the Debian package: the server in its own environment, its units, and its configuration.

`python -m tools.debian_package dist/skyshelf-0.2.0-py3-none-any.whl` builds one from a wheel; `./dev release` does the
same. docs/decisions/0025 says why it looks like this. The same wheel, requirements and date give the same bytes.
"""

import argparse
import datetime
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.release_files import PYTHONS, server_requirements

ROOT: Final = Path(__file__).parents[1]
PLATFORMS: Final = {"amd64": "x86_64-manylinux_2_34", "arm64": "aarch64-manylinux_2_34"}
"""What pip calls the architectures, with the C library of the oldest system: Debian 12 has 2.36."""
_HOME: Final = "usr/lib/skyshelf"
_COMMAND: Final = "/usr/bin/skyshelf"
_COMMAND_OF_UNITS: Final = "/opt/skyshelf/bin/skyshelf"
_SCRIPTS: Final = ("postinst", "prerm", "postrm")
_COMPLETIONS: Final = {
    "bash": "usr/share/bash-completion/completions/skyshelf",
    "zsh": "usr/share/zsh/vendor-completions/_skyshelf",
    "fish": "usr/share/fish/vendor_completions.d/skyshelf.fish",
}
# Where and when a package was installed from.
_OF_INSTALLER: Final = ("direct_url.json", "uv_cache.json", "INSTALLER", "REQUESTED", ".lock")
_ENTRY: Final = """\
#!/{home}/bin/python3 -I
import sys

from skyshelf.cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
"""


def main(arguments: list[str] | None = None) -> int:
    """Build a package next to the wheel, and print its path."""
    parser = argparse.ArgumentParser(prog="python -m tools.debian_package", description=__doc__)
    parser.add_argument("wheel", type=Path, help="the wheel of a release")
    parser.add_argument(
        "--python", action="append", choices=PYTHONS, help="a version that it shall run with; by default all"
    )
    parser.add_argument("--architecture", choices=tuple(PLATFORMS), default=own_architecture())
    given = parser.parse_args(arguments)
    if shutil.which("dpkg-deb") is None:
        sys.stderr.write("dpkg-deb is missing, which builds packages: install it (Debian's package dpkg)\n")
        return 1
    print(make_debian_package(ROOT, given.wheel, given.python or PYTHONS, given.architecture))
    return 0


def own_architecture() -> str:
    """Return Debian's name of this machine's architecture."""
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, "amd64")


def make_debian_package(root: Path, wheel: Path, pythons: Sequence[str], architecture: str) -> Path:
    """Build the package next to the wheel, from the wheel, the locked requirements and packaging/."""
    version = wheel.name.split("-")[1]
    moment = _moment(root, version)
    made = wheel.with_name(f"skyshelf_{version}_{architecture}.deb")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        for python in pythons:
            _install(root, wheel, tree / _HOME / f"lib/python{python}/site-packages", python, architecture)
        _share_equal_files(tree / _HOME / "lib")
        _write_environment(tree)
        _write_system_files(root, tree)
        _write_documentation(root, tree, version, moment)
        _write_control(root, tree, version, pythons, architecture)
        _settle(tree, moment)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment)}
        # Every system that it is for can unpack this, and it takes seconds instead of minutes.
        command = ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "--build", str(tree), str(made)]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return made


def _install(root: Path, wheel: Path, target: Path, python: str, architecture: str) -> None:
    """Install the wheel and its locked requirements as one version of Python needs them: nothing is compiled or run."""
    uv = [sys.executable, "-m", "uv", "--quiet", "pip", "install", "--python", sys.executable, "--target", str(target)]
    uv += ["--python-version", python, "--python-platform", PLATFORMS[architecture], "--only-binary", ":all:"]
    uv += ["--link-mode", "copy", "--no-deps"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as requirements:
        requirements.write(server_requirements(root))
        requirements.flush()
        subprocess.run([*uv, "--require-hashes", "--requirement", requirements.name], check=True)
    subprocess.run([*uv, str(wheel)], check=True)
    shutil.rmtree(target / "bin", ignore_errors=True)
    for name in _OF_INSTALLER:
        for file in target.rglob(name):
            file.unlink()
    for record in target.glob("*.dist-info/RECORD"):
        lines = [
            line
            for line in record.read_text(encoding="utf-8").splitlines(keepends=True)
            if not line.startswith("../") and Path(line.partition(",")[0]).name not in _OF_INSTALLER
        ]
        record.write_text("".join(sorted(lines)), encoding="utf-8")


def _share_equal_files(folder: Path) -> None:
    """Make one file of those that are equal for several versions of Python: most of them are."""
    known: dict[tuple[str, bytes], Path] = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            first = known.setdefault((file.name, hashlib.sha256(file.read_bytes()).digest()), file)
            if first is not file:
                file.unlink()
                file.hardlink_to(first)


def _write_environment(tree: Path) -> None:
    """Write a virtual environment that takes the packages of whatever version the system's Python has."""
    home = tree / _HOME
    (home / "bin").mkdir()
    (home / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    (home / "bin/python3").symlink_to("/usr/bin/python3")
    (home / "bin/python").symlink_to("python3")
    command = home / "bin/skyshelf"
    command.write_text(_ENTRY.format(home=_HOME))
    command.chmod(0o755)
    (tree / "usr/bin").mkdir()
    (tree / _COMMAND[1:]).symlink_to("../lib/skyshelf/bin/skyshelf")


def _write_system_files(root: Path, tree: Path) -> None:
    systemd = root / "packaging/systemd"
    for unit in sorted(systemd.iterdir()):
        if unit.suffix in {".service", ".timer", ".socket"}:
            text = re.sub(r"\A# The server, installed in .*\n", "", unit.read_text(encoding="utf-8"))
            _write(tree / "usr/lib/systemd/system" / unit.name, text.replace(_COMMAND_OF_UNITS, _COMMAND))
    for kind in ("sysusers", "tmpfiles"):
        text = (systemd / f"{kind}.conf").read_text(encoding="utf-8")
        _write(tree / f"usr/lib/{kind}.d/skyshelf.conf", text)
    _write(tree / "etc/skyshelf/server.toml", (systemd / "server.toml").read_text(encoding="utf-8"))
    (tree / "etc/skyshelf/server.toml").chmod(0o640)
    for shell, name in _COMPLETIONS.items():
        command = [str(Path(sys.executable).with_name("skyshelf")), "completion", shell]
        said = subprocess.run(command, check=True, capture_output=True, text=True)
        _write(tree / name, said.stdout)


def _write_documentation(root: Path, tree: Path, version: str, moment: int) -> None:
    debian, folder = root / "packaging/debian", tree / "usr/share/doc/skyshelf"
    _write(folder / "copyright", (debian / "copyright").read_text(encoding="utf-8"))
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
    changes = f"skyshelf ({version}) stable; urgency=medium\n\n  * CHANGES.md has the notes of all releases.\n\n"
    _write_packed(folder / "changelog.gz", f"{changes} -- {_maintainer(root)}  {date}\n")
    _write_packed(folder / "CHANGES.md.gz", (root / "CHANGELOG.md").read_text(encoding="utf-8"))
    for examples in ("proxies", "monitoring"):
        shutil.copytree(root / "packaging" / examples, folder / "examples" / examples)
    manual = (debian / "skyshelf.1").read_text(encoding="utf-8").replace("@VERSION@", version)
    _write_packed(tree / "usr/share/man/man1/skyshelf.1.gz", manual)
    overrides = (debian / "lintian-overrides").read_text(encoding="utf-8")
    _write(tree / "usr/share/lintian/overrides/skyshelf", overrides)


def _write_control(root: Path, tree: Path, version: str, pythons: Sequence[str], architecture: str) -> None:
    debian, control = root / "packaging/debian", tree / "DEBIAN"
    files = [file for file in sorted(tree.rglob("*")) if file.is_file() and not file.is_symlink()]
    sums = [(hashlib.md5(one.read_bytes(), usedforsecurity=False).hexdigest(), one.relative_to(tree)) for one in files]
    sizes = {file.stat().st_ino: file.stat().st_size for file in files}
    known = sorted(tuple(map(int, python.split("."))) for python in pythons)
    values = {
        "VERSION": version,
        "ARCHITECTURE": architecture,
        "MAINTAINER": _maintainer(root),
        "SIZE": str(sum(-(-size // 1024) for size in sizes.values())),
        "FIRST_PYTHON": ".".join(map(str, known[0])),
        "AFTER_PYTHON": f"{known[-1][0]}.{known[-1][1] + 1}",
    }
    text = (debian / "control").read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    _write(control / "control", text)
    _write(control / "conffiles", "/etc/skyshelf/server.toml\n")
    _write(control / "triggers", (debian / "triggers").read_text(encoding="utf-8"))
    _write(control / "md5sums", "".join(f"{digest}  {name}\n" for digest, name in sums if name.parts[0] != "etc"))
    for name in _SCRIPTS:
        _write(control / name, (debian / name).read_text(encoding="utf-8"))
        (control / name).chmod(0o755)


def _settle(tree: Path, moment: int) -> None:
    """Give everything the modes and the time that do not depend on who builds it, or when."""
    for path in sorted(tree.rglob("*"), reverse=True):
        if not path.is_symlink():
            is_open = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if is_open else 0o640 if path.name == "server.toml" else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)
    tree.chmod(0o755)


def _moment(root: Path, version: str) -> int:
    """Return when the package was made: SOURCE_DATE_EPOCH, or the date of the release's notes."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)} \((\d+-\d+-\d+)\)$", text, re.MULTILINE)
    day = datetime.date.fromisoformat(found[1]) if found else datetime.datetime.now(datetime.UTC).date()
    return int(datetime.datetime.combine(day, datetime.time(), datetime.UTC).timestamp())


def _maintainer(root: Path) -> str:
    """Return who releases: Debian's own variables, or the identity that the commit of the release has."""
    name, email = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    return f"{name or _git(root, 'user.name')} <{email or _git(root, 'user.email')}>"


def _git(root: Path, setting: str) -> str:
    said = subprocess.run(["git", "config", setting], cwd=root, check=False, capture_output=True, text=True)
    return said.stdout.strip() or "skyshelf@localhost"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_packed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    sys.exit(main())
