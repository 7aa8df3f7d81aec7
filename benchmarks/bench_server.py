"""`./dev bench server`: our server and others on the same files, in the same run."""

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from tests.real_parts.postgres import fresh_database, running_postgres

from benchmarks import behind_nginx, more_workers, upload_profile
from benchmarks import server_load as load
from benchmarks import server_ours as ours
from benchmarks.limits import md5_speed, synced_writes
from benchmarks.peers import peers, versions
from benchmarks.server_measures import FULL, MIB, QUICK, UPLOADS_AT_ONCE, measured
from benchmarks.server_report import Limits, show
from benchmarks.server_subjects import PAGE_OBJECTS, PICTURES, SMALL_FILE_BYTES, Files, Subject
from benchmarks.tables import print_fact, print_left_out

PICTURE = (960, 720)


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench server", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a first look: short runs and a large file of 64 MiB")
    parser.add_argument("--no-peers", action="store_true", help="our own server alone")
    parser.add_argument("--workers", type=int, default=1, help="processes of our server (default: 1)")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="bench-server-") as name:
        folder = Path(name)
        files = made_files(folder / "files", effort.large_bytes)
        with _own(files, folder, workers=options.workers) as own:
            found, missing = ([], ["peers, as asked"]) if options.no_peers else peers(files, folder)
            print_fact(
                f"load by {load.generator()}; the large file by curl, uploads of small files by threads in Python"
            )
            if found:
                print_fact(f"the others: {versions(folder)}")
            for sentence in missing:
                print_left_out(sentence)
            figures = measured([*own, *found], effort)
            offloading = ours.again(own[0], ["--offload", "x-accel-redirect"])
            behind_nginx.show(offloading, folder / "sqlite", folder, effort)
            more_workers.show(own[0], effort)
            upload_profile.show(own[0], effort, folder / "alone")
        limits = Limits(
            synced_writes(folder / "plain", files=effort.uploads, size=SMALL_FILE_BYTES, at_once=UPLOADS_AT_ONCE),
            md5_speed() / 1e6,
        )
    show(figures, effort, limits)


def made_files(folder: Path, large_bytes: int) -> Files:
    """Write the files that the servers will have."""
    for below in ("small", "pictures"):
        (folder / below).mkdir(parents=True)
    for number in range(PAGE_OBJECTS):
        (folder / "small" / f"IMG_{number:06d}.bin").write_bytes(os.urandom(SMALL_FILE_BYTES))
    for number in range(PICTURES):
        noise = Image.effect_noise((PICTURE[0] // 8, PICTURE[1] // 8), 80).resize(PICTURE).convert("RGB")
        noise.save(folder / "pictures" / f"photo {number:04d}.jpg", quality=80)
    (folder / "tiny.txt").write_text("tiny")
    with (folder / "large.bin").open("wb") as large:
        for _ in range(large_bytes // MIB):
            large.write(os.urandom(MIB))
    # Some of the others run as another user.
    subprocess.run(["chmod", "-R", "a+rX", str(folder), str(folder.parent)], check=True)
    return Files(folder, large_bytes)


@contextmanager
def _own(files: Files, folder: Path, *, workers: int) -> Iterator[list[Subject]]:
    with running_postgres() as postgres:
        yield [
            ours.on_sqlite(files, folder / "sqlite", workers=workers),
            ours.on_postgresql(files, folder / "postgresql", fresh_database(postgres, "bench"), workers=workers),
        ]


if __name__ == "__main__":
    main()
