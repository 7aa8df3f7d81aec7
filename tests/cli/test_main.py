"""The command itself: help that is quick, and sizes as people write them."""

import subprocess
import sys
from importlib.metadata import version

import click
import pytest
from click.testing import CliRunner
from tests.cli.serving import run

from skyshelf.cli.admin.group import COMMANDS as ADMIN_COMMANDS
from skyshelf.cli.admin.group import admin
from skyshelf.cli.base.params import SIZE
from skyshelf.cli.main import COMMANDS, main


def test_help_lists_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"])
    assert shown.exit_code == 0
    said = " ".join(shown.output.split())
    for name, command in COMMANDS.items():
        assert f"{name} {command.summary}" in said


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_imported_and_explains_itself(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"])
    assert shown.exit_code == 0, shown.output
    assert COMMANDS[name].summary.rstrip(".") in shown.output


@pytest.mark.parametrize("name", ADMIN_COMMANDS)
def test_every_command_of_admin_says_in_the_list_what_its_help_says(name: str) -> None:
    command = admin.get_command(click.Context(admin), name)
    assert command is not None
    assert ADMIN_COMMANDS[name].summary == command.get_short_help_str(200)


@pytest.mark.parametrize("words", [["--help"], ["ls", "--help"], ["admin", "--help"], ["admin", "backup", "-h"]])
def test_help_imports_neither_client_nor_server(words: list[str]) -> None:
    script = (
        "import sys\nfrom skyshelf.cli.main import main\n"
        f"try:\n    main({words})\nexcept SystemExit:\n    pass\n"
        "heavy = {'starlette', 'granian', 'apsw', 'argon2', 'asyncio', 'msgspec', 'skyshelf.client', 'skyshelf.server',"
        " 'skyshelf.service'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_the_version_is_printed_without_the_commands() -> None:
    script = (
        "import sys\nsys.argv = ['skyshelf', 'version']\nfrom skyshelf.cli.entry import main\nmain()\n"
        "print(sorted({'click', 'importlib.metadata', 'skyshelf.cli.main'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout == f"skyshelf {version('skyshelf')}\n[]\n"


def test_an_interrupt_while_modules_are_read_ends_the_command_without_a_word() -> None:
    script = (
        "import os, signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'skyshelf.cli.main':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupting())\n"
        "from skyshelf.cli.entry import main\nmain()"
    )
    ended = subprocess.run([sys.executable, "-c", script, "--help"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_the_version_is_that_of_the_distribution() -> None:
    assert run("version", installed=True).stdout == f"skyshelf {version('skyshelf')}\n"


def test_an_unknown_command_is_refused() -> None:
    assert CliRunner().invoke(main, ["fly"]).exit_code == 2
    shown = CliRunner().invoke(main, ["finde"])
    assert shown.exit_code == 2
    assert "find" in shown.output.partition("id you mean")[2]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("4096", 4096),
        ("100GiB", 100 << 30),
        ("1.5 TB", 1_500_000_000_000),
        ("500mb", 500_000_000),
        ("1KiB", 1024),
        ("12B", 12),
        ("20M", 20 << 20),
        ("500k", 500 << 10),
    ],
)
def test_a_size_is_a_number_with_or_without_a_unit(text: str, size: int) -> None:
    assert SIZE.convert(text, None, None) == size


@pytest.mark.parametrize("text", ["", "-1", "GiB", "1 parsec", "1e9", "٣GiB", "1.GiB", "9999999PiB"])
def test_anything_else_is_no_size(text: str) -> None:
    with pytest.raises(click.BadParameter):
        SIZE.convert(text, None, None)


def test_ctrl_c_before_a_command_has_begun_is_no_traceback_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("skyshelf.cli.base.groups.import_module", interrupted)
    shown = CliRunner().invoke(main, ["ls"])
    assert shown.exit_code == 130
    assert shown.stderr == "skyshelf: interrupted.\n"
