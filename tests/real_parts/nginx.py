"""A real nginx with the configuration that the operating guide shows."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real_parts.programs import program

GUIDE = Path(__file__).parents[2] / "docs" / "operating.md"
START_SECONDS = 60


def documented(*, offload: bool = False) -> str:
    """The configuration in the guide, as it is printed there: the first one, or that in which nginx sends the files."""
    found = re.findall(r"```nginx\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(found) == 2, "the guide has two configurations for nginx"
    return str(found[1 if offload else 0])


@contextmanager
def running_nginx(folder: Path, backend: int, *, blobs: Path | None = None) -> Iterator[int]:
    """Its port, in front of a server on that one. What differs from the guide is where it listens, and TLS.

    With a folder of blobs it sends the files.
    """
    shown = (
        documented(offload=blobs is not None)
        .replace("/srv/skyshelf/blobs/blobs/", f"{blobs}/")
        .replace("listen 443 ssl http2;", "listen 127.0.0.1:PORT;")
        .replace("127.0.0.1:8600", f"127.0.0.1:{backend}")
    )
    shown = re.sub(r"^\s*ssl_certificate.*\n", "", shown, flags=re.MULTILINE)
    assert str(backend) in shown
    with nginx_with(folder, shown) as port:
        yield port


@contextmanager
def nginx_with(folder: Path, shown: str) -> Iterator[int]:
    """The port, which stands as PORT in the configuration of the server."""
    nginx = program("nginx")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    assert "127.0.0.1:PORT;" in shown
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{shown.replace('127.0.0.1:PORT', f'127.0.0.1:{port}')}}}\n"
    )
    with (folder / "error.log").open("ab") as log:
        process = subprocess.Popen([nginx, "-c", configuration, "-p", folder], stderr=log)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < deadline, (folder / "error.log").read_text()
            time.sleep(0.02)
        yield port
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
