"""The container image and the compose file: what they say, and the server as the image runs it."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from tests.cli.serving import SKYSHELF
from tests.real_parts.proxies import free_port

from skyshelf.cli.admin.config_file import allowed
from skyshelf.cli.admin.serve import serve

CONTAINER = Path(__file__).parents[2] / "packaging" / "container"
USER = 10001
PATIENCE = 120


def instructions() -> list[tuple[str, str]]:
    """The lines of the Containerfile: an instruction and what follows it."""
    text = re.sub(r"^#.*\n", "", (CONTAINER / "Containerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(one.split(None, 1)[0], " ".join(one.split()[1:])) for one in lines if one.strip()]


def values(name: str) -> list[str]:
    return [value for instruction, value in instructions() if instruction == name]


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in values("ENV") for pair in line.split())


def known_variables() -> set[str]:
    return {f"SKYSHELF_SERVE_{name.upper()}" for name in allowed(serve)}


def test_the_image_is_small_and_safe() -> None:
    assert {name for name, _ in instructions()} <= {
        "ARG", "FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK",
        "ENTRYPOINT", "CMD",
    }  # fmt: skip
    assert values("USER") == [f"{USER}:{USER}"]
    assert values("STOPSIGNAL") == ["SIGTERM"]
    assert all("slim" in base for base in values("ARG"))
    # Nothing is compiled or left behind in the image that runs.
    assert [name for name, _ in instructions()].count("FROM") == 2
    last = max(index for index, (name, _) in enumerate(instructions()) if name == "FROM")
    assert not any("pip" in value or "apt" in value for name, value in instructions()[last:] if name == "RUN")
    installed = next(value for value in values("RUN") if "requirements.txt" in value)
    assert "--require-hashes" in installed
    assert "--only-binary" in installed


def test_its_variables_are_settings_of_the_server() -> None:
    given = {name for name in environment() if name.startswith("SKYSHELF_")}
    assert given
    assert given <= known_variables()


def compose() -> dict[str, dict[str, dict[str, object]]]:
    loaded: dict[str, dict[str, dict[str, object]]] = yaml.safe_load((CONTAINER / "compose.yaml").read_text())
    return loaded


def test_the_compose_file_has_database_object_store_and_proxy_each_ready_before_the_next() -> None:
    services = compose()["services"]
    assert {"skyshelf", "caddy", "postgres", "objects", "init", "operator", "backup"} <= services.keys()
    for name, service in services.items():
        for other, how in dict(service.get("depends_on", {})).items():  # type: ignore[call-overload]
            assert other in services, (name, other)
            assert "condition" in how
            if how["condition"] == "service_healthy" and other != "skyshelf":
                assert "healthcheck" in services[other], other
    server = services["skyshelf"]
    assert (server["read_only"], server["cap_drop"], server["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert {name for name in dict(server["environment"]) if name.startswith("SKYSHELF_")} <= known_variables()  # type: ignore[call-overload]
    assert not any("ports" in service for name, service in services.items() if name != "caddy")


def test_every_secret_of_the_compose_file_comes_from_outside() -> None:
    text = (CONTAINER / "compose.yaml").read_text()
    named = set(re.findall(r"\$\{(\w+)", text))
    assert named == set(re.findall(r"^#   (\w+)=", text, re.MULTILINE))
    assert not re.search(r"\$\{\w+\}", text), "a variable without :? may be empty"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that another user can reach, with one of their own in it."""
    folder = Path(tempfile.mkdtemp(prefix="skyshelf-container-"))
    folder.chmod(0o755)
    data = folder / "data"
    data.mkdir(mode=0o700)
    if os.geteuid() == 0:
        os.chown(data, USER, USER)
    yield folder
    shutil.rmtree(folder)


def as_its_user() -> list[str]:
    """What comes before a command to run it as the user of the image, without any right of root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs", "--inh-caps=-all"]


def with_its_files(place: Path) -> list[str]:
    """What comes before a command to let it write to nothing but the data, as far as the system allows mounts."""
    data = place / "data"
    script = f'mount --bind {data} {data} && mount -o remount,bind,ro / && exec "$@"'
    mounting = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]
    can_mount = subprocess.run([*mounting, "true"], capture_output=True, check=False).returncode == 0
    return mounting if can_mount else []


def as_in_the_image(place: Path) -> list[str]:
    """What comes before a command to run it as the image does: as its user, with nothing writable but the data.

    Where the system allows no mounts, the rights of that user are all that keeps the rest unchanged.
    """
    return [*with_its_files(place), *as_its_user()]


@pytest.mark.whole
def test_the_server_runs_as_the_image_runs_it_and_its_health_check_answers(place: Path) -> None:
    (check,) = [json.loads(value[value.index("[") :]) for value in values("HEALTHCHECK")]
    assert check[0] == "skyshelf"
    given = {name: value for name, value in environment().items() if name != "PATH"}
    port = free_port()
    run = {
        "PATH": os.environ["PATH"],
        **given,
        "SKYSHELF_SERVE_DATA": str(place / "data"),
        "SKYSHELF_SERVE_HOST": "127.0.0.1",
        "SKYSHELF_SERVE_PORT": str(port),
        # Several workers share figures in a folder, which must be somewhere.
        "SKYSHELF_SERVE_WORKERS": "2",
    }
    (command,) = map(json.loads, values("CMD"))
    before = as_in_the_image(place)
    asking = [*before, SKYSHELF, *check[1:]]
    not_yet = subprocess.run(asking, env=run, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert not_yet.returncode == 1
    assert "does not respond" in not_yet.stderr
    with subprocess.Popen(
        [*before, SKYSHELF, *command],
        env=run,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as server:
        try:
            deadline = time.monotonic() + PATIENCE
            while True:
                said = subprocess.run(asking, env=run, capture_output=True, text=True, check=False, timeout=PATIENCE)
                if said.returncode == 0:
                    break
                assert server.poll() is None, server.communicate()[0].decode()
                assert time.monotonic() < deadline, said.stderr
            assert "metadata: ready" in said.stdout
            if os.geteuid() == 0:
                owners = {path.stat().st_uid for path in (place / "data").rglob("*")}
                assert owners == {USER}
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
