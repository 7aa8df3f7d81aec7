"""The examples of docs/interface.md are run, in their order, in one shell, against a real server."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.api import PASSWORD, new_account
from tests.server.running import RunningServer, opened

from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES

PAGE = (Path(__file__).parents[2] / "docs" / "interface.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
MARK = "-- the end of an example --"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    data = tmp_path / "data"
    data.mkdir()
    server = RunningServer(data)
    server.start()
    with opened(data) as ctx:
        new_account(ctx, "ada@example.org")
    try:
        yield server
    finally:
        server.close()


def shape(shown: Any, real: Any) -> None:
    """Every field that the page shows is there, with a value of that type; texts of a code or message are exact."""
    assert type(shown) is type(real), (shown, real)
    if isinstance(shown, dict):
        assert shown.keys() <= real.keys(), (shown, real)
        for name, value in shown.items():
            shape(value, real[name])
            if name in {"code", "message", "status", "objectType", "objectName", "memberType"}:
                assert value == real[name]
        assert bool(shown) == bool(real)
    if isinstance(shown, list):
        assert bool(shown) == bool(real)
        for one in shown:
            shape(one, real[0])


@pytest.mark.program("bash", "curl")
def test_every_example_works_on_a_fresh_server(server: RunningServer, tmp_path: Path) -> None:
    examples = [text for language, text in BLOCKS if language == "sh"]
    script = "set -euo pipefail\n" + "".join(f"{text}\nprintf '\\n{MARK}\\n'\n" for text in examples)
    folder = tmp_path / "examples"
    folder.mkdir()
    environment = {**os.environ, "SERVER": server.url, "EMAIL": "ada@example.org", "PASSWORD": PASSWORD}
    run = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    outputs = run.stdout.split(f"{MARK}\n")
    assert run.returncode == 0, f"example {len(outputs)}: {examples[len(outputs) - 1]}\n{outputs[-1]}\n{run.stderr}"
    assert len(outputs) == len(examples) + 1
    looked_at = 0
    for (language, _), (kind, shown), output in with_outputs(outputs):
        assert language == "sh"
        last = output.strip().rpartition("\n")[2]
        if kind == "json":
            shape(json.loads(shown), json.loads(last))
        else:
            assert last == shown.strip()
        looked_at += 1
    assert looked_at >= 8
    assert "Dear Charles" in run.stdout


def with_outputs(outputs: list[str]) -> Iterator[tuple[tuple[str, str], tuple[str, str], str]]:
    """Each example that the page shows the answer of, the answer shown, and the real output."""
    number = -1
    for block, following in zip(BLOCKS, [*BLOCKS[1:], ("sh", "")], strict=True):
        if block[0] != "sh":
            continue
        number += 1
        if following[0] != "sh":
            yield block, following, outputs[number]


def test_the_page_names_every_path_of_the_interface() -> None:
    def named(path: str) -> bool:
        return re.sub(r"\{\w+\}.*", "", path) in PAGE

    assert [endpoint.path for endpoint in ENDPOINTS if not named(endpoint.path)] == []


def test_every_code_on_the_page_is_one_of_the_table() -> None:
    assert set(re.findall(r"`((?:SKY|NMSOM|BRSOM|TEJ[A-Z]{2})\d{4})`", PAGE)) <= set(ERROR_CODES)
    assert [code for code, row in ERROR_CODES.items() if row.is_of_the_interface and f"`{code}`" not in PAGE] == []


def test_no_line_of_the_page_is_left_behind() -> None:
    """What the page promises in numbers is what the code has."""
    from skyshelf.wire import limits

    assert f"1 to {limits.LISTING_LIMIT_MAX}, {limits.LISTING_LIMIT_DEFAULT} by default" in PAGE
    assert f"purged after {limits.TRASH_RETENTION_DAYS} days" in PAGE
    assert f"the last {limits.VERSIONS_KEPT} versions" in PAGE
    assert f"1 to {limits.BATCH_ENTRIES_MAX} entries" in PAGE
    assert f"(1 to {limits.CONTACTS_CHUNK_MAX}) is {limits.CONTACTS_CHUNK_DEFAULT} by default" in PAGE
    assert f"at most {limits.CHUNK_BYTES_MAX // limits.MIB} MiB" in PAGE
