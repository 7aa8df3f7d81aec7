"""Alarms: what counts, when a device is paused, what it may still do, and how the pause ends."""

import base64
import random
from collections.abc import Callable

import msgspec
import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.board_making import make_board
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    new_file,
    new_key,
    put_file,
)
from tests.conformance.metadata.past import newest
from tests.conformance.metadata.recording import statements_of_write
from tests.conformance.metadata.rewinding import begin, scope_of, steps

from skyshelf.storage.errors import LimitReached, Missing, SessionPaused
from skyshelf.storage.metadata.alarms import (
    ALLOWED,
    ENDED,
    OPEN,
    Alarm,
    Watch,
    counted,
    decode_watch,
    encode_watch,
    is_unlike,
)
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import NewTag, Outcome, Rename, SetFavorite, Trash, TreeChange
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.storage.samples import Sample, hides_type, looks_scrambled
from skyshelf.wire.limits import (
    ALARM_CALL_POINTS_MAX,
    ALARM_LIMIT_DEFAULT,
    ALARM_LIMIT_MIN,
    ALARM_MARKED_PER_POINT,
)

DEVICE = "6b1f1f0e-0000-4000-8000-000000000001"
OTHER = "6b1f1f0e-0000-4000-8000-000000000002"
MINUTE = 60_000
RANDOM = random.Random(7).randbytes(1024)


def act(
    store: MetadataStore, account: Account, *changes: TreeChange, device: str = DEVICE, now: int = NOW
) -> list[Outcome]:
    def work(unit: Unit) -> list[Outcome]:
        unit.act_as(f"{device}/0123456789abcdef")
        return unit.tree.apply(account.account_id, changes, now)

    return store.write(work)


def overwrite(
    store: MetadataStore, account: Account, name: str, data: bytes, *, head: bytes = b"", device: str = DEVICE
) -> None:
    file = new_file(account.root_key, name, data, sample=Sample(head))

    def work(unit: Unit) -> None:
        unit.act_as(f"{device}/0123456789abcdef")
        unit.files.put(account.account_id, file, NOW, keep_versions=5)

    store.write(work)


def limit(store: MetadataStore, account: Account, points: int | None) -> None:
    store.write(lambda unit: unit.alarms.set_limit(account.account_id, points))


def alarms(store: MetadataStore, account: Account) -> list[Alarm]:
    with store.read() as unit:
        return list(unit.alarms.of_account(account.account_id))


def files(store: MetadataStore, account: Account, count: int) -> list[str]:
    return [put_file(store, account, account.root_key, f"{number}.txt").object.object_key for number in range(count)]


def pause(store: MetadataStore, account: Account) -> list[str]:
    """Pause the device; the keys of files that it left alone."""
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN + 2)
    act(store, account, *(Trash(key) for key in keys[:ALARM_LIMIT_MIN]))
    return keys[ALARM_LIMIT_MIN:]


def test_a_device_that_reaches_the_limit_is_paused_and_its_change_stays(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN + 1)
    act(store, account, *(Trash(key) for key in keys[: ALARM_LIMIT_MIN - 1]))
    assert alarms(store, account) == []
    act(store, account, Trash(keys[-2]), now=NOW + MINUTE)
    [alarm] = alarms(store, account)
    assert (alarm.device_key, alarm.state, alarm.deleted) == (DEVICE, OPEN, ALARM_LIMIT_MIN)
    assert (alarm.since, alarm.raised_at) == (NOW, NOW + MINUTE)
    with pytest.raises(SessionPaused):
        act(store, account, Trash(keys[-1]))


def test_a_rewind_counts_once_the_trash_is_emptied(store: MetadataStore, account: Account) -> None:
    """Otherwise a stolen session would rewind everything into the trash, which counts for nothing, and empty it."""
    seq = newest(store, account)
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN)
    scope = scope_of(store, account, seq, NOW)
    key = begin(store, account, scope, NOW + 1, asked_by=f"{DEVICE}/0123456789abcdef")
    for _ in steps(store, account, key, NOW + 1):
        pass
    with store.read() as unit:
        assert unit.tree.visible_many(account.account_id, keys) == {}
    assert alarms(store, account) == []

    def empty(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.purge.mark_all_for_deletion(account.account_id, NOW + 30 * MINUTE)

    store.write(empty)
    assert [alarm.deleted for alarm in alarms(store, account)] == [1]


def test_a_device_starts_so_many_rewinds_in_a_day_and_leaves_some_to_others(
    store: MetadataStore, account: Account
) -> None:
    def rewind(now: int, asked_by: str) -> None:
        scope = scope_of(store, account, newest(store, account), now)
        key = begin(store, account, scope, now, asked_by=asked_by, keep=4)
        for _ in steps(store, account, key, now):
            pass

    session, other = f"{DEVICE}/0123456789abcdef", f"{DEVICE[::-1]}/0123456789abcdef"
    for number in range(2):
        rewind(NOW + number * MINUTE, session)
    with pytest.raises(LimitReached, match="at most 2 rewinds in 24 hours, all of them 4"):
        rewind(NOW + 5 * MINUTE, session)
    rewind(NOW + 5 * MINUTE, other)
    rewind(NOW + 6 * MINUTE, "command/")
    with pytest.raises(LimitReached):
        rewind(NOW + 7 * MINUTE, other)
    rewind(NOW + 7 * MINUTE, "command/")
    rewind(NOW + 24 * 60 * MINUTE + 6 * MINUTE + 1, session)


def test_work_that_raises_an_alarm_in_its_middle_is_kept_whole(store: MetadataStore, account: Account) -> None:
    """Otherwise its end would be refused, and the alarm would be forgotten with all that the work has done."""
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN)
    file = new_file(account.root_key, "last.txt", b"the end of the same work")

    def work(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.tree.apply(account.account_id, [Trash(key) for key in keys], NOW)
        unit.files.put(account.account_id, file, NOW, keep_versions=5)

    store.write(work)
    [alarm] = alarms(store, account)
    assert (alarm.device_key, alarm.state, alarm.deleted) == (DEVICE, OPEN, ALARM_LIMIT_MIN)
    with store.read() as unit:
        assert unit.tree.child_named(account.account_id, account.root_key, "last.txt") is not None
    with pytest.raises(SessionPaused):
        overwrite(store, account, "new.txt", b"another work")


def test_a_paused_device_reads_and_changes_nothing(store: MetadataStore, account: Account) -> None:
    first, second = pause(store, account)
    for change in (SetFavorite(first, True), Trash(first), Rename(second, "other.txt")):
        with pytest.raises(SessionPaused):
            act(store, account, change)
    with pytest.raises(SessionPaused):
        overwrite(store, account, "new.txt", b"a new file")

    def emptied(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.purge.mark_all_for_deletion(account.account_id, NOW)

    def forgotten(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.history.forget(account.account_id, NOW)

    def tagged(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.tags.add(account.account_id, [first], NewTag(tag_key=new_key(), name="a tag"), NOW)

    for work in (emptied, forgotten, tagged):
        with pytest.raises(SessionPaused):
            store.write(work)


def test_many_uploads_together_of_a_paused_device_are_refused(store: MetadataStore, account: Account) -> None:
    pause(store, account)
    fresh = [new_file(account.root_key, "fresh.txt", b"fresh")]

    def work(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.files.put_each(account.account_id, fresh, NOW, keep_versions=5)

    with pytest.raises(SessionPaused):
        store.write(work)


def test_thousands_of_favourites_and_tags_raise_an_alarm(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 50)
    half = ALARM_LIMIT_MIN * ALARM_MARKED_PER_POINT // 2
    for number in range(half // 50):
        act(store, account, *(SetFavorite(key, number % 2 == 0) for key in keys))

    def tagged(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        for number in range(half // 50):
            unit.tags.add(account.account_id, keys, NewTag(tag_key=new_key(), name=f"tag {number}"), NOW)

    assert alarms(store, account) == []
    store.write(tagged)
    [alarm] = alarms(store, account)
    assert (alarm.marked, alarm.deleted) == (2 * half, 0)


def test_a_renamed_tag_files_that_leave_albums_and_closed_links_count(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys, account_id, noted = files(store, account, 50), account.account_id, "SELECT count(*) FROM link_changes"
    tag, board, share = NewTag(tag_key=new_key(), name="Sea"), make_board(store, account), new_key()
    link = NewShare(share_key=share, token_hash=bytes.fromhex(share), name="link", object_keys=keys)

    def as_device(work: Callable[[Unit], object]) -> None:
        def acting(unit: Unit) -> None:
            unit.act_as(f"{DEVICE}/0123456789abcdef")
            work(unit)

        store.write(acting)

    def furnish(unit: Unit) -> None:
        unit.tags.add(account_id, keys, tag, NOW)
        unit.shares.add(account_id, link, NOW)

    store.write(furnish)
    before = store.write(lambda unit: unit.sql.number(noted))
    as_device(lambda unit: unit.tags.rename(account_id, tag.tag_key, "Sea", NOW))
    as_device(lambda unit: unit.tags.add(account_id, keys, tag, NOW))
    assert store.write(lambda unit: unit.sql.number(noted)) == before
    as_device(lambda unit: unit.shares.revoke(account_id, share, NOW))
    for number in range(ALARM_LIMIT_MIN * ALARM_MARKED_PER_POINT // len(keys) - 2):
        assert alarms(store, account) == []
        if number % 2:
            as_device(lambda unit, name=str(number): unit.tags.rename(account_id, tag.tag_key, name, NOW))  # type: ignore[misc]
        else:
            as_device(lambda unit: unit.board_items.add(account_id, board, keys, NOW))
            as_device(lambda unit: unit.board_items.remove(account_id, board, keys, NOW, only_own=True))
    as_device(lambda unit: unit.tags.rename(account_id, tag.tag_key, "last", NOW))
    [alarm] = alarms(store, account)
    assert alarm.marked == ALARM_LIMIT_MIN * ALARM_MARKED_PER_POINT
    with pytest.raises(SessionPaused):
        as_device(lambda unit: unit.shares.revoke(account_id, share, NOW))


def test_alarms_without_a_change_of_their_own_have_their_own_numbers(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 50)

    def tag(device: str) -> None:
        def work(unit: Unit) -> None:
            unit.act_as(f"{device}/session")
            for number in range(ALARM_LIMIT_MIN * ALARM_MARKED_PER_POINT // len(keys)):
                unit.tags.add(account.account_id, keys, NewTag(tag_key=new_key(), name=f"{device[-1]} {number}"), NOW)

        store.write(work)

    tag(DEVICE)
    tag(OTHER)
    assert [one.device_key for one in alarms(store, account)] == [OTHER, DEVICE]


def test_other_devices_and_the_service_itself_go_on(store: MetadataStore, account: Account) -> None:
    first, second = pause(store, account)
    [by_other] = act(store, account, Trash(first), device=OTHER)
    assert not isinstance(by_other, Exception)
    [by_service] = store.write(lambda unit: unit.tree.apply(account.account_id, [Trash(second)], NOW))
    assert not isinstance(by_service, Exception)
    stranger = make_account(store)
    key = put_file(store, stranger, stranger.root_key, "a.txt").object.object_key
    assert not isinstance(act(store, stranger, Trash(key))[0], Exception)


def test_points_count_for_ten_minutes(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN)
    half = ALARM_LIMIT_MIN // 2
    act(store, account, *(Trash(key) for key in keys[:half]))
    act(store, account, *(Trash(key) for key in keys[half:]), now=NOW + 10 * MINUTE)
    assert alarms(store, account) == []


def test_a_large_batch_counts_as_a_hundred_and_a_folder_as_what_is_in_it(
    store: MetadataStore, account: Account
) -> None:
    limit(store, account, ALARM_CALL_POINTS_MAX + 6)
    keys = files(store, account, ALARM_CALL_POINTS_MAX + 20)
    folder = make_folder(store, account, account.root_key, "folder").object_key
    for number in range(5):
        put_file(store, account, folder, f"inner {number}")
    act(store, account, *(Trash(key) for key in keys))
    act(store, account, Trash(folder))
    assert alarms(store, account) == []
    overwrite(store, account, "again.txt", b"1")
    overwrite(store, account, "again.txt", b"2")
    assert [one.deleted for one in alarms(store, account)] == [len(keys) + 5]


def test_what_looks_encrypted_counts_ten_times(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    for number in range(5):
        put_file(store, account, account.root_key, f"{number}.txt", b"words")
    for number in range(4):
        overwrite(store, account, f"{number}.txt", RANDOM + bytes([number]), head=RANDOM)
    assert alarms(store, account) == []
    overwrite(store, account, "4.txt", RANDOM + b"4", head=RANDOM)
    [alarm] = alarms(store, account)
    assert (alarm.scrambled, alarm.overwritten) == (5, 0)


def test_a_name_that_hides_a_known_type_counts_ten_times(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 5)
    act(store, account, *(Rename(key, f"{number}.txt.locked") for number, key in enumerate(keys)))
    assert [(one.scrambled, one.moved) for one in alarms(store, account)] == [(5, 0)]


def test_an_account_and_the_operator_can_turn_it_off(store: MetadataStore, account: Account) -> None:
    with store.read() as unit:
        assert unit.alarms.rule(account.account_id).limit == ALARM_LIMIT_DEFAULT
    limit(store, account, 0)
    keys = files(store, account, ALARM_LIMIT_MIN + 1)
    act(store, account, *(Trash(key) for key in keys[:-1]))
    assert alarms(store, account) == []
    limit(store, account, None)
    store.write(lambda unit: unit.settings.set("alarm_limit", b"50"))
    act(store, account, Trash(keys[-1]))
    assert len(alarms(store, account)) == 1


def test_an_allowed_device_goes_on_and_is_not_counted_for_a_while(store: MetadataStore, account: Account) -> None:
    first, second = pause(store, account)
    until = NOW + 60 * MINUTE

    def allow(unit: Unit) -> Alarm:
        decided: Alarm = unit.alarms.decide(account.account_id, DEVICE, ALLOWED, NOW + 5, by=OTHER, allowed_until=until)
        return decided

    decided = store.write(allow)
    assert (decided.state, decided.decided_at, decided.decided_by) == (ALLOWED, NOW + 5, OTHER)
    keys = [*files_named(store, account, "more", ALARM_LIMIT_MIN * 2), first]
    assert not any(isinstance(one, Exception) for one in act(store, account, *(Trash(key) for key in keys)))
    assert len(alarms(store, account)) == 1
    again = files_named(store, account, "later", ALARM_LIMIT_MIN)
    act(store, account, *(Trash(key) for key in again), now=until)
    assert [one.state for one in alarms(store, account)] == [OPEN, ALLOWED]
    with pytest.raises(SessionPaused):
        act(store, account, Trash(second), now=until)


def end(store: MetadataStore, account_id: int, device: str) -> None:
    store.write(lambda unit: unit.alarms.decide(account_id, device, ENDED, NOW, by=OTHER))


def files_named(store: MetadataStore, account: Account, name: str, count: int) -> list[str]:
    return [
        put_file(store, account, account.root_key, f"{name} {number}.txt").object.object_key for number in range(count)
    ]


def test_only_a_paused_device_can_be_decided_about(store: MetadataStore, account: Account) -> None:
    pause(store, account)
    stranger = make_account(store)
    for account_id, device in ((account.account_id, OTHER), (stranger.account_id, DEVICE)):
        with pytest.raises(Missing):
            end(store, account_id, device)
    assert alarms(store, stranger) == []


def test_counts_are_exact_when_many_write_at_once(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN + 10)

    def trash(thread: int) -> int:
        """How many were refused."""
        refused = 0
        for key in keys[thread::4]:
            try:
                act(store, account, Trash(key))
            except SessionPaused:
                refused += 1
        return refused

    assert sum(in_parallel(4, trash)) == 10
    assert [one.deleted for one in alarms(store, account)] == [ALARM_LIMIT_MIN]


def test_counting_costs_no_statement(store: Store, account: Account) -> None:
    first, second = files(store, account, 2)
    uncounted = statements_of_write(store, lambda unit: unit.tree.apply(account.account_id, [Trash(first)], NOW))

    def work(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.tree.apply(account.account_id, [Trash(second)], NOW)

    assert len(statements_of_write(store, work)) == len(uncounted)


# The rule itself


def test_what_is_stored_stays_small() -> None:
    watch = Watch(devices=[])
    for device in range(500):
        for minute in range(30):
            counted(watch, f"{device:036}", {"deleted": 1}, NOW + minute * MINUTE)
    for device in range(500):
        counted(watch, f"{device:036}", {"deleted": 1}, NOW + 30 * MINUTE)
    stored = encode_watch(watch)
    assert stored is not None
    assert len(stored) < 24_576
    assert decode_watch(stored) == watch


def test_a_clock_that_went_back_does_not_count_twice() -> None:
    watch = Watch(devices=[])
    counted(watch, DEVICE, {"deleted": 5}, NOW + 60 * MINUTE)
    device = counted(watch, DEVICE, {"deleted": 1}, NOW)
    assert device.standing(NOW).lately.deleted == 1


@pytest.mark.parametrize(
    ("name", "head", "is_scrambled"),
    [
        ("notes.txt", RANDOM, True),
        ("report.docx", RANDOM, True),
        ("picture.jpg", RANDOM, True),
        ("picture.jpg", b"\xff\xd8\xff" + RANDOM, False),
        ("report.docx", b"PK\x03\x04" + RANDOM, False),
        ("film.mp4", b"\0\0\0\x20ftyp" + RANDOM, False),
        ("notes.txt", b"words and more words, again and again " * 30, False),
        ("notes.txt", RANDOM[:100], True),
        ("notes.txt", RANDOM[:10], False),
        ("notes.txt", "Übergröße, naïve, 日本語 ".encode() * 20, False),
        ("notes.txt", "Übergröße, naïve, 日本語 ".encode("utf-16") * 20, False),
        ("notes.txt", base64.b64encode(RANDOM), True),
        ("picture.jpg", b"PK\x03\x04" + RANDOM, True),
        ("picture.jpg", RANDOM[:100], False),
        ("notes.txt", b"", False),
        ("backup.gpg-unknown", RANDOM, False),
        ("no type", RANDOM, False),
    ],
    ids=range(17),
)
def test_random_bytes_count_where_the_name_says_that_there_are_none(name: str, head: bytes, is_scrambled: bool) -> None:
    assert looks_scrambled(name, Sample(head[:1024])) is is_scrambled


def test_a_type_is_hidden_by_an_unknown_ending() -> None:
    assert hides_type("a.jpg", "a.jpg.locked")
    assert hides_type("a.jpg", "a")
    assert not hides_type("a.jpg", "b.jpg")
    assert not hides_type("a.unknown-type", "b")


def test_names_are_unlike_if_they_share_no_four_characters() -> None:
    assert is_unlike("IMG_2034.jpg", "x7k29fqlpa.jpg")
    assert not is_unlike("IMG_2034.jpg", "Sommer IMG_2034.jpg")
    assert not is_unlike("report.docx", "REPORTS.docx")
    assert not is_unlike("report.docx", "x7k29fq.docx")


def test_counts_that_an_older_server_has_stored_are_read() -> None:
    old = [1, 500, [[DEVICE, NOW, [[NOW, [7, 6, 1, 0, 0, 0]]], 0, 0]]]
    watch = decode_watch(msgspec.msgpack.encode(old))
    assert watch.limit == 500
    assert counted(watch, DEVICE, {"deleted": 1}, NOW).standing(NOW).lately.deleted == 7


# A batch


def test_the_change_that_reaches_the_limit_is_the_last_of_its_batch(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 20)
    outcomes = act(store, account, *(Rename(key, f"{number}.txt.locked") for number, key in enumerate(keys)))
    assert [isinstance(one, SessionPaused) for one in outcomes] == [False] * 5 + [True] * 15
    assert [one.scrambled for one in alarms(store, account)] == [5]
    with store.read() as unit:
        assert [unit.tree.get(account.account_id, key).name for key in keys[4:6]] == ["4.txt.locked", "5.txt"]


def test_changes_that_belong_together_are_all_made(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, ALARM_LIMIT_MIN + 1)

    def work(unit: Unit) -> list[Outcome]:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        return unit.tree.apply(account.account_id, [Trash(key) for key in keys], NOW, whole=True)

    assert not any(isinstance(one, Exception) for one in store.write(work))
    assert len(alarms(store, account)) == 1


def test_what_a_batch_puts_back_does_not_stop_it(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 20)
    changes = [Rename(key, f"{number}.txt{suffix}") for number, key in enumerate(keys) for suffix in (".locked", "")]
    assert not any(isinstance(one, Exception) for one in act(store, account, *changes))
    assert alarms(store, account) == []


def test_the_third_large_batch_of_deletions_counts_whole(store: MetadataStore, account: Account) -> None:
    limit(store, account, 4 * ALARM_CALL_POINTS_MAX)
    size = ALARM_CALL_POINTS_MAX + 50
    keys = files(store, account, 4 * size)
    for start in (0, size):
        act(store, account, *(Trash(key) for key in keys[start : start + size]))
    assert alarms(store, account) == []
    outcomes = act(store, account, *(Trash(key) for key in keys[2 * size :]))
    assert sum(isinstance(one, SessionPaused) for one in outcomes) == len(outcomes) - 2 * ALARM_CALL_POINTS_MAX
    assert len(alarms(store, account)) == 1


def test_emptying_the_trash_counts_what_the_device_has_just_put_there(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)

    def emptied(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.purge.mark_all_for_deletion(account.account_id, NOW)

    old = files_named(store, account, "old", ALARM_LIMIT_MIN)
    store.write(lambda unit: unit.tree.apply(account.account_id, [Trash(key) for key in old], NOW))
    for number in range(2):
        act(store, account, *(Trash(key) for key in files_named(store, account, f"{number}", 5)))
        store.write(emptied)
    assert alarms(store, account) == []
    act(store, account, *(Trash(key) for key in files_named(store, account, "more", 15)))
    store.write(emptied)
    assert [one.deleted for one in alarms(store, account)] == [10 + 2 + 15 + 1]


def test_what_is_slow_is_counted_for_a_day(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    keys = files(store, account, 6 * ALARM_LIMIT_MIN)
    for number, key in enumerate(keys[: 5 * ALARM_LIMIT_MIN]):
        assert alarms(store, account) == []
        act(store, account, Trash(key), now=NOW + number * MINUTE)
    [alarm] = alarms(store, account)
    assert (alarm.since, alarm.deleted) == (NOW, 5 * ALARM_LIMIT_MIN)


def test_what_is_slower_than_a_day_is_not_counted(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_LIMIT_MIN)
    for number, key in enumerate(files(store, account, 6 * ALARM_LIMIT_MIN)):
        act(store, account, Trash(key), now=NOW + number * 10 * MINUTE)
    assert alarms(store, account) == []
