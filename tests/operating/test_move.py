"""A store at another place: whole, byte for byte, and the old one knows where it went."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.operating.backups import Backup, opened
from tests.operating.dying import run_until_killed
from tests.operating.dying_move import MOMENTS, Silent
from tests.operating.folders import drive
from tests.operating.shelves import Shelf, new_shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.operating.test_damaged_copies import DATA, as_whole
from tests.operating.test_doctor import problems
from tests.real_parts.postgres import PostgresServer

from skyshelf.cli.main import main
from skyshelf.service.uploads import duplicates
from skyshelf.storage.blobs.protocols import Part
from skyshelf.storage.errors import StoreReadOnly, StoresDoNotMatch
from skyshelf.storage.identity import check_identity
from skyshelf.storage.metadata.read_only import ReadOnly, read_only, switch_on
from skyshelf.storage.metadata.transfer.stores import rows_of
from skyshelf.storage.metadata.transfer.tables import TransferFailed
from skyshelf.storage.moving.copies import CopyFailed
from skyshelf.storage.moving.move import AlreadyMoving, move, only_mover
from skyshelf.storage.moving.plan import Figures, MoveRefused, Plan
from skyshelf.storage.moving.switch import LEFT_BEHIND
from skyshelf.storage.open import embedded_urls, open_blobs, open_stores

_PACE = threading.Event()
Places = Callable[[], tuple[str, str]]


@pytest.fixture
def elsewhere(postgres_server: Callable[[], PostgresServer], bucket: Callable[[], str]) -> Places:
    """An empty database and an empty bucket."""
    return lambda: (postgres_server().unmigrated(), bucket())


def _move(source: tuple[str, str], target: tuple[str | None, str | None]) -> Figures:
    metadata, blobs = source
    to_metadata, to_blobs = target
    plan = Plan(metadata=metadata, blobs=blobs, to_metadata=to_metadata, to_blobs=to_blobs, reason="we move", threads=2)
    return move(plan, Silent())


def _run(*arguments: str | Path, expecting: int = 0) -> Result:
    result = CliRunner().invoke(main, ["admin", *map(str, arguments)])
    assert result.exit_code == expecting, result.output
    return result


def _check_moved(urls: tuple[str, str]) -> None:
    with pytest.raises(StoresDoNotMatch, match=r"was moved to .* on 20.*--adopt"):
        open_stores(*urls)


def _unfinished(shelf: Shelf, key: str) -> bytes:
    """The bytes of an unfinished upload that were acknowledged."""
    ctx = shelf.stack.ctx
    with ctx.metadata.read() as unit:
        upload, parts = unit.uploads.get(shelf.id, key), unit.uploads.parts(shelf.id, key)
    with ctx.blobs.uploading(key) as held:
        whole = held.finish([Part(one.start, one.size, one.md5, one.token) for one in parts], upload.received)
    content = b"".join(ctx.blobs.read(whole.location))
    ctx.blobs.delete(whole.location, keep_upload=True)
    return content


@pytest.mark.whole
def test_a_store_moves_to_postgres_and_s3_and_back_byte_for_byte(
    embedded: Stack, elsewhere: Places, tmp_path: Path
) -> None:
    everything = one_of_everything(embedded)
    shelf = everything.shelf
    shelf.file("large.bin", bytes(range(256)) * 5000)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    before = drive(shelf)

    there = elsewhere()
    figures = _move(embedded.urls, there)
    assert (figures.contents, figures.uploads, figures.damaged_uploads, figures.resumed) == (7, 1, 0, False)
    _check_moved(embedded.urls)
    with pytest.raises(StoreReadOnly):
        shelf.file("too late.txt", b"too late")
    with opened(shelf, *there) as moved:
        assert drive(moved) == before
        assert problems(moved.stack.ctx) == {}
        assert _unfinished(moved, everything.upload) == b"the first chunk"
        moved.file("after.txt", b"written at the new place")
        after = drive(moved)

    back = embedded_urls(tmp_path / "back")
    _move(there, back)
    _check_moved(there)
    with opened(shelf, *back) as moved:
        assert drive(moved) == after
        assert problems(moved.stack.ctx) == {}
        assert _unfinished(moved, everything.upload) == b"the first chunk"


@pytest.mark.whole
def test_contents_alone_or_rows_alone_may_move(embedded: Stack, elsewhere: Places) -> None:
    shelf = one_of_everything(embedded).shelf
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    before, (database, bucket) = drive(shelf), elsewhere()
    metadata, blobs = embedded.urls
    _move((metadata, blobs), (None, bucket))
    assert read_only(embedded.ctx.metadata) is not None, "instances with the old contents must not write"
    _check_moved((metadata, blobs))
    with opened(shelf, metadata, bucket) as moved:
        assert drive(moved) == before
        assert problems(moved.stack.ctx) == {}
        moved.file("new.txt", b"writing goes on with the new contents")
        before = drive(moved)
    _move((metadata, bucket), (database, None))
    _check_moved((metadata, bucket))
    with opened(shelf, database, bucket) as moved:
        assert drive(moved) == before
        assert problems(moved.stack.ctx) == {}


def _write_until_refused(shelf: Shelf, acknowledged: dict[str, bytes | None], began: threading.Event) -> None:
    for number in range(100_000):
        name, content = f"during {number}.txt", b"written during the move %d" % number
        try:
            shelf.file(name, content)
        except StoreReadOnly:
            return
        acknowledged[name] = content
        began.set()
        _PACE.wait(0.02)


@pytest.mark.whole
def test_killed_again_and_again_under_load_it_loses_nothing_that_was_acknowledged(
    stack: Stack, elsewhere: Places, tmp_path: Path
) -> None:
    """From either stack to the other."""
    is_embedded = stack.name == "sqlite+disk"
    everything = one_of_everything(stack)
    shelf, there = everything.shelf, elsewhere() if is_embedded else embedded_urls(tmp_path / "there")
    for number in range(20):
        shelf.file(f"{number}.txt", b"content %d" % number)
    check_identity(stack.ctx.metadata, stack.ctx.blobs)
    before, acknowledged, began = drive(shelf), dict[str, bytes | None](), threading.Event()
    writer = threading.Thread(target=_write_until_refused, args=(shelf, acknowledged, began))
    writer.start()
    assert began.wait(30)
    # Half of them each way, because each costs a process.
    for moment in MOMENTS[1::2] if is_embedded else MOMENTS[0::2]:
        run_until_killed("move", *stack.urls, *there, moment)
    writer.join(60)
    figures = _move(stack.urls, there)
    assert figures.resumed
    _check_moved(stack.urls)
    with opened(shelf, *there) as moved:
        assert drive(moved) == before | acknowledged
        assert problems(moved.stack.ctx) == {}
        with moved.stack.ctx.metadata.read() as unit:
            referred = [one for one in unit.inspection.contents("", limit=100_000) if one.refs]
        assert len(list(moved.stack.ctx.blobs.list())) == len(referred), "no copy is left over"
        assert _unfinished(moved, everything.upload) == b"the first chunk"


def test_until_it_is_complete_the_old_store_counts_and_the_new_one_is_refused(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    for number in range(20):
        shelf.file(f"{number}.txt", b"content %d" % number)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    there = embedded_urls(tmp_path / "there")
    for moment in ("some copies", "rows"):
        run_until_killed("move", *embedded.urls, *there, moment)
        with pytest.raises(StoresDoNotMatch, match="not complete"):
            open_stores(*there)
    # The operator gives it up, and goes on with the old store: what was copied is out of date then.
    _run("read-only", "off", *embedded.options)
    shelf.file("later.txt", b"later")
    with pytest.raises(TransferFailed, match="not empty"):
        _move(embedded.urls, there)
    (tmp_path / "there" / "metadata.db").unlink()
    _move(embedded.urls, there)
    with opened(shelf, *there) as moved:
        assert drive(moved)["later.txt"] == b"later"
        assert problems(moved.stack.ctx) == {}


def test_an_interrupted_move_leaves_the_service_as_it_was(embedded: Stack, tmp_path: Path) -> None:
    shelf = one_of_everything(embedded).shelf
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    there = embedded_urls(tmp_path / "there")
    plan = Plan(
        metadata=embedded.urls[0], blobs=embedded.urls[1], to_metadata=there[0], to_blobs=there[1], reason="we move"
    )

    class Interrupting(Silent):
        def rows(self, done: int, total: int) -> None:
            assert read_only(embedded.ctx.metadata) is not None
            if 2 * done > total:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(plan, Interrupting())
    assert not (tmp_path / "there" / "metadata.db").exists()
    shelf.file("writing goes on.txt", b"it does")
    assert move(plan, Silent()).resumed
    with opened(shelf, *there) as moved:
        assert "writing goes on.txt" in drive(moved)


def test_damage_in_the_source_stops_it_before_anything_is_switched(embedded: Stack, tmp_path: Path) -> None:
    everything = one_of_everything(embedded)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    shelf = everything.shelf
    embedded.replace_bytes(shelf.location(everything.letter), b"DEAR READER")
    with pytest.raises(CopyFailed, match=r"1 of the contents missing or damaged.*doctor --deep"):
        _move(embedded.urls, embedded_urls(tmp_path / "there"))
    shelf.file("writing goes on.txt", b"it does")


@pytest.mark.whole
@pytest.mark.parametrize("rows_stay", [False, True], ids=["both halves", "contents alone"])
def test_what_the_source_has_lost_is_left_out_on_demand_named_and_healed_by_an_upload(
    embedded: Stack, elsewhere: Places, *, rows_stay: bool
) -> None:
    shelf = one_of_everything(embedded).shelf
    lost = shelf.file("lost.txt", DATA)
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    embedded.replace_bytes(shelf.location(lost), b"?" * len(DATA))
    database, bucket = elsewhere()
    halves = ("--to-blobs", bucket) if rows_stay else ("--to-metadata", database, "--to-blobs", bucket)
    refused = _run("move", *embedded.options, *halves, expecting=1)
    assert "--leave-damaged" in refused.stderr
    moved = _run("move", *embedded.options, *halves, "--leave-damaged", "--json", expecting=1)
    (sentence,) = json.loads(moved.stdout)["leftOut"]
    assert "lost.txt" in sentence
    with opened(shelf, embedded.urls[0] if rows_stay else database, bucket) as there:
        assert list(problems(there.stack.ctx)) == ["blobs"]
        as_whole(there, "again.txt")
        assert duplicates.drain(60)
        assert drive(there)["lost.txt"] == DATA
        assert problems(there.stack.ctx) == {}


def test_places_that_are_not_empty_are_refused_and_left_alone(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    shelf.file("a.txt", b"a")
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    there = embedded_urls(tmp_path / "there")
    blobs = open_blobs(there[1])
    stranger = blobs.put([b"somebody else's"]).location
    with pytest.raises(MoveRefused, match="not empty"):
        _move(embedded.urls, there)
    assert list(blobs.read(stranger)) == [b"somebody else's"]
    blobs.close()
    with only_mover(embedded.urls[0]), pytest.raises(AlreadyMoving):
        _move(embedded.urls, embedded_urls(tmp_path / "other"))
    shelf.file("b.txt", b"writing goes on")


def test_every_table_that_names_places_of_contents_is_taken_care_of(embedded: Stack) -> None:
    """A later table with locations needs a decision: new places, or left behind."""
    with rows_of(embedded.urls[0]) as source:
        naming = {
            name for name, table in source.tables().items() if any(one.name == "location" for one in table.columns)
        }
    assert naming == {"blobs", *LEFT_BEHIND}


def test_the_command_shows_its_plan_and_says_how_to_go_on(embedded: Stack, tmp_path: Path) -> None:
    shelf = one_of_everything(embedded).shelf
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    there = tmp_path / "there"
    assert "Would move 6 contents" in _run("move", *embedded.options, "--to-data", there, "--dry-run").stdout
    assert not there.exists()
    moved = json.loads(_run("move", *embedded.options, "--to-data", there, "--json").stdout)
    assert (moved["contents"], moved["uploads"]) == (6, 1)
    assert "moved to" in _run("user", "disable", "ada@example.org", *embedded.options, expecting=1).stderr
    again = _run("move", *embedded.options, "--to-data", there).stdout
    assert "no longer served" in again
    assert f"Start the server with --data {there}." in again
    with opened(shelf, *embedded_urls(there)) as opened_there:
        assert problems(opened_there.stack.ctx) == {}
    assert "was moved to" in _run("read-only", "off", *embedded.options, expecting=1).stderr
    assert "name the new place" in _run("move", *embedded.options, expecting=1).stderr


def test_an_operator_who_means_the_old_store_may_adopt_it(embedded: Stack, tmp_path: Path) -> None:
    shelf = new_shelf(embedded)
    shelf.file("a.txt", b"a")
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    _move(embedded.urls, embedded_urls(tmp_path / "there"))
    _check_moved(embedded.urls)
    rows, contents = open_stores(*embedded.urls, adopt_reason="the new disk has failed")
    rows.close()
    contents.close()
    shelf.file("b.txt", b"writing goes on")


def test_a_backup_of_a_read_only_store_is_restored_as_one_that_can_be_written(embedded: Stack, tmp_path: Path) -> None:
    shelf, backup = new_shelf(embedded), Backup(embedded, str(tmp_path / "backup"), tmp_path)
    shelf.file("a.txt", b"a")
    check_identity(embedded.ctx.metadata, embedded.ctx.blobs)
    switch_on(embedded.ctx.metadata, ReadOnly("we move", embedded.clock.now()))
    backup.take()
    backup.restore_to(tmp_path / "restored")
    with opened(shelf, *embedded_urls(tmp_path / "restored")) as there:
        there.file("b.txt", b"writing goes on")
