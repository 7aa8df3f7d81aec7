"""The memory of a bulk download does not depend on how much there is. `--memory-files 1000000` looks further."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parents[4]


def peak_bytes(count: int) -> int:
    command = [sys.executable, "-m", "benchmarks.client_memory", str(count)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    figure = json.decode(done.stdout, type=dict[str, float])
    assert figure["amount"] == count
    return int(figure["peak"])


def test_memory_stays_flat_however_many_files_a_folder_has(pytestconfig: pytest.Config) -> None:
    count = pytestconfig.getoption("--memory-files")
    small, large = peak_bytes(10_000), peak_bytes(count)
    assert large - small < 16 * 1024 * 1024, f"{small:,} bytes with 10,000 files, {large:,} with {count:,}"
