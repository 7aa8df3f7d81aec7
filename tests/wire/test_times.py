"""Times: exact in both directions, and independent of locale and time zone."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.refusals import BadPageDate
from skyshelf.wire.times import (
    PAGE_DATE_DEFAULT,
    from_epoch_ms,
    from_page_date,
    share_name,
    to_epoch_ms,
    to_rfc3339,
)

MOMENTS = st.integers(0, TIME_MS_MAX)
MOMENT = 1_714_979_289_007


@given(MOMENTS)
def test_every_millisecond_survives_every_form(ms: int) -> None:
    assert to_epoch_ms(from_epoch_ms(ms)) == ms
    assert to_epoch_ms(datetime.fromisoformat(to_rfc3339(ms))) == ms
    assert from_page_date(f"{from_epoch_ms(ms):%Y-%m-%d %H:%M:%S.%f}") == ms


def test_the_forms_look_as_documented() -> None:
    assert to_rfc3339(MOMENT) == "2024-05-06T07:08:09.007Z"
    assert from_page_date("2024-05-06 07:08:09.007000") == MOMENT
    assert share_name(MOMENT) == "06May2024_070809"
    assert from_page_date(PAGE_DATE_DEFAULT) == 0
    assert to_rfc3339(TIME_MS_MAX) == "9999-12-31T23:59:59.999Z"


def test_share_names_have_english_months() -> None:
    names = [share_name(to_epoch_ms(datetime(2024, month, 1, tzinfo=UTC)))[2:5] for month in range(1, 13)]
    assert names == ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def test_an_offset_is_taken_into_account() -> None:
    assert to_epoch_ms(datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))) == 0


@pytest.mark.parametrize("ms", [-1, TIME_MS_MAX + 1])
def test_a_time_that_no_calendar_shows_is_refused(ms: int) -> None:
    with pytest.raises(ValueError, match="1970"):
        to_rfc3339(ms)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1970-01-01",
        "1970-01-01 00:00:00",
        "1970-01-01 00:00:00.000",
        "1970-01-01 00:00:00.0000000",
        "1970-01-01T00:00:00.000000",
        "1970-01-01 00:00:00.000000Z",
        " 1970-01-01 00:00:00.000000",
        "1970-01-01 00:00:00.000000\n",
        "1970-1-1 0:0:0.000000",
        "2023-02-29 00:00:00.000000",
        "2024-13-01 00:00:00.000000",
        "2024-01-01 24:00:00.000000",
        "2024-01-01 00:60:00.000000",
        "0000-01-01 00:00:00.000000",
        "١٩٧٠-01-01 00:00:00.000000",
    ],
)
def test_a_page_date_has_exactly_one_form(text: str) -> None:
    with pytest.raises(BadPageDate) as refused:
        from_page_date(text)
    assert refused.value.code == "TEJRF0400"
