"""The example playbook: Ansible accepts it, and a second run changes nothing."""

import grp
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from tests.cli.serving import SKYSHELF, run
from tests.real_parts.programs import program

from skyshelf.cli.admin.config_file import allowed
from skyshelf.cli.admin.serve import serve

PLAYBOOK = Path(__file__).parents[2] / "packaging" / "ansible" / "skyshelf.yml"


def play(folder: Path, *arguments: str) -> str:
    home = {"HOME": str(folder), "ANSIBLE_NOCOLOR": "1", "ANSIBLE_LOCAL_TEMP": str(folder / "t"), "LC_ALL": "C.UTF-8"}
    said = subprocess.run(
        [program("ansible-playbook"), "-i", "localhost,", "-c", "local", str(PLAYBOOK), *arguments],
        env={**os.environ, **home}, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def test_ansible_accepts_the_playbook(tmp_path: Path) -> None:
    play(tmp_path, "--syntax-check")


def test_its_settings_are_settings_of_the_server() -> None:
    (book,) = yaml.safe_load(PLAYBOOK.read_text())
    settings = {name.replace("-", "_") for name in book["vars"]["skyshelf_settings"]}
    assert settings <= allowed(serve).keys()


@pytest.mark.whole
def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    """Configuration, stores and accounts in a folder; what belongs to the system is left out."""
    given = {
        "skyshelf_become": False,
        "skyshelf_manages_service": False,
        "skyshelf_command": SKYSHELF,
        "skyshelf_user": grp.getgrgid(os.getegid()).gr_name,
        "skyshelf_config": str(tmp_path / "server.toml"),
        "skyshelf_settings": {"data": str(tmp_path / "data"), "trash-days": 60, "workers": "auto"},
        "skyshelf_accounts": [
            {
                "email": "ada@example.org",
                "first_name": "Ada",
                "last_name": "Byron",
                "password": "correct horse battery",
                "operator": True,
            }
        ],
        "ansible_python_interpreter": shutil.which("python3"),
    }
    file = tmp_path / "given.json"
    file.write_text(json.dumps(given))
    arguments = ("--tags", "config,provision", "--extra-vars", f"@{file}")
    first, second = play(tmp_path, *arguments), play(tmp_path, *arguments)
    assert re.search(r"changed=4 .*failed=0", first), first
    assert re.search(r"changed=0 .*failed=0", second), second
    (account,) = json.loads(run("admin", "user", "ls", "--data", str(tmp_path / "data"), "--json").stdout)
    assert (account["emailId"], account["isOperator"]) == ("ada@example.org", True)
