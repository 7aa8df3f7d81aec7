"""Help that is kept as data: the same as the commands would print themselves."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests.cli.command_tree import all_commands

from skyshelf.cli.base import prepared_help
from skyshelf.cli.main import main


def _shown(words: list[str], width: int) -> str:
    return CliRunner().invoke(main, [*words, "--help"], terminal_width=width, max_content_width=width).output


@pytest.mark.parametrize("width", [40, 79, 120])
def test_every_command_prints_the_help_that_it_declares(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = list(all_commands())
    prepared = {name: _shown(name.split(), width) for name in names}
    monkeypatch.setattr(prepared_help, "HELP_FILE", Path("/nowhere"))
    assert prepared == {name: _shown(name.split(), width) for name in names}


def test_the_help_of_every_command_is_prepared() -> None:
    assert [name for name in all_commands() if prepared_help.prepared_help(name.split()) is None] == []


def test_help_next_to_other_words_is_the_commands_own() -> None:
    with_an_option = CliRunner().invoke(main, ["ls", "-l", "--help"])
    assert with_an_option.output == CliRunner().invoke(main, ["ls", "--help"]).output
    refused = CliRunner().invoke(main, ["ls", "--sort", "--help"])
    assert refused.exit_code == click.UsageError.exit_code
