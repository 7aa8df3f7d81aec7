"""Variables of the environment: a misspelt one is not ignored."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import skyshelf
from skyshelf.cli.main import main as cli


def asked(*arguments: str, **env: str) -> Result:
    return CliRunner().invoke(cli, ["admin", *arguments], env=dict(env))


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("SKYSHELF_SERVE_PROT", "SKYSHELF_SERVE_PORT"),
        ("SKYSHELF_SERVE_METDATA", "SKYSHELF_SERVE_METADATA"),
        ("SKYSHELF_METADATA", "SKYSHELF_SERVE_METADATA"),
        ("SKYSHELF_SERV_DATA", "SKYSHELF_SERVE_DATA"),
    ],
)
def test_a_misspelt_variable_is_an_error_that_names_the_right_one(tmp_path: Path, name: str, meant: str) -> None:
    for command in (("settings", "check"), ("user", "ls", "--data", str(tmp_path)), ("init", "--data", str(tmp_path))):
        result = asked(*command, **{name: "9000"})
        assert result.exit_code == 1
        assert f"the variable {name}, which the server does not know: did you mean {meant}?" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_variable_of_the_server_that_resembles_none_is_an_error() -> None:
    result = asked("settings", "check", SKYSHELF_SERVE_WHATEVER="1")
    assert (result.exit_code, "SKYSHELF_SERVE_WHATEVER, which the server" in result.stderr) == (1, True)


def test_help_is_shown_all_the_same() -> None:
    assert asked("user", "ls", "--help", SKYSHELF_SERVE_PROT="1").exit_code == 0


def test_variables_of_the_client_and_of_other_programs_are_left_alone() -> None:
    sources = Path(skyshelf.__file__).parent.rglob("*.py")
    named = {name for file in sources for name in re.findall(r"SKYSHELF_[A-Z_]*[A-Z]", file.read_text("utf-8"))}
    ours = {name: "100000" for name in named if not name.startswith("SKYSHELF_SERVE_")}
    assert "SKYSHELF_SERVER" in ours
    others = {
        # What Kubernetes sets for a service that is called skyshelf, and what ./dev reads.
        "SKYSHELF_PORT": "tcp://10.0.0.7:8600",
        "SKYSHELF_PORT_8600_TCP_ADDR": "10.0.0.7",
        "SKYSHELF_SERVICE_HOST": "10.0.0.7",
        "SKYSHELF_SERVICE_PORT_HTTP": "8600",
        "SKYSHELF_PYTHON": "/usr/bin/python3",
        "SKYSHELF_RETRIES": "3",
        "SKYSHELF_APP_SECRET": "of an SDK's program",
    }
    result = asked("settings", "check", **ours, **others)
    assert result.exit_code == 0, result.output
