"""Ctrl-C in a program with the synchronous client: it ends at once and as it should, and the next run goes on."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

from tests.client.downloading import files_below

from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount

pytest_plugins = ["skyshelf.testing.fixtures"]

PROGRAM = """
import sys
from skyshelf.client import Client

def tell(event):
    if event.kind == "done":
        print(event.path, flush=True)

with Client() as client:
    summary = client.download_all(sys.argv[1], progress=tell)
print("ok" if summary.ok else "missing", summary.done, summary.skipped)
"""


def test_an_interrupted_backup_is_continued(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path
) -> None:
    # Slow enough to be interrupted in the middle.
    fault_proxy.plan = FaultPlan(rates={Fault.DELAY: 1.0}, delay_seconds=0.1, only="/download/")
    contents = {f"{number:03d}.bin": random.Random(number).randbytes(20_000) for number in range(300)}
    contents["large.bin"] = random.Random(1).randbytes(20_000_000)
    skyshelf_account.add_files(contents.items())
    settings = skyshelf_account.session.via(fault_proxy.url).settings()
    session = {f"SKYSHELF_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    environment = os.environ | session
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        for _ in range(5):
            running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == -signal.SIGINT, errors
    assert "KeyboardInterrupt" in errors
    assert skyshelf_account.session.auth_token not in errors
    left = {path: content for path, content in files_below(tmp_path).items() if not path.endswith(".part")}
    assert 5 <= len(left) < len(contents)
    assert all(contents[path] == content for path, content in left.items())
    fault_proxy.plan = FaultPlan()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    said, fetched, skipped = done.stdout.splitlines()[-1].split()
    assert (said, int(skipped)) == ("ok", len(left))
    assert int(fetched) == len(contents) - len(left)
    assert files_below(tmp_path) == contents
