"""A folder of many small files, brought to servers by rclone over WebDAV, and then again when nothing is new."""

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.dav_servers import Server
from benchmarks.tables import print_left_out, print_note, print_table, short

FILES_IN_FOLDER = 100
SIZE = 4096
AT_ONCE = 8


def show(servers: Sequence[Server], folder: Path, count: int) -> None:
    rclone = folder / "venv" / "bin" / "rclone"
    if not rclone.exists():
        print_left_out("the sync, which rclone makes")
        return
    source = folder / "synced"
    for number in range(count):
        place = source / f"{number // FILES_IN_FOLDER:04}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:06}.bin").write_bytes(os.urandom(SIZE))
    rows = []
    for name in (f"sync of {count:,} new files", "the same again, nothing new"):
        cells = [_sync(rclone, source, server) for server in servers]
        rows.append([name, *(f"{short(passed)} ({short(used)})" for passed, used in cells)])
    head = ["seconds (of the server's CPU)", *(server.name for server in servers)]
    print_table(f"rclone sync by WebDAV, {AT_ONCE} files at once", head, rows, name="sync")
    print_note("One round. For each file, rclone sends MKCOL of its folder, PUT and PROPFIND; it shares the cores.")


def _sync(rclone: Path, source: Path, server: Server) -> tuple[float, float]:
    """Seconds, and those of the server's processor."""
    # The peers serve the same folder.
    target = [
        f":webdav:synced-{server.name.split()[0]}",
        "--webdav-url",
        f"http://127.0.0.1:{server.process.port}{server.prefix}",
    ]
    # Its own pause between calls is for servers far away.
    options = ["--webdav-vendor", "other", "--webdav-pacer-min-sleep", "0", "--config", "/dev/null"]
    options += ["--transfers", str(AT_ONCE), "--checkers", str(AT_ONCE), "--size-only"]
    for header, value in server.headers.items():
        options += ["--header", f"{header}: {value}"]
    began, used = time.perf_counter(), server.process.cpu_seconds()
    subprocess.run([str(rclone), "sync", str(source), *target, *options], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began, server.process.cpu_seconds() - used
