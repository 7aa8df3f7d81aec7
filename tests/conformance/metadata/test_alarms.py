"""Alarms: what counts, when a device is paused, what it may still do, and how the pause ends."""

import random

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import NOW, in_parallel, make_account, make_folder, new_file, put_file
from tests.conformance.metadata.recording import statements_of_write

from skyshelf.storage.errors import Missing, SessionPaused
from skyshelf.storage.metadata.alarms.contract import ALLOWED, ENDED, OPEN, Alarm
from skyshelf.storage.metadata.alarms.signs import hides_type, looks_scrambled
from skyshelf.storage.metadata.alarms.watch import Watch, counted, counts_of, decode_watch, encode_watch
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Outcome, Rename, SetFavorite, Trash, TreeChange
from skyshelf.storage.metadata.store import MetadataStore, Unit
from skyshelf.wire.limits import ALARM_CALL_POINTS_MAX, ALARM_LIMIT_DEFAULT, ALARM_LIMIT_MIN

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
    file = new_file(account.root_key, name, data, head=head)

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
    [refused] = act(store, account, Trash(keys[-1]))
    assert isinstance(refused, SessionPaused)


def test_a_paused_device_reads_and_adds_and_changes_nothing_else(store: MetadataStore, account: Account) -> None:
    first, second = pause(store, account)
    favourite, trashed, renamed = act(
        store, account, SetFavorite(first, True), Trash(first), Rename(second, "other.txt")
    )
    assert not isinstance(favourite, Exception)
    assert isinstance(trashed, SessionPaused)
    assert isinstance(renamed, SessionPaused)
    overwrite(store, account, "new.txt", b"a new file")
    overwrite(store, account, "new.txt", b"a new file")  # the same content takes nothing away
    with pytest.raises(SessionPaused):
        overwrite(store, account, "new.txt", b"other bytes")

    def emptied(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.files.mark_all_for_deletion(account.account_id, NOW)

    def forgotten(unit: Unit) -> None:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        unit.history.forget(account.account_id, NOW)

    for work in (emptied, forgotten):
        with pytest.raises(SessionPaused):
            store.write(work)


def test_of_many_uploads_together_only_those_that_replace_are_refused(store: MetadataStore, account: Account) -> None:
    pause(store, account)
    put_file(store, account, account.root_key, "old.txt")
    both = [new_file(account.root_key, "fresh.txt", b"fresh"), new_file(account.root_key, "old.txt", b"replaced")]

    def work(unit: Unit) -> list[object]:
        unit.act_as(f"{DEVICE}/0123456789abcdef")
        put = unit.files.put_each(account.account_id, both, NOW, keep_versions=5)
        return list(put)

    fresh, replaced = store.write(work)
    assert not isinstance(fresh, Exception)
    assert isinstance(replaced, SessionPaused)


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


def test_a_large_batch_counts_as_a_hundred_and_a_folder_as_one(store: MetadataStore, account: Account) -> None:
    limit(store, account, ALARM_CALL_POINTS_MAX + 2)
    keys = files(store, account, ALARM_CALL_POINTS_MAX + 20)
    folder = make_folder(store, account, account.root_key, "folder").object_key
    for number in range(5):
        put_file(store, account, folder, f"inner {number}")
    act(store, account, *(Trash(key) for key in keys))
    act(store, account, Trash(folder))
    assert alarms(store, account) == []
    overwrite(store, account, "again.txt", b"1")
    overwrite(store, account, "again.txt", b"2")
    assert [one.deleted for one in alarms(store, account)] == [len(keys) + 1]


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
    assert isinstance(act(store, account, Trash(second), now=until)[0], SessionPaused)


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
    outcomes = in_parallel(4, lambda thread: [act(store, account, Trash(key))[0] for key in keys[thread::4]])
    refused = [one for mine in outcomes for one in mine if isinstance(one, SessionPaused)]
    assert len(refused) == 10
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
            counted(watch, f"{device:036}", counts_of(["deleted"]), NOW + minute * MINUTE)
    for device in range(500):
        counted(watch, f"{device:036}", counts_of(["deleted"]), NOW + 30 * MINUTE)
    stored = encode_watch(watch)
    assert stored is not None
    assert len(stored) < 16_384
    assert decode_watch(stored) == watch


def test_a_clock_that_went_back_does_not_count_twice() -> None:
    watch = Watch(devices=[])
    counted(watch, DEVICE, counts_of(["deleted"] * 5), NOW + 60 * MINUTE)
    device = counted(watch, DEVICE, counts_of(["deleted"]), NOW)
    assert device.total().deleted == 1


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
        ("notes.txt", RANDOM[:100], False),
        ("notes.txt", b"", False),
        ("backup.gpg-unknown", RANDOM, False),
        ("no type", RANDOM, False),
    ],
    ids=range(11),
)
def test_random_bytes_count_where_the_name_says_that_there_are_none(name: str, head: bytes, is_scrambled: bool) -> None:
    assert looks_scrambled(name, head[:1024]) is is_scrambled


def test_a_type_is_hidden_by_an_unknown_ending() -> None:
    assert hides_type("a.jpg", "a.jpg.locked")
    assert hides_type("a.jpg", "a")
    assert not hides_type("a.jpg", "b.jpg")
    assert not hides_type("a.unknown-type", "b")
