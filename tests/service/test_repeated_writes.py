"""A store may run a write twice, after a deadlock or a lost connection: each use-case then still happens once."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pytest
from msgspec.structs import replace

from skyshelf.service.boards import boards
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.files import batches, listings, trash
from skyshelf.storage.metadata.store import MetadataStore, Unit, write_alone
from skyshelf.wire.resources.batch import BatchEntry, BatchRequest, EchoedObject, Operation, RestoreRequest
from skyshelf.wire.resources.boards import BoardCreation, BoardDetailsQuery, BoardListQuery
from skyshelf.wire.resources.objects import FolderCreation, ListingQuery

T = TypeVar("T")
ORIGIN = "http://localhost"


class LostOnce(Exception):
    """The connection was lost before the commit."""


class Hesitant:
    """A store that loses every write once, right before its commit, and then runs it again."""

    def __init__(self, store: MetadataStore) -> None:
        self.read, self.snapshot = store.read, store.snapshot
        self.check, self.close = store.check, store.close
        self._store = store
        self.lost = 0

    def write(self, work: Callable[[Unit], T]) -> T:
        def lose(unit: Unit) -> None:
            work(unit)
            raise LostOnce

        with pytest.raises(LostOnce):
            self._store.write(lose)
        self.lost += 1
        return self._store.write(work)

    def write_jointly(self, joint: Callable[[Unit, Sequence[Any]], Sequence[Any]], item: Any) -> Any:
        return write_alone(self.write, joint, item)


@pytest.fixture
def hesitant(ctx: ServiceContext) -> ServiceContext:
    return replace(ctx, metadata=Hesitant(ctx.metadata))


def _folder(ctx: ServiceContext, caller: Caller, name: str) -> str:
    request = FolderCreation(object_name=name, parent_object_key=caller.root_key)
    return batches.create_folder(ctx, caller, request, ORIGIN).object_key


def _entry(operation: Operation, key: str, name: str, parent: str | None = None) -> BatchEntry:
    echo = EchoedObject(object_key=key, object_name=name, parent_object_key=parent, source_name="DRIVE", status="T")
    return BatchEntry(operation=operation, object=echo)


def _changes(ctx: ServiceContext, caller: Caller) -> list[tuple[str, str]]:
    with ctx.metadata.read() as unit:
        return [(one.kind, one.object_key) for one in unit.changes.since(caller.account_id, 0, 100)]


def test_a_folder_is_created_once(hesitant: ServiceContext, caller: Caller) -> None:
    key = _folder(hesitant, caller, "a")
    assert _changes(hesitant, caller) == [("created", key)]
    listing = listings.folder_listing(
        hesitant, caller, ListingQuery(folder_key=caller.root_key), ORIGIN, "/nms/metadata"
    )
    assert listing.page is not None
    assert listing.page.count(b'"objectKey"') == 1


def test_a_batch_and_a_restore_happen_once_and_are_answered_in_full(
    ctx: ServiceContext, hesitant: ServiceContext, caller: Caller
) -> None:
    a, b, c = (_folder(ctx, caller, name) for name in "abc")
    request = BatchRequest(
        objects=[
            _entry(Operation.RENAME, a, "new"),
            _entry(Operation.RENAME, b, "c"),
            _entry(Operation.MOVE, b, "b", c),
            _entry(Operation.TRASH, a, "new"),
        ]
    )
    answer = batches.apply_batch(hesitant, caller, request, ORIGIN)
    assert [one.operation for one in answer.objects or []] == ["RENAME", "MOVE", "TRASH"]
    assert [one.operation for one in answer.unprocessed or []] == ["RENAME"]
    restored = trash.restore(hesitant, caller, RestoreRequest(object_keys=[a, "no key"]), ORIGIN)
    assert [one.object_name for one in restored.objects or []] == ["new"]
    assert len(restored.unprocessed or []) == 1
    assert _changes(ctx, caller)[3:] == [("renamed", a), ("moved", b), ("trashed", a), ("restored", a)]


def test_a_board_is_created_and_left_once(hesitant: ServiceContext, caller: Caller) -> None:
    board = boards.create_board(hesitant, caller, BoardCreation(board_name="a"))
    assert boards.list_boards(hesitant, caller, BoardListQuery()).boards == [board]
    assert b'"objects":[]' in boards.board_details(hesitant, caller, board.board_key, BoardDetailsQuery(), ORIGIN)
    boards.leave_board(hesitant, caller, board.board_key)
    assert boards.list_boards(hesitant, caller, BoardListQuery()).boards == []
