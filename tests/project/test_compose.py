"""The compose file as it starts: every service's own command, in the order of the file, against real parts.

PostgreSQL is a server of the tests, and Caddy is left out. Names of hosts and folders are replaced by those of here.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from tests.cli.serving import SKYSHELF
from tests.project.test_container import compose, environment
from tests.real_parts.postgres import fresh_database, running_postgres
from tests.real_parts.programs import program
from tests.real_parts.proxies import free_port

SECRETS = {
    "DOMAIN": "drive.example.org",
    "OPERATOR_EMAIL": "ada@example.org",
    "POSTGRES_PASSWORD": "not-asked-for",
    "S3_SECRET": "0123456789abcdef",
}
PATIENCE = 120
OURS = {"init", "operator", "skyshelf", "backup"}
"""The services that run the image of the Containerfile."""


class Place:
    """One machine in place of the containers."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.socket = str(conninfo_to_dict(url)["host"])
        self.services: dict[str, Any] = compose()["services"]
        ports = iter(free_port() for _ in range(9))
        self.web, self.s3 = next(ports), next(ports)
        names = ("master", "volume", "filer")
        self.grpc = {name: (next(ports), next(ports)) for name in names}
        ours = [f"-{name}.port={port} -{name}.port.grpc={grpc}" for name, (port, grpc) in self.grpc.items()]
        ours += [f"-s3.port.grpc={next(ports)} -s3.port.iceberg=0 -s3.port.lance=0 -ip=127.0.0.1 -ip.bind=127.0.0.1"]
        ours += [f"-{name}.localSocket={folder}/{name}.sock" for name in ("filer", "s3")]
        self._replaced = (
            ("-ip=objects -ip.bind=0.0.0.0", " ".join(ours)),
            ("-s3.port=8333", f"-s3.port={self.s3}"),
            ("objects:9333", "127.0.0.1:{}.{}".format(*self.grpc["master"])),
            ("objects:8888", "127.0.0.1:{}.{}".format(*self.grpc["filer"])),
            ("objects:8333", f"127.0.0.1:{self.s3}"),
            ("localhost:8333", f"127.0.0.1:{self.s3}"),
            ("localhost:9333", f"127.0.0.1:{self.grpc['master'][0]}"),
            ("@postgres/skyshelf", f"@/skyshelf?host={self.socket}"),
            ("/var/backups/skyshelf", f"{folder}/backups"),
            ("/var/lib/skyshelf", f"{folder}/own"),
            ("/tmp/", f"{folder}/"),
        )
        for name in ("backups", "own", "data"):
            (folder / name).mkdir()
        # Ends the loop of the backup after its first round.
        (folder / "bin").mkdir()
        (folder / "bin" / "sleep").write_text("#!/bin/sh\nexit 1\n")
        (folder / "bin" / "sleep").chmod(0o755)

    def here(self, text: str) -> str:
        text = re.sub(r"\$\{(\w+):\?\}", lambda found: SECRETS[found[1]], text).replace("$$", "$")
        for there, here in self._replaced:
            text = text.replace(there, here)
        return re.sub(r"(?<![\w/])/data\b", f"{self.folder}/data", text)

    def variables(self, name: str) -> dict[str, str]:
        given = self.services[name].get("environment", {})
        image = environment() if name in OURS else {}
        found = {one: self.here(str(value)) for one, value in {**image, **given}.items() if one != "PATH"}
        if "PGHOST" in found:
            found["PGHOST"] = self.socket
        if name in OURS:
            found |= {"SKYSHELF_SERVE_HOST": "127.0.0.1", "SKYSHELF_SERVE_PORT": str(self.web)}
        folders = [str(self.folder / "bin")] if name == "backup" else []
        return found | {
            "PATH": os.pathsep.join([*folders, str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            "HOME": str(self.folder),
            "GOMEMLIMIT": "256MiB",
        }

    def command(self, name: str) -> list[str]:
        service = self.services[name]
        entry = service.get("entrypoint", [SKYSHELF] if name in OURS else [])
        return [*entry, *map(self.here, service.get("command", ["serve"] if name in OURS else []))]

    def done(self, name: str, command: list[str] | None = None) -> str:
        ended = subprocess.run(
            command or self.command(name),
            env=self.variables(name),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ended.returncode == 0, (name, ended.stdout, ended.stderr)
        return ended.stdout

    def is_healthy(self, name: str) -> bool:
        kind, *command = map(self.here, self.services[name]["healthcheck"]["test"])
        if kind == "CMD-SHELL":
            command = ["/bin/sh", "-c", *command]
        environment = self.variables(name)
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

    @contextmanager
    def running(self, name: str, how: signal.Signals) -> Iterator[None]:
        log = self.folder / f"{name}.log"
        with (
            log.open("wb") as written,
            subprocess.Popen(
                self.command(name),
                env=self.variables(name),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                deadline = time.monotonic() + PATIENCE
                while not self.is_healthy(name):
                    assert process.poll() is None, log.read_text(errors="replace")[-3000:]
                    assert time.monotonic() < deadline, log.read_text(errors="replace")[-3000:]
                    time.sleep(0.1)
                yield
            finally:
                process.send_signal(how)
                process.wait(PATIENCE)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with running_postgres() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE ROLE skyshelf SUPERUSER LOGIN")
        fresh_database(url, "skyshelf")
        yield Place(tmp_path, url)


def test_each_service_that_another_waits_for_comes_before_it() -> None:
    names = list(compose()["services"])
    for name, service in compose()["services"].items():
        for other in dict(service.get("depends_on", {})):  # type: ignore[call-overload]
            assert names.index(other) < names.index(name)


@pytest.mark.whole
def test_the_services_start_one_after_the_other_and_serve_and_back_up(place: Place, tmp_path: Path) -> None:
    for name in ("psql", "createdb"):
        program(name)
    assert list(place.services) == [
        "postgres", "names", "objects", "bucket", "init", "operator", "skyshelf", "backup", "caddy",
    ]  # fmt: skip
    place.done("names")
    with ExitStack() as kept:
        with place.running("objects", signal.SIGKILL):
            assert re.search(r'"fsync": +true', place.done("bucket"))
            assert place.done("init").strip() == "The stores are ready."
            assert "https://drive.example.org/" in place.done("operator")
            (tmp_path / "source").mkdir()
            (tmp_path / "source" / "letter.txt").write_text("dear reader")
            importing = [SKYSHELF, "admin", "import", str(tmp_path / "source"), "--user", SECRETS["OPERATOR_EMAIL"]]
            place.done("init", importing)
        # After a crash: the object store makes its index again, and whatever was made before stays as it is.
        for file in (tmp_path / "data").glob("skyshelf_*.idx"):
            file.write_bytes(b"")
        place.done("names")
        kept.enter_context(place.running("objects", signal.SIGKILL))
        for name in ("bucket", "init", "operator"):
            place.done(name)
        [operator] = json.loads(place.done("init", [SKYSHELF, "admin", "user", "ls", "--json"]))
        assert (operator["emailId"], operator["isOperator"]) == (SECRETS["OPERATOR_EMAIL"], True)
        kept.enter_context(place.running("skyshelf", signal.SIGTERM))
        assert not place.is_healthy("backup")
        subprocess.run(
            place.command("backup"), env=place.variables("backup"), cwd=tmp_path, timeout=PATIENCE, check=False
        )
        assert place.is_healthy("backup")
        verified = place.done("init", [SKYSHELF, "admin", "verify", str(tmp_path / "backups"), "--deep", "--json"])
        assert json.loads(verified)["passed"]
    assert not list((tmp_path / "data").glob("filerldb*")), "the names of objects are in PostgreSQL"
