"""The unit tests of the web client, which need no browser."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web"


def test_the_units_of_the_web_client_hold() -> None:
    path = os.pathsep.join([os.environ.get("PATH", ""), str(Path(sys.executable).parent)])
    node = shutil.which("node", path=path)
    assert node, "node is missing: ./dev setup brings one along"
    runner = WEB / "node_modules" / "vitest" / "vitest.mjs"
    ran = subprocess.run(
        # Threads keep the files apart as processes do, and start in less time.
        [node, runner, "run", "--pool=threads"],
        cwd=WEB,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
