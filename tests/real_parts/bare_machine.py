"""A machine as bare as one can have it beside others: its own folders, user, ports and programs, and nothing installed.

Guides are followed on it word for word, except for names that the guide itself lists as the reader's own.
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.real_parts.programs import program
from tests.real_parts.proxies import free_port
from tests.real_parts.shell import Shell

FOLDERS = (
    "/root/release",
    "/opt/skyshelf",
    "/opt/supervisor",
    "/etc/skyshelf",
    "/etc/supervisor",
    "/etc/nginx",
    "/etc/prometheus",
    "/etc/grafana",
    "/etc/systemd/system",
    "/var/lib/skyshelf",
    "/var/lib/prometheus",
    "/var/backups/skyshelf",
    "/var/log/skyshelf",
    "/run/skyshelf",
)
PORTS = ("8600", "443", "80", "9090")
HOST, USER = "drive.example.org", "skyshelf"
PROVIDER, CLIENT, SECRET = "login.example.org", "the-client-id", "the-client-secret"
NEEDED = ("nginx", "prometheus", "promtool", "curl", "openssl", "systemd-analyze", "python3-venv")
"""Programs of the machine itself."""
# Where a command or a file names a user.
_NAMED = re.compile(rf"((?:-[ugo]|nologin|chgrp) |(?:user|User|Group) ?= ?){USER}\b")


class BareMachine:
    """What a guide calls by its usual name, and what it is here."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user = f"zero-{secrets.token_hex(4)}"
        self.ports = {port: str(free_port()) for port in PORTS}
        self.given: dict[str, str] = {}
        """Further names, and what they are here."""
        self.shell = Shell(self._environment(), root)

    def here(self, text: str) -> str:
        """Return the text with the names of this machine."""
        for name, own in self.given.items():
            text = text.replace(name, own)
        text = text.replace(f"https://{HOST}", f"https://localhost:{self.ports['443']}").replace(HOST, "localhost")
        text = _NAMED.sub(rf"\g<1>{self.user}", text)
        for port, own in self.ports.items():
            text = re.sub(rf"(?<![\w.-]){port}(?![\w.-])", own, text)
        pattern = "|".join(map(re.escape, sorted(FOLDERS, key=len, reverse=True)))
        return re.sub(rf"(?<![\w-])({pattern})", rf"{self.root}\1", text)

    def path(self, name: str) -> Path:
        return Path(f"{self.root}{name}")

    def _environment(self) -> dict[str, str]:
        """Return the environment of a fresh shell; packages come from the folder of wheels alone."""
        places = [str(self.root / "bin"), str(interpreter().parent), "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        return {
            "PATH": ":".join(places),
            "HOME": str(self.root / "home"),
            "LC_ALL": "C.UTF-8",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.root / "wheels"),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_COMPILE": "1",
            # The usual place, which belongs to the system of this machine.
            "SKYSHELF_SERVE_CONFIG": f"{self.root}/etc/skyshelf/server.toml",
        }

    def install_packages_of_the_system(self) -> None:
        """What nginx and Prometheus of the distribution bring, with the names of this machine."""
        nginx = self.path("/etc/nginx")
        shutil.copytree("/etc/nginx", nginx, symlinks=False, ignore_dangling_symlinks=True)
        for folder in ("/run", "/var/log/nginx", "/var/lib", "/var/backups", "/var/log", "/opt", "/home", "/bin"):
            self.path(folder).mkdir(parents=True, exist_ok=True)
        main = nginx / "nginx.conf"
        text = main.read_text()
        for place in ("/etc/nginx", "/var/log/nginx", "/run/nginx.pid"):
            text = text.replace(place, f"{self.root}{place}")
        main.write_text(text)
        (nginx / "conf.d").mkdir(exist_ok=True)
        self._program("nginx", f'exec {program("nginx")} -c {main} "$@"')
        self.path("/etc/prometheus").mkdir(parents=True)
        data = self.path("/var/lib/prometheus")
        data.mkdir(parents=True)
        account = pwd.getpwnam("prometheus")
        os.chown(data, account.pw_uid, account.pw_gid)
        self.path("/etc/systemd/system").mkdir(parents=True)

    def _program(self, name: str, line: str) -> None:
        file = self.root / "bin" / name
        file.write_text(f"#!/bin/sh\n{line}\n")
        file.chmod(0o755)

    def close(self) -> None:
        """End everything that was started here, the supervisor first: it ends what it has started."""
        self.shell.close()
        supervisors = self._supervisors()
        started = [one for pid in supervisors for one in _family(pid)]
        for pid in supervisors:
            os.kill(pid, signal.SIGTERM)
        _wait_for(lambda: not any(map(_runs, supervisors)))
        for pid in {*filter(_runs, started), *_processes_of(str(self.root))}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _wait_for(lambda: not _processes_of(str(self.root)) and not any(map(_runs, started)))
        subprocess.run(["userdel", "--force", self.user], check=False, capture_output=True)
        shutil.rmtree(self.root)

    def _supervisors(self) -> list[int]:
        file = self.path("/run/skyshelf/supervisord.pid")
        pid = int(file.read_text()) if file.exists() else 0
        return [pid] if pid and _runs(pid) else []


def interpreter() -> Path:
    """A Python of the system, of the version that the tests run with, which every user can start."""
    for place in ("/usr/bin/python3", "/usr/local/bin/python3", sys.executable):
        real = Path(place).resolve()
        readable = all(folder.stat().st_mode & 0o005 == 0o005 for folder in real.parents)
        question = "import sys, venv, ensurepip; print(*sys.version_info[:2])"
        if readable and Path(place).exists():
            said = subprocess.run([place, "-c", question], capture_output=True, text=True, check=False)
            if said.stdout.split() == [str(part) for part in sys.version_info[:2]]:
                return Path(place)
    raise AssertionError("no Python of this version that other users can start: install python3-venv")


def _processes_of(root: str) -> list[int]:
    """List the processes whose command line names the folder of the machine."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # one that has just ended
            if root.encode() in (place / "cmdline").read_bytes() and int(place.name) != os.getpid():
                found.append(int(place.name))
    return found


def _family(pid: int) -> list[int]:
    """The process and all below it."""
    with suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *(one for child in children for one in _family(int(child)))]
    return [pid]


def _runs(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _wait_for(is_done: Callable[[], bool], seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < until, "a process of the machine does not end"
        time.sleep(0.05)


@contextmanager
def bare_machine() -> Iterator[BareMachine]:
    """One that is gone afterwards; the folder can be reached by every user."""
    # Not in memory: it becomes large.
    root = Path(tempfile.mkdtemp(prefix="zero-", dir="/var/tmp"))
    root.chmod(0o755)
    machine = BareMachine(root)
    try:
        machine.install_packages_of_the_system()
        yield machine
    finally:
        machine.close()
