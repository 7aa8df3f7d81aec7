"""Installs a built package in a fresh environment per Python and uses it: a server, an upload, a download, a backup.

Run `python -m tools.try_packages dist/skyshelf-0.1.0-py3-none-any.whl python3.11 python3.14` after a release. It needs
nothing but the standard library, so it also runs where only the package is.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

EXTRAS: Final = "server,tracing,mcp,sync,proof,fsspec,mount"
EMAIL: Final = "ada@example.org"
PASSWORD: Final = "correct horse battery staple"  # noqa: S105 - of an account that lives for a minute
START_SECONDS: Final = 120.0


def main(arguments: list[str] | None = None) -> int:
    """Try the package with each Python, and print which of them worked."""
    parser = argparse.ArgumentParser(prog="python -m tools.try_packages", description=__doc__)
    parser.add_argument("package", type=Path, help="a wheel or an sdist")
    parser.add_argument("pythons", nargs="*", default=[sys.executable], help="interpreters; by default this one")
    given = parser.parse_args(arguments)
    failed = 0
    for python in given.pythons:
        version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        with tempfile.TemporaryDirectory() as folder:
            try:
                _try(given.package.resolve(), python, Path(folder))
            except subprocess.CalledProcessError as problem:
                failed += 1
                sys.stdout.write(f"{version}: {problem}\n{problem.stdout}{problem.stderr}\n")
            else:
                sys.stdout.write(f"{version}: {given.package.name} works\n")
    return 1 if failed else 0


def _try(package: Path, python: str, folder: Path) -> None:
    _run(folder, python, "-m", "venv", "venv")
    _run(folder, "venv/bin/python", "-m", "pip", "install", "--quiet", f"{package}[{EXTRAS}]")
    skyshelf = str(folder / "venv/bin/skyshelf")
    account = ("--first-name", "Ada", "--last-name", "Byron", "--password-stdin", "--data", "data")
    _run(folder, skyshelf, "version")
    _run(folder, skyshelf, "admin", "init", "--data", "data")
    _run(folder, skyshelf, "admin", "user", "add", EMAIL, *account, given=PASSWORD)
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            [skyshelf, "serve", "--data", "data", "--port", "0"], cwd=folder, stdout=output, stderr=output
        )
    try:
        (folder / "note.txt").write_text("a note")
        _run(folder, skyshelf, "login", "--server", _url(log), EMAIL, "--password-stdin", given=PASSWORD)
        _run(folder, skyshelf, "put", "note.txt", "/")
        _run(folder, skyshelf, "get", "/note.txt", "copy.txt")
        _run(folder, "cmp", "note.txt", "copy.txt")
        _run(folder, skyshelf, "agent", "mcp", "--help")
    finally:
        server.terminate()
        server.wait(START_SECONDS)
    _run(folder, skyshelf, "admin", "backup", "backup", "--data", "data")
    _run(folder, skyshelf, "admin", "restore", "backup", "--data", "restored")
    _run(folder, skyshelf, "admin", "doctor", "--data", "restored")


def _url(log: Path) -> str:
    """Wait until the server says where it listens."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if found := re.search(r"listening on +(\S+)", log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise subprocess.CalledProcessError(1, "skyshelf serve", log.read_text(), "")


def _run(folder: Path, *command: str, given: str = "") -> None:
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config")}
    subprocess.run(command, cwd=folder, input=given, env=environment, capture_output=True, text=True, check=True)


if __name__ == "__main__":
    sys.exit(main())
