"""`skyshelf admin audit`: filters, JSON lines, and following."""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.admin.test_admin import add, admin, opened

from skyshelf.service.audit.search import EventFollower, EventQuery
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.audit_events import AuditEvent
from skyshelf.storage.open import embedded_urls, open_stores

NOW = 1_777_800_000_000
FAILED = AuditEvent(kind="login.failed", at=NOW, address="192.0.2.7")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for store in open_stores(*embedded_urls(tmp_path)):
        store.close()
    return tmp_path


def record(data: Path, *events: AuditEvent) -> None:
    with opened(data) as ctx:
        ctx.metadata.write(lambda unit: unit.audit.add(events))


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_acts_on_the_command_line_name_the_user_and_the_account(data: Path) -> None:
    add(data)
    admin(data, "user", "set-quota", "ada@example.org", "2TiB")
    admin(data, "settings", "set", "trash_days", "60")
    admin(data, "read-only", "on", "--reason", "a new disk")
    admin(data, "read-only", "off")
    found = lines(admin(data, "audit", "--jsonl"))
    assert [one["kind"] for one in found] == [
        "account.added",
        "account.quota-set",
        "admin.setting-changed",
        "admin.read-only-on",
        "admin.read-only-off",
    ]
    assert all(one["actor"].startswith("command:") for one in found)
    assert (found[1]["email"], found[1]["details"]["quota"]) == ("ada@example.org", 2 << 40)
    text = admin(data, "audit").stdout
    assert "account.quota-set" in text
    assert "reason a new disk" in text


def test_events_are_filtered_by_account_kind_time_and_address(data: Path) -> None:
    add(data)
    record(
        data,
        FAILED,
        AuditEvent(kind="login", at=NOW + 3_600_000, address="2001:db8::7"),
        AuditEvent(kind="link.download", at=NOW + 7_200_000, address="192.0.2.200", link_key="L", times=12),
    )

    def kinds(*arguments: str) -> list[str]:
        return [one["kind"] for one in lines(admin(data, "audit", "--jsonl", *arguments))]

    assert kinds("--kind", "login") == ["login.failed", "login"]
    assert kinds("--kind", "login.failed", "--kind", "link") == ["login.failed", "link.download"]
    assert kinds("--address", "192.0.2.7") == ["login.failed"]
    assert kinds("--address", "192.0.2.0/24") == ["login.failed", "link.download"]
    assert kinds("--account", "ada@example.org") == ["account.added"]
    assert kinds("--until", "2026-05-03T10:30+00:00", "--limit", "1") == ["login"]
    assert kinds("--all") == kinds("--limit", "1000")
    assert len(json.loads(admin(data, "audit", "--json", "--limit", "2").stdout)) == 2


@pytest.mark.parametrize(
    "arguments", [("--kind", "nothing"), ("--address", "here"), ("--json", "--follow"), ("--all", "--follow")]
)
def test_what_cannot_be_meant_is_a_mistake_of_usage(data: Path, arguments: tuple[str, ...]) -> None:
    assert admin(data, "audit", *arguments).exit_code == 2


def test_who_follows_gets_each_event_once_also_one_that_comes_late(data: Path) -> None:
    with opened(data) as ctx:
        insert(ctx, 1, 2)
        following = EventFollower(ctx, EventQuery(kinds=["login"]))
        insert(ctx, 5)
        assert [one.event_id for one in following.new()] == [5]
        # Another transaction had taken this number, and commits only now.
        insert(ctx, 4, 6)
        assert [one.event_id for one in following.new()] == [4, 6]
        assert following.new() == []


def insert(ctx: ServiceContext, *numbers: int) -> None:
    def work(unit: Any) -> None:
        for number in numbers:
            unit.sql.run(
                "INSERT INTO audit_events (event_id, happened_at, kind, actor, address, device_key, object_key,"
                " link_key, times, details) VALUES (:number, 1, 'login', '', '', '', '', '', 1, '')",
                {"number": number},
            )

    ctx.metadata.write(work)


def test_following_prints_what_happens_until_it_is_interrupted(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(data, FAILED)
    turns = iter([None, None])
    written = threading.Event()

    def pause() -> None:
        if written.is_set():
            raise KeyboardInterrupt
        next(turns)
        record(data, AuditEvent(kind="logout", at=NOW + 1))
        written.set()

    monkeypatch.setattr(sys.modules["skyshelf.cli.admin.audit"], "pause", pause)
    result = admin(data, "audit", "--follow", "--jsonl")
    assert [json.loads(line)["kind"] for line in result.stdout.splitlines()] == ["login.failed", "logout"]
