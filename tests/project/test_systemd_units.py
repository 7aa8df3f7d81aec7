"""The units for systemd, as systemd itself reads them, and what they say about the programs of this project."""

import re
import subprocess
from pathlib import Path

import pytest
from tests.cli.serving import SKYSHELF, run
from tests.real_parts.programs import program

from skyshelf.cli.admin import config_file
from skyshelf.cli.admin.serve import serve

UNITS = Path(__file__).parent.parent.parent / "packaging" / "systemd"
INSTALLED = "/opt/skyshelf/bin/skyshelf"


def verify(folder: Path, name: str) -> str:
    """What systemd has to say about a unit: nothing, if it is right."""
    analyze = program("systemd-analyze")
    for unit in UNITS.iterdir():
        (folder / unit.name).write_text(unit.read_text().replace(INSTALLED, SKYSHELF))
    said = subprocess.run([analyze, "verify", str(folder / name)], capture_output=True, text=True, check=False)
    lines = (said.stdout + said.stderr).splitlines()
    return "\n".join(line for line in lines if "skyshelf" in line.lower())


@pytest.mark.parametrize(
    "name",
    [
        "skyshelf.service",
        "skyshelf-backup.service",
        "skyshelf-backup-failed.service",
        "skyshelf-backup.timer",
        "skyshelf.socket",
    ],
)
def test_systemd_accepts_the_unit(tmp_path: Path, name: str) -> None:
    assert verify(tmp_path, name) == ""


def test_systemd_would_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    wrong = tmp_path / "skyshelf-wrong.service"
    wrong.write_text("[Service]\nType=notyfi\nExecStart=/no/such/skyshelf\n")
    assert verify(tmp_path, wrong.name) != ""


@pytest.mark.parametrize("name", ["skyshelf.service", "skyshelf-backup.service"])
def test_a_unit_leaves_the_settings_to_the_file_and_takes_secrets_from_another(name: str) -> None:
    """A variable would win over the file, for the service alone: the operator's shell would use other stores."""
    lines = (UNITS / name).read_text().splitlines()
    assert [line for line in lines if line.startswith(("Environment=", "PassEnvironment="))] == []
    assert "EnvironmentFile=-/etc/skyshelf/environment" in lines
    assert not any("--data" in line or "--config" in line for line in lines)


def test_the_file_beside_the_units_names_the_folder_that_they_may_write_to() -> None:
    values = config_file.settings_for(serve, UNITS / "server.toml")
    assert values == {"data": "/var/lib/skyshelf"}
    for name in ("skyshelf.service", "skyshelf-backup.service"):
        lines = (UNITS / name).read_text().splitlines()
        assert "StateDirectory=skyshelf" in lines or any(
            line.startswith("ReadWritePaths=") and "/var/lib/skyshelf" in line for line in lines
        )


def test_a_backup_is_verified_and_rehearsed_and_a_failure_starts_another_unit() -> None:
    lines = (UNITS / "skyshelf-backup.service").read_text().splitlines()
    backup, verify_it = (line.split() for line in lines if line.startswith("ExecStart="))
    assert (backup[2], verify_it[2], backup[3]) == ("backup", "verify", verify_it[3])
    assert verify_it[4:6] == ["--rehearse-every", "7d"]
    # Where the unit may not write, the rehearsal could not make its folder.
    [writable] = [line.partition("=")[2].split() for line in lines if line.startswith("ReadWritePaths=")]
    assert verify_it[verify_it.index("--work") + 1] in writable
    [failed] = [line.removeprefix("OnFailure=") for line in lines if line.startswith("OnFailure=")]
    assert (UNITS / failed).exists()
    assert failed in (UNITS.parent / "ansible" / "skyshelf.yml").read_text()


def commands() -> list[list[str]]:
    lines = [line for unit in UNITS.glob("*.service") for line in unit.read_text().splitlines()]
    started = [line.partition("=")[2] for line in lines if line.startswith("ExecStart")]
    return [line.removeprefix(INSTALLED).split() for line in started if line.startswith(INSTALLED)]


def test_their_commands_exist() -> None:
    assert len(commands()) == 4
    for command in commands():
        words = [word for word in command if re.fullmatch(r"[a-z-]+", word)]
        options = {word for word in command if word.startswith("--")}
        shown = run(*[word for word in words if not word.startswith("-")], "--help")
        assert shown.returncode == 0, shown.stderr
        assert all(option in shown.stdout for option in options)
