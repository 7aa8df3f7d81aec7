"""Stored wire JSON has a version: what an older release encoded is never served, and is rewritten in small steps."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.board_making import join, make_board, show
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    put_file,
    trash,
)
from tests.conformance.metadata.new_encoding import is_upgraded, upgrade_encoding
from tests.conformance.metadata.reading import keys_of, names_of

from skyshelf.storage.metadata import sql, wire_cache
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.inspection import WalkPosition
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import Kind, NewTag, PageOf, Rename, SearchFilter, SetFavorite, SortBy
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.storage.metadata.wire_cache import encode_object


class World:
    """An account with something in every list there is, and a friend who shares a board with it."""

    def __init__(self, store: MetadataStore) -> None:
        self.account = make_account(store)
        self.friend = make_account(store)
        self.id = self.account.account_id
        root = self.account.root_key
        self.folder = make_folder(store, self.account, root, "folder").object_key
        photo = put_file(store, self.account, root, "photo.jpg", b"photo", taken_at=NOW, taken_day=1114)
        self.photo = photo.object.object_key
        self.note = put_file(store, self.account, root, "note.txt", b"note", app_code="dgl").object.object_key
        gone = put_file(store, self.account, root, "gone.txt", b"gone").object.object_key
        apply(store, self.account, SetFavorite(self.photo, favorite=True), SetFavorite(self.note, favorite=True))
        trash(store, self.account, gone)
        self.board = make_board(store, self.account)
        join(store, self.account, self.board, self.friend)
        theirs = put_file(store, self.friend, self.friend.root_key, "theirs.jpg", b"theirs").object.object_key
        show(store, self.account, self.board, self.photo, self.note)
        show(store, self.friend, self.board, theirs)
        tag = store.write(
            lambda unit: unit.tags.add(self.id, [self.photo, self.note], NewTag(tag_key=new_key(), name="tag"), NOW)
        )
        self.tag = tag.tag_key
        share = NewShare(share_key=new_key(), token_hash=b"token", name="share", object_keys=[self.photo, self.note])
        store.write(lambda unit: unit.shares.add(self.id, share, NOW))


Listing = Callable[[Unit, World], Sequence[bytes]]
LISTINGS: dict[str, Listing] = {
    "first page": lambda unit, world: unit.tree.page(world.id, PageOf(folder_key=world.account.root_key)),
    "page of one kind": lambda unit, world: unit.tree.page(
        world.id, PageOf(folder_key=world.account.root_key, kind=Kind.FILE)
    ),
    "page by offset": lambda unit, world: unit.tree.page(
        world.id, PageOf(folder_key=world.account.root_key, sort=SortBy.SIZE, offset=1)
    ),
    "page by cursor": lambda unit, world: unit.tree.page(
        world.id, PageOf(folder_key=world.account.root_key, after=("folder", world.folder))
    ),
    "trash": lambda unit, world: unit.tree.trash_page(world.id, limit=9),
    "recent media": lambda unit, world: unit.tree.recent(world.id, media=True, limit=9),
    "recent documents": lambda unit, world: unit.tree.recent(world.id, media=False, limit=9),
    "objects of an app": lambda unit, world: unit.tree.of_app(world.id, "dgl", limit=9),
    "favourites": lambda unit, world: [row.encoded for row in unit.tree.favorites(world.id, limit=9)],
    "favourites by name": lambda unit, world: [
        row.encoded for row in unit.tree.favorites(world.id, by_name=True, limit=9)
    ],
    "timeline": lambda unit, world: [
        row.encoded
        for month in unit.timeline.months(world.id)
        for row in unit.timeline.page(world.id, month.number, limit=9)
    ],
    "tagged objects": lambda unit, world: [row.encoded for row in unit.tags.objects(world.id, world.tag, limit=9)],
    "search": lambda unit, world: unit.search.page(world.id, SearchFilter(text="o"), limit=9).objects,
    "shared objects": lambda unit, world: [wire for wire, _ in unit.shares.shared_objects(world.id, NOW, limit=9)],
    "changed objects": lambda unit, world: unit.changes.objects(world.id, [world.photo, world.note]),
    "everything": lambda unit, world: [wire for _, wire in unit.changes.everything(world.id, limit=9)],
    "board": lambda unit, world: unit.board_items.page(world.id, world.board, limit=9),
    "board of a friend": lambda unit, world: unit.board_items.page(world.friend.account_id, world.board, limit=9),
    "items of a board": lambda unit, world: list(
        unit.board_items.shown(world.friend.account_id, world.board, [world.photo, world.note]).values()
    ),
}


def served(store: MetadataStore, world: World) -> dict[str, Sequence[bytes]]:
    with store.read() as unit:
        return {name: listing(unit, world) for name, listing in LISTINGS.items()}


def stale(store: MetadataStore, limit: int = 1000) -> list[WalkPosition]:
    """Every stale object, window by window."""
    found: list[WalkPosition] = []
    after: WalkPosition | None = None
    while True:
        with store.read() as unit:
            walked = unit.wire_cache.stale(after, limit=limit)
        found += walked.found
        if walked.next is None:
            return found
        after = walked.next


def stored_rows(store: Store) -> Iterator[tuple[int, bytes]]:
    with store.read() as unit:
        yield from unit.sql.all("SELECT wire_version, wire FROM objects")


def test_every_listing_shows_the_new_encoding_from_the_first_request_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(store)
    before = served(store, world)
    assert not [name for name, wires in before.items() if not wires or any(map(is_upgraded, wires))]
    upgrade_encoding(monkeypatch)
    after = served(store, world)
    assert not [name for name, wires in after.items() if not all(map(is_upgraded, wires))]
    assert {name: keys_of(wires) for name, wires in after.items()} == {
        name: keys_of(wires) for name, wires in before.items()
    }
    assert not any(is_upgraded(wire) for _, wire in stored_rows(store)), "reading wrote something"


def test_nothing_but_stored_wire_reads_the_column() -> None:
    """A new listing that selects the column itself would serve stale rows."""
    folder = Path(sql.__path__[0])
    reading = [
        path.name for path in folder.rglob("*.py") if re.search(r"\b(o|objects)\.wire\b", path.read_text("utf-8"))
    ]
    assert reading == []


def test_a_page_of_stale_and_current_rows_keeps_its_order(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{number:02}" for number in range(20)]
    for name in names[::2]:
        make_folder(store, account, account.root_key, name)
    upgrade_encoding(monkeypatch)
    for name in names[1::2]:
        make_folder(store, account, account.root_key, name)
    with store.read() as unit:
        page = unit.tree.page(account.account_id, PageOf(folder_key=account.root_key))
    assert names_of(page) == names
    assert all(map(is_upgraded, page))


def test_a_stale_row_that_is_changed_becomes_current(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder(store, account, account.root_key, "before").object_key
    upgrade_encoding(monkeypatch)
    apply(store, account, Rename(folder, "after"))
    assert stale(store) == [(account.account_id, account.root_key)]


def test_stale_rows_are_found_in_windows_and_rewritten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(store)
    rows = len(list(stored_rows(store)))
    assert stale(store) == []
    upgrade_encoding(monkeypatch)
    found = stale(store, limit=3)
    assert found == sorted(found) == stale(store)
    assert len(found) == rows
    assert store.write(lambda unit: unit.wire_cache.re_encode(found[:4])) == 4
    assert stale(store) == found[4:]
    assert store.write(lambda unit: unit.wire_cache.re_encode(found)) == rows - 4
    assert stale(store) == []
    assert {version for version, _ in stored_rows(store)} == {wire_cache.ENCODING_VERSION}
    assert all(is_upgraded(wire) for _, wire in stored_rows(store))
    with store.read() as unit:
        photo = unit.tree.get(world.id, world.photo)
        assert unit.changes.objects(world.id, [world.photo]) == [encode_object(photo)]


def test_re_encoding_changes_nothing_that_anybody_can_see(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(store)
    upgrade_encoding(monkeypatch)
    with store.read() as unit:
        changes = unit.changes.newest(world.id)
    before = served(store, world)
    found = stale(store)
    store.write(lambda unit: unit.wire_cache.re_encode(found))
    assert served(store, world) == before
    with store.read() as unit:
        assert unit.changes.newest(world.id) == changes


def test_objects_that_are_gone_or_current_are_left_out(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = make_folder(store, account, account.root_key, "gone").object_key
    upgrade_encoding(monkeypatch)
    found = stale(store)
    assert (account.account_id, gone) in found
    trash(store, account, gone)
    mark_for_deletion(store, account, gone)
    store.write(lambda unit: unit.purge.delete_batch(account.account_id, 9, NOW))
    assert store.write(lambda unit: unit.wire_cache.re_encode(found)) == 1
    assert store.write(lambda unit: unit.wire_cache.re_encode(found)) == 0


def test_an_older_release_shows_its_own_encoding_and_rewrites_nothing_newer(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        upgrade_encoding(newer)
        folder = make_folder(store, account, account.root_key, "folder").object_key
    with store.read() as unit:
        (shown,) = unit.tree.page(account.account_id, PageOf(folder_key=account.root_key))
        assert not is_upgraded(shown)
        assert shown == encode_object(unit.tree.get(account.account_id, folder))
    assert stale(store) == []
    # What it writes is stale for the newer release again, even where the row was current before.
    apply(store, account, Rename(folder, "by the older release"))
    upgrade_encoding(monkeypatch)
    assert (account.account_id, folder) in stale(store)


def test_the_settled_encoding_is_the_one_noted_last(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def settled() -> int:
        with store.read() as unit:
            return unit.wire_cache.settled_encoding()

    assert settled() == 0
    older = wire_cache.ENCODING_VERSION
    with monkeypatch.context() as newer:
        upgrade_encoding(newer)
        store.write(lambda unit: unit.wire_cache.settle())
        assert settled() == older + 1
    store.write(lambda unit: unit.wire_cache.settle())
    assert settled() == older
