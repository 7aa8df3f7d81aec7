"""A change that the server refuses is a failure with its own error; nothing is doubled, and the rest is synced."""

import errno
from pathlib import Path

import pytest
from tests.client.serving import ClientServer, Person
from tests.desktop.sync.both_sides import TOP, Put, local_tree, remote_hashes, run, same, sync

from skyshelf.client.errors import (
    ConflictError,
    DestinationExistsError,
    ForbiddenError,
    LocalFileError,
    ObjectNotFoundError,
    QuotaExceededError,
    SessionPausedError,
    SkyshelfError,
)
from skyshelf.client.objects.outcomes import BatchResult, Outcome, UnprocessedError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync.refusals import can_be_merged, error_of, refusal
from skyshelf.storage.metadata.contracts.tree import Rename
from skyshelf.storage.metadata.store import Unit
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import ALARM_LIMIT_MIN


@pytest.fixture
def synced(client: Client, here: Path) -> Path:
    for folder in ("one", "two"):
        (here / folder).mkdir()
    for name in range(4):
        (here / "one" / f"{name}.txt").write_text(f"content {name}")
    sync(client, here)
    return here


def pause(person: Person, client: Client) -> None:
    """Pause the device of a session: it renames a folder far too often."""
    folder = client.create_folder("renamed")
    account_id = person.account.account_id

    def work(unit: Unit) -> None:
        unit.act_as(f"{person.login.device_key}/0123456789abcdef")
        unit.alarms.set_limit(account_id, ALARM_LIMIT_MIN)
        for turn in range(4):
            renames = [Rename(folder.key, f"{turn}.{number}") for number in range(ALARM_LIMIT_MIN)]
            unit.tree.apply(account_id, renames, person.server.ctx.clock.now())
        unit.alarms.set_limit(account_id, None)

    person.server.ctx.metadata.write(work)


def test_moves_of_a_paused_device_fail_and_nothing_exists_twice(person: Person, client: Client, synced: Path) -> None:
    pause(person, client)
    before = remote_hashes(client)
    for name in range(4):
        (synced / "one" / f"{name}.txt").rename(synced / "two" / f"{name}.txt")
    here = local_tree(synced)
    for _ in range(2):
        events, result = run(client, synced)
        assert {path for path, _ in result.failures} == {f"two/{name}.txt" for name in range(4)}
        assert {type(error) for _, error in result.failures} == {SessionPausedError}
        assert len([event for event in events if event.kind == "failed"]) == 4
        assert local_tree(synced) == here
    assert remote_hashes(client) == before


def test_deletions_of_a_paused_device_are_refused_as_such(person: Person, client: Client, synced: Path) -> None:
    pause(person, client)
    before = remote_hashes(client)
    (synced / "one" / "0.txt").unlink()
    for _ in range(2):
        with pytest.raises(SessionPausedError):
            run(client, synced)
    assert remote_hashes(client) == before
    assert not (synced / "one" / "0.txt").exists()


def test_a_full_account_ends_the_run_with_its_own_error(desktop_host: ClientServer, here: Path) -> None:
    (here / "a.txt").write_text("a")
    (here / "large.bin").write_bytes(b"x" * 2000)
    with Client(**desktop_host.person(quota=1000).settings, retry_wait=0.01) as client:
        for _ in range(2):
            with pytest.raises(QuotaExceededError):
                run(client, here)
        assert "large.bin" not in remote_hashes(client)


def test_after_a_failed_transfer_nothing_is_deleted(person: Person, client: Client, synced: Path, there: Put) -> None:
    there("one/new.txt", b"new " * 1000)
    (synced / "one" / "0.txt").unlink()
    client.move_to_trash([f"{TOP}/one/1.txt"])
    damage = FaultPlan(rates={Fault.CORRUPT: 1.0}, only="/download/")
    with (
        FaultProxy(person.server.url, damage) as proxy,
        Client(**person.settings | {"server": proxy.url}, retry_wait=0.01) as through,
    ):
        _, result = run(through, synced)
    assert [path for path, _ in result.failures] == ["one/new.txt"]
    assert "one/0.txt" in remote_hashes(client)
    assert (synced / "one" / "1.txt").exists()
    sync(client, synced)
    assert same(client, synced)
    assert {path for path in remote_hashes(client) if path.startswith("one/")} == {
        "one/2.txt",
        "one/3.txt",
        "one/new.txt",
    }


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (codes.SESSION_PAUSED.code, SessionPausedError),
        (codes.FORBIDDEN.code, ForbiddenError),
        (codes.NAME_TAKEN.code, ConflictError),
        (codes.OBJECT_NOT_FOUND.code, ObjectNotFoundError),
    ],
)
def test_a_rejected_entry_is_an_error_of_its_own_class(code: str, kind: type[SkyshelfError]) -> None:
    outcome = Outcome(key="0" * 32, ok=False, code=code, message="no")
    assert type(error_of(outcome)) is kind
    with pytest.raises(UnprocessedError) as raised:
        BatchResult((outcome,)).raise_for_failures()
    assert type(refusal(raised.value)) is kind
    assert can_be_merged(error_of(outcome)) is (kind in {ConflictError, ObjectNotFoundError})


def local_error(number: int) -> LocalFileError:
    """Return the error of a local move that the system refuses."""
    error = LocalFileError("cannot move a to b")
    error.__cause__ = OSError(number, "no")
    return error


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (DestinationExistsError("taken"), True),
        (local_error(errno.EINVAL), True),
        (local_error(errno.EACCES), False),
        (error_of(Outcome(key="", ok=False, code=codes.BATCH_MALFORMED.code)), True),
        (error_of(Outcome(key="", ok=False, code=codes.LOCKED.code)), False),
        (error_of(Outcome(key="", ok=False, code="of another vendor")), False),
        (error_of(Outcome(key="", ok=False)), False),
    ],
)
def test_only_what_is_in_the_way_makes_a_move_a_merge(error: SkyshelfError, *, expected: bool) -> None:
    assert can_be_merged(error) is expected
