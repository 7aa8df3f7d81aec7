"""The containers of the chart for Kubernetes: their commands in their order, with their environment, on real parts.

There is no cluster: a machine stands for the node, and the programs of this environment for the image.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.cli.serving import SKYSHELF
from tests.project.test_container import USER, as_its_user, environment, with_its_files
from tests.project.test_helm_chart import BASE, CHART, IN_SERVICES, ON_DISK, containers, merged, pods
from tests.real_parts.kubernetes import Rendered, lint_and_render
from tests.real_parts.postgres import fresh_database, running_postgres
from tests.real_parts.proxies import free_port
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, running_seaweedfs

PATIENCE = 120


class Node:
    """One machine in place of a node: it runs containers as the image says, with volumes in a folder."""

    def __init__(self, folder: Path, secrets: Mapping[str, str], before: Sequence[str]) -> None:
        """`before` comes before each command of Skyshelf, to become the image's user."""
        self.folder = folder
        self.port = free_port()
        self._secrets = secrets
        self._volumes = {"/var/backups/skyshelf": "backups", "/var/lib/skyshelf": "own", "/tmp": "tmp"}
        for name in self._volumes.values():
            volume = folder / "data" / name
            volume.mkdir()
            # As fsGroup leaves a new volume: of root, writable for the group.
            volume.chmod(0o2775)
            if os.geteuid() == 0:
                os.chown(volume, 0, USER)
        (folder / "bin").mkdir()
        command = folder / "bin" / "skyshelf"
        command.write_text(f'#!/bin/sh\nexec {shlex.join([*before, SKYSHELF])} "$@"\n')
        command.chmod(0o755)

    def here(self, text: str) -> str:
        for there, name in self._volumes.items():
            text = re.sub(rf"(?<![\w/.]){there}(?=/|\b)", str(self.folder / "data" / name), text)
        return text.replace("http://drive-skyshelf:80", f"http://127.0.0.1:{self.port}")

    def variables(self, container: Mapping[str, Any]) -> dict[str, str]:
        found = {name: self.here(value) for name, value in environment().items() if name != "PATH"}
        for variable in container.get("env", []):
            source = variable.get("valueFrom", {}).get("secretKeyRef")
            found[variable["name"]] = (
                self._secrets["/".join((source["name"], source["key"]))] if source else variable["value"]
            )
        return found | {
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
            "HOME": "/nowhere",
            "TMPDIR": self.here("/tmp"),
            "SKYSHELF_SERVE_HOST": "127.0.0.1",
            "SKYSHELF_SERVE_PORT": str(self.port),
        }

    def command(self, container: Mapping[str, Any]) -> list[str]:
        words = container.get("command", ["skyshelf"]) + container.get("args", [])
        return [*with_its_files(self.folder), *map(self.here, words)]

    def done(self, container: Mapping[str, Any]) -> str:
        ended = subprocess.run(
            self.command(container),
            env=self.variables(container),
            cwd="/",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ended.returncode == 0, (container["name"], ended.stdout, ended.stderr)
        return ended.stdout

    def is_well(self, probe: Mapping[str, Any]) -> bool:
        url = f"http://127.0.0.1:{self.port}{probe['httpGet']['path']}"
        try:
            with urllib.request.urlopen(url, timeout=probe["timeoutSeconds"]) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    @contextmanager
    def running(self, container: Mapping[str, Any]) -> Iterator[None]:
        with subprocess.Popen(
            self.command(container),
            env=self.variables(container),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            try:
                until = time.monotonic() + PATIENCE
                probes = [container[f"{name}Probe"] for name in ("startup", "liveness", "readiness")]
                while not all(map(self.is_well, probes)):
                    assert process.poll() is None, process.communicate()[0].decode()
                    assert time.monotonic() < until
                    time.sleep(0.1)
                yield
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE)
        assert process.returncode == 0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can reach."""
    place = Path(tempfile.mkdtemp(prefix="skyshelf-node-"))
    place.chmod(0o755)
    (place / "data").mkdir()
    yield place
    shutil.rmtree(place)


def run_everything(node: Node, rendered: Rendered) -> None:
    """In the order in which Helm and Kubernetes start it: job or init container, server, test, backup."""
    found = {manifest["kind"]: containers(spec) for manifest, spec in pods(rendered)}
    *before, server = found.get("StatefulSet") or found["Deployment"]
    (init,) = before or found["Job"]
    first = node.done(init)
    assert "The stores are ready." in first
    assert "https://drive.example.org/" in first, "the link of the first operator"
    again = node.done(init)
    assert "already existed" in again
    assert "https://" not in again
    backup, verify = found["CronJob"]
    (health,) = found["Pod"]
    with node.running(server):
        assert "metadata: ready" in node.done(health)
        assert "cut " in node.done(backup)
        node.done(verify)
        accounts = node.done({**backup, "args": ["admin", "user", "ls", "--json"]})
    assert [(one["emailId"], one["isOperator"]) for one in json.loads(accounts)] == [("ada@example.org", True)]


@pytest.mark.whole
def test_the_containers_work_with_one_volume(tmp_path: Path, folder: Path) -> None:
    given = merged(BASE, ON_DISK, {"operator": {"email": "ada@example.org"}, "server": {"workers": 2}})
    _, (rendered,) = lint_and_render(CHART, [given], tmp_path)
    run_everything(Node(folder, {}, as_its_user()), rendered)


@pytest.mark.whole
def test_the_containers_work_with_postgresql_and_a_bucket(tmp_path: Path, folder: Path) -> None:
    secrets = {
        "database/password": "not-asked-for", "bucket/access-key": ACCESS_KEY, "bucket/secret-key": SECRET_KEY,
    }  # fmt: skip
    with running_postgres() as server, running_seaweedfs() as store:
        store.make_bucket("drive")
        database = fresh_database(server, "skyshelf").replace("postgres:@", "postgres@")
        stores = {"database": {"url": database}, "bucket": {"url": f"s3://drive?endpoint={store.endpoint}"}}
        given = merged(BASE, IN_SERVICES, {"operator": {"email": "ada@example.org"}, "stores": stores})
        _, (rendered,) = lint_and_render(CHART, [given], tmp_path)
        run_everything(Node(folder, secrets, []), rendered)
