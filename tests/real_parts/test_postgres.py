"""The real PostgreSQL of the tests does not outlive the run that started it, however that run ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_RUN = """
import psycopg, sys
from tests.real_parts.postgres import running_postgres
with running_postgres() as url:
    with psycopg.connect(url) as connection:
        print(connection.execute("SHOW data_directory").fetchone()[0], flush=True)
    sys.stdin.read()
"""


def _is_alive(process_id: int) -> bool:
    """Whether it runs; one that ended and that nobody has asked about yet does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_the_server_ends_and_its_folder_goes_when_the_run_is_killed_with_all_it_started(sent: signal.Signals) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", _RUN],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert run.stdout is not None
    with run:
        data = Path(run.stdout.readline().strip())
        server = int((data / "postmaster.pid").read_text().splitlines()[0])
        assert _is_alive(server)
        os.killpg(run.pid, sent)
        run.wait(30)
    give_up = time.monotonic() + 60
    while _is_alive(server) or data.parent.exists():
        assert time.monotonic() < give_up, "the server outlived its run"
        time.sleep(0.05)  # nobody tells a stranger that a process ended
