"""`skyshelf admin user hold`, `release`, `delete --now` and `rewind`, `alarms` and `secrets`, as they are typed."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.admin.test_admin import add, admin, listed, opened, refusal
from tests.service.making import folder

from skyshelf.service.accounts import accounts
from skyshelf.service.secret_table import SETTINGS, TABLE
from skyshelf.storage.open import embedded_urls, open_metadata
from skyshelf.wire.times import from_epoch_ms

ADA = "ada@example.org"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A store with an account."""
    open_metadata(embedded_urls(tmp_path)[0]).close()
    assert add(tmp_path, ADA).exit_code == 0
    return tmp_path


def answer(data: Path, *arguments: str) -> Any:
    result = admin(data, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_hold_is_shown_with_its_reason_and_refuses_deletions(data: Path) -> None:
    assert answer(data, "user", "hold", ADA, "--reason", "case 12")["changed"]
    shown = answer(data, "user", "show", ADA)
    assert (shown["heldFor"], shown["heldSpace"]) == ("case 12", 0)
    assert shown["heldBy"].startswith("command:")
    assert listed(data)[0]["heldDate"] == shown["heldDate"]
    assert "case 12" in refusal(admin(data, "user", "hold", ADA, "--reason", "another"))
    for command in (("delete", ADA, "--yes"), ("delete", ADA, "--now", "--reason", "r", "--yes")):
        assert "is held since" in refusal(admin(data, "user", *command))
    assert admin(data, "user", "release", ADA).exit_code == 2, "it asks first"
    assert answer(data, "user", "release", ADA, "--yes")["changed"]
    assert not answer(data, "user", "release", ADA, "--yes")["changed"]
    assert "heldDate" not in listed(data)[0]


@pytest.mark.parametrize("reason", [(), ("--reason", " ")])
def test_a_hold_and_a_deletion_at_once_need_a_reason(data: Path, reason: tuple[str, ...]) -> None:
    assert admin(data, "user", "hold", ADA, *reason).exit_code == 2
    assert admin(data, "user", "delete", ADA, "--now", "--yes", *reason).exit_code == 2
    assert admin(data, "user", "delete", ADA, "--yes", "--reason", "r").exit_code == 2
    assert len(listed(data)) == 1


def test_deleting_at_once_says_what_is_left_and_until_when(data: Path) -> None:
    assert admin(data, "user", "delete", ADA, "--now", "--reason", "request 7").exit_code == 2, "it asks first"
    result = admin(data, "user", "delete", ADA, "--now", "--reason", "request 7", "--yes")
    assert "in quarantine until" in result.stdout
    assert "The audit trail keeps its events" in result.stdout
    assert "skyshelf admin cuts DEST" in result.stdout
    assert listed(data) == []
    trail = admin(data, "audit", "--kind", "account.deleted-at-once").stdout
    assert "reason request 7" in trail
    assert ADA not in trail


def test_a_rewind_needs_a_consent_or_a_reason(data: Path) -> None:
    with opened(data) as ctx:
        account = accounts.find_account(ctx, ADA)
        folder(ctx, account, "early")
        at = ctx.clock.now() + 1
        while ctx.clock.now() <= at:
            pass
        folder(ctx, account, "late")
    rewind = ("user", "rewind", ADA, "--to", from_epoch_ms(at).isoformat(), "--yes")
    assert answer(data, *rewind, "--dry-run")["counts"]["trashed"] == 1
    assert "has not agreed" in refusal(admin(data, *rewind))
    assert "No folder /missing" in refusal(admin(data, *rewind, "--path", "/missing"))
    assert admin(data, *rewind, "--reason", " ").exit_code == 2
    started = answer(data, *rewind, "--reason", "asked by phone")
    assert started["rewindKey"]
    assert "reason asked by phone" in admin(data, "audit", "--kind", "account.rewound-by-operator").stdout


def test_secrets_are_listed_and_replaced_without_their_values(data: Path) -> None:
    with opened(data) as ctx:
        values = {name: ctx.secret(name) for name in sorted(SETTINGS)}
    assert [one["name"] for one in answer(data, "secrets", "ls")] == [one.name for one in TABLE]
    assert admin(data, "secrets", "rotate", "share-links").exit_code == 2, "it asks first"
    assert admin(data, "secrets", "rotate", "--yes").exit_code == 2
    assert admin(data, "secrets", "rotate", "share-links", "--all", "--yes").exit_code == 2
    output = admin(data, "secrets", "rotate", "--all", "--force", "--yes").output + admin(data, "secrets", "ls").output
    with opened(data) as ctx:
        new = {name: ctx.secret(name) for name in sorted(SETTINGS)}
    assert all(values[name] != new[name] for name in values)
    assert not [name for name in values if values[name].hex() in output or new[name].hex() in output]
    assert {one["generation"] for one in answer(data, "secrets", "ls") if one["generation"]} >= {2}


def test_no_device_is_paused(data: Path) -> None:
    assert answer(data, "alarms", "ls") == []
    assert admin(data, "alarms", "ls").stdout == "No device is paused.\n"


def test_sessions_of_one_account_end(data: Path) -> None:
    assert answer(data, "user", "end-sessions", ADA)["endedSessions"] == 0
