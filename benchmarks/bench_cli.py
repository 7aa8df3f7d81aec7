"""`./dev bench cli`: start-up time of the command line, and a backup when nothing changed."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import _installed
from benchmarks.tables import print_left_out, print_note, print_table, short
from skyshelf.testing.faults import FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestServer, TestSession

SKYSHELF = str(Path(sys.executable).parent / "skyshelf")
FILES_EACH = 500


@dataclass(frozen=True)
class Cost:
    """What a command took: on the clock, on the processor, and in memory at most."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench cli", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="2,000 files, and 5 starts of each program")
    parser.add_argument("--files", type=int, help="files of the account that is backed up (default: 100,000)")
    parser.add_argument("--no-peers", action="store_true", help="our own commands alone")
    options = parser.parse_args()
    files = options.files or (2_000 if options.quick else 100_000)
    with tempfile.TemporaryDirectory(prefix="bench-cli-") as name:
        show_starts(Path(name), rounds=5 if options.quick else 30, peers=not options.no_peers)
        show_backups(Path(name), files)


def show_starts(folder: Path, *, rounds: int, peers: bool) -> None:
    """How long programs take to say something that needs no network."""
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "skyshelf --help": [SKYSHELF, "--help"],
        "skyshelf version": [SKYSHELF, "version"],
        "skyshelf ls --help": [SKYSHELF, "ls", "--help"],
    }
    if peers:
        commands |= _peer_commands(folder)
    # In turns, so that whatever else the machine does meets all of them alike.
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, command in commands.items():
            cost = run(command)
            if number:
                costs[name].append(cost)
    rows = [
        [
            name,
            short(statistics.median(one.seconds for one in found) * 1000),
            short(statistics.median(one.cpu_seconds for one in found) * 1000),
        ]
        for name, found in costs.items()
    ]
    print_table(f"Starting, median of {rounds}", ["program", "ms", "ms of processor"], rows, name="starts")


def _peer_commands(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    binaries = None if shutil.which("rclone") else _installed(folder / "peers")
    rclone = shutil.which("rclone") or (str(binaries / "rclone") if binaries else None)
    if rclone:
        found["rclone version"] = [rclone, "version"]
    else:
        print_left_out("rclone was not found, and could not be installed")
    if gh := shutil.which("gh"):
        found["gh --version"] = [gh, "--version"]
    else:
        print_left_out("gh was not found")
    return found


def show_backups(folder: Path, files: int) -> None:
    """A first backup of an account, and two more of the same: the last one with its requests counted."""
    with TestServer(folder / "data") as server:
        account = server.add_account("bench@example.org")
        folders = max(1, files // FILES_EACH)
        for below in account.add_folders(f"folder {number:04d}" for number in range(folders)):
            account.add_files(((f"note {one:04d}.txt", b"a note") for one in range(FILES_EACH)), below)
        environment = _environment(account.session, folder)
        command = [SKYSHELF, "backup", str(folder / "copy"), "--quiet"]
        first = run(command, environment)
        again = run(command, environment)
        with FaultProxy(server.url, FaultPlan()) as proxy:
            run(command, {**environment, "SKYSHELF_SERVER": proxy.url})
            requests = proxy.requests
    count = folders * FILES_EACH
    print_table(
        f"Backup of {count:,} files of 6 bytes in {folders:,} folders",
        ["run", "s", "s of processor", "peak MB", "files/s"],
        [
            [
                name,
                short(cost.seconds),
                short(cost.cpu_seconds),
                short(cost.peak_bytes / 1e6),
                short(count / cost.seconds),
            ]
            for name, cost in (("first", first), ("nothing changed", again))
        ],
        name="backup",
    )
    print_note(f"A run where nothing changed makes {requests:,} requests: {requests / (folders + 1):.1f} a folder.")


def _environment(session: TestSession, folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
    names = {f"SKYSHELF_{name.upper()}": value for name, value in session.settings().items()}
    return kept | names | {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_CACHE_HOME": str(folder / "cache")}


def run(command: list[str], environment: dict[str, str] | None = None) -> Cost:
    """Run a command to its end."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
