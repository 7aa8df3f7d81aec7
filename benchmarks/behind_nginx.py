"""Our server behind nginx, as the operating guide sets it up: nginx passes the bytes on, or sends the files itself."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.real_parts.nginx import documented

from benchmarks.peers import NGINX_FOLDERS
from benchmarks.server_measures import Effort, Measure, in_turn, large_download, small_downloads
from benchmarks.server_process import ServerProcess, free_port
from benchmarks.server_subjects import Subject
from benchmarks.tables import print_left_out, print_table, short

WAYS = {False: "through nginx", True: "sent by nginx (--offload x-accel-redirect)"}


def show(ours: Subject, data: Path, folder: Path, effort: Effort) -> None:
    """One table: our server alone, and both ways behind nginx, in turn."""
    program = shutil.which("nginx", path=NGINX_FOLDERS)
    if program is None:
        print_left_out("our server behind nginx: nginx was not found")
        return

    def processor(subject: Subject, effort: Effort, number: int) -> float:
        """Return the processor time of our server alone, in microseconds per download."""
        before = ours.process.cpu_seconds()
        rate = small_downloads(subject, effort, number)
        return (ours.process.cpu_seconds() - before) / (rate * effort.seconds) * 1e6

    measures: dict[str, Measure] = {
        "100 KB/s": small_downloads,
        "our processor, µs each": processor,
        "large MB/s": large_download,
    }
    ours.process.start()
    try:
        with _fronts(program, ours, data, folder) as fronts:
            alone = replace(ours, name="without nginx")
            found = {name: in_turn([alone, *fronts], name, measure, effort) for name, measure in measures.items()}
    finally:
        ours.process.stop()
    rows = []
    for subject in [alone, *fronts]:
        figures = [found[name].get(subject.name, float("nan")) for name in measures]
        passed = found["100 KB/s"].get(WAYS[False], float("nan"))
        rows.append([subject.name, *map(short, figures), f"{short(figures[0] / passed)} ×"])
    heads = [name.replace("large", effort.large) for name in measures]
    title = "downloads of our server on SQLite with one worker process, behind nginx with two"
    print_table(title, ["", *heads, "100 KB, of those through nginx"], rows, name="behind nginx")


@contextmanager
def _fronts(program: str, ours: Subject, data: Path, folder: Path) -> Iterator[list[Subject]]:
    fronts = []
    try:
        for is_offloaded, name in WAYS.items():
            own = folder / f"front-{is_offloaded}"
            own.mkdir()
            port = free_port()
            config = _configuration(own, port, ours.process.port, data / "blobs" / "blobs", offload=is_offloaded)
            process = ServerProcess([program, "-c", str(config), "-p", str(own)], port, ready="/healthz")
            process.start()
            fronts.append(replace(ours, name=name, process=process))
        yield fronts
    finally:
        for front in fronts:
            front.process.stop()


def _configuration(own: Path, port: int, backend: int, blobs: Path, *, offload: bool) -> Path:
    """The guide's, without TLS and without the limit of connections, which one load generator would reach."""
    shown = documented(offload=offload).replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    shown = shown.replace("127.0.0.1:8600", f"127.0.0.1:{backend}").replace("/srv/skyshelf/blobs/blobs/", f"{blobs}/")
    lines = [line for line in shown.splitlines() if "ssl_certificate" not in line and "limit_conn" not in line]
    temporary = [f"{one}_temp_path {own}/{one};" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    user = "user root;" if os.geteuid() == 0 else ""
    head = f"daemon off; worker_processes 2; pid {own}/pid; error_log {own}/error.log; {user}"
    events = "events { worker_connections 1024; }"
    inner = ["access_log off; keepalive_requests 100000000;", *temporary, *lines]
    config = own / "nginx.conf"
    config.write_text("\n".join([head, events, "http {", *inner, "}"]))
    return config
