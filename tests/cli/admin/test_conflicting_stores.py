"""Every admin command that opens a store, with file, environment and command line that name different ones.

The commands come from the tree, so a new one is tested once it exists.
"""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.cli.command_tree import all_commands

from skyshelf.cli.admin.which_store import StoreCommand
from skyshelf.cli.main import main

ELSEWHERE = "postgresql://live.invalid:1/drive"
SOURCES: dict[str, tuple[dict[str, str], str]] = {
    "the file": ({}, f'metadata = "{ELSEWHERE}"\nblobs = "s3://live?endpoint=http://127.0.0.1:1"\n'),
    "the environment": (
        {"SKYSHELF_SERVE_METADATA": ELSEWHERE, "SKYSHELF_SERVE_BLOBS": "s3://live?endpoint=http://127.0.0.1:1"},
        "",
    ),
    "both": (
        {"SKYSHELF_SERVE_METADATA": ELSEWHERE},
        'data = "/live"\nblobs = "s3://live?endpoint=http://127.0.0.1:1"\n',
    ),
    "another folder": ({"SKYSHELF_SERVE_DATA": "/live"}, 'data = "/also-live"\n'),
}


def commands() -> Iterator[tuple[str, click.Command]]:
    for name, command in all_commands().items():
        if isinstance(command, StoreCommand) and any(one.name == "data" for one in command.params):
            yield name, command


def arguments_of(command: click.Command, tmp_path: Path) -> list[str]:
    """Something for everything that the command wants; what it makes of it is not tested here."""
    found = []
    for one in command.params:
        if isinstance(one, click.Argument) or one.required:
            value = tmp_path / "folder"
            text = {"email": "ada@example.org", "destination": str(tmp_path / "backup")}.get(one.name or "", str(value))
            if isinstance(one.type, click.Choice):
                text = str(one.type.choices[0])
            found += [text] if isinstance(one, click.Argument) else [one.opts[0], text]
    if any("--yes" in one.opts for one in command.params):
        found.append("--yes")
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_a_data_folder_on_the_command_line_is_all_that_any_command_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    variables, lines = SOURCES[source]
    (tmp_path / "server.toml").write_text(lines)
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("SKYSHELF_SERVE_CONFIG", str(tmp_path / "server.toml"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    data = tmp_path / "data"
    assert CliRunner().invoke(main, ["admin", "init", "--data", str(data)]).exit_code == 0
    wrong, named = {}, 0
    for name, command in commands():
        if name in ("admin init", "admin move"):
            continue
        words = [*name.split(), *arguments_of(command, tmp_path), "--data", str(data)]
        ended = CliRunner().invoke(main, words, input="a long password\n")
        said = ended.stderr
        stores = [line for line in said.splitlines() if " the store " in line]
        named += bool(stores)
        if "live" in said or any(str(data) not in line for line in stores) or not is_clean(ended):
            wrong[name] = (words, said.splitlines()[-2:], repr(ended.exception))
    assert wrong == {}
    assert named > 25


def is_clean(ended: object) -> bool:
    exception = getattr(ended, "exception", None)
    return exception is None or isinstance(exception, SystemExit)
