"""The timeline: months that count what can be seen, and the pictures of a month page by page."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.conformance.metadata.plans import plans_of
from tests.conformance.metadata.reading import names_of
from tests.examples import examples

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import CursorRow, Move, PageCursor, Rename, SetFavorite, Trash
from skyshelf.storage.metadata.sql.unit import Unit
from skyshelf.storage.metadata.store import MetadataStore

MAY = 2024 * 12 + 4


def at(year: int, month: int, day: int, hour: int = 12) -> int:
    return int(datetime(year, month, day, hour, tzinfo=UTC).timestamp()) * 1000


def picture(store: MetadataStore, account: Account, name: str, when: int, folder: str | None = None) -> str:
    """A picture with a capture date; its key."""
    moment = datetime.fromtimestamp(when / 1000, UTC)
    put = put_file(
        store, account, folder or account.root_key, name, taken_at=when, taken_day=moment.month * 100 + moment.day
    )
    return put.object.object_key


def months(store: MetadataStore, account: Account) -> dict[int, int]:
    with store.read() as unit:
        found = unit.timeline.months(account.account_id)
    assert [one.number for one in found] == sorted((one.number for one in found), reverse=True)
    return {one.number: one.files for one in found}


def pictures(store: MetadataStore, account: Account, month: int, limit: int = 100) -> list[str]:
    """The names of a month, page by page."""
    found: list[CursorRow] = []
    with store.read() as unit:
        while True:
            after = found[-1].cursor if found else None
            page = unit.timeline.page(account.account_id, month, limit=limit, after=after)
            found += page
            if len(page) < limit:
                return names_of([one.encoded for one in found])


def test_months_count_pictures_and_videos_and_nothing_else(store: MetadataStore, account: Account) -> None:
    picture(store, account, "a.jpg", at(2024, 5, 1))
    picture(store, account, "b.mp4", at(2024, 5, 31))
    picture(store, account, "c.jpg", at(2023, 12, 31))
    for name in ("notes.txt", "song.mp3"):
        put_file(store, account, account.root_key, name)
    make_folder(store, account, account.root_key, "folder.jpg")
    assert months(store, account) == {MAY: 2, 2023 * 12 + 11: 1}
    assert months(store, make_account(store)) == {}


def test_a_picture_without_a_date_is_in_the_month_of_its_file_date(store: MetadataStore, account: Account) -> None:
    put_file(store, account, account.root_key, "a.jpg", file_created_at=at(2024, 5, 20))
    assert months(store, account) == {MAY: 1}


@pytest.mark.parametrize(
    ("utc", "day", "month"),
    [
        (at(2024, 6, 1, 1), 531, MAY),
        (at(2024, 4, 30, 23), 501, MAY),
        (at(2024, 1, 1, 1), 1231, 2023 * 12 + 11),
        (at(2023, 12, 31, 23), 101, 2024 * 12),
        (at(1969, 7, 20), 720, 1969 * 12 + 6),
    ],
    ids=["the evening before", "the next morning", "the old year", "the new year", "before 1970"],
)
def test_the_month_is_that_of_the_cameras_clock(
    store: MetadataStore, account: Account, utc: int, day: int, month: int
) -> None:
    put_file(store, account, account.root_key, "a.jpg", taken_at=utc, taken_day=day)
    assert months(store, account) == {month: 1}
    assert pictures(store, account, month) == ["a.jpg"]


def test_a_month_is_paged_newest_first_without_holes(store: MetadataStore, account: Account) -> None:
    for number in range(7):
        picture(store, account, f"{number}.jpg", at(2024, 5, 3 + number // 2))
    picture(store, account, "june.jpg", at(2024, 6, 1))
    for limit in (1, 2, 3, 100):
        found = pictures(store, account, MAY, limit)
        assert sorted(found) == [f"{number}.jpg" for number in range(7)]
        assert found[0] == "6.jpg"
        assert found == pictures(store, account, MAY)


def test_what_is_trashed_is_in_no_month_and_comes_back_with_it(store: MetadataStore, account: Account) -> None:
    outer = make_folder(store, account, account.root_key, "outer").object_key
    inner = make_folder(store, account, outer, "inner").object_key
    below = picture(store, account, "below.jpg", at(2024, 5, 2), inner)
    picture(store, account, "beside.jpg", at(2024, 5, 1))
    trash(store, account, outer)
    assert (months(store, account), pictures(store, account, MAY)) == ({MAY: 1}, ["beside.jpg"])
    restore(store, account, outer)
    assert (months(store, account), pictures(store, account, MAY)) == ({MAY: 2}, ["below.jpg", "beside.jpg"])
    trash(store, account, below)
    assert months(store, account) == {MAY: 1}
    trash(store, account, outer, now=NOW + 1)
    mark_for_deletion(store, account, outer, below)
    purge_all(store, account)
    assert (months(store, account), pictures(store, account, MAY)) == ({MAY: 1}, ["beside.jpg"])


def test_a_new_version_moves_a_picture_to_its_month(store: MetadataStore, account: Account) -> None:
    picture(store, account, "a.jpg", at(2024, 5, 2))
    picture(store, account, "a.jpg", at(2025, 1, 2))
    assert months(store, account) == {2025 * 12: 1}


def _rows(store: Store) -> list[tuple[int, ...]]:
    with store.read() as unit:
        counted = unit.sql.all("SELECT account_id, month, parent_key, files FROM timeline_months ORDER BY 1, 2, 3")
        real = unit.sql.all(
            "SELECT account_id, timeline_month, parent_key, count(*) FROM objects WHERE status = 'A'"
            " AND timeline_month IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
    assert [tuple(row) for row in counted] == [tuple(row) for row in real]
    return [tuple(row) for row in counted]


@settings(
    max_examples=examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_whatever_happens_the_counters_are_what_counting_gives(store: Store, steps: list[tuple[int, int, int]]) -> None:
    account = make_account(store)
    folders = [account.root_key, *(make_folder(store, account, account.root_key, f"f{n}").object_key for n in "ab")]
    files = [picture(store, account, f"{n}.jpg", at(2024, 1 + n % 3, 5), folders[n % 3]) for n in range(6)]
    for number, (what, one, other) in enumerate(steps):
        now, key = NOW + number, files[one]
        if what == 0:
            apply(store, account, Move(key, folders[other % 3]), now=now)
        elif what == 1:
            apply(store, account, Rename(key, f"{other}.jpg"), Rename(files[other], f"new {number}.jpg"), now=now)
        elif what == 2:
            store.write(lambda unit, key=key, now=now: unit.tree.restore(account.account_id, [key], now))  # type: ignore[misc]
        elif what == 3:
            trash_if_there(store, account, key, now)
        elif what == 4:
            trash_if_there(store, account, folders[1 + other % 2], now)
        elif what == 5:
            mark_for_deletion(store, account, key, folders[1 + other % 2], now=now)
            purge_all(store, account, limit=2)
        else:
            picture(store, account, f"put {other}.jpg", at(2024, 1 + one, 5))
        _rows(store)


def trash_if_there(store: MetadataStore, account: Account, key: str, now: int) -> None:
    apply(store, account, Trash(key), now=now)


def test_months_and_pages_never_read_all_pictures(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    for number in range(30):
        picture(store, account, f"{number}.jpg", at(2024, 1 + number % 9, 5), folder)
    account_id = account.account_id
    after = PageCursor(at(2024, 5, 5), new_key())
    (of_months,) = plans_of(store, lambda unit: unit.timeline.months(account_id))
    assert "timeline_months" in of_months
    assert "objects_timeline" not in of_months, "months are counted without looking at pictures"
    for start in (None, after):

        def page(unit: Unit, start: PageCursor | None = start) -> list[CursorRow]:
            return unit.timeline.page(account_id, MAY, limit=9, after=start)

        (of_page,) = plans_of(store, page)
        assert "objects_timeline" in of_page, of_page
        assert "TEMP B-TREE FOR ORDER BY" not in of_page, of_page
        assert "Sort" not in of_page, of_page
    # A page in the middle of a month begins there, and does not count off what is before it.
    assert re.search(
        r"objects_timeline \(account_id=\? AND timeline_month=\? AND <expr><\?\)|Index Cond: .*ROW\(", of_page
    )


def test_favourites_are_paged_by_arrival_or_by_name(store: Store, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "Zoo").object_key
    keys = [put_file(store, account, folder, name, now=NOW + n).object.object_key for n, name in enumerate("caB")]
    put_file(store, account, folder, "no favourite")
    hidden = make_folder(store, account, account.root_key, "hidden").object_key
    below = put_file(store, account, hidden, "below").object.object_key
    apply(store, account, *(SetFavorite(key, True) for key in (*keys, folder, below)))
    trash(store, account, hidden)

    def favourites(by_name: bool, limit: int) -> list[str]:
        found: list[CursorRow] = []
        with store.read() as unit:
            while True:
                after = found[-1].cursor if found else None
                page = unit.tree.favorites(account.account_id, by_name=by_name, limit=limit, after=after)
                found += page
                if len(page) < limit:
                    return names_of([one.encoded for one in found])

    for limit in (1, 2, 100):
        assert favourites(True, limit) == ["a", "B", "c", "Zoo"]
        assert favourites(False, limit) == ["B", "a", "c", "Zoo"]
    with store.read() as unit:
        assert unit.tree.favorites(make_account(store).account_id, limit=9) == []
    for by_name, index in ((True, "objects_favorites_by_name"), (False, "objects_favorites")):
        for after in (None, PageCursor(b"b" if by_name else NOW, new_key())):
            (plan,) = plans_of(
                store,
                lambda unit, by_name=by_name, after=after: unit.tree.favorites(  # type: ignore[misc]
                    account.account_id, by_name=by_name, limit=9, after=after
                ),
            )
            assert index in plan, plan
            assert "TEMP B-TREE FOR ORDER BY" not in plan, plan
