"""Before the first start: stores and accounts made by commands that can be run again."""

import json
import stat
from pathlib import Path

import httpx2
import pytest
from tests.cli.serving import run, serving

ADA = ("admin", "user", "add", "ada@example.org", "--first-name", "Ada", "--last-name", "Byron", "--password-stdin")
PASSWORD = "correct horse battery"


@pytest.mark.whole
def test_stores_and_accounts_can_be_made_before_the_first_start_and_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    changed = []
    for _ in range(2):
        made = run("admin", "init", "--data", str(data), "--json")
        added = run(*ADA, "--if-missing", "--data", str(data), "--json", stdin=f"{PASSWORD}\n")
        assert (made.returncode, added.returncode) == (0, 0), made.stderr + added.stderr
        changed.append((json.loads(made.stdout)["changed"], json.loads(added.stdout)["changed"]))
    assert changed == [(True, True), (False, False)]
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    with serving("--data", str(data)) as server:
        assert "welcome#" not in server.greeting, "there is an account already"
        body = {"emailId": "ada@example.org", "password": PASSWORD}
        assert httpx2.post(f"http://127.0.0.1:{server.port}/x/v1/login", json=body).status_code == 200


@pytest.mark.whole
def test_without_the_option_a_taken_address_is_an_error(tmp_path: Path) -> None:
    data = str(tmp_path)
    assert run("admin", "init", "--data", data).stdout == "The stores are ready.\n"
    assert run(*ADA, "--data", data, stdin=f"{PASSWORD}\n").returncode == 0
    assert run(*ADA, "--data", data, stdin=f"{PASSWORD}\n").returncode == 1
    again = run(*ADA, "--if-missing", "--data", data)
    assert (again.returncode, again.stdout) == (0, "ada@example.org has an account already.\n")


def test_commands_name_what_to_do_where_there_is_no_store(tmp_path: Path) -> None:
    refused = run("admin", "user", "ls", "--data", str(tmp_path))
    assert refused.returncode == 1
    assert "make it with skyshelf admin init" in refused.stderr
