"""When a process returns the memory of connections that ended."""

from skyshelf.server.connections.freed_memory import Crowds


def returned(*counts: int) -> list[bool]:
    """Look every two seconds at that many connections, and list when memory is returned."""
    crowds = Crowds()
    return [crowds.have_left(count, now=2.0 * number) for number, count in enumerate(counts)]


def test_memory_is_returned_while_a_crowd_leaves_and_once_more_when_the_last_of_it_is_gone() -> None:
    assert returned(900, 900, 400, 150, 0, 0, 0) == [False, False, True, True, True, True, False]


def test_those_who_stay_are_no_crowd_that_leaves() -> None:
    assert returned(1000, 900, 1000, 850, 990) == [False] * 5
    assert returned(1000, 700, 700, 700, 650) == [False, True, True, False, False]


def test_the_next_crowd_is_noticed_as_well() -> None:
    assert returned(900, 0, 0, 0, 900, 0, 0, 0) == [False, True, True, False, False, True, True, False]


def test_memory_is_not_returned_more_often_than_every_two_seconds() -> None:
    crowds = Crowds()
    assert [crowds.have_left(count, now=now) for count, now in ((900, 0.0), (500, 0.5), (0, 1.0), (0, 2.5))] == [
        False,
        True,
        False,
        True,
    ]
