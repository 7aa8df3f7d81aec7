"""Functions that are run again until the rows they need are there."""

import threading
from typing import Any

import pytest

from skyshelf.storage.metadata.replay import MissingRows, NotReplayed, Replay, current_replay, refuse_in_replay


def ask(text: str, **params: Any) -> list[tuple[Any, ...]]:
    replay = current_replay()
    assert replay is not None
    return replay.rows(text, params)


def missing_in(replay: Replay, work: Any) -> MissingRows:
    with pytest.raises(MissingRows) as raised:
        replay.run(work)
    return raised.value


def test_a_function_begins_again_with_each_answer() -> None:
    replay, runs = Replay(), 0

    def work() -> list[Any]:
        nonlocal runs
        runs += 1
        try:
            [(count,)] = ask("count", key=b"a")
        except Exception:  # noqa: BLE001 - must not see what only pauses it
            return []
        return [ask("one", key=number) for number in range(count)]

    for rows in ([(2,)], [("first",)], [("second",)]):
        replay.add(missing_in(replay, work), rows)
    assert replay.run(work) == [[("first",)], [("second",)]]
    assert runs == 4
    assert current_replay() is None


def test_the_time_may_be_another_but_not_the_keys() -> None:
    replay = Replay()
    replay.add(missing_in(replay, lambda: ask("one", key=b"a", now=1)), [(1,)])
    assert replay.run(lambda: ask("one", key=b"a", now=2)) == [(1,)]
    with pytest.raises(NotReplayed):
        replay.run(lambda: ask("one", key=b"b", now=2))


def test_what_only_threads_can_do_is_refused_there_alone() -> None:
    refuse_in_replay()
    with pytest.raises(NotReplayed):
        Replay().run(refuse_in_replay)
    seen = []

    def elsewhere() -> None:
        thread = threading.Thread(target=lambda: seen.append(current_replay()))
        thread.start()
        thread.join()

    Replay().run(elsewhere)
    assert seen == [None]
