"""The server's configuration file: what it may say, and what wins over it."""

import json
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from tests.cli.serving import make_certificate

from skyshelf.cli.admin import config_file
from skyshelf.cli.admin.serve import serve
from skyshelf.cli.admin.server_options import parsed_options
from skyshelf.cli.admin.serving.options import rules_in
from skyshelf.cli.admin.serving.services import mail_settings_of
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
        ("workers = true", "'True' is neither auto nor a number from 1 to 64"),
        ("workers = 0", "'0' is neither auto nor a number from 1 to 64"),
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


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('tls-cert = "{here}/cert.pem"\ntls-key = "{here}/key.pem"', "do not both exist"),
        ('tls-cert = "{here}/one.pem"\ntls-key = "{here}/other-key.pem"', "cannot be used for TLS"),
        ('tls-cert = "{here}/one.pem"', "--tls-cert and --tls-key must be used together"),
        ('data = "{here}/one.pem/data"', "one.pem is not a folder"),
        ('data = "{here}/one.pem"', "one.pem' is a file"),
        ('metadata = "mysql://db/skyshelf"', "of the kind 'mysql'"),
        ('metadata = "postgresql://db/skyshelf?%zz"', "the URL of the database is malformed"),
        ('blobs = "s3://bucket?endpiont=http://s3"', "does not know endpiont"),
        ('blobs = "s3://bucket"\noffload = "x-sendfile"', "--offload needs files on a disk"),
        ('quota = "200 GiBs"', "is not a size"),
        ('simulate = "rain=1"', "is not one of lag=2s"),
    ],
)
def test_the_check_refuses_what_the_server_refuses_and_neither_leaves_anything_behind(
    tmp_path: Path, content: str, sentence: str
) -> None:
    here = tmp_path / "certificates"
    here.mkdir()
    for name in ("one", "other"):
        cert, key = make_certificate(here, "localhost")
        cert.rename(here / f"{name}.pem")
        key.rename(here / f"{name}-key.pem")
    file = tmp_path / "server.toml"
    data = "" if content.startswith("data") else f'data = "{tmp_path / "data"}"\n'
    file.write_text(f"{data}port = 0\n{content.format(here=here)}\n")
    for command in (["admin", "settings", "check"], ["serve"]):
        result = CliRunner().invoke(cli, [*command, "--config", str(file)])
        assert result.exit_code != 0
        assert sentence in " ".join(result.output.split())
    assert {path.name for path in tmp_path.iterdir()} == {"certificates", "server.toml"}


def test_a_check_of_what_can_be_used_creates_nothing(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'data = "{tmp_path / "not" / "yet"}"\n')
    assert check("--config", str(file)).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["server.toml"]


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = check("--config", str(tmp_path / "none.toml"))
    assert (result.exit_code, "cannot read the configuration file" in result.output) == (1, True)


def test_no_password_and_no_key_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(
        'metadata = "postgresql://ada:geheim@db.example.org/drive"\naccept-app = ["key:geheim"]\n'
        'blobs = "s3://bucket?endpoint=https://key:geheim@s3.example.org"\n'
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


LIVE = 'metadata = "postgresql://127.0.0.1:1/live"\nblobs = "s3://live?endpoint=http://127.0.0.1:1"\n'


@pytest.mark.parametrize("place", ["file", "environment"])
@pytest.mark.parametrize("command", [["user", "ls"], ["doctor"], ["quarantine", "ls"], ["brake", "ls"]])
def test_a_data_folder_on_the_command_line_is_the_whole_answer(tmp_path: Path, place: str, command: list[str]) -> None:
    """A rehearsal must not reach the live stores that the file names."""
    rehearsal = ["--data", str(tmp_path / "rehearsal")]
    assert CliRunner().invoke(cli, ["admin", "init", *rehearsal]).exit_code == 0
    file = tmp_path / "server.toml"
    file.write_text(LIVE if place == "file" else "")
    env = {"SKYSHELF_SERVE_CONFIG": str(file)}
    if place == "environment":
        env |= {f"SKYSHELF_SERVE_{name.upper()}": value for name, value in tomllib.loads(LIVE).items()}
    live = CliRunner().invoke(cli, ["admin", *command], env=env)
    result = CliRunner().invoke(cli, ["admin", *command, *rehearsal], env=env)
    assert live.exit_code != 0
    assert result.exit_code == 0, result.output


def test_a_database_on_the_command_line_comes_without_the_contents_that_the_file_names(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(LIVE)
    command = ["admin", "doctor", "--metadata", "postgresql://127.0.0.1:1/rehearsal"]
    result = CliRunner().invoke(cli, command, env={"SKYSHELF_SERVE_CONFIG": str(file)})
    assert "no file contents in skyshelf-data: name its folder with --data, or a bucket with --blobs" in result.output


def test_the_server_itself_starts_on_the_data_folder_of_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'{LIVE}quota = "5GiB"\n')
    for given, metadata in (([], "postgresql://127.0.0.1:1/live"), (["--data", str(tmp_path)], None)):
        used = serve.make_context("serve", ["--config", str(file), *given]).params
        assert (used["metadata"], used["blobs"] is None) == (metadata, metadata is None)
        assert used["quota"] is not None


@pytest.mark.parametrize(
    ("lines", "tells", "hours"),
    [
        ("", True, 26),
        ('backup-max-age = "8d"', True, 8 * 24),
        ('backup-max-age = "forever"', True, None),
        ("mail-operators = false", False, 26),
    ],
)
def test_mail_to_operators_is_set_in_the_file(tmp_path: Path, lines: str, tells: bool, hours: int | None) -> None:
    file = tmp_path / "server.toml"
    file.write_text(f'public-url = "https://drive.example.org"\nmail = "smtp://localhost:25"\n{lines}\n')
    with click.Context(cli):
        given = parsed_options(file)
        mail = mail_settings_of(given)
    assert mail is not None
    assert mail.tells_operators is tells
    assert rules_in(given).backup_max_age == (None if hours is None else hours * 3_600_000)
