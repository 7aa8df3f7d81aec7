"""Nothing is lost to a wrong or older database: bytes wait in quarantine, where the right one finds them."""

import logging
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.server.api import new_account
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.recovery import recover_to_account, recover_to_folder
from skyshelf.service.integrity.quarantine import set_aside_blobs
from skyshelf.service.jobs import brakes, contents, maintenance, removal
from skyshelf.service.jobs.contents import DAY, EMPTY, collect_unreferenced_blobs, empty_quarantine
from skyshelf.service.jobs.orphans import sweep_orphans
from skyshelf.service.retention import set_retention
from skyshelf.storage.errors import BlobMissing, StoresDoNotMatch
from skyshelf.storage.identity import adopt, check_identity
from skyshelf.storage.metadata.contracts.content import QuarantineEntry, Reason
from skyshelf.storage.metadata.contracts.jobs import Due
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.open import open_metadata


def without_history(stack: Stack) -> None:
    """Contents of deleted files wait in quarantine for as long as history needs them: here it needs none."""
    set_retention(stack.ctx, "history_days", 0)
    stack.clock.advance(ms=DAY + 1)


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    without_history(stack)
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


@pytest.fixture
def embedded_shelf(embedded: Stack) -> Shelf:
    without_history(embedded)
    return Shelf(embedded, new_account(embedded.ctx, "ada@example.org"))


def run(*tasks: Iterator[None]) -> None:
    for task in tasks:
        for _ in task:
            pass


def quarantined(ctx: ServiceContext) -> list[QuarantineEntry]:
    with ctx.metadata.read() as unit:
        return unit.quarantine.page(limit=1000)


def read(shelf: Shelf, file: StoredObject) -> bytes:
    return b"".join(shelf.stack.ctx.blobs.read(shelf.location(file)))


def is_stored(ctx: ServiceContext, location: str) -> bool:
    try:
        ctx.blobs.size(location)
    except BlobMissing:
        return False
    return True


def set_aside(ctx: ServiceContext, count: int, reason: Reason) -> list[str]:
    """So many stored blobs, in quarantine."""
    found = {ctx.blobs.put([b"%s %d" % (reason.encode(), number)]).location: 10 for number in range(count)}
    set_aside_blobs(ctx, found, reason)
    return list(found)


def delete_for_good(shelf: Shelf, key: str) -> None:
    ctx = shelf.stack.ctx
    shelf.give_up(key)
    run(maintenance.purge(ctx, shelf.id))
    shelf.stack.clock.advance(ms=contents.UNREFERENCED_GRACE + 1)
    run(collect_unreferenced_blobs(ctx))


def test_a_database_that_is_put_back_finds_what_the_wrong_one_has_swept(
    stack: Stack, shelf: Shelf, tmp_path: Path
) -> None:
    ctx, file = stack.ctx, shelf.file("a.txt", b"precious")
    check_identity(ctx.metadata, ctx.blobs)
    wrong = msgspec.structs.replace(ctx, metadata=open_metadata((tmp_path / "wrong.db").as_uri()))
    try:
        with pytest.raises(StoresDoNotMatch):
            check_identity(wrong.metadata, wrong.blobs)
        adopt(wrong.metadata, wrong.blobs, "taken for the right one", 1)
        stack.clock.advance(days=2)
        run(sweep_orphans(wrong))
        assert [(one.location, one.reason) for one in quarantined(wrong)] == [(shelf.location(file), "orphan")]
        stack.clock.advance(days=6)
        run(sweep_orphans(wrong), empty_quarantine(wrong))
    finally:
        wrong.metadata.close()
    adopt(ctx.metadata, ctx.blobs, "this is the right one", 2)
    run(sweep_orphans(ctx), collect_unreferenced_blobs(ctx), empty_quarantine(ctx))
    assert read(shelf, file) == b"precious"


def test_what_files_refer_to_leaves_the_quarantine_and_is_reported(stack: Stack, shelf: Shelf) -> None:
    ctx, file = stack.ctx, shelf.file("a.txt", b"precious")
    location = shelf.location(file)
    stack.damage(
        "INSERT INTO quarantine (location, kind, size, reason, since, deleting) VALUES (?, 'blob', 8, 'orphan', 5, 0)",
        location,
    )
    with pytest.raises(brakes.BrakePulled, match="files refer to 1 contents"):
        run(empty_quarantine(ctx))
    brakes.release(ctx, EMPTY, "an older database was restored")
    run(empty_quarantine(ctx))
    assert read(shelf, file) == b"precious"
    assert quarantined(ctx) == []


def test_deleted_content_is_kept_for_a_week_and_its_quota_is_free_at_once(stack: Stack, shelf: Shelf) -> None:
    file = shelf.file("a.txt", b"deleted by mistake")
    location = shelf.location(file)
    delete_for_good(shelf, file.object_key)
    ctx = stack.ctx
    with ctx.metadata.read() as unit:
        assert unit.quotas.get(shelf.id, stack.clock.now()).used == 0
    assert [(one.location, one.reason) for one in quarantined(ctx)] == [(location, "released")]
    stack.clock.advance(days=7, ms=-1)
    run(empty_quarantine(ctx), sweep_orphans(ctx))
    assert b"".join(ctx.blobs.read(location)) == b"deleted by mistake"
    stack.clock.advance(ms=1)
    run(empty_quarantine(ctx))
    assert not is_stored(ctx, location)
    assert quarantined(ctx) == []


def test_metrics_show_what_is_in_quarantine_and_why(embedded: Stack, embedded_shelf: Shelf) -> None:
    del embedded_shelf
    ctx = embedded.ctx
    for count, reason in ((2, "released"), (1, "orphan")):
        set_aside(ctx, count, reason)  # type: ignore[arg-type]
    app = app_for(ctx, ServerSettings(metadata=embedded.urls[0], blobs=embedded.urls[1]))
    page = TestClient(app, client=("127.0.0.1", 1)).get("/metrics").text
    assert 'skyshelf_quarantine_objects{reason="released"} 2.0' in page
    assert 'skyshelf_quarantine_objects{reason="orphan"} 1.0' in page
    assert 'skyshelf_quarantine_objects{reason="repair"} 0.0' in page
    assert 'skyshelf_quarantine_bytes{reason="released"} 20.0' in page


def test_a_deletion_that_was_interrupted_is_finished_by_the_next_run(embedded: Stack, embedded_shelf: Shelf) -> None:
    ctx = embedded.ctx
    first, second = set_aside(ctx, 2, "released")
    embedded.clock.advance(days=8)
    ctx.metadata.write(lambda unit: unit.quarantine.begin_deleting(embedded.clock.now(), 10))
    ctx.blobs.delete(first)
    embedded.clock.advance(days=-8)
    run(empty_quarantine(ctx))
    assert not is_stored(ctx, second)
    assert quarantined(ctx) == []


def test_large_contents_and_uploads_wait_whole_and_go_whole(stack: Stack, shelf: Shelf, tmp_path: Path) -> None:
    """In a bucket they are parts and a manifest."""
    ctx, data = stack.ctx, bytes(range(256)) * (9 * 4096)
    large = ctx.blobs.put([data]).location
    lost = ctx.new_key()
    with ctx.blobs.uploading(lost) as held:
        held.append([b"a chunk that no row knows"], after=None)
    stack.clock.advance(days=2)
    run(sweep_orphans(ctx))
    assert {(one.location, one.kind) for one in quarantined(ctx)} == {(large, "blob"), (lost, "upload")}
    stack.clock.advance(days=6)
    run(sweep_orphans(ctx), empty_quarantine(ctx))
    sha256 = ctx.blobs.recorded_sha256(large)
    path, _ = recover_to_folder(ctx, sha256, tmp_path)
    assert path.read_bytes() == data
    stored = recover_to_account(ctx, sha256, shelf.account, "/Recovered")
    assert read(shelf, stored) == data
    stack.clock.advance(days=2)
    run(empty_quarantine(ctx))
    assert read(shelf, stored) == data
    assert list(ctx.blobs.list_uploads()) == []
    delete_for_good(shelf, stored.object_key)
    stack.clock.advance(days=8)
    run(empty_quarantine(ctx))
    assert list(ctx.blobs.list()) == []
    assert list(ctx.blobs.list_uploads()) == []
    assert quarantined(ctx) == []


class LowDisk:
    """A disk that is at its reserve until enough was deleted."""

    def __init__(self, ctx: ServiceContext, blobs_max: int) -> None:
        self._ctx, self._max = ctx, blobs_max

    def is_short(self) -> bool:
        return sum(1 for _ in self._ctx.blobs.list()) > self._max


def test_at_the_reserve_what_users_deleted_goes_early_oldest_first_and_nothing_else(
    embedded: Stack, embedded_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = embedded.ctx
    [repaired] = set_aside(ctx, 1, "repair")
    [older] = set_aside(ctx, 1, "released")
    embedded.clock.advance(ms=1000)
    newer = ctx.blobs.put([b"newer"]).location
    set_aside_blobs(ctx, {newer: 5}, "released")
    monkeypatch.setattr(contents, "_EARLY_STEP", 1)
    monkeypatch.setattr(ctx.reservations, "disk", LowDisk(ctx, 2))
    run(empty_quarantine(ctx))
    assert [is_stored(ctx, one) for one in (older, newer, repaired)] == [False, True, True]
    monkeypatch.setattr(ctx.reservations, "disk", LowDisk(ctx, 0))
    run(empty_quarantine(ctx))
    assert [is_stored(ctx, one) for one in (newer, repaired)] == [False, True]


def test_what_users_deleted_is_bounded_and_nothing_else(
    stack: Stack, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a bucket no disk is ever full: its owner would pay for uploads that somebody deletes again and again."""
    ctx = stack.ctx
    monkeypatch.setattr(contents, "_EARLY_STEP", 1)
    set_retention(ctx, "quarantine_gib", 2)
    stack.clock.advance(days=1)
    found = []
    reasons: tuple[Reason, ...] = ("repair", "released", "released", "released")
    for number, reason in enumerate(reasons):
        location = ctx.blobs.put([b"%d" % number]).location
        set_aside_blobs(ctx, {location: 1 << 30}, reason)
        found.append(location)
        stack.clock.advance(ms=1)
    with ctx.metadata.read() as unit:
        assert unit.expiry.quarantine_beyond(2 << 30) == Due(1, 1 << 30)
    run(empty_quarantine(ctx))
    assert [is_stored(ctx, location) for location in found] == [True, False, True, True]


def test_what_one_account_deletes_pushes_out_nothing_of_others(
    stack: Stack, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of bytes that no history needs, those go first of the account that has the most for its quota."""
    ctx, churning = stack.ctx, Shelf(stack, new_account(stack.ctx, "churning@example.org"))
    locations = []
    for number, owner in enumerate((shelf, *[churning] * 5)):
        file = owner.file("a.txt", b"deleted, number %d" % number)
        locations.append(owner.location(file))
        delete_for_good(owner, file.object_key)
        run(maintenance.expire_history(ctx))
    stack.damage("UPDATE quarantine SET size = ?", 1 << 30)
    monkeypatch.setattr(contents, "_EARLY_STEP", 1)
    set_retention(ctx, "quarantine_gib", 2)
    stack.clock.advance(days=1)
    run(empty_quarantine(ctx))
    assert [is_stored(ctx, one) for one in locations] == [True, False, False, False, False, True]
    # Those of nobody known go last, and go.
    stack.damage("UPDATE quarantine SET account_id = 0 WHERE location = ?", locations[0])
    monkeypatch.setattr(ctx.reservations, "disk", LowDisk(ctx, 1))
    run(empty_quarantine(ctx))
    assert [is_stored(ctx, one) for one in (locations[0], locations[-1])] == [True, False]
    monkeypatch.setattr(ctx.reservations, "disk", LowDisk(ctx, 0))
    run(empty_quarantine(ctx))
    assert not is_stored(ctx, locations[0])


def test_a_run_leaves_nothing_for_the_next_to_look_at(stack: Stack) -> None:
    """Contents that a history needs for longer than the quarantine's days were looked at each hour."""
    ctx, shelf = stack.ctx, Shelf(stack, new_account(stack.ctx, "ada@example.org"))
    file = shelf.file("a.txt", b"kept by history")
    location = shelf.location(file)
    delete_for_good(shelf, file.object_key)
    for _ in range(2):
        stack.clock.advance(days=8)
        run(empty_quarantine(ctx))
        with ctx.metadata.read() as unit:
            due = "SELECT count(*) FROM quarantine WHERE counts_from <= :now - 7 * :day"
            assert unit.sql.number(due, {"now": ctx.clock.now(), "day": DAY}) == 0
            # Operators see since when it is there.
            [total] = unit.quarantine.totals(ctx.clock.now() - 7 * DAY)
            assert total.count == 1
        assert is_stored(ctx, location)
    stack.clock.advance(days=15)
    run(maintenance.expire_history(ctx), empty_quarantine(ctx))
    assert is_stored(ctx, location)
    stack.clock.advance(days=7)
    run(empty_quarantine(ctx))
    assert not is_stored(ctx, location)


def test_what_an_older_server_puts_there_stays_for_its_time(stack: Stack, shelf: Shelf) -> None:
    ctx, file = stack.ctx, shelf.file("a.txt", b"released during an upgrade")
    location = shelf.location(file)
    delete_for_good(shelf, file.object_key)
    stack.damage("UPDATE quarantine SET counts_from = ?", 0)
    stack.clock.advance(days=6)
    run(empty_quarantine(ctx))
    assert is_stored(ctx, location)
    stack.clock.advance(days=2)
    run(empty_quarantine(ctx))
    assert not is_stored(ctx, location)


def test_a_full_disk_does_not_wait_for_the_next_hour(
    embedded: Stack, embedded_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctx = embedded.ctx
    set_aside(ctx, 1, "released")
    contents.relieve_disk(ctx)
    with ctx.metadata.read() as unit:
        assert unit.outbox.next_due([EMPTY]) is None
    monkeypatch.setattr(ctx.reservations, "disk", LowDisk(ctx, 0))
    contents.relieve_disk(ctx)
    with ctx.metadata.read() as unit:
        assert unit.outbox.next_due([EMPTY]) == ctx.clock.now()


# Brakes


@pytest.mark.parametrize(
    ("reason", "stops"), [("released", False), ("orphan", True), ("repair", True), ("replaced", True)]
)
def test_much_that_no_account_deleted_is_not_deleted_for_good(
    embedded: Stack, embedded_shelf: Shelf, reason: Reason, stops: bool
) -> None:
    ctx = embedded.ctx
    found = set_aside(ctx, brakes.FEW + 1, reason)
    embedded.clock.advance(days=8)
    if stops:
        with pytest.raises(brakes.BrakePulled, match="no account has deleted"):
            run(empty_quarantine(ctx))
        assert all(is_stored(ctx, location) for location in found)
        [brake] = brakes.brakes(ctx)
        assert brake.task == EMPTY
        brakes.release(ctx, EMPTY, "an import was killed")
    run(empty_quarantine(ctx))
    assert not any(is_stored(ctx, location) for location in found)


def test_wrong_counters_stop_the_collection_and_release_nothing(
    stack: Stack, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    file, gone = shelf.file("a.txt", b"kept"), shelf.file("b.txt", b"gone")
    shelf.give_up(gone.object_key)
    run(maintenance.purge(stack.ctx, shelf.id))
    stack.damage("UPDATE blobs SET refs = 0, idle_since = 1 WHERE location = ?", shelf.location(file))
    stack.clock.advance(ms=contents.UNREFERENCED_GRACE + 1)
    with pytest.raises(brakes.BrakePulled), caplog.at_level(logging.ERROR):
        run(collect_unreferenced_blobs(stack.ctx))
    assert "doctor --repair" in caplog.text
    assert quarantined(stack.ctx) == []
    stack.damage("UPDATE blobs SET refs = 1 WHERE location = ?", shelf.location(file))
    run(collect_unreferenced_blobs(stack.ctx))
    assert len(quarantined(stack.ctx)) == 1
    assert brakes.brakes(stack.ctx) == []


def many_in_trash(shelf: Shelf, count: int) -> None:
    for number in range(count):
        shelf.trash(shelf.folder(f"{number}").object_key)


def test_times_that_cannot_be_explained_stop_the_expiry_of_the_trash(stack: Stack, shelf: Shelf) -> None:
    many_in_trash(shelf, brakes.FEW + 1)
    run(maintenance.expire_trash(stack.ctx))
    stack.damage("UPDATE objects SET trashed_at = 5 WHERE status = 'T' AND account_id = ?", shelf.id)
    stack.clock.advance(ms=1000)
    with pytest.raises(brakes.BrakePulled, match="objects in the trash"):
        run(maintenance.expire_trash(stack.ctx))
    with stack.ctx.metadata.read() as unit:
        assert unit.expiry.trash(stack.clock.now()).count == brakes.FEW + 1


def test_a_large_trash_expires_without_a_brake(embedded: Stack, embedded_shelf: Shelf) -> None:
    ctx = embedded.ctx
    run(maintenance.expire_trash(ctx))
    many_in_trash(embedded_shelf, 2 * brakes.FEW)
    embedded.clock.advance(days=31)
    run(maintenance.expire_trash(ctx))
    assert brakes.brakes(ctx) == []
    with ctx.metadata.read() as unit:
        assert unit.expiry.trash(embedded.clock.now()).count == 0


def test_old_uploads_and_changes_that_come_from_nowhere_stay(embedded: Stack, embedded_shelf: Shelf) -> None:
    ctx = embedded.ctx
    many_in_trash(embedded_shelf, brakes.FEW + 1)
    for number in range(brakes.FEW + 1):
        embedded_shelf.upload(f"upload {number}", 100, b"")
    run(maintenance.expire_uploads(ctx), maintenance.expire_changes(ctx))
    embedded.damage("UPDATE uploads SET updated_at = ?", 5)
    embedded.damage("UPDATE changes SET at = ?", 5)
    for task, things in (
        (maintenance.expire_uploads, "unfinished uploads"),
        (maintenance.expire_changes, "change feeds"),
    ):
        with pytest.raises(brakes.BrakePulled, match=things):
            run(task(ctx))


def test_many_accounts_are_not_removed_at_once(embedded: Stack) -> None:
    ctx, now = embedded.ctx, embedded.clock.now()
    accounts = [new_account(ctx, f"{number}@example.org") for number in range(brakes.FEW_OF_FEW + 1)]
    embedded.damage("UPDATE accounts SET delete_at = ?", now)
    embedded.clock.advance(ms=DAY)
    with pytest.raises(brakes.BrakePulled, match="11 of 11 accounts"):
        run(removal.remove_account(ctx, accounts[0].account_id))
    embedded.damage("UPDATE accounts SET delete_at = 0 WHERE account_id <> ?", accounts[0].account_id)
    run(removal.remove_account(ctx, accounts[0].account_id))
    with ctx.metadata.read() as unit:
        assert len(unit.accounts.list()) == brakes.FEW_OF_FEW
