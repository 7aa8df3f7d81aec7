"""Metadata and blobs that do not belong together are not used together."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.operating.shelves import Shelf
from tests.operating.stacks import Stack
from tests.real_parts.small_disks import MIB, small_disk
from tests.server.api import new_account

from skyshelf.storage.errors import StoreFull, StoresDoNotMatch
from skyshelf.storage.identity import Identity, adopt, adoptions, advance, check_identity
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.open import open_metadata, open_stores

NOW = 1_777_800_000_000


@pytest.fixture
def shelf(stack: Stack) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, "ada@example.org"))


def checked(stack: Stack) -> Identity:
    return check_identity(stack.ctx.metadata, stack.ctx.blobs)


def set_generation(metadata: MetadataStore, identity: Identity) -> None:
    metadata.write(lambda unit: unit.settings.set("store.identity", msgspec.json.encode(identity)))


def test_new_halves_get_one_identity_and_keep_it(stack: Stack) -> None:
    first = checked(stack)
    assert first.generation == 1
    assert len(first.store) == 32
    assert checked(stack) == first
    rows, blobs = open_stores(*stack.urls)
    rows.close()
    blobs.close()
    assert checked(stack) == first


def test_a_store_from_before_identities_gets_one(stack: Stack, shelf: Shelf) -> None:
    shelf.file("a.txt", b"bytes")
    assert checked(stack).generation == 1


def test_a_new_database_over_old_blobs_is_refused(stack: Stack, shelf: Shelf, tmp_path: Path) -> None:
    shelf.file("a.txt", b"bytes")
    known = checked(stack)
    new = (tmp_path / "new.db").as_uri()
    with pytest.raises(StoresDoNotMatch, match=rf"database is new .* the store {known.store}.*--adopt"):
        open_stores(new, stack.urls[1])
    rows = open_metadata(new)
    try:
        with rows.read() as unit:
            assert unit.settings.get("store.identity") is None, "a refused database is not marked"
    finally:
        rows.close()
    assert checked(stack) == known


def test_a_new_database_over_blobs_without_an_identity_is_refused(stack: Stack, tmp_path: Path) -> None:
    stack.ctx.blobs.put([b"bytes of a store from before identities"])
    with pytest.raises(StoresDoNotMatch, match="refers to no file contents, but there are blobs"):
        open_stores((tmp_path / "new.db").as_uri(), stack.urls[1])


def test_empty_blobs_below_an_old_database_are_refused(stack: Stack, shelf: Shelf, tmp_path: Path) -> None:
    shelf.file("a.txt", b"bytes")
    checked(stack)
    with pytest.raises(StoresDoNotMatch, match="1 are not among the blobs"):
        open_stores(stack.urls[0], (tmp_path / "elsewhere").as_uri())


def test_halves_of_two_stores_are_refused(stack: Stack, shelf: Shelf, tmp_path: Path) -> None:
    checked(stack)
    other = (tmp_path / "other.db").as_uri(), (tmp_path / "other").as_uri()
    for half in open_stores(*other):
        half.close()
    with pytest.raises(StoresDoNotMatch, match=r"database belongs to the store .*, the blobs belong to the store"):
        open_stores(other[0], stack.urls[1])


def test_an_older_database_is_refused_and_older_blobs_are_not(stack: Stack) -> None:
    rows, blobs = stack.ctx.metadata, stack.ctx.blobs
    first = checked(stack)
    assert advance(rows, blobs).generation == 2
    third = advance(rows, blobs)
    assert third.generation == 3
    set_generation(rows, first)
    with pytest.raises(StoresDoNotMatch, match=r"database is older \(generation 1\) than the blobs \(generation 3\)"):
        checked(stack)
    set_generation(rows, third)
    blobs.write_identity(msgspec.json.encode(first))
    assert checked(stack) == third
    assert advance(rows, blobs).generation == 4
    assert blobs.identity() == msgspec.json.encode(checked(stack))


def test_a_crash_between_the_two_halves_of_a_step_is_no_difference(stack: Stack) -> None:
    rows, blobs = stack.ctx.metadata, stack.ctx.blobs
    before = checked(stack)
    advance(rows, blobs)
    blobs.write_identity(msgspec.json.encode(before))
    assert checked(stack).generation == 2
    assert advance(rows, blobs).generation == 3
    assert blobs.identity() == msgspec.json.encode(checked(stack))


def test_on_a_full_disk_the_database_runs_at_most_one_step_ahead_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 8 * MIB) as disk:
        rows, blobs = open_stores((tmp_path / "rows.db").as_uri(), (disk.place / "blobs").as_uri())
        with closing(rows), closing(blobs):
            disk.fill()
            for _ in range(3):
                with pytest.raises(StoreFull):
                    advance(rows, blobs)
            assert list(blobs.list_uploads()) == []
            assert check_identity(rows, blobs).generation == 2
            disk.clear()
            assert advance(rows, blobs).generation == 3
            assert blobs.identity() == msgspec.json.encode(check_identity(rows, blobs))


def test_adopted_halves_are_used_from_then_on_and_a_reason_counts_once(stack: Stack, tmp_path: Path) -> None:
    known = checked(stack)
    stack.ctx.blobs.put([b"bytes"])
    new = (tmp_path / "new.db").as_uri()
    rows, blobs = open_stores(new, stack.urls[1], adopt_reason="the database is lost")
    try:
        identity = check_identity(rows, blobs)
        assert identity.store != known.store
        assert identity.generation > known.generation
        [adoption] = adoptions(rows)
        assert (adoption.reason, adoption.metadata, adoption.blobs) == ("the database is lost", None, known)
        assert adopt(rows, blobs, "the database is lost", NOW) == identity, "nothing to adopt: nothing happens"
        set_generation(rows, known)
        with pytest.raises(StoresDoNotMatch, match="was used before"):
            adopt(rows, blobs, "the database is lost", NOW)
    finally:
        rows.close()
        blobs.close()
    with pytest.raises(StoresDoNotMatch):
        checked(stack)


def test_an_identity_that_cannot_be_read_is_refused(stack: Stack) -> None:
    checked(stack)
    stack.ctx.blobs.write_identity(b"not JSON")
    with pytest.raises(StoresDoNotMatch, match="cannot be read"):
        checked(stack)
