"""The queue of media jobs: who is next, and who finds it full."""

import pytest

from skyshelf.service.media.pool import MediaBusy, MediaQueue, Ticket


def ticket(account_id: int, name: str = "", *, heavy: bool = False) -> Ticket:
    return Ticket(account_id, name or object(), lambda: None, is_heavy=heavy)


def names(queue: MediaQueue, count: int) -> list[object]:
    """Which jobs come next when each ends before the next begins."""
    found: list[object] = []
    for _ in range(count):
        taken = queue.take()
        assert taken is not None
        found.append(taken.key)
        queue.done(taken)
    return found


def test_accounts_take_turns_however_many_jobs_one_has() -> None:
    queue = MediaQueue(1)
    for name in ("a1", "a2", "a3"):
        queue.put(ticket(1, name))
    for name in ("b1", "b2"):
        queue.put(ticket(2, name))
    assert names(queue, 5) == ["a1", "b1", "a2", "b2", "a3"]


def test_an_account_never_has_all_workers() -> None:
    queue = MediaQueue(3)
    for _ in range(5):
        queue.put(ticket(1))
    running = [queue.take(), queue.take()]
    assert None not in running
    assert queue.take() is None
    queue.put(ticket(2, "of another account"))
    other = queue.take()
    assert other is not None
    assert other.key == "of another account"
    assert running[0] is not None
    queue.done(running[0])
    assert queue.take() is not None


def test_only_one_heavy_job_runs_at_a_time_and_light_ones_pass_it() -> None:
    queue = MediaQueue(3)
    queue.put(ticket(1, "bomb", heavy=True))
    queue.put(ticket(2, "heavy", heavy=True))
    queue.put(ticket(2, "light"))
    bomb, light = queue.take(), queue.take()
    assert bomb is not None
    assert light is not None
    assert (bomb.key, light.key) == ("bomb", "light")
    assert queue.take() is None
    queue.done(bomb)
    heavy = queue.take()
    assert heavy is not None
    assert heavy.key == "heavy"


def test_an_account_has_so_many_places_and_no_more() -> None:
    queue = MediaQueue(2, places_per_account=3)
    for _ in range(3):
        queue.put(ticket(1))
    with pytest.raises(MediaBusy):
        queue.put(ticket(1))
    assert queue.put(ticket(2)) is None


def test_in_a_full_queue_the_account_with_the_most_places_gives_one_up() -> None:
    queue = MediaQueue(2, places=4)
    for number in range(4):
        queue.put(ticket(1, f"a{number}"))
    dropped = queue.put(ticket(2, "b0"))
    assert dropped is not None
    assert dropped.key == "a3"
    dropped = queue.put(ticket(2, "b1"))
    assert dropped is not None
    assert dropped.key == "a2"
    with pytest.raises(MediaBusy):
        queue.put(ticket(2, "as many as the other"))
    assert names(queue, 4) == ["a0", "b0", "a1", "b1"]


def test_a_job_that_turns_out_to_be_heavy_keeps_its_place() -> None:
    queue = MediaQueue(2)
    queue.put(ticket(1, "first"))
    queue.put(ticket(1, "second"))
    first = queue.take()
    assert first is not None
    queue.done(first)
    first.is_heavy = True
    queue.put_back(first)
    assert names(queue, 2) == ["first", "second"]
