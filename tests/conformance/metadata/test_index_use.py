"""No call that people wait for reads more rows than it answers: every one goes through an index, in its order.

Each database is asked for its plan of the very statements that the calls run.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    fill_folder,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.recording import Statement, statements_of_read, statements_of_write

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Kind, Move, NewFolder, NewTag, PageOf, SortBy, Trash
from skyshelf.storage.metadata.history.contract import EntryFilter
from skyshelf.storage.metadata.postgres.dialect import PostgresSql
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.store import Unit

pytestmark = pytest.mark.backend

Look = Callable[[Unit, int, str, str], object]


def _page(sort: SortBy, kind: Kind | None, descending: bool, how: str) -> Look:
    def look(unit: Unit, account_id: int, folder: str, file: str) -> object:
        value: str | int = "m" if sort is SortBy.NAME else 5
        page = PageOf(
            folder_key=folder,
            sort=sort,
            kind=kind,
            descending=descending,
            offset=7 if how == "offset" else 0,
            after=(value, file) if how == "after" else None,
            limit=50,
        )
        return unit.tree.page(account_id, page)

    return look


# What must come in the order of an index, with nothing sorted afterwards.
IN_ORDER: dict[str, Look] = {
    f"page {sort.name.lower()} {kind.name.lower() if kind else 'both'} {'down' if down else 'up'} {how}": _page(
        sort, kind, down, how
    )
    for sort, kind, down, how in product(SortBy, (None, *Kind), (False, True), ("first", "offset", "after"))
} | {
    "recent media": lambda unit, account, folder, file: unit.tree.recent(account, media=True, limit=50),
    "recent others": lambda unit, account, folder, file: unit.tree.recent(account, media=False, limit=50),
    "trash": lambda unit, account, folder, file: unit.tree.trash_page(account, limit=50, offset=5),
    "of app": lambda unit, account, folder, file: unit.tree.of_app(account, "dgl", limit=50),
    "children": lambda unit, account, folder, file: unit.tree.children(account, folder, limit=50),
    "changes": lambda unit, account, folder, file: unit.changes.since(account, 3, 50),
    "versions": lambda unit, account, folder, file: unit.files.versions(account, file),
    "quarantine": lambda unit, account, folder, file: unit.quarantine.page(limit=50),
    "quarantine of a reason": lambda unit, account, folder, file: unit.quarantine.page(reason="orphan", limit=50),
    "stale uploads": lambda unit, account, folder, file: unit.uploads.stale(NOW, 50),
    "upload parts": lambda unit, account, folder, file: unit.uploads.parts(account, new_key()),
    "accounts": lambda unit, account, folder, file: unit.accounts.list(limit=5),
}
# What must find its rows by an index, in whatever order.
BY_INDEX: dict[str, Look] = {
    "get": lambda unit, account, folder, file: unit.tree.get(account, file),
    "visible": lambda unit, account, folder, file: unit.tree.visible(account, file),
    "many visible": lambda unit, account, folder, file: unit.tree.visible_many(account, [file, folder]),
    "child": lambda unit, account, folder, file: unit.tree.child_named(account, folder, "x"),
    "ancestors": lambda unit, account, folder, file: unit.tree.ancestors(account, file),
    "version": lambda unit, account, folder, file: unit.files.version(account, file),
    "quota": lambda unit, account, folder, file: unit.quotas.get(account, NOW),
    "owned": lambda unit, account, folder, file: unit.content.owned(account, "0" * 32, 1),
    "content": lambda unit, account, folder, file: unit.content.get("0" * 64),
    "known content": lambda unit, account, folder, file: unit.content.known(["x", "y"]),
    "explained by a range": lambda unit, account, folder, file: unit.content.explained(["x", "y"]),
    "history that is due": lambda unit, account, folder, file: unit.history.due_to_expire(NOW, 30, limit=10),
    "known in quarantine": lambda unit, account, folder, file: unit.quarantine.known(["x", "y"]),
    "a past object": lambda unit, account, folder, file: unit.history.at(account, 1).object(file),
    "a past folder": lambda unit, account, folder, file: unit.history.at(account, 1).children(folder, limit=10),
    "a past path": lambda unit, account, folder, file: unit.history.at(account, 1).visible(file),
    "a moment": lambda unit, account, folder, file: unit.history.moment(account, NOW),
    "the bounds of history": lambda unit, account, folder, file: unit.history.bounds(account),
    "entries": lambda unit, account, folder, file: unit.history.entries(account, EntryFilter(), limit=5, among=50),
    "entries of an object": lambda unit, account, folder, file: unit.history.entries(
        account, EntryFilter(object_key=file), limit=5, among=50
    ),
    "entries below a folder": lambda unit, account, folder, file: unit.history.entries(
        account, EntryFilter(below=folder, actor="/x", since=NOW - 5, until=NOW), limit=5, among=50
    ),
    "differences": lambda unit, account, folder, file: unit.history.differences(
        account, (1, 200), 1, below=folder, limit=20, among=50
    ),
    "a past child": lambda unit, account, folder, file: unit.history.at(account, 1).unchanged_child(folder, "x"),
    "copies in quarantine": lambda unit, account, folder, file: unit.quarantine.copies("0" * 64),
    "known uploads": lambda unit, account, folder, file: unit.uploads.known([new_key()]),
    "old trash": lambda unit, account, folder, file: unit.purge.accounts_with_old_trash(NOW, 10),
    "signs of invitations": lambda unit, account, folder, file: unit.board_invitations.change_tokens([account], NOW),
    "account by e-mail": lambda unit, account, folder, file: unit.accounts.by_email("person-1@example.org"),
}


def tag(store: Store, account: Account) -> None:
    """Tag some of what is in the root folder, each with a tag of its own."""
    with store.read() as unit:
        some = unit.tree.children(account.account_id, account.root_key, limit=20)

    def work(unit: Unit) -> None:
        for one in some:
            unit.tags.add(account.account_id, [one.object_key], NewTag(tag_key=new_key(), name=one.name), NOW)

    store.write(work)


class World:
    """An account among others, with enough in it for a planner to care."""

    def __init__(self, store: Store) -> None:
        self.store = store
        others = [make_account(store, email=f"person-{number}@example.org") for number in range(3)]
        for other in others:
            fill_folder(store, other, other.root_key, 40)
        self.account: Account = others[1]
        self.folder = make_folder(store, self.account, self.account.root_key, "folder").object_key
        fill_folder(store, self.account, self.folder, 100)
        self.file = put_file(store, self.account, self.folder, "a.jpg", app_code="dgl").object.object_key
        with store.read() as unit:
            some = unit.tree.children(self.account.account_id, self.folder, limit=40)
        trash(store, self.account, *(one.object_key for one in some))
        for other in others:
            gone = make_folder(store, other, other.root_key, "gone").object_key
            fill_folder(store, other, gone, 20)
            trash(store, other, gone)
            mark_for_deletion(store, other, gone)
            purge_all(store, other)
            tag(store, other)
        if isinstance(store, PostgresStore):
            store.analyze()  # as it does by itself; the embedded store plans without ever having counted

    def look(self, look: Look) -> Callable[[Unit], object]:
        return lambda unit: look(unit, self.account.account_id, self.folder, self.file)


def _plan(sql: Sql, statement: Statement) -> list[str]:
    """The plan as lines of text, whichever database it is."""
    text, params = statement
    if isinstance(sql, PostgresSql):
        return [row[0] for row in sql.all(f"EXPLAIN {text}", params)]
    return [row[3] for row in sql.all(f"EXPLAIN QUERY PLAN {text}", params)]


# SQLite says SCAN also of what is no table of ours: a subquery, the rows of a recursion, a list of parameters.
_HARMLESS = re.compile(
    r"SCAN (json_each|above|candidate|halved|page|k|\(subquery-\d+\)|CONSTANT ROW|\d+ CONSTANT ROWS)\b"
    # The full-text index, asked for a row by its number.
    r"|SCAN search_terms VIRTUAL TABLE INDEX 0:="
)


# An index of which nothing but the account is used: all that the account has.
_WHOLE_ACCOUNT = re.compile(r"\(account_id=\?\)$|Index Cond: \(account_id = [^()]*\)$")
# Of these an account has one row, or few at a time, or wants them all.
_FEW_PER_ACCOUNT = re.compile(r"\b(account_counters_pkey|accounts_pkey|objects_purging|uploads_\w+)\b")


def _reads_all(plan: list[str]) -> list[str]:
    """The lines of a plan that go through a whole table, a whole index, or all of an account."""
    bad = []
    index = ""
    candidates = any("candidate" in line for line in plan)
    for line in plan:
        if candidates and line == "SCAN c":  # the rows of a recursion under their short name
            continue
        # PostgreSQL names the index on one line and says on another what it is asked.
        index = line if "USING" in line or "using" in line or "Bitmap Index Scan" in line else index
        whole_table = "Seq Scan" in line or ("SCAN" in line and not _HARMLESS.search(line))
        if whole_table or (_WHOLE_ACCOUNT.search(line) and not _FEW_PER_ACCOUNT.search(index)):
            bad.append(line)
    return bad


def _sorts(plan: list[str]) -> list[str]:
    """The lines of a plan that sort; a merge of sorted inputs does not."""
    return [line for line in plan if "TEMP B-TREE" in line or re.search(r"\bSort +\(cost", line)]


@pytest.fixture(scope="module")
def world(lasting_store: Store) -> World:
    return World(lasting_store)


class _TakeBack(Exception):
    """Ends a write without a trace of it."""


def _plans(world: World, statements: list[Statement]) -> list[list[str]]:
    plans: list[list[str]] = []

    def work(unit: Unit) -> None:
        if isinstance(world.store, PostgresStore):
            # So few rows are quickest read as a whole and sorted; the question is what happens when they are many.
            for way in ("seqscan", "sort", "incremental_sort"):
                unit.sql.run(f"SET LOCAL enable_{way} = off")
            unit.sql.run(
                "UPDATE pg_class SET reltuples = reltuples * 10000"
                " WHERE relnamespace = current_schema()::regnamespace AND reltuples > 0"
            )
        plans.extend(_plan(unit.sql, statement) for statement in statements)
        raise _TakeBack

    with suppress(_TakeBack):
        world.store.write(work)
    return plans


def test_what_is_listed_comes_in_the_order_of_an_index(world: World) -> None:
    for name, look in IN_ORDER.items():
        for plan in _plans(world, statements_of_read(world.store, world.look(look))):
            assert _reads_all(plan) + _sorts(plan) == [], (name, *plan)


def test_what_is_looked_up_is_found_by_an_index(world: World) -> None:
    for name, look in BY_INDEX.items():
        for plan in _plans(world, statements_of_read(world.store, world.look(look))):
            assert _reads_all(plan) == [], (name, *plan)


def test_what_a_write_looks_at_is_found_by_an_index(world: World) -> None:
    account_id, store = world.account.account_id, world.store
    new = NewFolder(object_key=new_key(), parent_key=world.folder, name="new")
    writes: list[Callable[[Unit], object]] = [
        lambda unit: unit.tree.add_folder(account_id, new, NOW),
        lambda unit: unit.tree.apply(account_id, [Move(world.file, new.object_key)], NOW),
        lambda unit: unit.tree.apply(account_id, [Trash(world.file)], NOW),
        lambda unit: unit.tree.restore(account_id, [world.file], NOW),
        lambda unit: unit.purge.mark_all_for_deletion(account_id, NOW),
        lambda unit: unit.purge.delete_batch(account_id, 5, NOW),
        lambda unit: unit.content.release_idle(NOW, 5, NOW),
        lambda unit: unit.quarantine.begin_deleting(NOW, 5, spare_history=True),
        lambda unit: unit.quarantine.end_deleting(["x", "y"]),
        lambda unit: unit.uploads.discard(account_id, new_key()),
    ]
    for write in writes:
        statements = [one for one in statements_of_write(store, write) if not one[0].startswith("INSERT")]
        assert statements
        for statement, plan in zip(statements, _plans(world, statements), strict=True):
            assert _reads_all(plan) == [], (statement[0], *plan)


def test_the_check_itself_sees_a_scan_and_a_sort(world: World) -> None:
    # By columns that no index begins with: nothing but reading everything can answer it.
    of_all = "SELECT mime_type FROM objects WHERE updated_at > 5 ORDER BY mime_type"
    of_account = "SELECT mime_type FROM objects WHERE account_id = :account AND updated_at > 5 ORDER BY mime_type"
    for plan in _plans(world, [(of_all, {}), (of_account, {"account": world.account.account_id})]):
        assert _reads_all(plan), plan
        assert _sorts(plan), plan
