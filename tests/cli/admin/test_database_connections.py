"""A server that may open more connections than PostgreSQL allows says so when it starts, and so does the doctor."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.serving import SKYSHELF, serving
from tests.real_parts import shared

SENTENCE = "1 × 201 of this server"


@pytest.mark.whole
def test_too_few_connections_are_a_warning_that_says_what_to_set(tmp_path: Path) -> None:
    with shared.postgres().database() as url:
        stores = ("--metadata", url, "--data", str(tmp_path / "data"))
        with serving(*stores, "--blobs", (tmp_path / "blobs").as_uri(), "--database-connections", "200") as server:
            server.stop()
            (line,) = [json.loads(line) for line in server.log.splitlines() if SENTENCE in line]
            assert line["level"] == "warning"
            assert "more connections there, or --database-connections " in line["message"]
        with serving(*stores, "--blobs", (tmp_path / "blobs").as_uri()) as server:
            server.stop()
            assert "PostgreSQL allows" not in server.log
        environment = {**os.environ, "SKYSHELF_SERVE_DATABASE_CONNECTIONS": "200"}
        command = [SKYSHELF, "admin", "doctor", "--metadata", url, "--blobs", (tmp_path / "blobs").as_uri()]
        shown, found = (
            subprocess.run([*command, *form], env=environment, capture_output=True, text=True, check=True).stdout
            for form in ((), ("--json",))
        )
        warning = json.loads(found)["warning"]
        assert SENTENCE in warning
        assert f"warning  {warning}\n" in shown
