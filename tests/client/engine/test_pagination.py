"""The laws of paging, for any list and any server."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.client.engine.pagination import ShortPages, pages
from skyshelf.client.errors import BrokenListingError


async def collected(served: list[list[int]], limit: int) -> list[int]:
    async def fetch(number: int) -> list[int]:
        return served[number] if number < len(served) else []

    return [item async for found in pages(fetch, lambda item: item, limit) for item in found]


@given(
    count=st.integers(0, 60),
    limit=st.integers(1, 20),
    clamp=st.integers(1, 20),
    refuses=st.booleans(),
    before=st.integers(0, 60),
)
def test_everything_comes_once_whatever_the_server_makes_of_the_limit(
    count: int, limit: int, clamp: int, refuses: bool, before: int
) -> None:
    """A server either refuses a limit that is too large, or cuts it down in silence; nothing is lost with either."""
    size = limit if refuses else min(limit, clamp)
    trust = ShortPages()
    asked = 0

    async def listed(total: int) -> list[int]:
        async def fetch(number: int) -> list[int]:
            nonlocal asked
            asked += 1
            page = list(range(total))[number * size : (number + 1) * size]
            if number == 1 and size < limit:
                trust.learn(min(total, size), has_more=bool(page))
            return page

        async def may_hide_more(length: int) -> bool:
            return trust.may_hide_more(length)

        found = pages(fetch, lambda item: item, limit, may_hide_more)
        return [item async for part in found for item in part]

    assert asyncio.run(listed(before)) == list(range(before))
    assert asyncio.run(listed(count)) == list(range(count))
    # Beside the pages: the end of each listing, and a second look at a first page that is shorter than asked for.
    assert asked <= before // size + count // size + 6


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=8), st.integers(1, 4))
def test_paging_always_ends_and_gives_nothing_twice_in_a_row(served: list[list[int]], limit: int) -> None:
    try:
        found = asyncio.run(collected(served, limit))
    except BrokenListingError:
        return
    assert set(found) <= {item for page in served for item in page}
    if all(len(set(page)) == len(page) for page in served) and len({item for page in served for item in page}) == sum(
        map(len, served)
    ):
        assert found == [item for page in served for item in page]


@pytest.mark.parametrize("period", [1, 2, 3, 7])
async def test_full_pages_in_a_circle_are_an_error_after_one_round(period: int) -> None:
    asked = 0

    async def fetch(number: int) -> list[int]:
        nonlocal asked
        asked += 1
        return [number % period * 2, number % period * 2 + 1]

    with pytest.raises(BrokenListingError):
        [part async for part in pages(fetch, lambda item: item, 2)]
    # Once more before it is believed: a page can come twice by mistake.
    assert asked == period + 2


async def test_a_repeated_page_that_cannot_have_been_cut_is_the_end() -> None:
    async def fetch(_: int) -> list[int]:
        return [1, 2, 3]

    for limit in (2, 4):
        assert [part async for part in pages(fetch, lambda item: item, limit)] == [[1, 2, 3]]


def test_a_walk_stops_looking_further_once_pages_of_that_length_were_the_last() -> None:
    known = ShortPages()
    for _ in range(2):
        assert known.may_hide_more(50, trusting=True)
        known.learn(50, has_more=False)
    assert not known.may_hide_more(50, trusting=True)
    # Another usual length may still be a limit, and one that was reduced stays so.
    assert known.may_hide_more(100, trusting=True)
    known.learn(100, has_more=True)
    assert known.may_hide_more(50, trusting=True)
