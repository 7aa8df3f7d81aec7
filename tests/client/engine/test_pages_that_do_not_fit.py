"""Pages that do not fit together are not believed."""

import asyncio
import random

import pytest

from skyshelf.client.engine.pagination import pages
from skyshelf.client.errors import BrokenListingError


def listed(answers: dict[int, list[list[int]]], limit: int = 3) -> list[int]:
    """The numbers that come out when each page is answered, one after the other, with these; the last one stays."""

    async def fetch(number: int) -> list[int]:
        left = answers.get(number, [[]])
        return left.pop(0) if len(left) > 1 else left[0]

    async def work() -> list[int]:
        return [one async for page in pages(fetch, lambda one: one, limit) for one in page]

    return asyncio.run(work())


def test_full_pages_and_a_short_one_are_the_whole() -> None:
    assert listed({0: [[1, 2, 3]], 1: [[4, 5]]}) == [1, 2, 3, 4, 5]
    assert listed({0: [[1, 2, 3]], 1: [[4, 5, 6]]}) == [1, 2, 3, 4, 5, 6]
    assert listed({}) == []


def test_a_server_with_smaller_pages_is_followed_to_its_end() -> None:
    assert listed({0: [[1, 2]], 1: [[3, 4]], 2: [[5]]}) == [1, 2, 3, 4, 5]


def test_a_server_without_pages_has_said_everything_at_once() -> None:
    assert listed({0: [[1, 2]], 1: [[1, 2]], 2: [[1, 2]]}) == [1, 2]


def test_a_page_that_comes_twice_by_mistake_is_asked_for_again() -> None:
    assert listed({0: [[1, 2, 3]], 1: [[1, 2, 3], [4]]}) == [1, 2, 3, 4]


def test_a_page_that_comes_again_and_again_is_an_error() -> None:
    with pytest.raises(BrokenListingError, match="keeps sending the same page"):
        listed({0: [[1, 2, 3]], 1: [[1, 2, 3]]})


def test_a_last_page_that_comes_again_and_again_is_the_end() -> None:
    assert listed({0: [[1, 2, 3]], 1: [[4, 5, 6]], 2: [[7]], 3: [[7]], 4: [[7]]}) == [1, 2, 3, 4, 5, 6, 7]


def test_a_short_page_in_the_middle_is_asked_for_again() -> None:
    assert sorted(listed({0: [[1, 2, 3]], 1: [[4, 5], [4, 5, 6]], 2: [[7, 8, 9]]})) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert sorted(listed({0: [[1], [1, 2]], 1: [[3, 4]], 2: [[5]]})) == [1, 2, 3, 4, 5]


def test_a_page_that_stays_short_in_the_middle_is_an_error() -> None:
    with pytest.raises(BrokenListingError, match="where others have 3"):
        listed({0: [[1, 2, 3]], 1: [[4, 5]], 2: [[7, 8, 9]]})
    with pytest.raises(BrokenListingError, match="page 0 only 1"):
        listed({0: [[1]], 1: [[3, 4]], 2: [[5]]})


def test_a_page_that_is_shorter_when_it_is_asked_for_again_loses_nothing() -> None:
    assert listed({0: [[1, 2], [1], [1, 2]], 1: [[3, 4]], 2: [[5]]}) == [1, 2, 3, 4, 5]


def test_faults_that_cover_each_other_up_are_noticed() -> None:
    """A page lacks its end, and comes once more, whole, in the place of the next: nothing is skipped."""
    assert listed({0: [[1, 2, 3]], 1: [[4], [4, 5, 6]], 2: [[4, 5, 6], [7, 8, 9]], 3: [[10]]}) == [*range(1, 11)]
    with pytest.raises(BrokenListingError, match="keeps sending the same page"):
        listed({0: [[1, 2, 3]], 1: [[4, 5]], 2: [[4, 5]], 3: [[7, 8, 9]]})
    with pytest.raises(BrokenListingError, match="keeps sending the same page"):
        listed({0: [[1]], 1: [[1]]})


def test_objects_that_are_listed_twice_are_no_error() -> None:
    assert listed({0: [[1, 2, 3, 3]], 1: [[4, 5, 6]], 2: [[7]]}) == [1, 2, 3, 4, 5, 6, 7]
    assert listed({0: [[1, 2, 3]], 1: [[4, 5, 5]], 2: [[7]]}) == [1, 2, 3, 4, 5, 7]


@pytest.mark.parametrize("count", [25, 60, 100])
def test_many_faults_by_lot_give_the_whole_or_an_error(count: int) -> None:
    """Every second page is cut, comes in the place of the next, or lists some objects twice.

    It is never cut twice at the same place: that cannot be told from a server with small pages.
    """
    limit, everything = 25, list(range(count))
    dice = random.Random(count)
    cut: set[tuple[int, int]] = set()

    def right(number: int) -> list[int]:
        return everything[number * limit : (number + 1) * limit]

    async def fetch(number: int) -> list[int]:
        fault = dice.choice(["cut", "page before", "twice", None, None, None])
        if fault == "page before" and number:
            return right(number - 1)
        place = (number, dice.randint(1, limit - 1))
        if fault == "cut" and right(number + 1) and place not in cut:
            cut.add(place)
            return right(number)[: place[1]]
        if fault == "twice" and len(right(number)) > 2:
            return right(number) + dice.sample(right(number), 3)
        return right(number)

    async def listed() -> set[int] | None:
        cut.clear()
        try:
            return {one async for page in pages(fetch, lambda one: one, limit) for one in page}
        except BrokenListingError:
            return None

    async def work() -> list[set[int] | None]:
        return [await listed() for _ in range(2000)]

    results = asyncio.run(work())
    assert all(result is None or result == set(everything) for result in results)
    assert any(result is not None for result in results)
