"""`skyshelf admin settings`: values, bounds, and what a change means."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.admin.test_admin import admin, opened, refusal

from skyshelf.storage.open import embedded_urls, open_metadata

DAY = 86_400_000


@pytest.fixture
def data(tmp_path: Path) -> Path:
    open_metadata(embedded_urls(tmp_path)[0]).close()
    return tmp_path


def shown(data: Path) -> dict[str, dict[str, Any]]:
    """How long data is kept; the server's options, which follow, have no bounds."""
    return {one["name"]: one for one in json.loads(admin(data, "settings", "--json").stdout) if "minimum" in one}


def test_all_settings_are_shown_with_their_default_bounds_and_source(data: Path) -> None:
    found = shown(data)
    assert {name: (one["value"], one["source"]) for name, one in found.items()} == {
        "trash_days": (30, "default"),
        "versions_kept": (20, "default"),
        "changes_days": (90, "default"),
        "history_days": (30, "default"),
        "alarm_limit": (1000, "default"),
        "upload_days": (7, "default"),
        "quarantine_days": (7, "default"),
        "quarantine_gib": (1024, "default"),
        "audit_days": (365, "default"),
        "scrub_days": (30, "default"),
    }
    assert all(one["minimum"] <= one["default"] <= one["maximum"] for one in found.values())
    table = admin(data, "settings", "show").stdout
    assert all(name in table for name in found)
    assert "default 30, 1 to 3650" in table
    assert "database-connections" in table


def test_keeping_more_holds_at_once_and_keeping_less_after_a_day(data: Path) -> None:
    longer = admin(data, "settings", "set", "trash_days", "60")
    assert longer.stdout == "trash_days is 60 days.\n"
    assert (shown(data)["trash_days"]["value"], shown(data)["trash_days"]["source"]) == (60, "stored")
    shorter = admin(data, "settings", "set", "trash_days", "10").stdout
    assert "trash_days stays 60 days until" in shorter
    assert "0 objects in the trash" in shorter
    pending = shown(data)["trash_days"]
    with opened(data) as ctx:
        now = ctx.clock.now()
    assert (pending["value"], pending["later"]) == (60, 10)
    assert 0 < pending["laterAt"] - now <= DAY


def test_a_slip_is_corrected_before_it_takes_effect(data: Path) -> None:
    admin(data, "settings", "set", "versions_kept", "1")
    assert shown(data)["versions_kept"]["later"] == 1
    assert admin(data, "settings", "reset", "versions_kept").stdout == "versions_kept is 20 versions.\n"
    assert (shown(data)["versions_kept"]["value"], shown(data)["versions_kept"]["later"]) == (20, None)


def test_a_reset_that_keeps_less_waits_too(data: Path) -> None:
    admin(data, "settings", "set", "quarantine_days", "30")
    answer = json.loads(admin(data, "settings", "reset", "quarantine_days", "--json").stdout)
    assert (answer["value"], answer["later"], answer["wouldGo"]) == (30, 7, {"count": 0, "bytes": 0})


@pytest.mark.parametrize(
    ("name", "value"), [("trash_days", "0"), ("versions_kept", "1001"), ("quarantine_days", "999")]
)
def test_a_value_out_of_bounds_is_refused(data: Path, name: str, value: str) -> None:
    assert f"{name} is 1 to" in refusal(admin(data, "settings", "set", name, value))
    assert shown(data)[name]["source"] == "default"


def test_an_unknown_setting_is_answered_with_the_known_ones(data: Path) -> None:
    assert "versions_kept" in refusal(admin(data, "settings", "set", "trash", "5"))
    assert "versions_kept" in refusal(admin(data, "settings", "reset", "trash"))
