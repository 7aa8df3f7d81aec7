"""The log of an account's changes: its leaves, its hashes and its keys."""

import pytest
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    purge_all,
    put_file,
    trash,
)

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Rename
from skyshelf.storage.metadata.history.log import (
    Growth,
    HistoryKey,
    Log,
    LoggedChange,
    grown,
    needed_places,
    open_places,
    range_hashes,
)
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.proofs.leaves import decode_before, decode_state, hash_of_body, hash_of_leaf
from skyshelf.wire.proofs.merkle import GrowingTree

LOG = "0123456789ABCDEF" * 2


@pytest.fixture
def account(store: MetadataStore) -> Account:
    store.write(lambda unit: unit.history_keys.add(_key(1)))
    return make_account(store)


def _key(number: int) -> HistoryKey:
    return HistoryKey(
        number=number,
        key_id=f"key {number}",
        public_key=bytes([number]) * 32,
        private_key=b"private",
        created_at=NOW + number,
    )


def add_all(store: MetadataStore, account: Account, *, key_id: str = "key 1", limit: int = 3) -> list[bytes]:
    """Add what is missing to the log, in small batches; the hashes of the leaves."""
    leaves: list[bytes] = []
    while True:
        with store.snapshot() as unit:
            log = unit.history_log.get(account.account_id)
            if log is None:
                start = unit.history_log.beginning(account.account_id)
                log = Log(LOG, start or 1, 0, "")
            changes = unit.history_log.changes(account.account_id, log.next, limit)
            tiles = unit.history_log.tiles(account.account_id, open_places(log.size))
        if not changes:
            return leaves
        hashes = [_leaf(one) for one in changes]
        growth = Growth(
            log=log,
            size=log.size + len(changes),
            head=f"head of {log.size + len(changes)}",
            key_id=key_id,
            tiles=grown(log.size, tiles, hashes),
            states=[one.body.after for one in changes],
        )
        assert grow(store, account, growth)
        leaves += hashes


def grow(store: MetadataStore, account: Account, growth: Growth) -> bool:
    return store.write(lambda unit: unit.history_log.grow(account.account_id, growth))


def _leaf(change: LoggedChange) -> bytes:
    return hash_of_leaf(change.seq, change.at, hash_of_body(change.body.encoded()))


def records(store: MetadataStore, account: Account) -> list[LoggedChange]:
    with store.snapshot() as unit:
        return unit.history_log.records(account.account_id, 1, 1000)


def test_a_change_is_logged_with_its_object_before_and_after_it(store: MetadataStore, account: Account) -> None:
    kept = put_file(store, account, account.root_key, "a.txt", b"one").object
    apply(store, account, Rename(kept.object_key, "b.txt"))
    gone = put_file(store, account, account.root_key, "c.txt", b"two").object
    folder = make_folder(store, account, account.root_key, "folder")
    inner = put_file(store, account, folder.object_key, "d.txt", b"three").object
    for key in (gone.object_key, folder.object_key):
        trash(store, account, key)
        mark_for_deletion(store, account, key)
    purge_all(store, account)
    leaves = add_all(store, account)
    seen = [
        (
            one.body.kind,
            None if one.body.before is None else (decode_before(one.body.before) or kept).name,
            None if one.body.after is None else decode_state(one.body.after).name,
        )
        for one in records(store, account)
    ]
    assert seen[:5] == [
        ("created", None, "a.txt"),
        ("renamed", "a.txt", "b.txt"),
        ("created", None, "c.txt"),
        ("created", None, "folder"),
        ("created", None, "d.txt"),
    ]
    assert ("purged", "c.txt", None) in seen
    state = decode_state(records(store, account)[4].body.after or b"")
    assert (state.parent_key, state.status, state.size) == (folder.object_key, "A", 5)
    assert state.sha256 == bytes.fromhex(inner.sha256 or "")
    assert [_leaf(one) for one in records(store, account)] == leaves
    assert records(store, account)[0].body.object_key.hex().upper() == kept.object_key


def test_hashes_grow_batch_by_batch_and_make_the_root_of_all_leaves(store: MetadataStore, account: Account) -> None:
    for number in range(7):
        put_file(store, account, account.root_key, f"{number}.txt")
    leaves = add_all(store, account, limit=2)
    put_file(store, account, account.root_key, "last.txt")
    leaves += add_all(store, account, limit=2)
    tree = GrowingTree()
    for leaf in leaves:
        tree.add(leaf)
    whole = [(0, len(leaves))]
    with store.snapshot() as unit:
        log = unit.history_log.get(account.account_id)
        tiles = unit.history_log.tiles(account.account_id, needed_places(whole))
    assert log == Log(LOG, 1, 8, "head of 8")
    assert range_hashes(tiles, whole) == [tree.root()]


def test_only_one_of_two_appenders_adds_and_none_with_a_replaced_key(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "a.txt")
    growth = Growth(log=Log(LOG, 1, 0, ""), size=1, head="h", key_id="key 1", tiles={0: b"x" * 32}, states=[None])
    assert grow(store, account, growth)
    assert not grow(store, account, growth)
    further = Growth(log=Log(LOG, 1, 1, "h"), size=2, head="i", key_id="key 1", tiles={0: b"x" * 64}, states=[None])
    assert store.write(lambda unit: unit.history_keys.add(_key(2)))
    assert not grow(store, account, further), "signed with a key that is no longer in use"
    with store.read() as unit:
        assert unit.history_log.tiles(account.account_id, [0]) == {0: b"x" * 32}


def test_only_one_of_two_appenders_continues_a_log(store: MetadataStore, account: Account) -> None:
    first = Growth(log=Log(LOG, 1, 0, ""), size=1, head="h", key_id="key 1", tiles={0: b"x" * 32}, states=[None])
    further = Growth(log=Log(LOG, 1, 1, "h"), size=2, head="i", key_id="key 1", tiles={0: b"x" * 64}, states=[None])
    late = Growth(log=Log(LOG, 1, 1, "h"), size=3, head="j", key_id="key 1", tiles={0: b"y" * 96}, states=[None] * 2)
    assert grow(store, account, first)
    assert grow(store, account, further)
    assert not grow(store, account, late)
    with store.read() as unit:
        assert unit.history_log.get(account.account_id) == Log(LOG, 1, 2, "i")
        assert unit.history_log.tiles(account.account_id, [0]) == {0: b"x" * 64}


def test_a_key_is_replaced_once_and_the_former_private_key_is_gone(store: MetadataStore) -> None:
    assert store.write(lambda unit: unit.history_keys.add(_key(1)))
    assert store.write(lambda unit: unit.history_keys.add(_key(2)))
    assert not store.write(lambda unit: unit.history_keys.add(_key(2)))
    with store.read() as unit:
        first, second = unit.history_keys.all()
        current = unit.history_keys.current()
    assert (first.retired_at, second.retired_at) == (second.created_at, 0)
    assert first.private_key is second.private_key is None
    assert current is not None
    assert (current.number, current.private_key) == (2, b"private")


def test_accounts_whose_log_lacks_changes_are_found(store: MetadataStore, account: Account) -> None:
    other = make_account(store)

    def behind() -> set[int]:
        with store.read() as unit:
            return set(unit.history_log.behind(after=0, limit=100)) & {account.account_id, other.account_id}

    put_file(store, account, account.root_key, "a.txt")
    assert behind() == {account.account_id}
    add_all(store, account)
    assert behind() == set()
    put_file(store, account, account.root_key, "b.txt")
    put_file(store, other, other.root_key, "b.txt")
    assert behind() == {account.account_id, other.account_id}


def test_records_go_with_history_and_hashes_stay(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "a.txt")
    add_all(store, account)
    put_file(store, account, account.root_key, "b.txt")
    add_all(store, account)
    store.write(lambda unit: unit.history.forget(account.account_id, NOW))
    assert records(store, account) == []
    while store.write(lambda unit: unit.history.expire_some(account.account_id, NOW, 100, NOW)):
        pass
    put_file(store, account, account.root_key, "c.txt", now=NOW + 1)
    add_all(store, account)
    assert [one.seq for one in records(store, account)] == [3]
    with store.read() as unit:
        assert len(unit.history_log.tiles(account.account_id, [0])[0]) == 3 * 32


def test_a_log_begins_with_the_first_change_that_is_kept(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "a.txt")
    store.write(lambda unit: unit.history.forget(account.account_id, NOW))
    with store.read() as unit:
        assert unit.history_log.beginning(account.account_id) is None
        assert account.account_id not in unit.history_log.behind(after=0, limit=100)
    put_file(store, account, account.root_key, "b.txt")
    add_all(store, account)
    with store.read() as unit:
        log = unit.history_log.get(account.account_id)
    assert log is not None
    assert (log.start, log.size) == (2, 1)


def test_logs_of_two_accounts_are_apart(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    put_file(store, account, account.root_key, "a.txt")
    add_all(store, account)
    assert records(store, other) == []
    with store.read() as unit:
        assert unit.history_log.get(other.account_id) is None
        assert unit.history_log.tiles(other.account_id, [0]) == {}


def test_the_hashes_of_a_log_take_33_bytes_for_each_change(store: MetadataStore, account: Account) -> None:
    """What stays for ever of a change is no more than the page of limits says."""
    folder = make_folder(store, account, account.root_key, "folder").object_key
    for number in range(600):
        apply(store, account, Rename(folder, f"name {number}"))
    count = len(add_all(store, account, limit=200))
    with store.read() as unit:
        mine = {"account": account.account_id}
        hashes = unit.sql.number("SELECT sum(length(hashes)) FROM history_tiles WHERE account_id = :account", mine)
        rows = unit.sql.number("SELECT count(*) FROM history_tiles WHERE account_id = :account", mine)
    assert count > 600
    # The last row of each level is not full yet.
    assert 32 * count <= hashes <= 33 * count
    assert rows <= count // 256 + 3
