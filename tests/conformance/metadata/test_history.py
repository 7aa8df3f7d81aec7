"""History: what an account looked like at a moment."""

import pytest
from tests.conformance.metadata.board_making import leave, make_board, show
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.past import links_at, names, newest, seen_at, seen_now

from skyshelf.storage.errors import AccountMissing, LimitReached, QuotaExceeded
from skyshelf.storage.metadata.contracts.accounts import Account, Quota
from skyshelf.storage.metadata.contracts.tree import Move, NewFolder, NewTag, Rename, SetFavorite
from skyshelf.storage.metadata.history.contract import EntryFilter
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.limits import HISTORY_TIMES_QUOTA


def test_a_renamed_moved_and_trashed_file_is_found_where_it_was(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    file = put_file(store, account, account.root_key, "a").object.object_key
    at_first = newest(store, account)
    apply(store, account, Rename(file, "b"))
    renamed = newest(store, account)
    apply(store, account, Move(file, folder))
    moved = newest(store, account)
    trash(store, account, file)
    assert names(store, account, account.root_key, at_first) == ["a", "folder"]
    assert names(store, account, account.root_key, renamed) == ["b", "folder"]
    assert names(store, account, account.root_key, moved) == ["folder"]
    assert names(store, account, folder, moved) == ["b"]
    assert names(store, account, folder, newest(store, account)) == []
    assert names(store, account, account.root_key, 0) == []


def test_what_is_below_a_folder_goes_and_comes_back_with_it(store: MetadataStore, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    file = put_file(store, account, inner, "file").object.object_key
    before = newest(store, account)
    trash(store, account, outer)
    trashed = newest(store, account)
    with store.read() as unit:
        way = unit.history.at(account.account_id, before).visible(file)
        assert way is not None
        assert [one.name for one in way[1:]] == ["outer", "inner", "file"]
        assert unit.history.at(account.account_id, trashed).visible(file) is None
        assert unit.history.at(account.account_id, trashed).object(file) is not None


@pytest.mark.parametrize("whole_trash", [False, True])
@pytest.mark.parametrize("limit", [1, 3, 100])
def test_what_was_deleted_for_good_is_listed_as_it_was(
    store: MetadataStore, account: Account, limit: int, whole_trash: bool
) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    for number in range(4):
        put_file(store, account, inner, f"{number}", b"%d" % number)
    put_file(store, account, outer, "beside", b"beside")
    before = newest(store, account)
    as_it_was = seen_now(store, account)
    trash(store, account, outer)
    trashed = newest(store, account)
    if whole_trash:
        store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    else:
        mark_for_deletion(store, account, outer)
    more = True
    while more:
        assert seen_at(store, account, before, NOW) == as_it_was
        more = store.write(lambda unit: unit.purge.delete_batch(account.account_id, limit, NOW))
    assert seen_at(store, account, before, NOW) == as_it_was
    with store.read() as unit:
        was_trashed = unit.history.at(account.account_id, trashed).object(outer)
        assert was_trashed is not None
        assert was_trashed.status == "T"
        assert unit.history.at(account.account_id, trashed + 1).object(outer) is None
        assert unit.history.at(account.account_id, trashed + 1).object(inner) is None
        assert unit.quotas.get(account.account_id, NOW).history_used == 10


def test_contents_of_dropped_versions_stay_where_history_finds_them(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "a", b"first", keep_versions=1).object
    at_first = newest(store, account)
    put_file(store, account, account.root_key, "a", b"second", keep_versions=1)
    assert first.sha256 is not None
    with store.read() as unit:
        was = unit.history.at(account.account_id, at_first).object(first.object_key)
        assert was is not None
        assert was.sha256 == first.sha256
        place = unit.history.content(first.sha256)
    assert place is not None
    assert not place.is_quarantined
    store.write(lambda unit: unit.content.release_idle(NOW + 10, 100, NOW + 10))
    with store.read() as unit:
        kept = unit.history.content(first.sha256)
    assert kept == place._replace(is_quarantined=True)
    later = NOW + 100 * 24 * 3600 * 1000
    assert store.write(lambda unit: unit.quarantine.begin_deleting(later, 10, spare_history=True)) == []
    store.write(lambda unit: unit.history.forget(account.account_id, NOW + 20))
    while store.write(lambda unit: unit.history.expire_some(account.account_id, 0, 10, later)):
        pass
    with store.read() as unit:
        assert unit.quotas.get(account.account_id, NOW).history_used == 0
        assert unit.expiry.quarantine(later - 1).count == 0
    (gone,) = store.write(lambda unit: unit.quarantine.begin_deleting(later, 10, spare_history=True))
    assert gone.sha256 == first.sha256


def test_a_full_disk_takes_from_the_history_that_is_largest_for_its_quota(store: MetadataStore) -> None:
    quiet, busy = make_account(store, default_space=10**6), make_account(store, default_space=10**4)

    def delete(account: Account, name: str, size: int, now: int) -> str | None:
        made = put_file(store, account, account.root_key, name, name[0].encode() * size).object
        trash(store, account, made.object_key)
        mark_for_deletion(store, account, made.object_key)
        purge_all(store, account, now=now)
        return made.sha256

    old = delete(quiet, "q", 5000, NOW)
    first, second = delete(busy, "1", 300, NOW + 10), delete(busy, "2", 200, NOW + 20)
    shared = delete(busy, "q", 5000, NOW + 15)
    assert shared == old
    store.write(lambda unit: unit.content.release_idle(NOW + 100, 100, NOW + 100))

    def unneeded() -> list[str | None]:
        begun = store.write(lambda unit: unit.quarantine.begin_deleting(NOW + 100, 10, "released", spare_history=True))
        return [one.sha256 for one in begun]

    def history_used() -> tuple[int, int]:
        with store.read() as unit:
            both = [unit.quotas.get(one.account_id, NOW) for one in (quiet, busy)]
            assert both == [unit.quotas.recount(one.account_id, NOW) for one in (quiet, busy)]
        return both[0].history_used, both[1].history_used

    def give_up() -> bool:
        return store.write(lambda unit: unit.history.give_up_some(1))

    assert unneeded() == []
    assert history_used() == (5000, 5500)
    assert give_up()
    assert (unneeded(), history_used()) == ([first], (5000, 5200))
    assert give_up()
    assert (unneeded(), history_used()) == ([second], (5000, 5000))
    # What both histories keep goes last, and from both: one alone would lose it, and free nothing.
    assert store.write(lambda unit: unit.history.give_up_some(2))
    assert (unneeded(), history_used()) == ([old], (0, 0))
    assert not give_up()


def test_a_full_disk_takes_nothing_from_history_whose_bytes_a_held_account_keeps(store: MetadataStore) -> None:
    busy, quiet, held = (make_account(store, default_space=10**4) for _ in range(3))
    for account, name in ((held, "x"), (quiet, "y"), (busy, "x"), (busy, "y")):
        made = put_file(store, account, account.root_key, name, name.encode() * 500).object
        trash(store, account, made.object_key)
        mark_for_deletion(store, account, made.object_key)
        purge_all(store, account, now=NOW)
    store.write(lambda unit: unit.content.release_idle(NOW + 100, 100, NOW + 100))
    store.write(
        lambda unit: unit.sql.run(
            "UPDATE account_counters SET held_at = 1 WHERE account_id = :account", {"account": held.account_id}
        )
    )
    calls = 0
    while store.write(lambda unit: unit.history.give_up_some(1)):
        calls += 1
        assert calls < 10
    with store.read() as unit:
        used = [unit.quotas.get(account.account_id, NOW).history_used for account in (busy, quiet, held)]
    assert used == [500, 0, 500]


def test_a_moment_is_the_newest_change_up_to_a_time(store: MetadataStore, account: Account) -> None:
    for number in range(1, 12):
        make_folder(store, account, account.root_key, str(number), now=NOW + 10 * number)
    with store.read() as unit:
        for at, seq in [(0, 0), (NOW + 9, 0), (NOW + 10, 1), (NOW + 19, 1), (NOW + 115, 11), (NOW + 10**9, 11)]:
            assert unit.history.moment(account.account_id, at) == seq


def test_old_history_goes_in_steps_and_its_bounds_follow(store: MetadataStore, account: Account) -> None:
    day = 24 * 3600 * 1000
    key = make_folder(store, account, account.root_key, "a", now=NOW).object_key
    for number in range(10):
        apply(store, account, Rename(key, str(number)), now=NOW + number * day)
    with store.read() as unit:
        assert unit.history.accounts_with_old(NOW + 30 * day, 30, among=[account.account_id]) == []
        assert unit.history.accounts_with_old(NOW + 35 * day, 30, among=[account.account_id]) == [account.account_id]
    store.write(lambda unit: unit.history.set_days(account.account_id, 40))
    with store.read() as unit:
        assert unit.history.accounts_with_old(NOW + 35 * day, 50, among=[account.account_id]) == []
        # An operator who keeps it for fewer days than the account has chosen wins.
        assert unit.history.accounts_with_old(NOW + 35 * day, 30, among=[account.account_id]) == [account.account_id]
    steps = 1
    while store.write(lambda unit: unit.history.expire_some(account.account_id, NOW + 5 * day, 2, NOW)):
        steps += 1
    assert steps > 2
    with store.read() as unit:
        bounds = unit.history.bounds(account.account_id)
        assert bounds == (6, 11, 40, 0)
        old = unit.history.at(account.account_id, 6).object(key)
        assert old is not None
        assert old.name == "4"
        page = unit.history.entries(account.account_id, EntryFilter(), limit=100, among=1000)
    assert [entry.seq for entry in page.found] == [11, 10, 9, 8, 7]


def test_entries_say_what_was_before_and_after_and_who_did_it(store: MetadataStore, account: Account) -> None:
    file = put_file(store, account, account.root_key, "a").object.object_key

    def rename(unit: Unit) -> None:
        unit.act_as("device/session")
        unit.tree.apply(account.account_id, [Rename(file, "b")], NOW + 1)

    store.write(rename)
    apply(store, account, SetFavorite(file, True), now=NOW + 2)
    with store.read() as unit:
        page = unit.history.entries(account.account_id, EntryFilter(object_key=file), limit=10, among=10)
        assert [(one.kind, one.actor) for one in page.found] == [
            ("favorite", ""),
            ("renamed", "device/session"),
            ("created", ""),
        ]
        renamed = page.found[1]
        assert renamed.before is not None
        assert renamed.after is not None
        assert (renamed.before.name, renamed.after.name) == ("a", "b")
        assert page.found[2].before is None
        for actor in ("device/", "device/session"):
            page = unit.history.entries(account.account_id, EntryFilter(actor=actor), limit=10, among=10)
            assert [one.seq for one in page.found] == [2]
        page = unit.history.entries(account.account_id, EntryFilter(), limit=2, among=10)
        assert ([one.seq for one in page.found], page.next) == ([3, 2], 2)
        page = unit.history.entries(account.account_id, EntryFilter(kinds=["created"]), limit=5, among=2)
        assert (page.found, page.next) == ([], 2)


def test_the_history_of_an_account_is_its_own_and_goes_with_it(store: MetadataStore, account: Account) -> None:
    stranger = make_account(store)
    file = put_file(store, account, account.root_key, "a").object.object_key
    trash(store, account, file)
    mark_for_deletion(store, account, file)
    purge_all(store, account)
    with store.read() as unit:
        assert unit.history.at(stranger.account_id, 0).object(file) is None
        assert unit.history.at(stranger.account_id, 0).visible(account.root_key) is None
        assert unit.history.entries(stranger.account_id, EntryFilter(object_key=file), limit=9, among=9).found == []
    store.write(lambda unit: unit.accounts.set_deletion(account.account_id, NOW, NOW))
    store.write(lambda unit: unit.accounts.close_due(account.account_id, NOW))
    while store.write(lambda unit: unit.accounts.remove_some(account.account_id, 1, NOW)):
        pass
    with store.read() as unit, pytest.raises(AccountMissing):
        unit.quotas.get(account.account_id, NOW)


def counted(store: MetadataStore, account: Account) -> Quota:
    """Return the quota of an account, whose counters are right."""
    with store.read() as unit:
        quota = unit.quotas.get(account.account_id, NOW)
        assert quota == unit.quotas.recount(account.account_id, NOW)
    return quota


def delete_for_good(store: MetadataStore, account: Account, key: str) -> None:
    trash(store, account, key)
    mark_for_deletion(store, account, key)
    purge_all(store, account)


def test_uploads_that_are_deleted_again_and_again_fill_no_disk(store: MetadataStore) -> None:
    account = make_account(store, default_space=1000)
    for number in range(HISTORY_TIMES_QUOTA + 1):
        delete_for_good(
            store, account, put_file(store, account, account.root_key, "a", b"%03d" % number * 300).object.object_key
        )
        quota = counted(store, account)
        assert (quota.used, quota.history_used) == (0, 900 * (number + 1))
    assert quota.free == 400
    with pytest.raises(
        LimitReached, match=r"History keeps 3\.5 KiB of deleted contents, 3 times your quota: forget history"
    ):
        put_file(store, account, account.root_key, "a", b"x" * 401)
    key = put_file(store, account, account.root_key, "a", b"x" * 400).object.object_key
    delete_for_good(store, account, key)
    assert counted(store, account).free == 0
    with pytest.raises(QuotaExceeded):
        put_file(store, account, account.root_key, "b", b"x")
    make_folder(store, account, account.root_key, "folders and empty files need no space")
    store.write(lambda unit: unit.history.forget(account.account_id, NOW + 20))
    while store.write(lambda unit: unit.history.expire_some(account.account_id, 0, 10, NOW)):
        pass
    assert counted(store, account).free == 1000


def test_contents_that_are_overwritten_again_and_again_fill_no_disk(store: MetadataStore) -> None:
    account = make_account(store, default_space=1000)
    for number in range(HISTORY_TIMES_QUOTA + 1):
        put_file(store, account, account.root_key, "a", b"%03d" % number * 300, keep_versions=1)
        assert counted(store, account).history_used == 900 * number
    put_file(store, account, account.root_key, "a", b"x" * 300, keep_versions=1)
    assert counted(store, account).free == 1000 - 300 - 600
    with pytest.raises(LimitReached, match="History keeps"):
        put_file(store, account, account.root_key, "a", b"y" * 300, keep_versions=1)


def test_changes_below_a_folder_are_those_of_what_was_there_at_the_time(store: MetadataStore, account: Account) -> None:
    left, right = (make_folder(store, account, account.root_key, name).object_key for name in "lr")
    inner = make_folder(store, account, left, "inner").object_key
    file = put_file(store, account, inner, "a.txt").object.object_key
    apply(store, account, Move(inner, right))
    apply(store, account, SetFavorite(file, True))
    for _ in range(20):
        put_file(store, account, account.root_key, f"{new_key()}.txt")

    def below(folder: str, *, limit: int = 2, among: int = 5000) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        before: int | None = None
        with store.read() as unit:
            while True:
                page = unit.history.entries(
                    account.account_id, EntryFilter(below=folder), limit=limit, among=among, before=before
                )
                found += [(one.kind, one.object_key) for one in page.found]
                if page.next is None:
                    return found
                before = page.next

    assert below(left) == [("moved", inner), ("created", file), ("created", inner)]
    assert below(right, among=3) == [("favorite", file), ("moved", inner)]
    with store.read() as unit:
        page = unit.history.entries(account.account_id, EntryFilter(below=left), limit=3, among=5000)
        assert len(page.found) == 3, "a full page, however much happened elsewhere"


def test_changes_of_a_session_are_found_by_its_end_alone(store: MetadataStore, account: Account) -> None:
    def folder_by(actor: str, name: str) -> None:
        new = NewFolder(object_key=new_key(), parent_key=account.root_key, name=name)

        def work(unit: Unit) -> None:
            unit.act_as(actor)
            unit.tree.add_folder(account.account_id, new, NOW)

        store.write(work)

    for number, actor in enumerate(("device/00ff", "other/00ff", "device/11ff", "")):
        folder_by(actor, str(number))
    with store.read() as unit:
        for actor, expected in (("/00ff", 2), ("device/", 2), ("device/00ff", 1), ("/ff", 0)):
            wanted = EntryFilter(actor=actor)
            assert len(unit.history.entries(account.account_id, wanted, limit=9, among=99).found) == expected


def test_a_renamed_tag_and_a_board_that_is_left_or_deleted_are_known_as_they_were(
    store: MetadataStore, account: Account
) -> None:
    file = put_file(store, account, account.root_key, "a.jpg").object.object_key
    boards = [make_board(store, account) for _ in range(2)]
    for board in boards:
        show(store, account, board, file)
    tag = store.write(
        lambda unit: unit.tags.add(account.account_id, [file], NewTag(tag_key=new_key(), name="sea"), NOW)
    )
    seq = newest(store, account)
    store.write(lambda unit: unit.tags.rename(account.account_id, tag.tag_key, "ocean", NOW + 10))
    leave(store, account, boards[0], now=NOW + 10)
    store.write(lambda unit: unit.boards.delete(account.account_id, boards[1], NOW + 10))
    with store.read() as unit:
        assert links_at(unit.sql, account.account_id, file, seq, NOW + 5) == sorted(
            [("tag", tag.tag_key, "sea"), *(("board", board, "") for board in boards)]
        )
        assert links_at(unit.sql, account.account_id, file, seq, NOW + 10) == [("tag", tag.tag_key, "ocean")]
