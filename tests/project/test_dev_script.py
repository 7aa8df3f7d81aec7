"""The script `dev` explains itself and says what is wrong in one sentence."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = ["setup", "serve", "test", "lint", "fuzz", "crash", "bench", "docs", "lock"]


def dev(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = os.environ if path is None else {**os.environ, "PATH": path}
    return subprocess.run(
        ["/bin/sh", ROOT / "dev", *arguments], capture_output=True, text=True, env=environment, check=False, timeout=60
    )


def test_the_overview_names_every_command() -> None:
    shown = dev("--help")
    assert shown.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command}" in shown.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    shown = dev(command, "--help")
    assert shown.returncode == 0, shown.stderr
    assert len(shown.stdout) > 60


def test_an_unknown_command_is_named_and_fails() -> None:
    shown = dev("tset")
    assert shown.returncode == 1
    assert "unknown command 'tset'" in shown.stderr


def test_an_unknown_benchmark_is_answered_with_those_that_exist() -> None:
    shown = dev("bench", "nothing")
    assert shown.returncode == 1
    assert re.search(r"no such benchmark: 'nothing'; choose one of: .*\bstorage\b", shown.stderr)


def test_a_missing_python_is_reported_in_one_sentence(tmp_path: Path) -> None:
    """The script needs coreutils and nothing else to say what is missing."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "cat", "cksum", "dirname", "sed", "tr", "ls", "rm"):
        found = subprocess.run(["/bin/sh", "-c", f"command -v {tool}"], capture_output=True, text=True, check=True)
        (tools / tool).symlink_to(found.stdout.strip())
    clone = tmp_path / "clone"
    clone.mkdir()
    for name in ("dev", "pyproject.toml", "requirements-dev.txt", "requirements-uv.txt"):
        (clone / name).write_bytes((ROOT / name).read_bytes())
    shown = subprocess.run(
        ["/bin/sh", clone / "dev", "setup"],
        capture_output=True,
        text=True,
        env={"PATH": str(tools)},
        check=False,
        timeout=60,
    )
    assert shown.returncode == 1
    assert shown.stderr.startswith("dev: Python 3.11 or newer is missing")
    assert len(shown.stderr.splitlines()) == 1
