"""The S3 server of the tests goes when the tests go, however they go."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.real_parts.readable import is_readable

STARTING = """
from tests.real_parts.seaweedfs import running_seaweedfs
with running_seaweedfs() as server:
    print(server.process_id, server.folder, *server.sockets, flush=True)
    input()
"""


@pytest.mark.whole
def test_the_server_dies_with_a_test_process_that_is_killed() -> None:
    ended = False
    with subprocess.Popen(
        [sys.executable, "-c", STARTING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        text=True,
    ) as tests:
        assert tests.stdout is not None
        process_id, folder, *sockets = tests.stdout.readline().split()
        watched = os.pidfd_open(int(process_id))
        try:
            tests.kill()
            # The descriptor becomes readable when the process has ended.
            ended = is_readable(watched, 20)
        finally:
            if not ended:
                with suppress(ProcessLookupError):
                    os.kill(int(process_id), signal.SIGKILL)
            os.close(watched)
            shutil.rmtree(folder, ignore_errors=True)
            for left in sockets:
                Path(left).unlink(missing_ok=True)
    assert ended
