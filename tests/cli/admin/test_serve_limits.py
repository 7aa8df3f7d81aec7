"""Limits and retention as settings of the server: the same defaults everywhere, and the store follows the file."""

from pathlib import Path

import click
import pytest
from tests.real_parts.migrated_sqlite import put_migrated

from skyshelf.cli.admin.serve import serve
from skyshelf.cli.admin.serving.options import STORE_LIMITS
from skyshelf.cli.admin.serving.start import server_settings
from skyshelf.server.app import ServerSettings, open_context
from skyshelf.server.connections.traffic import connection_limit
from skyshelf.server.pipeline.admission.kinds import CALLS, KINDS, THREADS, kinds_with
from skyshelf.service.context import Rules
from skyshelf.service.retention import SETTINGS, effective_settings


def settings_with(folder: Path, *arguments: str) -> ServerSettings:
    with serve.make_context("serve", ["--data", str(folder), *arguments], help_option_names=["-h", "--help"]) as ctx:
        assert isinstance(ctx, click.Context)
        return server_settings(ctx.params)


def test_what_is_kept_has_the_names_and_bounds_of_the_store() -> None:
    assert [(one.name, one.minimum, one.maximum) for one in STORE_LIMITS] == [
        (one.name, one.minimum, one.maximum) for one in SETTINGS
    ]


def test_without_options_everything_has_its_default(tmp_path: Path) -> None:
    made, plain = settings_with(tmp_path), ServerSettings(metadata="", blobs="")
    assert made.rules == Rules() == plain.rules
    for name in ("connections", "keep_alive_seconds", "threads", "media_workers", "retention", "database_connections"):
        assert getattr(made, name) == getattr(plain, name), name


def test_limits_are_set_by_options(tmp_path: Path) -> None:
    made = settings_with(
        tmp_path,
        *("--connections", "200", "--keep-alive", "120", "--threads", "32", "--media-workers", "4"),
        *("--max-file-size", "5GiB", "--session-days", "7", "--account-grace-days", "0"),
    )
    assert (made.connections, made.keep_alive_seconds, made.threads, made.media_workers) == (200, 120, 32, 4)
    assert (made.rules.max_file_size, made.rules.session_days, made.rules.account_grace_days) == (5 << 30, 7, 0)
    assert connection_limit(made.connections) == 200


def test_more_threads_leave_everybodys_share_as_it_was() -> None:
    assert kinds_with(THREADS) is KINDS
    more = {kind.name: kind for kind in kinds_with(2 * THREADS)}
    assert more.keys() == {kind.name for kind in KINDS}
    calls = more[CALLS.name]
    assert (calls.total, calls.share, calls.strangers) == (2 * CALLS.total, 2 * CALLS.share, 2 * CALLS.strangers)
    assert all(more[kind.name] is kind for kind in KINDS if kind is not CALLS)
    few = next(kind for kind in kinds_with(4) if kind.name == CALLS.name)
    assert min(few.share, few.address_share, few.strangers, few.crowded_share, few.costly_share) == 1


@pytest.fixture
def data(tmp_path: Path) -> Path:
    put_migrated(tmp_path)
    return tmp_path


def test_the_store_follows_the_configuration_at_the_start(data: Path) -> None:
    def kept(*arguments: str) -> dict[str, tuple[int, int | None]]:
        ctx = open_context(settings_with(data, *arguments))
        try:
            return {one.setting.name: (one.value, one.later) for one in effective_settings(ctx)}
        finally:
            ctx.media.close()
            ctx.metadata.close()
            ctx.blobs.close()

    default = {one.name: (one.default, None) for one in SETTINGS}
    assert kept() == default
    longer = kept("--trash-days", "90", "--scrub-days", "60")
    assert longer == default | {"trash_days": (90, None), "scrub_days": (60, None)}
    # Without the option the stored value stays, and the same one again changes nothing.
    assert kept() == kept("--trash-days", "90") == longer
    # What keeps less waits for a day, as after the command.
    assert kept("--trash-days", "10")["trash_days"] == (90, 10)
    # An instance that writes nothing stores nothing.
    assert kept("--trash-days", "120", "--read-only", "look")["trash_days"] == (90, 10)
