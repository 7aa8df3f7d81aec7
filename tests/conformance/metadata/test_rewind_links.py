"""Rewinds of what objects are in: albums, share links and tags; and of contents that are versions already."""

from tests.conformance.metadata.board_making import join, leave, make_board, show
from tests.conformance.metadata.making import (
    NOW,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.past import newest
from tests.conformance.metadata.rewinding import planned, run, scope_of

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import NewTag
from skyshelf.storage.metadata.history.rewinds import Scope, StoredRewind
from skyshelf.storage.metadata.store import MetadataStore, Unit

LATER = NOW + 1000
MUCH_LATER = NOW + 2000


def in_album(store: MetadataStore, account: Account, album: str, *keys: str) -> set[str]:
    with store.read() as unit:
        return {one.object_key for one in unit.board_items.contributors(account.account_id, album, keys)}


def shared(store: MetadataStore, account: Account) -> dict[str, list[str]]:
    with store.read() as unit:
        return {one.share_key: one.object_keys for one in unit.shares.page(account.account_id, limit=10)}


def share(store: MetadataStore, account: Account, *keys: str, now: int = NOW, actor: str = "") -> str:
    key = new_key()
    new = NewShare(share_key=key, token_hash=bytes.fromhex(key), name="link", object_keys=list(keys))

    def work(unit: Unit) -> None:
        unit.act_as(actor)
        unit.shares.add(account.account_id, new, now)

    store.write(work)
    return key


def purge(store: MetadataStore, account: Account, *keys: str) -> None:
    trash(store, account, *keys, now=LATER)
    mark_for_deletion(store, account, *keys, now=LATER)
    purge_all(store, account, now=LATER)


def used(store: MetadataStore, account: Account) -> int:
    with store.read() as unit:
        return unit.quotas.get(account.account_id, NOW).used


def undo_of(store: MetadataStore, account: Account, rewound: StoredRewind) -> Scope:
    return scope_of(store, account, rewound.scope.upto, rewound.created_at - 1, actor=rewound.actor)


def test_what_was_deleted_comes_back_into_albums_and_open_links(store: MetadataStore, account: Account) -> None:
    one, two = (put_file(store, account, account.root_key, name).object.object_key for name in ("a", "b"))
    album, gone_album = make_board(store, account), make_board(store, account, "Winter")
    show(store, account, album, one, two)
    show(store, account, gone_album, one)
    open_, closed = share(store, account, two, one), share(store, account, one)
    seq = newest(store, account)
    purge(store, account, one)
    store.write(lambda unit: unit.shares.revoke(account.account_id, closed, LATER))
    store.write(lambda unit: unit.boards.delete(account.account_id, gone_album, LATER))
    assert (in_album(store, account, album, one, two), shared(store, account)) == ({two}, {open_: [two]})
    rewound = run(store, account, scope_of(store, account, seq, NOW), MUCH_LATER)
    assert (rewound.state, rewound.counts.restored, rewound.counts.left) == ("done", 1, 0)
    assert in_album(store, account, album, one, two) == {one, two}
    assert shared(store, account) == {open_: [two, one]}


def test_files_come_back_into_an_album_and_leave_it(store: MetadataStore, account: Account) -> None:
    one, two, three = (put_file(store, account, account.root_key, name).object.object_key for name in "abc")
    album = make_board(store, account)
    show(store, account, album, one, three)
    seq = newest(store, account)
    account_id = account.account_id
    store.write(lambda unit: unit.board_items.remove(account_id, album, [one, three], LATER, only_own=True))
    show(store, account, album, two, now=LATER)
    # What came and went, or went and came, is as it was.
    show(store, account, album, three, now=LATER + 1)
    scope = scope_of(store, account, seq, NOW)
    assert {item.object_key: item.actions for item in planned(store, account, scope)} == {
        one: ["boards"],
        two: ["boards"],
    }
    rewound = run(store, account, scope, MUCH_LATER)
    assert (rewound.state, rewound.counts.boards) == ("done", 2)
    assert in_album(store, account, album, one, two, three) == {one, three}
    with store.read() as unit:
        assert [(event.kind, event.files) for event in unit.boards.activity(account_id, album)][:2] == [
            ("added", 1),
            ("withdrew", 1),
        ]
    undone = run(store, account, undo_of(store, account, rewound), MUCH_LATER + 1000)
    assert undone.counts.boards == 2
    assert in_album(store, account, album, one, two, three) == {two, three}


def test_an_album_that_the_account_has_left_is_left_alone(store: MetadataStore, account: Account) -> None:
    owner = make_account(store)
    file = put_file(store, account, account.root_key, "a").object.object_key
    album = make_board(store, owner)
    join(store, owner, album, account)
    show(store, account, album, file)
    seq = newest(store, account)
    leave(store, account, album, now=LATER)
    scope = scope_of(store, account, seq, NOW + 1)
    assert planned(store, account, scope) == []
    assert run(store, account, scope, MUCH_LATER).counts.boards == 0
    with store.read() as unit:
        assert unit.board_items.contributors(owner.account_id, album, [file]) == []


def test_somebody_who_may_only_look_puts_nothing_back(store: MetadataStore, account: Account) -> None:
    owner = make_account(store)
    withdrawn, deleted = (put_file(store, account, account.root_key, name).object.object_key for name in "ab")
    album, account_id = make_board(store, owner), account.account_id
    join(store, owner, album, account)
    show(store, account, album, withdrawn, deleted)
    seq = newest(store, account)
    store.write(lambda unit: unit.board_items.remove(account_id, album, [withdrawn], LATER, only_own=True))
    purge(store, account, deleted)
    store.write(lambda unit: unit.board_members.set_role(owner.account_id, album, account_id, "V"))
    rewound = run(store, account, scope_of(store, account, seq, NOW + 1), MUCH_LATER)
    assert (rewound.state, rewound.counts.restored, rewound.counts.boards) == ("done", 1, 0)
    assert in_album(store, owner, album, withdrawn, deleted) == set()


def test_links_are_closed_with_the_session_that_made_them_and_never_opened(
    store: MetadataStore, account: Account
) -> None:
    file = put_file(store, account, account.root_key, "a").object.object_key
    closed = share(store, account, file)
    seq = newest(store, account)
    store.write(lambda unit: unit.shares.revoke(account.account_id, closed, LATER))
    theirs, mine = share(store, account, file, now=LATER, actor="d/s"), share(store, account, file, now=LATER)
    whole = scope_of(store, account, seq, NOW)
    assert planned(store, account, whole) == []
    assert run(store, account, whole, LATER + 1).counts.links == 0
    assert set(shared(store, account)) == {theirs, mine}
    of_session = scope_of(store, account, seq, NOW, actor="d/s")
    [item] = planned(store, account, of_session)
    assert (item.object_key, item.actions) == (file, ["links"])
    rewound = run(store, account, of_session, MUCH_LATER)
    assert rewound.counts.links == 1
    assert set(shared(store, account)) == {mine}
    assert run(store, account, undo_of(store, account, rewound), MUCH_LATER + 1000).counts.links == 0
    assert set(shared(store, account)) == {mine}


def test_a_renamed_tag_gets_its_name_back_with_the_whole_account_only(store: MetadataStore, account: Account) -> None:
    account_id = account.account_id
    folder = make_folder(store, account, account.root_key, "folder").object_key
    files = [put_file(store, account, folder, name).object.object_key for name in "ab"]
    tag = store.write(lambda unit: unit.tags.add(account_id, files, NewTag(tag_key=new_key(), name="old"), NOW))
    seq = newest(store, account)
    store.write(lambda unit: unit.tags.rename(account_id, tag.tag_key, "new", LATER))

    def names() -> list[str]:
        with store.read() as unit:
            return [one.name for key in files for one in unit.tags.of_object(account_id, key)]

    assert run(store, account, scope_of(store, account, seq, NOW, folder_key=folder), LATER + 1).counts.tags == 0
    assert names() == ["new", "new"]
    rewound = run(store, account, scope_of(store, account, seq, NOW), MUCH_LATER)
    assert rewound.counts.tags >= 1
    assert names() == ["old", "old"]
    run(store, account, undo_of(store, account, rewound), MUCH_LATER + 1000)
    assert names() == ["new", "new"]


def test_a_content_that_is_still_a_version_needs_no_space(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "a", b"x" * 1000).object
    seq = newest(store, account)
    put_file(store, account, account.root_key, "a", b"encrypted", now=LATER, keep_versions=5)
    store.write(lambda unit: unit.accounts.set_space(account.account_id, default_space=1010, paid_space=0, now=LATER))
    scope = scope_of(store, account, seq, NOW)
    [item] = planned(store, account, scope)
    assert (item.actions, item.size) == (["content"], 0)
    rewound = run(store, account, scope, MUCH_LATER)
    assert (rewound.state, rewound.counts.content, rewound.counts.left) == ("done", 1, 0)
    with store.read() as unit:
        now = unit.tree.visible(account.account_id, first.object_key)
        versions = unit.files.versions(account.account_id, first.object_key)
        assert unit.inspection.miscounted(limit=10) == []
    assert (now.sha256, now.size) == (first.sha256, 1000)
    assert sorted(one.size for one in versions) == [9, 1000]
    assert max(versions, key=lambda one: one.version).size == 1000
    assert used(store, account) == 1009
    undone = run(store, account, undo_of(store, account, rewound), MUCH_LATER + 1000)
    assert (undone.state, undone.counts.content) == ("done", 1)
    assert used(store, account) == 1009
