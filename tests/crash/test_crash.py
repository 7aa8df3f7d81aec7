"""A few rounds of the crash matrix in every test run; `./dev crash` runs thousands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parents[2]


def _crash(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run it like `./dev crash`: in separate processes, which start with the failing disk."""
    command = [sys.executable, "-m", "tests.crash", *options]
    env = os.environ | environment
    return subprocess.run(command, cwd=_REPOSITORY, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("stack", ["embedded", "scaled"])
def test_killed_services_on_failing_disks_lose_nothing(
    stack: str, pytestconfig: pytest.Config, request: pytest.FixtureRequest
) -> None:
    seed: int | None = pytestconfig.getoption("--crash-seed")
    options = ("--rounds", str(pytestconfig.getoption("--crash-rounds")), "--worst")
    done = _crash("--stack", stack, *options, *(() if seed is None else ("--seed", str(seed))))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| acknowledged writes lost | 0 |" in done.stdout
    request.node.user_properties.append(("summary", done.stdout.splitlines()[0]))


@pytest.mark.parametrize("lie", ["files", "folders"])
def test_a_disk_that_lies_about_its_syncs_is_found_out(tmp_path: Path, lie: str) -> None:
    """The proof of the proof: the same rounds with the one fault that nobody can survive."""
    # The store of a loss is kept.
    options = ("--stack", "embedded", "--rounds", "20", "--no-faults", "--seed", "1")
    done = _crash(*options, "--lie", lie, TMPDIR=str(tmp_path))
    assert done.returncode == 1, done.stdout
    assert "its store is kept in" in done.stderr
