"""The fair queue: shares, turns, bounds, and the smaller share of costly callers."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.server.pipeline.admission.fair_queue import FairQueue
from skyshelf.server.pipeline.admission.kinds import COSTLY_CPU_SECONDS, CROWDED_SECONDS, Key, Kind
from skyshelf.server.pipeline.admission.requesters import THE_SERVER
from skyshelf.service.errors import Busy, Throttled

KIND = Kind(
    name="work",
    what="Work.",
    total=8,
    share=6,
    address_share=4,
    strangers=6,
    costly_share=2,
    waiting=50,
    waiting_total=100,
    retry_seconds=7,
)
Queue = FairQueue[object]


def queue(**changes: int) -> Queue:
    return FairQueue(msgspec.structs.replace(KIND, **changes))


def ask(of: Queue, key: Key, times: int = 1) -> int:
    """Ask so often; how many began at once, the others wait."""
    begun = 0
    for _ in range(times):
        if of.begin(key):
            begun += 1
        else:
            of.push(key, object())
    return begun


def following(of: Queue, ended: Key) -> Key | None:
    """End work of that caller, and let the next one begin."""
    of.end(ended)
    found = of.pop()
    return found[0] if found else None


def test_a_caller_has_at_most_the_share_and_leaves_the_rest_to_others() -> None:
    of = queue()
    assert ask(of, 1, 20) == 6
    assert ask(of, 2) == 1
    assert ask(of, "192.0.2.1", 5) == 1
    assert (of.in_use, of.waiting) == (8, 18)


def test_callers_without_a_session_leave_some_of_the_total_to_accounts() -> None:
    of = queue()
    begun = [ask(of, f"192.0.2.{number}", 10) for number in range(5)]
    assert begun == [4, 2, 0, 0, 0]
    assert ask(of, 1, 10) == 2


def test_a_single_request_waits_for_one_turn_and_not_for_a_thousand_of_another_caller() -> None:
    of = queue()
    ask(of, 1, 6)
    ask(of, 2, 2)
    ask(of, 1, 50)
    ask(of, 2, 50 - 1)
    ask(of, 3)
    assert following(of, 2) == 3


def test_callers_take_turns() -> None:
    of = queue()
    for key in (1, 2, 3):
        ask(of, key, 20)
    running: Counter[Key] = Counter({1: 6, 2: 2})
    begun: list[Key] = []
    for _ in range(24):
        ended = running.most_common(1)[0][0]
        running[ended] -= 1
        found = following(of, ended)
        assert found is not None
        running[found] += 1
        begun.append(found)
    # While the first has more than the others it does not gain; in the end all have had about the same.
    assert max(running.values()) - min(running.values()) <= 1
    assert set(begun) == {1, 2, 3}


def test_a_caller_with_too_much_is_refused_and_others_are_not() -> None:
    of = queue()
    ask(of, 1, 56)
    with pytest.raises(Throttled) as refused:
        ask(of, 1)
    assert not isinstance(refused.value, Busy)
    assert refused.value.seconds == 7
    ask(of, 2, 10)
    assert (of.refused_callers, of.refused_by_server) == (1, 0)


def test_when_everybody_together_waits_too_much_the_server_is_busy() -> None:
    of = queue()
    ask(of, 1, 56)
    ask(of, 2, 52)
    with pytest.raises(Busy):
        ask(of, 3)
    assert (of.refused_callers, of.refused_by_server) == (0, 1)


def test_without_a_queue_the_answer_depends_on_whose_limit_it_is() -> None:
    of = queue(waiting=0, waiting_total=0)
    assert ask(of, 1, 6) == 6
    with pytest.raises(Throttled) as refused:
        ask(of, 1)
    assert not isinstance(refused.value, Busy)
    ask(of, 2, 2)
    with pytest.raises(Busy):
        ask(of, 2)


def test_costly_callers_have_a_smaller_share_until_their_work_is_cheap_again() -> None:
    of = queue()
    ask(of, 1, 6)
    for _ in range(6):
        of.end(1, cpu_seconds=COSTLY_CPU_SECONDS * 10)
    # Even after a pause: nothing of it runs or waits.
    assert ask(of, 1, 6) == 2
    for _ in range(2):
        of.end(1, cpu_seconds=0.0)
        assert of.pop() is not None
    while of.in_use:
        of.end(1, cpu_seconds=0.0)
        while of.pop() is not None:
            pass
    for _ in range(20):
        ask(of, 1)
        of.end(1, cpu_seconds=0.0)
    assert ask(of, 1, 6) == 6


def test_a_caller_has_fewer_while_others_work_as_well_and_more_when_they_have_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    of = queue(crowded_share=3)
    ask(of, 1, 2)
    ask(of, 2)
    assert ask(of, 1, 10) == 1
    clock[0] += CROWDED_SECONDS + 1
    of.end(1)
    begun = 0
    while of.pop() is not None:
        begun += 1
    assert begun == 4


def test_the_servers_own_work_makes_no_crowd() -> None:
    of = queue(crowded_share=3)
    ask(of, 1)
    ask(of, THE_SERVER)
    assert ask(of, 1, 10) == 5


def test_a_share_that_shrinks_while_its_caller_waits_holds_up_nobody() -> None:
    of = queue(total=6)
    ask(of, 1, 6)
    ask(of, 1, 5)
    ask(of, 2, 5)
    of.end(1, cpu_seconds=COSTLY_CPU_SECONDS * 100)
    found = of.pop()
    assert found is not None
    assert found[0] == 2


def test_what_nobody_wants_any_more_leaves_the_queue() -> None:
    of, item = queue(), object()
    ask(of, 1, 6)
    assert not of.begin(1)
    of.push(1, item)
    assert of.discard(1, item)
    assert not of.discard(1, item)
    assert not of.discard(2, item)
    assert of.waiting == 0
    assert following(of, 1) is None


def test_weights_count_and_the_first_of_a_caller_is_not_overtaken() -> None:
    of = queue(total=8, share=6)
    assert of.begin(1, 5)
    assert of.begin(2, 2)
    assert not of.begin(2, 4)
    of.push(2, "large", 4)
    assert not of.begin(2, 1)
    of.push(2, "small", 1)
    assert of.pop() is None
    of.end(1, 5)
    assert of.pop() == (2, "large")
    assert of.pop() is None
    of.end(2, 2)
    assert of.pop() == (2, "small")


_STEPS = st.lists(
    st.tuples(st.sampled_from(["ask", "end", "discard"]), st.sampled_from([1, 2, 3, "a", "b", "c"]), st.booleans()),
    max_size=300,
)


@given(_STEPS)
def test_no_order_of_events_exceeds_a_limit_or_leaves_work_that_could_run(steps: list[tuple[str, Key, bool]]) -> None:
    of = queue(costly_share=1, waiting=10, waiting_total=30)
    running: Counter[Key] = Counter()
    waiting: list[tuple[Key, object]] = []
    for step, key, costly in steps:
        if step == "ask":
            if of.begin(key):
                running[key] += 1
            else:
                item = object()
                try:
                    of.push(key, item)
                    waiting.append((key, item))
                except Throttled:
                    pass
        elif step == "end" and running[key]:
            running[key] -= 1
            of.end(key, cpu_seconds=COSTLY_CPU_SECONDS * 4 if costly else 0.0)
            while (found := of.pop()) is not None:
                waiting.remove(found)
                running[found[0]] += 1
        elif step == "discard" and (mine := [one for one in waiting if one[0] == key]):
            assert of.discard(*mine[-1])
            waiting.remove(mine[-1])
        strangers = sum(count for one, count in running.items() if isinstance(one, str))
        assert (of.in_use, of.waiting) == (running.total(), len(waiting))
        assert of.in_use <= 8
        assert strangers <= 6
        assert all(count <= KIND.share_of(one) for one, count in running.items())
    for key in list(running.elements()):
        of.end(key, cpu_seconds=0.0)
        while (found := of.pop()) is not None:
            waiting.remove(found)
            of.end(found[0], cpu_seconds=0.0)
    while (found := of.pop()) is not None:
        waiting.remove(found)
        of.end(found[0], cpu_seconds=0.0)
    assert (of.in_use, of.waiting, waiting) == (0, 0, [])
