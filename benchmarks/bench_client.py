"""`./dev bench client`: our client with our server, and rclone with others, on the same files in the same run."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.client_peers import RclonePeer, rclone_peers
from benchmarks.limits import md5_speed
from benchmarks.server_process import MB
from benchmarks.tables import print_left_out, print_table, short
from skyshelf.testing.server import TestAccount, TestServer

SMALL_BYTES = 100_000
SETTLED_SECONDS = 20
MIB = 1024 * 1024
# The last is what the first request loads: the HTTP library.
IMPORTS = ("skyshelf", "skyshelf.client", "skyshelf.client.async_client", "skyshelf.client.http.faults")


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    folders: int
    per_folder: int
    small: int
    large_bytes: int
    memory_files: int
    rounds: int


FULL = Effort(folders=2000, per_folder=50, small=10_000, large_bytes=1024 * MIB, memory_files=1_000_000, rounds=3)
QUICK = Effort(folders=200, per_folder=50, small=1000, large_bytes=128 * MIB, memory_files=100_000, rounds=1)


@dataclass(frozen=True)
class Figure:
    """One measurement: the median of its rounds, and the largest memory of any; `cpu` is the client's own time."""

    seconds: float
    peak: float
    amount: int
    cpu: float | None = None


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench client", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of everything, once")
    parser.add_argument("--no-peers", action="store_true", help="our own client alone")
    parser.add_argument("--only", choices=WORKS, action="append", help="only this work; may be given several times")
    parser.add_argument("--scratch", type=Path, help="where the files go (default: the system's folder for such)")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="bench-client-", dir=options.scratch) as name:
        folder = Path(name)
        make_files(folder / "files", effort)
        with served(folder, effort) as session:
            works = options.only or list(WORKS)
            ours = {work: measured(work, folder, session, effort) for work in works}
        peers, missing = ([], []) if options.no_peers else rclone_peers(folder)
        for sentence in missing:
            print_left_out(sentence)
        theirs = {}
        for peer in peers:
            try:
                theirs[peer.name] = peer_figures(peer, folder, effort, works)
            except RuntimeError as problem:
                print_left_out(f"{peer.name}: {problem}")
    show(ours, theirs, effort)
    show_limits(ours, theirs, effort)
    show_imports()


def make_files(folder: Path, effort: Effort) -> None:
    # Those in `new` are uploaded: contents that no server has yet.
    for name in ("small", "new"):
        (folder / name).mkdir(parents=True)
        for number in range(effort.small):
            (folder / name / f"IMG_{number:06d}.bin").write_bytes(os.urandom(SMALL_BYTES))
    for number in range(effort.folders):
        below = folder / "tree" / f"folder {number:05d}"
        below.mkdir(parents=True)
        for one in range(effort.per_folder):
            (below / f"note {one:03d}.txt").write_bytes(b"a note")
    with (folder / "large.bin").open("wb") as large:
        for _ in range(effort.large_bytes // MIB):
            large.write(os.urandom(MIB))


@contextmanager
def served(folder: Path, effort: Effort) -> Iterator[dict[str, str]]:
    """Our server with the files in it; the environment of its clients."""
    with TestServer(folder / "data") as server:
        account = server.add_account("bench@example.org")
        fill(account, folder / "files", effort)
        os.sync()
        # What so many new files make the server do in the background: indexes, and the log of history.
        time.sleep(SETTLED_SECONDS)
        session = account.session.settings()
        yield os.environ | {f"SKYSHELF_{name.upper()}": value for name, value in session.items()}


def fill(account: TestAccount, files: Path, effort: Effort) -> None:
    small = account.add_folder("small")
    for start in range(0, effort.small, 500):
        names = [f"IMG_{number:06d}.bin" for number in range(start, min(start + 500, effort.small))]
        account.add_files(((name, (files / "small" / name).read_bytes()) for name in names), small)
    account.add_file("large.bin", (files / "large.bin").read_bytes())
    tree = account.add_folder("tree")
    for below in account.add_folders((f"folder {number:05d}" for number in range(effort.folders)), tree):
        account.add_files(((f"note {one:03d}.txt", b"a note") for one in range(effort.per_folder)), below)


WORKS = ("walk", "pages", "bulk", "again", "large", "upload_small", "upload_large", "memory")
ONCE = {"upload_small", "upload_large", "memory"}


def measured(work: str, folder: Path, environment: dict[str, str], effort: Effort) -> Figure:
    """`again` is a second bulk download, of what is all there already."""
    figures = []
    name = "bulk" if work == "again" else work
    command = ["benchmarks.client_work", name, str(folder)]
    if work == "memory":
        command = ["benchmarks.client_memory", str(effort.memory_files)]
    for number in range(1 if work in ONCE else effort.rounds):
        if work in {"bulk", "large"}:
            put_aside(folder / ("bulk" if work == "bulk" else "large.bin"))
        os.sync()
        print(f"{work}, round {number + 1} …", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", *command],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        figures.append(Figure(**json.loads(done.stdout.splitlines()[-1])))
    return Figure(
        statistics.median(one.seconds for one in figures),
        max(one.peak for one in figures),
        figures[0].amount,
        statistics.median(one.cpu or 0.0 for one in figures),
    )


def put_aside(used: Path) -> None:
    """Out of the way, and not removed: some file systems are slow for minutes after thousands of files have gone."""
    if used.exists():
        used.rename(used.with_name(f"{used.name} {time.monotonic_ns()}"))


def peer_figures(peer: RclonePeer, folder: Path, effort: Effort, works: list[str]) -> dict[str, Figure]:
    asked: dict[str, Callable[[Path], Figure]] = {
        "walk": lambda _: Figure(*peer.list_tree(), effort.folders * (effort.per_folder + 1)),
        "bulk": lambda target: Figure(*peer.copy("small", target / "small"), effort.small),
        "large": lambda target: Figure(*peer.copy("large.bin", target), effort.large_bytes),
    }
    if peer.takes_uploads:
        asked["upload_small"] = lambda _: Figure(*peer.upload("new"), effort.small)
        asked["upload_large"] = lambda _: Figure(*peer.upload("large.bin"), effort.large_bytes)
    found: dict[str, Figure] = {}
    with peer:
        for work in works:
            if work in asked:
                print(f"{peer.name}: {work} …", flush=True)
                put_aside(folder / "peer")
                os.sync()
                try:
                    found[work] = asked[work](folder / "peer")
                except (OSError, subprocess.SubprocessError) as problem:
                    print_left_out(f"'{work}' of {peer.name}: {problem}")
    return found


def show(ours: dict[str, Figure], theirs: dict[str, dict[str, Figure]], effort: Effort) -> None:
    words = {
        "walk": f"walk of {effort.folders:,} folders × {effort.per_folder} files, s",
        "pages": f"a folder of {effort.small:,} files listed 200 times, pages/s",
        "bulk": f"{effort.small:,} × 100 KB downloaded and verified, files/s",
        "again": "the same once more, all there already, s",
        "large": f"{effort.large_bytes // MIB:,} MiB downloaded and verified, MB/s",
        "upload_small": f"{effort.small:,} × 100 KB uploaded, files/s",
        "upload_large": f"{effort.large_bytes // MIB:,} MiB uploaded, MB/s",
        "memory": f"a folder of {effort.memory_files:,} files that are all there, files/s",
    }
    rows = []
    for work, figure in ours.items():
        others = [_said(work, found[work]) if work in found else "–" for found in theirs.values()]
        figures = [_said(work, figure), short(figure.cpu or 0), short(figure.peak / MB)]
        rows.append(
            [
                words[work],
                *figures,
                *others,
                _of_the_best(figure, [one[work] for one in theirs.values() if work in one]),
            ]
        )
    print_table("client", ["", "Skyshelf", "CPU s", "peak MB", *theirs, "of the best"], rows, name="work")


def _of_the_best(ours: Figure, theirs: list[Figure]) -> str:
    """Our speed as a multiple of that of the fastest of the others."""
    return f"{short(min(one.seconds for one in theirs) / ours.seconds)} ×" if theirs else "–"


def _said(work: str, figure: Figure) -> str:
    if work in {"walk", "again"}:
        return short(figure.seconds)
    if work == "pages":
        return short(figure.amount / 2000 / figure.seconds)
    if work.endswith("large"):
        return short(figure.amount / figure.seconds / MB)
    return short(figure.amount / figure.seconds)


def _speed_beside(seconds: float) -> Callable[[Figure], float]:
    return lambda ours: seconds / ours.seconds


def show_limits(ours: dict[str, Figure], theirs: dict[str, dict[str, Figure]], effort: Effort) -> None:
    """MD5 is what a verified transfer cannot be faster than, on one core."""
    md5 = md5_speed()
    rows = [["MD5 alone, MB/s", "", short(md5 / MB), "the limit of one core"]]

    def add(work: str, what: str, aim: float, measured: Callable[[Figure], float], *, at_most: bool = False) -> None:
        if work in ours:
            found = measured(ours[work])
            is_reached = found <= aim if at_most else found >= aim
            bound = f"{'≤' if at_most else '≥'} {aim:,g}"
            rows.append([what, bound, short(found), "reached" if is_reached else "missed"])

    add(
        "walk",
        f"walk of {effort.folders:,} folders × {effort.per_folder} files, s",
        1.5,
        lambda one: one.seconds,
        at_most=True,
    )
    add("bulk", "small files downloaded and verified, files/s", 3000, lambda one: one.amount / one.seconds)
    add("upload_small", "small files uploaded, files/s", 1500, lambda one: one.amount / one.seconds)
    add("large", "large download, of MD5's own speed", 0.9, lambda one: one.amount / one.seconds / md5)
    # The same aims as shares of what rclone made where they were set; machines differ, and shares less so.
    for work, peer, aim in (
        ("walk", "rclone on rclone", 2.4 / 1.5),
        ("bulk", "rclone on nginx", 3000 / 7083),
        ("upload_small", "rclone on rclone", 1500 / 1071),
    ):
        if work in theirs.get(peer, {}):
            seconds = theirs[peer][work].seconds
            add(work, f"{work.replace('_', ' ')}, of the speed of {peer}", round(aim, 2), _speed_beside(seconds))
    if "bulk" in ours:
        each, limit = (ours["bulk"].cpu or 0) / effort.small * 1000, SMALL_BYTES / md5 * 1000
        rows.append(["client's processor time for each small download, ms", "", short(each), f"{limit:.2f} of it MD5"])
    print_table("limits and aims", ["", "aim", "measured", ""], rows, name="limits")


def show_imports() -> None:
    rows = []
    for module in IMPORTS:
        code = f"import time; began = time.perf_counter(); import {module}; print(time.perf_counter() - began)"
        times = [
            float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
            for _ in range(9)
        ]
        rows.append([module, short(statistics.median(times) * 1000)])
    print_table("import time", ["", "ms"], rows, name="imports")


if __name__ == "__main__":
    main()
