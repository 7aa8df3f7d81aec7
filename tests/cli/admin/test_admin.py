"""`skyshelf admin`: accounts, in sentences for people and in JSON for scripts."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.conformance.metadata.making import a_passkey

from skyshelf.cli.main import main
from skyshelf.service.accounts import accounts, password_links, passwords
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.jobs import brakes
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.resources.credentials import WelcomeRequest

NAMES = ("--first-name", "Ada", "--last-name", "Byron")
PASSWORD = "correct horse battery"
GIB = 1 << 30


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with an empty store."""
    open_metadata(embedded_urls(tmp_path)[0]).close()
    return tmp_path


def admin(data: Path, *arguments: str, stdin: str = f"{PASSWORD}\n") -> Result:
    return CliRunner().invoke(main, ["admin", *arguments, "--data", str(data)], input=stdin)


def add(data: Path, email: str = "ada@example.org", *more: str, stdin: str = f"{PASSWORD}\n") -> Result:
    return admin(data, "user", "add", email, *NAMES, "--password-stdin", *more, stdin=stdin)


def without_announcement(stderr: str) -> list[str]:
    """The lines of a command without the one that says which store it opened."""
    return [line for line in stderr.splitlines() if not re.match("(Reading|Changing) the store /", line)]


def refusal(result: Result) -> str:
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    [line] = without_announcement(result.stderr)
    return line


def listed(data: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(admin(data, "user", "ls", "--json").stdout)
    return found


@contextmanager
def opened(data: Path) -> Iterator[ServiceContext]:
    metadata, blobs = embedded_urls(data)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ctx
    finally:
        ctx.media.close()
        ctx.metadata.close()
        ctx.blobs.close()


def account_of(data: Path, email: str = "ada@example.org") -> Any:
    with opened(data) as ctx:
        return accounts.find_account(ctx, email)


def test_an_account_is_opened_with_a_password_from_standard_input(data: Path) -> None:
    result = add(data)
    assert result.exit_code == 0
    account = account_of(data)
    assert account.account_key in result.stdout
    assert passwords.matches(PASSWORD, account.password_hash)
    assert account.default_space == 100 * GIB


def test_the_end_of_the_line_is_not_part_of_the_password(data: Path) -> None:
    assert add(data, stdin="with blanks at the end  \r\nanother line\n").exit_code == 0
    assert passwords.matches("with blanks at the end  ", account_of(data).password_hash)


def test_json_has_the_names_of_the_interface(data: Path) -> None:
    answer = json.loads(add(data, "ada@example.org", "--quota", "5GiB", "--json").stdout)
    account = account_of(data)
    assert answer == {
        "userId": account.account_key,
        "emailId": "ada@example.org",
        "firstName": "Ada",
        "lastName": "Byron",
        "status": "A",
        "isOperator": False,
        "rootFolderKey": account.root_key,
        "allocatedSpace": 5 * GIB,
        "usedSpace": 0,
        "objects": 0,
        "createdDate": account.created_at,
        "secondFactor": False,
        "passkeys": 0,
        "changed": True,
    }


def test_the_list_shows_every_account(data: Path) -> None:
    assert admin(data, "user", "ls").exit_code == 0
    assert listed(data) == []
    add(data)
    add(data, "grace@example.org", "--quota", "1500MB")
    assert admin(data, "user", "ls").stdout.splitlines() == [
        "ada@example.org    Ada Byron  active  0 B of 100 GiB",
        "grace@example.org  Ada Byron  active  0 B of 1.4 GiB",
    ]
    assert [one["emailId"] for one in listed(data)] == ["ada@example.org", "grace@example.org"]


def test_an_account_is_disabled_and_enabled(data: Path) -> None:
    add(data)
    assert admin(data, "user", "disable", "ADA@example.org").exit_code == 0
    assert [one["status"] for one in listed(data)] == ["D"]
    assert json.loads(admin(data, "user", "enable", "ada@example.org", "--json").stdout)["status"] == "A"


def test_a_quota_is_changed(data: Path) -> None:
    add(data)
    assert "2 TiB" in admin(data, "user", "set-quota", "ada@example.org", "2TiB").stdout
    assert listed(data)[0]["allocatedSpace"] == 2048 * GIB


def test_passkeys_are_counted_and_removed_for_somebody_who_is_locked_out(data: Path) -> None:
    add(data)
    with opened(data) as ctx:
        account = accounts.find_account(ctx, "ada@example.org")
        ctx.metadata.write(lambda unit: unit.passkeys.add(account.account_id, a_passkey(), 1))
    assert [one["passkeys"] for one in listed(data)] == [1]
    assert admin(data, "user", "ls").stdout.endswith("1 passkey\n")
    kept = admin(data, "user", "reset-second-factor", "ada@example.org")
    assert (kept.exit_code, [one["passkeys"] for one in listed(data)]) == (0, [1])
    removed = admin(data, "user", "reset-second-factor", "ada@example.org", "--passkeys")
    assert removed.stdout == "ada@example.org has no second factor. Removed 1 passkey.\n"
    assert [one["passkeys"] for one in listed(data)] == [0]


@pytest.mark.parametrize(
    "command",
    [
        ("disable",),
        ("disable", "enable"),
        ("set-quota",),
        ("grant-operator",),
        ("delete",),
        ("delete", "cancel-deletion"),
    ],
    ids=lambda commands: commands[-1],
)
def test_a_command_that_is_run_again_says_that_it_has_changed_nothing(data: Path, command: tuple[str, ...]) -> None:
    add(data)
    more = {"set-quota": ("2TiB",), "delete": ("--yes",)}

    def changed(name: str) -> bool:
        done = admin(data, "user", name, "ada@example.org", *more.get(name, ()), "--json")
        assert done.exit_code == 0, done.output
        return bool(json.loads(done.stdout)["changed"])

    *before, last = command
    for name in before:
        changed(name)
    assert [changed(last), changed(last)] == [True, False]


def test_a_pending_deletion_is_listed_until_it_is_cancelled(data: Path) -> None:
    add(data)
    listed = admin(data, "user", "ls").stdout
    assert "active" in listed
    assert "deleted on" not in listed
    assert admin(data, "user", "delete", "ada@example.org", "--yes").exit_code == 0
    assert "active, deleted on" in admin(data, "user", "ls").stdout
    assert "Cancelled" in admin(data, "user", "cancel-deletion", "ada@example.org").stdout
    assert admin(data, "user", "ls").stdout == listed
    assert "No deletion" in admin(data, "user", "cancel-deletion", "ada@example.org").stdout


def test_an_invitation_can_be_repeated_by_a_playbook(data: Path) -> None:
    names = ("--first-name", "Grace", "--last-name", "Hopper", "--if-missing", "--json")
    first, again = (json.loads(admin(data, "user", "invite", "grace@example.org", *names).stdout) for _ in range(2))
    assert (first["changed"], again["changed"]) == (True, False)
    assert "linkUrl" in first
    assert "linkUrl" not in again


def test_the_configuration_of_the_server_counts_for_commands(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = data / "server.toml"
    config.write_text('quota = "5GiB"\npublic-url = "https://example.org/sky"\n')
    monkeypatch.setenv("SKYSHELF_SERVE_CONFIG", str(config))
    names = ("--first-name", "Grace", "--last-name", "Hopper", "--json")
    invited = json.loads(admin(data, "user", "invite", "grace@example.org", *names).stdout)
    assert invited["allocatedSpace"] == 5 * GIB
    assert invited["linkUrl"].startswith("https://example.org/sky/drive/welcome#")


def test_a_password_is_reset(data: Path) -> None:
    add(data)
    assert (
        admin(data, "user", "reset-password", "ada@example.org", "--password-stdin", stdin="a new one\n").exit_code == 0
    )
    assert passwords.matches("a new one", account_of(data).password_hash)


def test_an_invitation_prints_a_link_that_sets_the_password(data: Path) -> None:
    names = ("--first-name", "Grace", "--last-name", "Hopper", "--public-url", "https://drive.example.org/")
    invited = admin(data, "user", "invite", "grace@example.org", *names)
    assert invited.exit_code == 0
    first = invited.stdout.splitlines()[-1]
    assert first.startswith("https://drive.example.org/drive/welcome#")
    again = json.loads(admin(data, "user", "password-link", "grace@example.org", "--json").stdout)
    assert (again["emailId"], again["linkUrl"].split("#")[0]) == (
        "grace@example.org",
        "http://127.0.0.1:8600/drive/welcome",
    )
    with opened(data) as ctx:

        def use(link: str) -> None:
            request = WelcomeRequest(token=link.split("#")[1], password="a new one")
            password_links.use_link(ctx, request, "127.0.0.1")

        with pytest.raises(ServiceError, match="no longer valid"):
            use(first)
        use(again["linkUrl"])
    assert passwords.matches("a new one", account_of(data, "grace@example.org").password_hash)


def test_the_role_of_an_operator_is_granted_and_revoked_except_from_the_last(data: Path) -> None:
    add(data)
    add(data, "grace@example.org")
    assert admin(data, "user", "grant-operator", "ada@example.org").exit_code == 0
    assert admin(data, "user", "ls").stdout.splitlines()[0].endswith("operator")
    for refused in ("revoke-operator", "disable"):
        last = admin(data, "user", refused, "ada@example.org")
        assert (last.exit_code, "only operator" in last.stderr) == (1, True)
    assert admin(data, "user", "grant-operator", "grace@example.org").exit_code == 0
    assert admin(data, "user", "revoke-operator", "ada@example.org").exit_code == 0
    assert [one["isOperator"] for one in listed(data)] == [False, True]


def test_a_second_factor_is_shown_and_taken_away(data: Path) -> None:
    add(data)
    with opened(data) as ctx:
        account = accounts.find_account(ctx, "ada@example.org")

        def turn_on(unit: Unit) -> None:
            unit.second_factors.begin(account.account_id, b"salt", 1)
            unit.second_factors.confirm(account.account_id, b"salt", 1, 1)

        ctx.metadata.write(turn_on)
    assert [one["secondFactor"] for one in listed(data)] == [True]
    assert admin(data, "user", "ls").stdout.endswith("second factor\n")
    assert "second factor on" in " ".join(admin(data, "user", "show", "ada@example.org").stdout.split())
    turned_off = admin(data, "user", "reset-second-factor", "ada@example.org")
    assert turned_off.exit_code == 0
    assert [one["secondFactor"] for one in listed(data)] == [False]
    again = admin(data, "user", "reset-second-factor", "ada@example.org")
    assert (again.exit_code, again.stdout != turned_off.stdout) == (0, True)


@pytest.mark.parametrize(
    "command",
    [
        ("disable",),
        ("enable",),
        ("set-quota", "1GiB"),
        ("reset-password", "--password-stdin"),
        ("reset-second-factor",),
    ],
)
def test_a_missing_account_is_reported_in_a_sentence(data: Path, command: tuple[str, ...]) -> None:
    result = admin(data, "user", command[0], "nobody@example.org", *command[1:])
    assert "skyshelf admin user ls" in refusal(result)


def test_an_address_can_be_taken_in_any_case(data: Path) -> None:
    add(data)
    assert "an account has the address ADA@Example.org" in refusal(add(data, "ADA@Example.org"))
    assert len(listed(data)) == 1


@pytest.mark.parametrize(
    ("email", "stdin", "sentence"),
    [
        ("not an address", f"{PASSWORD}\n", "Not a valid email address"),
        ("a@b@c", f"{PASSWORD}\n", "Not a valid email address"),
        ("@example.org", f"{PASSWORD}\n", "Not a valid email address"),
        ("x" * 250 + "@example.org", f"{PASSWORD}\n", "Not a valid email address"),
        ("ada@example.org", "short\n", "The password needs at least 8 characters"),
        ("ada@example.org", "", "The password needs at least 8 characters"),
        ("ada@example.org", "x" * 2000 + "\n", "The password can have at most 1024 characters"),
    ],
)
def test_what_cannot_be_an_account_is_refused_with_a_sentence(
    data: Path, email: str, stdin: str, sentence: str
) -> None:
    assert sentence in refusal(add(data, email, stdin=stdin))
    assert listed(data) == []


def test_addresses_of_every_alphabet_are_taken(data: Path) -> None:
    for email in ("andré@exämple.org", "用户@例子.广告", "o'brien+tag@sub.example.org", "root@localhost"):
        assert add(data, email).exit_code == 0


def test_a_folder_without_a_store_is_reported_in_a_sentence(tmp_path: Path) -> None:
    assert str(tmp_path / "nothing") in refusal(add(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()


def test_without_a_terminal_the_password_has_to_come_from_standard_input(data: Path) -> None:
    result = admin(data, "user", "add", "ada@example.org", *NAMES)
    assert "--password-stdin" in refusal(result)


def test_upgrade_says_when_there_is_nothing_to_do(data: Path) -> None:
    assert "up to date" in admin(data, "upgrade").stdout
    done = json.loads(admin(data, "upgrade", "--json").stdout)
    assert (done["migrations"], done["changed"]) == ([], False)


def test_no_answer_shows_a_password_or_its_hash(data: Path) -> None:
    said = add(data).output + admin(data, "user", "ls", "--json").output + admin(data, "user", "ls").output
    assert PASSWORD not in said
    assert "argon2" not in said


def test_brakes_are_listed_and_released_with_a_reason(data: Path) -> None:
    assert admin(data, "brake", "ls").stdout == "No job is stopped.\n"
    with opened(data) as ctx, pytest.raises(brakes.BrakePulled):
        brakes.pull(ctx, "sweep-orphans", "60 of 70 blobs are unknown to the database")
    shown = admin(data, "brake", "ls").stdout
    assert "sweep-orphans" in shown
    assert "60 of 70 blobs" in shown
    [listed] = json.loads(admin(data, "brake", "ls", "--json").stdout)
    assert (listed["job"], listed["releasedUntil"]) == ("sweep-orphans", None)
    assert "Missing option '--reason'" in admin(data, "brake", "release", "sweep-orphans").stderr
    assert "is not stopped" in refusal(admin(data, "brake", "release", "clock", "--reason", "none"))
    released = admin(data, "brake", "release", "sweep-orphans", "--reason", "an import was killed")
    assert released.exit_code == 0
    assert "It was stopped because 60 of 70 blobs" in released.stdout
    assert admin(data, "brake", "ls").stdout == "No job is stopped.\n"


def test_a_store_of_another_user_is_refused(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owner = data.stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    assert "belongs to the user" in refusal(add(data))
    monkeypatch.setattr("os.geteuid", lambda: owner)
    assert add(data).exit_code == 0
