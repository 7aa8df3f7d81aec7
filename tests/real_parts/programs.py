"""Programs of others that tests run: where each is found, and the Debian package that has it.

`./dev test` skips the tests of a missing program and lists them at its end; with `--all` they fail. `python -m
tests.real_parts.programs` installs what is missing, as root on Debian, and lists what it could not install.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

PACKAGES: Final[Mapping[str, str]] = {
    "ansible-playbook": "ansible-core",
    "bash": "bash",
    "cadaver": "cadaver",
    "caddy": "caddy",
    "chromium": "chromium-headless-shell",
    "createdb": "postgresql-client",
    "curl": "curl",
    "debootstrap": "debootstrap",
    "dpkg-deb": "dpkg",
    "fish": "fish",
    "fusermount3": "fuse3",
    "git": "git",
    "haproxy": "haproxy",
    "litmus": "litmus",
    "mount.davfs": "davfs2",
    "nextcloudcmd": "nextcloud-desktop-cmd",
    "nginx": "nginx",
    "openssl": "openssl",
    "prometheus": "prometheus",
    "promtool": "prometheus",
    "psql": "postgresql-client",
    "python3-venv": "python3-venv",
    "systemd-analyze": "systemd",
    "systemd-socket-activate": "systemd",
    "unzip": "unzip",
    "zsh": "zsh",
}
"""The Debian package of each program that a test asks for."""

CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The browsers that will do. The one without windows has the same engine, and needs a third of the processor time."""

ROOT: Final = "root"
"""Tests that become another user need it as others need a program."""

BARE: Final = "SKYSHELF_BARE"
"""Set by .ci/run where PATH stands for a machine that has the system's base alone."""

_PLACES: Final = ("/usr/sbin", "/usr/local/sbin", "/sbin")
"""An ordinary user may start what is there, and does not have these folders on PATH."""
_SYSTEM_PYTHON: Final = "/usr/bin/python3"
_NEEDS: Final = "needs "
_is_whole = False


def all_must_exist() -> None:
    """From now on a missing program fails a test instead of skipping it."""
    global _is_whole  # noqa: PLW0603 - set once per process, when the run begins
    _is_whole = True


def find(name: str) -> str | None:
    """Return the path of a program, or None. SKYSHELF_CHROMIUM names a browser that is not on PATH."""
    if name == "chromium":
        return os.environ.get("SKYSHELF_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if name == "python3-venv":
        # The guide from zero installs the server for another user, with a Python that every user can start.
        asked = [_SYSTEM_PYTHON, "-c", "import ensurepip"]
        has_it = (
            Path(_SYSTEM_PYTHON).exists() and not subprocess.run(asked, capture_output=True, check=False).returncode
        )
        return _SYSTEM_PYTHON if has_it else None
    places = () if BARE in os.environ else _PLACES
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))


def program(name: str) -> str:
    """Return the path of a program; without it the test is skipped, or fails in a whole run."""
    assert name in PACKAGES, f"{name} has no package in {__file__}"
    return find(name) or lacking(name)


def root_alone() -> None:
    """Skip the test, or fail it in a whole run, unless root runs it."""
    if os.geteuid() != 0:
        lacking(ROOT)


def lacking(name: str) -> NoReturn:
    """End a test that lacks something: skipped, or failed in a whole run."""
    import pytest  # CI installs the programs before it has pytest

    if _is_whole:
        pytest.fail(f"this test needs {name}: {how_to_get(name)}")
    pytest.skip(f"{_NEEDS}{name}")


def how_to_get(name: str) -> str:
    return "run it as root" if name == ROOT else f"apt-get install {PACKAGES[name]}"


def name_in(reason: str) -> str | None:
    """Return what a test lacked, by the reason that it was skipped with; None if it was skipped for another reason."""
    found = re.search(rf"{_NEEDS}([\w.-]+)$", reason)
    return found[1] if found else None


def install_missing() -> list[str]:
    """Install what apt-get has, if root asks; return what is still missing."""
    packages = dict.fromkeys(package for name, package in PACKAGES.items() if find(name) is None)
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        # Without new lists, apt-get uses those that it has.
        subprocess.run(["timeout", "300", "apt-get", "update", "-qq"], check=False)
        for package in packages:
            _install(package)
        if find("chromium") is None:
            _install("chromium")
    return [name for name in PACKAGES if find(name) is None]


def _install(package: str) -> None:
    command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)


def main() -> None:
    for name in install_missing():
        print(f"{name} is missing: {how_to_get(name)}", file=sys.stderr)


if __name__ == "__main__":
    main()
