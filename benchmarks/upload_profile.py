"""Where the processor time of an upload goes: the threads of the server, and what the digests and the disk need alone.

What all of it takes together, on the cores of this machine, is how many uploads there can be at most.
"""

import hashlib
import os
import resource
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks import server_load as load
from benchmarks import server_ours as ours
from benchmarks.server_measures import UPLOADS_AT_ONCE, Effort
from benchmarks.server_process import ServerProcess
from benchmarks.server_subjects import SMALL_FILE_BYTES, Ask, Subject
from benchmarks.tables import print_note, print_table, short

GIB = 1 << 30
ALONE = 200
MAIN, TAKING, COMMITTING, REST = "event loop", "threads that take the files", "thread that commits", "other threads"
_ROLES = {"upload": TAKING, "writer": COMMITTING}
# Names of uploads are new in every table.
_FIRST, _FIRST_LARGE = 1_000_000, 900


def show(server: Subject, effort: Effort, folder: Path) -> None:
    """Two tables: small files, and the large one."""
    subject = ours.again(server, [])
    subject.process.start()
    try:
        _show_small(subject, effort, folder)
        _show_large(subject, effort)
    finally:
        subject.process.stop()


def _show_small(subject: Subject, effort: Effort, folder: Path) -> None:
    load.each_once(subject, _asks(subject, _FIRST, effort.uploads), at_once=UPLOADS_AT_ONCE)
    asks = _asks(subject, _FIRST + effort.uploads, effort.uploads)
    before, own = by_role(subject.process), time.process_time()
    per_second = load.each_once(subject, asks, at_once=UPLOADS_AT_ONCE)
    own = time.process_time() - own
    used = Counter(by_role(subject.process))
    used.subtract(before)
    each = {role: 1e6 * seconds / effort.uploads for role, seconds in used.items()}
    data = os.urandom(SMALL_FILE_BYTES)
    folder.mkdir(exist_ok=True)
    by_itself = {
        "MD5 alone": alone(lambda _: hashlib.md5(data, usedforsecurity=False).digest()),
        "SHA-256 alone": alone(lambda _: hashlib.sha256(data).digest()),
        "a file, written, synced and renamed, and its folder synced, alone": alone(lambda n: keep(folder, n, data)),
    }
    total = sum(each.values()) + 1e6 * own / effort.uploads
    rows = [
        [MAIN, short(each[MAIN])],
        [TAKING, short(each[TAKING])],
        *([f"– of these, {name}", short(used)] for name, used in by_itself.items()),
        [COMMITTING, short(each[COMMITTING])],
        [REST, short(each[REST])],
        ["the program that sends them", short(1e6 * own / effort.uploads)],
        ["together", short(total)],
    ]
    print_table("processor time of an upload of 100 KB, µs", ["", "µs"], rows, name="small uploads")
    cores = os.cpu_count() or 1
    print_note(
        f"On {cores} cores that is at most {1e6 * cores / total:,.0f} a second; in this part of the run it was "
        f"{per_second:,.0f}."
    )


def _show_large(subject: Subject, effort: Effort) -> None:
    before, began = by_role(subject.process), time.perf_counter()
    sending = _of_children()
    load.upload(subject, _FIRST_LARGE)
    elapsed, sending = time.perf_counter() - began, _of_children() - sending
    server = sum(by_role(subject.process).values()) - sum(before.values())
    size, cores = effort.large_bytes / GIB, os.cpu_count() or 1
    data = os.urandom(64 << 20)
    digests = [
        seconds(lambda: hashlib.md5(data, usedforsecurity=False).digest()) * GIB / len(data),
        seconds(lambda: hashlib.sha256(data).digest()) * GIB / len(data),
    ]
    rows = [
        ["MD5 alone", short(digests[0])],
        ["SHA-256 alone", short(digests[1])],
        ["the rest of the server: from the socket, to the file", short(server / size - sum(digests))],
        ["curl, which sends it", short(sending / size)],
        ["together", short((server + sending) / size)],
        [f"time that passed, on {cores} cores", short(cores * elapsed / size)],
    ]
    print_table("processor time of a large upload, seconds per GiB", ["", "s"], rows, name="large upload")
    least = (server + sending) / size / cores
    print_note(
        f"On {cores} cores that is at least {least:.2f} s for a GiB, {digests[0] / least:.2f} of MD5's own speed,"
        f" if no core ever waits; in this part of the run it was {digests[0] * size / elapsed:.2f}."
    )


def _asks(subject: Subject, first: int, count: int) -> list[Ask]:
    assert subject.put_small is not None
    asks = [subject.put_small(first + one, os.urandom(SMALL_FILE_BYTES)) for one in range(count)]
    os.sync()
    return asks


def by_role(process: ServerProcess) -> dict[str, float]:
    """The processor seconds of the server's threads, by what they do."""
    found = dict.fromkeys((MAIN, TAKING, COMMITTING, REST), 0.0)
    for pid in process.family():
        for task in Path(f"/proc/{pid}/task").iterdir():
            name, nanoseconds = (task / "comm").read_text(), int((task / "schedstat").read_text().split()[0])
            role = MAIN if task.name == str(pid) else _ROLES.get(name[:6], REST)
            found[role] += nanoseconds / 1e9
    return found


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def alone(work: Callable[[int], object]) -> float:
    """Microseconds of processor time."""
    began = time.process_time()
    for number in range(ALONE):
        work(number)
    return 1e6 * (time.process_time() - began) / ALONE


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def keep(folder: Path, number: int, data: bytes) -> None:
    file = os.open(folder / "arriving", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.write(file, data)
    os.fsync(file)
    os.close(file)
    (folder / "arriving").rename(folder / str(number))
    below = os.open(folder, os.O_RDONLY)
    os.fsync(below)
    os.close(below)
