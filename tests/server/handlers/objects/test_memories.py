"""Memories: pictures and videos of this day, then of this month, in earlier years."""

from datetime import UTC, datetime
from typing import Any

import pytest
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, logged_in
from tests.server.echoes import echo_of, names

from skyshelf.service.files.photos import OBJECTS_PER_MEMORY
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.store import Unit

PATH = "/nms/spotlights/metadata"


def ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * 1000


@pytest.fixture
def clock() -> HeldClock:
    """A clock that stands at noon on the 15th of November 2026."""
    return HeldClock(ms("2026-11-15 12:00"))


def take(api: Api, name: str, taken: str, *, camera_day: int | None = None, parent_key: str | None = None) -> str:
    """A picture of that moment; its camera is in UTC unless it had another day."""
    moment = datetime.fromisoformat(taken)
    day = camera_day or moment.month * 100 + moment.day
    return api.file(name, taken.encode(), parent_key, taken_at=ms(taken), taken_day=day).object_key


def spotlights(api: Api, **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer_of(api.get(PATH, params=params), "spotlights")["spotLights"]
    return found


def reported(api: Api, **params: Any) -> list[tuple[str, list[str]]]:
    """Titles, and the names below each."""
    return [(one["title"], names(one["objects"])) for one in spotlights(api, **params)]


def test_without_pictures_there_are_no_memories(api: Api) -> None:
    api.file("no date.jpg")
    assert spotlights(api) == []


def test_this_day_comes_before_this_month_and_recent_years_before_old_ones(api: Api) -> None:
    take(api, "month 2020.jpg", "2020-11-30 10:00")
    take(api, "day 2025.jpg", "2025-11-15 10:00")
    take(api, "month 2025.jpg", "2025-11-01 10:00")
    take(api, "day 1999.mp4", "1999-11-15 10:00")
    take(api, "day 2023.jpg", "2023-11-15 10:00")
    assert reported(api) == [
        ("1 year ago", ["day 2025.jpg"]),
        ("3 years ago", ["day 2023.jpg"]),
        ("27 years ago", ["day 1999.mp4"]),
        ("November 2025", ["month 2025.jpg"]),
        ("November 2020", ["month 2020.jpg"]),
    ]


def test_a_memory_has_an_id_a_title_a_date_and_full_objects(api: Api) -> None:
    key = take(api, "a.jpg", "2023-11-15 10:00")
    assert spotlights(api) == [
        {
            "spotLightId": "day-2023-11-15",
            "title": "3 years ago",
            "date": ms("2023-11-15 00:00"),
            "objects": [echo_of(api, key)],
        }
    ]


def test_the_memory_of_a_month_begins_with_the_month(api: Api) -> None:
    take(api, "a.jpg", "2023-11-07 10:00")
    (memory,) = spotlights(api)
    assert (memory["spotLightId"], memory["date"]) == ("month-2023-11", ms("2023-11-01 00:00"))


def test_ids_are_the_same_every_time_and_no_two_memories_share_one(api: Api) -> None:
    for year in range(2016, 2026):
        take(api, f"day {year}.jpg", f"{year}-11-15 10:00")
        take(api, f"month {year}.jpg", f"{year}-11-16 10:00")
    first = [one["spotLightId"] for one in spotlights(api)]
    take(api, "one more.jpg", "2020-11-15 10:00")
    assert [one["spotLightId"] for one in spotlights(api)] == first
    assert len(set(first)) == 20


def test_pictures_of_one_memory_are_newest_first_and_stand_in_one_memory_only(api: Api) -> None:
    for hour in (8, 20, 14):
        take(api, f"{hour}.jpg", f"2023-11-15 {hour:02d}:00")
    take(api, "before.jpg", "2023-11-14 10:00")
    take(api, "after.jpg", "2023-11-16 10:00")
    assert reported(api) == [
        ("3 years ago", ["20.jpg", "14.jpg", "8.jpg"]),
        ("November 2023", ["after.jpg", "before.jpg"]),
    ]


def test_this_year_and_other_months_are_no_memories(api: Api) -> None:
    for moment in ["2026-11-15 08:00", "2026-11-01 08:00", "2025-10-15 08:00", "2025-12-15 08:00", "2027-11-15 08:00"]:
        take(api, f"{moment}.jpg", moment)
    assert spotlights(api) == []


def test_only_pictures_and_videos_are_memories(api: Api) -> None:
    take(api, "a.pdf", "2023-11-15 10:00")
    take(api, "b.mp3", "2023-11-15 10:00")
    assert spotlights(api) == []


def test_what_cannot_be_seen_is_not_remembered(api: Api, other_api: Api) -> None:
    folder = api.folder("folder")
    take(api, "below.jpg", "2023-11-15 10:00", parent_key=folder.object_key)
    api.trash(folder.object_key, take(api, "gone.jpg", "2023-11-15 10:00"))
    take(other_api, "theirs.jpg", "2023-11-15 10:00")
    assert spotlights(api) == []


def test_memories_have_pages(api: Api) -> None:
    for year in (2025, 2024, 2023):
        take(api, f"{year}.jpg", f"{year}-11-15 10:00")
    take(api, "month.jpg", "2025-11-01 10:00")
    titles = [[title for title, _ in reported(api, limit=2, page=page)] for page in range(3)]
    assert titles == [["1 year ago", "2 years ago"], ["3 years ago", "November 2025"], []]


def test_the_day_is_that_of_the_camera(api: Api) -> None:
    take(api, "evening there.jpg", "2023-11-16 03:00", camera_day=1115)
    take(api, "morning there.jpg", "2023-11-15 22:00", camera_day=1116)
    assert reported(api) == [("3 years ago", ["evening there.jpg"]), ("November 2023", ["morning there.jpg"])]


def test_the_year_is_that_of_the_camera(api: Api, clock: HeldClock) -> None:
    clock.advance(days=46)  # the 31st of December
    take(api, "new year's eve.jpg", "2024-01-01 05:00", camera_day=1231)
    take(api, "the same eve.jpg", "2023-12-31 05:00")
    assert reported(api) == [("3 years ago", ["new year's eve.jpg", "the same eve.jpg"])]
    clock.advance(days=1)  # the first of January
    take(api, "new year.jpg", "2023-12-31 15:00", camera_day=101)
    assert reported(api) == [("3 years ago", ["new year.jpg"])]


def test_a_leap_day_is_remembered_on_the_28th_where_the_year_has_no_29th(api: Api, clock: HeldClock) -> None:
    take(api, "leap day.jpg", "2024-02-29 10:00")
    take(api, "day before.jpg", "2024-02-28 10:00")
    clock.advance(days=104)  # the 27th of February 2027
    assert reported(api) == [("February 2024", ["leap day.jpg", "day before.jpg"])]
    clock.advance(days=1)
    assert reported(api) == [("3 years ago", ["leap day.jpg", "day before.jpg"])]
    clock.advance(days=1)  # the first of March
    assert reported(api) == []


def test_a_leap_day_is_remembered_on_the_next_leap_day(api: Api, clock: HeldClock) -> None:
    take(api, "leap day.jpg", "2024-02-29 10:00")
    take(api, "day before.jpg", "2025-02-28 10:00")
    clock.advance(days=470)  # the 28th of February 2028
    api = logged_in(api.client, api.ctx, api.account)
    assert reported(api) == [("3 years ago", ["day before.jpg"]), ("February 2024", ["leap day.jpg"])]
    clock.advance(days=1)
    assert reported(api) == [("4 years ago", ["leap day.jpg"]), ("February 2025", ["day before.jpg"])]


def test_pictures_from_before_1970_are_remembered_too(api: Api) -> None:
    take(api, "old.jpg", "1955-11-15 10:00")
    (memory,) = spotlights(api)
    assert (memory["title"], memory["date"]) == ("71 years ago", ms("1955-11-15 00:00"))


def test_a_memory_is_a_glance_and_a_rich_year_does_not_hide_the_others(api: Api, clock: HeldClock) -> None:
    seen = api.file("seen.jpg", taken_at=ms("2019-11-15 10:00"), taken_day=1115)
    new = [
        NewFile(
            object_key=api.ctx.new_key(),
            parent_key=api.root_key,
            name=f"{number}.jpg",
            sha256=seen.sha256 or "",
            md5=seen.md5 or "",
            size=seen.size,
            location="known already",
            category="photo",
            mime_type="image",
            mime_subtype="jpeg",
            file_created_at=1,
            last_modified_at=1,
            created_by="Ada",
            taken_at=ms("2025-11-15 10:00") + number,
            taken_day=1115,
        )
        for number in range(OBJECTS_PER_MEMORY + 50)
    ]

    def work(unit: Unit) -> None:
        for file in new:
            unit.files.put(api.account.account_id, file, clock.now(), keep_versions=1)

    api.ctx.metadata.write(work)
    rich, poor = spotlights(api)
    assert names(rich["objects"]) == [f"{number}.jpg" for number in range(149, 49, -1)]
    assert (poor["title"], names(poor["objects"])) == ("7 years ago", ["seen.jpg"])
