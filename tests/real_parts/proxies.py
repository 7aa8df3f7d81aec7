"""Real reverse proxies with the configurations in packaging/proxies.

What differs from them is where they listen, and the certificate.
"""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.real_parts.programs import program

EXAMPLES = Path(__file__).parents[2] / "packaging" / "proxies"
START_SECONDS = 60


def example(name: str, changes: Mapping[str, str]) -> str:
    """An example as it is in the repository, with these replacements, each of which must find something."""
    text = (EXAMPLES / name).read_text()
    for old, new in changes.items():
        assert old in text, f"{name} has no {old!r}"
        text = text.replace(old, new)
    return text


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_haproxy(folder: Path, text: str, port: int) -> Iterator[int]:
    configuration = folder / "haproxy.cfg"
    configuration.write_text(text)
    with _running([program("haproxy"), "-db", "-f", str(configuration)], folder, port):
        yield port


@contextmanager
def running_caddy(folder: Path, text: str, port: int) -> Iterator[int]:
    configuration = folder / "Caddyfile"
    # No certificates, no port for administration, and nothing in the home folder. There may be one block of options.
    options = "{\n\tauto_https off\n\tadmin off\n"
    has_options = "\n{\n\tservers {\n" in text
    configuration.write_text(
        text.replace("\n{\n\tservers {\n", f"\n{options}\tservers {{\n") if has_options else f"{options}}}\n{text}"
    )
    command = [program("caddy"), "run", "--config", str(configuration), "--adapter", "caddyfile"]
    with _running(command, folder, port, {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}):
        yield port


@contextmanager
def running_nginx_with(folder: Path, server: str, port: int, *, outside: str = "") -> Iterator[int]:
    """nginx with this server block, and what stands beside it."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{outside}\n{server}\n}}\n"
    )
    with _running([program("nginx"), "-c", str(configuration), "-p", str(folder)], folder, port):
        yield port


@contextmanager
def _running(
    command: list[str], folder: Path, port: int, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    said = folder / "said.log"
    with said.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **(environment or {})})
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None, said.read_text()
            assert time.monotonic() < deadline, said.read_text()
            time.sleep(0.02)
        yield
    finally:
        # Not politely: they would wait for their clients.
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
