"""A success that is an error, or that says nothing, is reported as a failure by everything that people use."""

from pathlib import Path

import pytest
from tests.foreign.commands import CommandFailed, Shell
from tests.foreign.faults import OneFolder
from tests.foreign.matrix import EVERYTHING, complaints, run_cell
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer
from tests.foreign.tool_calls import TOOL_CALLS
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient

COMMANDS = ("rm", "restore", "ls", "trash", "versions", "recent", "boards", "contacts", "mkdir", "share", "backup")
SAYING_NOTHING = [{"code": "X1", "message": "bad"}, {"error": "x"}, {}, {"objects": None}, {"Objects": []}, []]


@pytest.mark.parametrize("name", [*(f"command {name}" for name in COMMANDS), *TOOL_CALLS])
@pytest.mark.parametrize("quirk", ["200 with an error", "200 with nothing"])
async def test_no_command_and_no_tool_takes_it_for_a_success(foreign: ForeignServer, quirk: str, name: str) -> None:
    assert complaints([await run_cell(foreign, QUIRKS[quirk], EVERYTHING[name])]) == []


@pytest.mark.parametrize("body", SAYING_NOTHING, ids=str)
async def test_a_backup_that_misses_one_folder_ends_with_an_error(
    foreign: ForeignServer, tmp_path: Path, body: object
) -> None:
    foreign.begin(QUIRKS["none"])
    foreign.quirk = OneFolder(foreign.drive.named("Photos").key, body)
    async with AsyncClient(**foreign.settings) as client:
        shell = Shell(ForeignWorld(foreign, client, tmp_path))
        with pytest.raises(CommandFailed, match=r"skyshelf: Photos: the server.s response"):
            await shell("backup", str(tmp_path / "kept"))
    assert {one.name for one in (tmp_path / "kept").rglob("*.txt")} == {"hello.txt", "report.txt"}
