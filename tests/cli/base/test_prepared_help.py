"""Help that is kept as data: the same as the commands would print themselves."""

import difflib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.cli.command_tree import all_commands

from skyshelf.cli.admin.serve import serve
from skyshelf.cli.base import groups
from skyshelf.cli.main import main


def _shown(words: list[str], width: int = 100) -> str:
    shown = CliRunner().invoke(main, [*words, "--help"], terminal_width=width, max_content_width=width)
    assert shown.exit_code == 0, shown.output
    return shown.output


@pytest.mark.parametrize("width", [40, 79, 120])
def test_every_command_prints_the_help_that_it_declares(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = {name: _shown(name.split(), width) for name in all_commands()}
    monkeypatch.setattr(groups, "HELP_FILE", Path("/nowhere"))
    for name, shown in prepared.items():
        own = _shown(name.split(), width)
        differences = difflib.unified_diff(shown.splitlines(), own.splitlines(), "prepared", name, n=0, lineterm="")
        assert shown == own, "\n".join(differences)


def test_the_help_of_every_command_is_prepared() -> None:
    assert [name for name in all_commands() if groups.prepared_help(name.split()) is None] == []


def test_help_next_to_other_words_is_the_commands_own() -> None:
    with_an_option = CliRunner().invoke(main, ["ls", "-l", "--help"])
    assert with_an_option.output == CliRunner().invoke(main, ["ls", "--help"]).output
    refused = CliRunner().invoke(main, ["ls", "--sort", "--help"])
    assert refused.exit_code == click.UsageError.exit_code


def test_no_file_and_no_variable_changes_the_help_of_serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documented = _shown(["serve"])
    file = tmp_path / "server.toml"
    file.write_text('port = 9000\nhost = "10.1.2.3"\nlog-level = "error"\n')
    broken = tmp_path / "broken.toml"
    broken.write_text("prot = ")
    monkeypatch.setenv("SKYSHELF_SERVE_PORT", "7000")
    monkeypatch.setenv("SKYSHELF_SERVE_CONFIG", str(file))
    for words in ([], ["--config", str(file)], ["--config", str(broken)], ["--port", "1", "--config", str(file)]):
        assert _shown(["serve", *words]) == documented


def test_serve_that_ran_without_main_shows_the_same_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "HELP_FILE", Path("/nowhere"))
    monkeypatch.setattr(serve, "_help_option", None)
    assert "-h, --help" in CliRunner().invoke(serve, ["--help"]).output
    assert "-h, --help" in _shown(["serve"])
