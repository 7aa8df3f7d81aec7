"""Who comes next at the one writer: everybody in turn, and long works alone."""

from typing import NamedTuple

from skyshelf.storage.metadata.sqlite.group_commit import HEAVY_SECONDS, WaitingWorks
from skyshelf.storage.metadata.store import Shares, current_turn, whose_turn


class Work(NamedTuple):
    key: str | None
    number: int = 0


def waiting(*works: Work) -> WaitingWorks[Work]:
    found: WaitingWorks[Work] = WaitingWorks()
    for work in works:
        found.put(work)
    return found


def test_works_come_in_turns_and_each_ones_in_their_order() -> None:
    works = waiting(*(Work("a", number) for number in range(4)), Work("b", 0), Work("b", 1), Work("c", 0))
    assert len(works) == 7
    assert works.next_group(4) == [Work("a", 0), Work("b", 0), Work("c", 0), Work("a", 1)]
    works.put(Work("d"))
    assert works.next_group(100) == [Work("b", 1), Work("a", 2), Work("d"), Work("a", 3)]
    assert len(works) == 0


def test_a_long_work_is_alone_and_short_ones_come_before_the_next() -> None:
    works = waiting(Work("long", 0))
    (first,) = works.next_group(100)
    assert works.took(first, HEAVY_SECONDS * 2)
    works.put(Work("long", 1))
    assert works.next_group(100) == [Work("long", 1)]
    works.put(Work("long", 2))
    works.put(Work("long", 3))
    works.put(Work("short", 0))
    works.put(Work("another", 0))
    assert works.next_group(100) == [Work("short", 0), Work("another", 0)]
    assert works.next_group(100) == [Work("long", 2)]
    works.took(Work("long", 2), HEAVY_SECONDS / 2)
    works.put(Work("short", 1))
    assert works.next_group(100) == [Work("long", 3), Work("short", 1)], "it takes long no longer"


def test_after_a_long_work_come_the_short_ones_even_if_others_with_long_ones_wait() -> None:
    works = waiting()
    for key in ("x", "y", "z"):
        assert works.took(Work(key), HEAVY_SECONDS * 2)
        works.put(Work(key))
    assert works.next_group(100) == [Work("x")]
    works.put(Work("short"))
    assert works.next_group(100) == [Work("short")]
    assert works.next_group(100) == [Work("y")]
    assert works.next_group(100) == [Work("z")]


def test_long_works_of_the_service_itself_come_too() -> None:
    works = waiting(Work(None, 0))
    works.took(Work(None), HEAVY_SECONDS * 2)
    assert works.next_group(100) == [Work(None, 0)]
    works.put(Work(None, 1))
    assert works.next_group(100) == [Work(None, 1)]


def test_what_a_long_work_held_up_comes_next_and_in_its_order() -> None:
    works = waiting(Work("long", 0), Work("short", 0), Work("long", 1), Work("short", 1))
    group = works.next_group(100)
    assert works.took(group[0], HEAVY_SECONDS * 2)
    works.put_back(group[1:])
    assert len(works) == 3
    assert works.next_group(100) == [Work("short", 0), Work("short", 1)]
    assert works.next_group(100) == [Work("long", 1)]


def test_nothing_comes_after_the_end() -> None:
    works = waiting(Work("a"))
    works.close()
    assert works.next_group(100) == [Work("a")]
    assert works.next_group(100) == []


def test_a_share_is_waited_for_and_given_back() -> None:
    shares = Shares(1)
    with shares.held("a"), shares.held("b"), shares.held(None), shares.held(None):
        pass
    with shares.held("a"):
        pass


def test_a_write_knows_whose_it_is() -> None:
    assert whose_turn() is None
    token = current_turn.set(Work("somebody"))
    try:
        assert whose_turn() == "somebody"
    finally:
        current_turn.reset(token)
