"""The units for systemd, as systemd itself reads them, and what they say about the programs of this project."""

import os
import re
import shutil
import subprocess
from configparser import RawConfigParser
from pathlib import Path

import pytest
from tests.cli.serving import SKYSHELF, run

UNITS = Path(__file__).parent.parent.parent / "packaging" / "systemd"
INSTALLED = "/opt/skyshelf/bin/skyshelf"


def verify(folder: Path, name: str) -> str:
    """What systemd has to say about a unit: nothing, if it is right."""
    program = shutil.which("systemd-analyze")
    if program is None:
        if os.environ.get("SKYSHELF_CI"):
            pytest.fail("systemd-analyze is not installed: the Debian package systemd has it")
        pytest.skip("systemd-analyze is not installed")
    for unit in UNITS.iterdir():
        (folder / unit.name).write_text(unit.read_text().replace(INSTALLED, SKYSHELF))
    said = subprocess.run([program, "verify", str(folder / name)], capture_output=True, text=True, check=False)
    lines = (said.stdout + said.stderr).splitlines()
    return "\n".join(line for line in lines if "skyshelf" in line.lower())


@pytest.mark.parametrize(
    "name", ["skyshelf.service", "skyshelf-backup.service", "skyshelf-backup.timer", "skyshelf.socket"]
)
def test_systemd_accepts_the_unit(tmp_path: Path, name: str) -> None:
    assert verify(tmp_path, name) == ""


def test_systemd_would_say_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    wrong = tmp_path / "skyshelf-wrong.service"
    wrong.write_text("[Service]\nType=notyfi\nExecStart=/no/such/skyshelf\n")
    assert verify(tmp_path, wrong.name) != ""


def commands() -> list[list[str]]:
    found = []
    for unit in UNITS.glob("*.service"):
        parser = RawConfigParser(strict=False)
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        parser.read(unit)
        lines = [value for name, value in parser["Service"].items() if name.startswith("ExecStart")]
        found += [line.removeprefix(INSTALLED).split() for line in lines if line.startswith(INSTALLED)]
    return found


def test_their_commands_exist() -> None:
    assert len(commands()) == 3
    for command in commands():
        words = [word for word in command if re.fullmatch(r"[a-z-]+", word)]
        options = {word for word in command if word.startswith("--")}
        shown = run(*[word for word in words if not word.startswith("-")], "--help")
        assert shown.returncode == 0, shown.stderr
        assert all(option in shown.stdout for option in options)
