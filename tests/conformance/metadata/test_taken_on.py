"""Pictures and videos by the day of the year on which they were taken."""

from typing import Any

from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import make_account, make_folder, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account

DAY = 24 * 3600 * 1000
YEAR = 31_556_952_000
NOW = 56 * YEAR
NOVEMBER_15 = 1115


def take(store: Store, account: Account, name: str, taken_at: int, day: int = NOVEMBER_15, **fields: Any) -> str:
    parent = fields.pop("parent_key", account.root_key)
    put = put_file(store, account, parent, name, taken_at=taken_at, taken_day=day, **fields)
    return put.object.object_key


def taken(store: Store, account: Account, first: int = NOVEMBER_15, last: int = NOVEMBER_15, **more: int) -> list[str]:
    options = {"before": NOW, "per_year": 100, **more}
    with store.read() as unit:
        found = unit.tree.taken_on(account.account_id, first_day=first, last_day=last, **options)
    return [one.name for one in found]


def test_days_are_a_range_that_includes_both_ends(store: Store, account: Account) -> None:
    for day in (1113, 1114, 1115, 1116, 1117):
        take(store, account, f"{day}.jpg", NOW - YEAR + day, day)
    assert taken(store, account, 1114, 1116) == ["1116.jpg", "1115.jpg", "1114.jpg"]
    assert taken(store, account, 1115, 1115) == ["1115.jpg"]
    assert taken(store, account, 1116, 1114) == []


def test_the_newest_comes_first_and_ties_break_by_key(store: Store, account: Account) -> None:
    for name, ago in [("a.jpg", 3), ("b.jpg", 1), ("c.mp4", 2), ("d.jpg", 2)]:
        take(store, account, name, NOW - ago * YEAR)
    assert taken(store, account) == ["b.jpg", "d.jpg", "c.mp4", "a.jpg"]


def test_only_what_was_taken_before_the_given_time_counts(store: Store, account: Account) -> None:
    for name, moment in [("before.jpg", NOW - 1), ("then.jpg", NOW), ("after.jpg", NOW + 1)]:
        take(store, account, name, moment)
    assert taken(store, account) == ["before.jpg"]


def test_each_year_gives_no_more_than_its_share_and_gives_the_newest(store: Store, account: Account) -> None:
    for years in (1, 2, 60):
        for number in range(3 if years < 60 else 1):
            take(store, account, f"{years}-{number}.jpg", NOW - years * YEAR + YEAR // 2 + number * DAY)
    assert taken(store, account, per_year=2) == ["1-2.jpg", "1-1.jpg", "2-2.jpg", "2-1.jpg", "60-0.jpg"]
    assert taken(store, account, per_year=1) == ["1-2.jpg", "2-2.jpg", "60-0.jpg"]
    assert len(taken(store, account)) == 7


def test_what_is_neither_picture_nor_video_is_left_out(store: Store, account: Account) -> None:
    take(store, account, "a.pdf", NOW - YEAR)
    put_file(store, account, account.root_key, "no date.jpg")
    assert taken(store, account, 101, 1231) == []


def test_what_cannot_be_seen_is_left_out_and_takes_no_place(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    take(store, account, "seen.jpg", NOW - YEAR)
    take(store, account, "below.jpg", NOW - YEAR + 1, parent_key=folder)
    gone = take(store, account, "gone.jpg", NOW - YEAR + 2)
    take(store, make_account(store), "theirs.jpg", NOW - YEAR + 3)
    trash(store, account, folder, gone)
    assert taken(store, account, per_year=1) == ["seen.jpg"]
