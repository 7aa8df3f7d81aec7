"""`skyshelf serve --demo`: what it prints is enough to look around."""

import json
import re
import shlex
from pathlib import Path

import httpx2
import pytest
from tests.server.running import RunningServer

pytestmark = pytest.mark.plain


def test_the_printed_line_logs_in_and_a_second_start_prints_it_again(tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data", "--demo")
    try:
        server.start()
        printed = server.logged(r"^ *(curl .*)\n")
        command = shlex.split(printed[1])
        url, body = command[2], json.loads(command[-1])
        answer = httpx2.post(url, json=body)
        assert answer.status_code == 200, answer.text
        assert server.stop() == 0
        server.start()
        server.logged(rf"(?s){re.escape(printed[1])}\n.*{re.escape(printed[1])}\n")
        assert httpx2.post(url, json=body).json()["userId"] == answer.json()["userId"]
    finally:
        server.close()
