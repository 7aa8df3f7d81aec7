"""The audit trail: events come back as they were added, filtered, in order, and the oldest go first."""

from collections import Counter

import pytest
from msgspec.structs import replace
from tests.conformance.metadata.making import NOW, make_account, new_key

from skyshelf.storage.metadata.audit_events import AuditEvent, AuditFilter, RecordedEvent
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.holds import Hold
from skyshelf.storage.metadata.store import MetadataStore

FAILED = AuditEvent(kind="login.failed", at=NOW, address="192.0.2.7", times=3)


def add(store: MetadataStore, *events: AuditEvent) -> None:
    store.write(lambda unit: unit.audit.add(events))


def newest(store: MetadataStore, limit: int = 100, **wanted: object) -> list[RecordedEvent]:
    with store.read() as unit:
        return unit.audit.newest(AuditFilter(**wanted), limit=limit)  # type: ignore[arg-type]


def kinds(events: list[RecordedEvent]) -> list[str]:
    return [event.kind for event in events]


def test_an_event_comes_back_with_what_is_known_about_its_account(store: MetadataStore, account: Account) -> None:
    event = AuditEvent(
        kind="share.created",
        at=NOW,
        account_id=account.account_id,
        actor="command:root",
        address="2001:db8::1",
        device_key="a device",
        object_key=new_key(),
        link_key=new_key(),
        details={"name": "Ünïcode \x00 and “quotes”", "size": 7, "names": ["a", "b"]},
    )
    add(store, event)
    [kept] = newest(store)
    assert (kept.kind, kept.at, kept.actor, kept.address) == (event.kind, NOW, event.actor, event.address)
    assert (kept.object_key, kept.link_key, kept.times) == (event.object_key, event.link_key, 1)
    assert kept.details == event.details
    assert (kept.account_key, kept.email) == (account.account_key, account.email)


def test_events_of_nobody_and_of_an_account_that_is_gone_are_kept(store: MetadataStore) -> None:
    gone = new_key()
    add(store, FAILED, replace(FAILED, account_key=gone))
    assert [(event.account_key, event.email) for event in newest(store)] == [(gone, ""), ("", "")]


def test_filters_leave_out_everything_else(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    add(
        store,
        replace(FAILED, account_key=account.account_key),
        replace(FAILED, account_key=other.account_key, at=NOW + 10),
        replace(FAILED, kind="login", account_key=account.account_key, at=NOW + 20, address="192.0.2.8"),
    )
    assert kinds(newest(store, account_key=account.account_key)) == ["login", "login.failed"]
    assert kinds(newest(store, kinds=["login"])) == ["login"]
    assert [event.at for event in newest(store, address="192.0.2.7")] == [NOW + 10, NOW]
    assert [event.at for event in newest(store, since=NOW + 10, until=NOW + 20)] == [NOW + 10]


def test_pages_go_backwards_and_forwards_without_gaps(store: MetadataStore) -> None:
    add(store, *(replace(FAILED, at=NOW + number) for number in range(7)))
    first = newest(store, limit=3)
    with store.read() as unit:
        rest = unit.audit.newest(AuditFilter(), limit=100, before_id=first[-1].event_id)
        again = unit.audit.after(AuditFilter(), limit=100, after_id=rest[0].event_id)
        assert unit.audit.last_id() == first[0].event_id
    assert [event.at - NOW for event in (*first, *rest)] == [6, 5, 4, 3, 2, 1, 0]
    assert [event.at - NOW for event in again] == [4, 5, 6]


def test_the_oldest_go_a_few_at_a_time(store: MetadataStore) -> None:
    add(store, *(replace(FAILED, at=NOW + number) for number in range(6)))
    assert store.write(lambda unit: unit.audit.sweep(NOW + 4, 3)) == 3
    assert store.write(lambda unit: unit.audit.sweep(NOW + 4, 3)) == 1
    assert [event.at - NOW for event in newest(store)] == [5, 4]
    assert store.write(lambda unit: unit.audit.trim(1, 10)) == 1
    assert [event.at - NOW for event in newest(store)] == [5]
    with store.read() as unit:
        assert unit.expiry.audit(NOW + 6).count == 1


def test_events_of_one_account_push_out_none_of_another(store: MetadataStore) -> None:
    quiet, busy = make_account(store), make_account(store)
    add(store, *[replace(FAILED, account_key=quiet.account_key, at=NOW + at) for at in range(2)])
    add(store, *[replace(FAILED, account_key=busy.account_key, at=NOW + at) for at in range(10, 16)])
    add(store, replace(FAILED, account_key="", at=NOW + 20))
    assert store.write(lambda unit: unit.audit.trim(9, 10)) == 0
    assert store.write(lambda unit: unit.audit.trim(5, 10)) == 4
    assert [event.at - NOW for event in newest(store)] == [20, 15, 14, 1, 0]
    assert store.write(lambda unit: unit.audit.trim(5, 10)) == 0


def test_the_trail_is_trimmed_to_its_size_whoever_has_how_many(store: MetadataStore) -> None:
    for events in (5, 3, 4, 1, 3):
        key = make_account(store).account_key
        add(store, *[replace(FAILED, account_key=key, at=NOW + at) for at in range(events)])
    assert store.write(lambda unit: unit.audit.trim(11, 10)) == 5
    left = Counter(event.account_key for event in newest(store))
    assert sorted(left.values()) == [1, 2, 2, 3, 3]
    assert store.write(lambda unit: unit.audit.trim(11, 10)) == 0


def test_events_of_a_held_account_push_out_none_of_another(store: MetadataStore) -> None:
    held, other = make_account(store), make_account(store)
    store.write(lambda unit: unit.holds.put(held.account_id, Hold(NOW, "operator", "case 12")))
    add(store, *[replace(FAILED, account_key=held.account_key, at=NOW + at) for at in range(20)])
    add(store, *[replace(FAILED, account_key=other.account_key, at=NOW + at) for at in range(30, 33)])
    assert store.write(lambda unit: unit.audit.trim(2, 10)) == 1
    assert store.write(lambda unit: unit.audit.trim(2, 10)) == 0
    assert [event.at - NOW for event in newest(store, account_key=other.account_key)] == [32, 31]


def test_an_event_goes_with_the_act_that_fails(store: MetadataStore) -> None:
    def work(unit: object) -> None:
        unit.audit.add([FAILED])  # type: ignore[attr-defined]
        raise KeyError

    with pytest.raises(KeyError):
        store.write(work)
    assert newest(store) == []
