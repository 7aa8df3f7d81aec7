"""The server's configuration file: what it may say, and what wins over it."""

import json
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from skyshelf.cli.admin import config_file
from skyshelf.cli.admin.serve import serve
from skyshelf.cli.main import main as cli

Environment = dict[str, str | None]


@pytest.fixture(autouse=True)
def no_file_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(config_file, "default_places", lambda: [tmp_path / "here" / "server.toml"])


def check(*arguments: str, env: Environment | None = None) -> Result:
    return CliRunner().invoke(cli, ["admin", "settings", "check", *arguments], env=env)


def values(result: Result) -> dict[str, tuple[str, str]]:
    assert result.exit_code == 0, result.output
    return {one["name"]: (one["value"], one["source"]) for one in json.loads(result.stdout)}


def test_a_variable_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('port = 9000\nhost = "10.1.2.3"\ntrust-proxy = ["10.0.0.0/8", "fd00::/8"]\nquota = "5GiB"\n')
    found = values(check("--config", str(file), "--json", env={"SKYSHELF_SERVE_HOST": "0.0.0.0"}))
    assert found["port"] == ("9000", str(file))
    assert found["host"] == ("0.0.0.0", "environment, SKYSHELF_SERVE_HOST")
    assert found["trust-proxy"] == ("10.0.0.0/8, fd00::/8", str(file))
    assert found["quota"] == (str(5 << 30), str(file))
    assert found["drain"] == ("8.0", "default")


def test_an_option_wins_over_everything(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text("port = 9000\n")
    main = click.Context(cli, help_option_names=["-h", "--help"])
    with serve.make_context("serve", ["--config", str(file), "--port", "7000"], parent=main) as ctx:
        assert ctx.params["port"] == 7000


def test_the_file_is_found_where_it_usually_is(tmp_path: Path) -> None:
    file = tmp_path / "here" / "server.toml"
    file.parent.mkdir()
    file.write_text("port = 9001\n")
    assert values(check("--json"))["port"] == ("9001", str(file))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("prot = 1", "has the setting prot, which the server does not know: did you mean port?"),
        ("port = ", "is not valid TOML"),
        ("port = 70000", "70000 is not in the range 0<=x<=65535"),
        ("port = [1]", "port must be one value"),
        ('trust-proxy = "10.0.0.0/8"', "trust-proxy must be a list of texts"),
        ('adopt = "because"', "has the setting adopt, which the server does not know"),
        ('public-url = "drive"', "use scheme and host"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, content: str, sentence: str) -> None:
    file = tmp_path / "server.toml"
    file.write_text(content)
    result = check("--config", str(file))
    assert result.exit_code == 1
    assert sentence in " ".join(result.output.split())


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = check("--config", str(tmp_path / "none.toml"))
    assert (result.exit_code, "cannot read the configuration file" in result.output) == (1, True)


def test_no_password_and_no_key_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(
        'metadata = "postgresql://ada:geheim@db.example.org/drive"\naccept-app = ["key:geheim"]\n'
        'blobs = "s3://bucket?endpoint=https://s3.example.org&secret_access_key=geheim"\n'
    )
    result = check("--config", str(file))
    assert "geheim" not in result.output
    assert "postgresql://db.example.org/drive (not shown)" in result.output


def test_the_example_names_every_setting_and_can_be_used_as_it_is() -> None:
    printed = CliRunner().invoke(cli, ["admin", "settings", "example"]).stdout
    assert tomllib.loads(printed) == {}
    settings = [line for line in printed.splitlines() if " = " in line]
    used = tomllib.loads("\n".join(line.removeprefix("# ") for line in settings))
    assert {name.replace("-", "_") for name in used} == set(config_file.allowed(serve))


def test_admin_commands_use_the_stores_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'data = "{tmp_path / "nothing here"}"\n')
    result = CliRunner().invoke(cli, ["admin", "user", "ls"], env={"SKYSHELF_SERVE_CONFIG": str(file)})
    assert f"no Skyshelf data in {tmp_path / 'nothing here'}" in result.output
    result = CliRunner().invoke(cli, ["admin", "user", "ls"], env={"SKYSHELF_SERVE_DATA": str(tmp_path / "x")})
    assert f"no Skyshelf data in {tmp_path / 'x'}" in result.output
