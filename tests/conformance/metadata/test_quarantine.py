"""Quarantine: what is noted, what is taken back, and what can be deleted."""

import hashlib

from tests.conformance.metadata.making import NOW, purge_all, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.content import QuarantineEntry, Reason
from skyshelf.storage.metadata.store import MetadataStore

SHA256 = hashlib.sha256(b"content").hexdigest()


def aside(location: str, reason: Reason = "orphan", *, since: int = NOW, sha256: str | None = None) -> QuarantineEntry:
    return QuarantineEntry(location=location, sha256=sha256, size=3, reason=reason, since=since)


def add(store: MetadataStore, *things: QuarantineEntry) -> None:
    store.write(lambda unit: unit.quarantine.add(things))


def locations(store: MetadataStore) -> list[str]:
    with store.read() as unit:
        return [one.location for one in unit.quarantine.page(limit=100)]


def released(store: MetadataStore, account: Account, data: bytes = b"content") -> str:
    """Content that an account has deleted; its location."""
    put = put_file(store, account, account.root_key, "a", data)
    trash(store, account, put.object.object_key)
    store.write(lambda unit: unit.purge.mark_all_for_deletion(account.account_id, NOW))
    purge_all(store, account, now=NOW)
    store.write(lambda unit: unit.content.release_idle(NOW + 1, 10, NOW + 5))
    return put.location


def test_released_content_keeps_its_digests_and_its_location(store: MetadataStore, account: Account) -> None:
    location = released(store, account)
    with store.read() as unit:
        [one] = unit.quarantine.page(limit=5)
        assert unit.quarantine.copies(SHA256) == [one]
        assert unit.quarantine.known([location, "elsewhere"]) == {location}
        [total] = unit.quarantine.totals()
    assert one == QuarantineEntry(
        location=location,
        sha256=SHA256,
        md5=hashlib.md5(b"content", usedforsecurity=False).hexdigest(),
        size=7,
        reason="released",
        since=NOW + 5,
        account_id=account.account_id,
    )
    assert (total.reason, total.count, total.size, total.oldest) == ("released", 1, 7, NOW + 5)


def test_content_with_a_version_is_never_released_whatever_its_counter_says(
    store: MetadataStore, account: Account
) -> None:
    put = put_file(store, account, account.root_key, "a", b"content")
    store.write(lambda unit: unit.sql.run("UPDATE blobs SET refs = 0, idle_since = 1", {}))
    assert store.write(lambda unit: unit.content.release_idle(NOW, 10, NOW)).contents == []
    with store.read() as unit:
        assert unit.content.miscounted(10) == [SHA256]
        assert unit.content.known([put.location]) == {put.location}


def test_the_first_note_stays_and_what_is_referred_to_is_left_out(store: MetadataStore, account: Account) -> None:
    put = put_file(store, account, account.root_key, "a", b"content")
    add(store, aside("x", since=NOW), aside(put.location))
    add(store, aside("x", "repair", since=NOW + 9))
    with store.read() as unit:
        assert [(one.location, one.reason, one.since) for one in unit.quarantine.page(limit=5)] == [
            ("x", "orphan", NOW)
        ]
    add(store)


def test_pages_and_reasons_are_in_the_order_of_time(store: MetadataStore) -> None:
    add(store, aside("b", since=2), aside("a", since=2), aside("c", "replaced", since=1), aside("d", since=3))
    assert locations(store) == ["c", "a", "b", "d"]
    with store.read() as unit:
        page = unit.quarantine.page
        assert [one.location for one in page(after=(2, "a"), limit=1)] == ["b"]
        assert [one.location for one in page(reason="orphan", since_up_to=2, limit=5)] == ["a", "b"]
        assert [(one.reason, one.count, one.size) for one in unit.quarantine.totals(2)] == [
            ("orphan", 2, 6),
            ("replaced", 1, 3),
        ]


def test_what_is_being_deleted_cannot_be_taken_back(store: MetadataStore, account: Account) -> None:
    put = put_file(store, account, account.root_key, "a", b"content")
    add(store, aside("old", since=1, sha256=SHA256), aside("new", since=9, sha256=SHA256))
    begun = store.write(lambda unit: unit.quarantine.begin_deleting(5, 10))
    assert [one.location for one in begun] == ["old"]
    assert store.write(lambda unit: unit.quarantine.begin_deleting(5, 10)) == []
    assert not store.write(lambda unit: unit.quarantine.reinstate("old"))
    assert not store.write(lambda unit: unit.content.relocate(SHA256, put.location, "old", NOW))
    with store.read() as unit:
        assert [one.location for one in unit.quarantine.copies(SHA256)] == ["new"]
        assert unit.quarantine.being_deleted(10) == begun
    store.write(lambda unit: unit.quarantine.end_deleting(["old", "new"]))
    assert locations(store) == ["new"]
    assert store.write(lambda unit: unit.quarantine.reinstate("new"))
    assert locations(store) == []


def test_a_good_copy_leaves_the_quarantine_and_the_damaged_one_takes_its_place(
    store: MetadataStore, account: Account
) -> None:
    put = put_file(store, account, account.root_key, "a", b"content")
    add(store, aside("good", sha256=SHA256))
    assert store.write(lambda unit: unit.content.relocate(SHA256, put.location, "good", NOW + 1))
    with store.read() as unit:
        [one] = unit.quarantine.page(limit=5)
        assert unit.content.known(["good"]) == {"good"}
    assert (one.location, one.reason, one.since, one.sha256) == (put.location, "replaced", NOW + 1, SHA256)


def test_what_a_row_refers_to_is_not_deleted(store: MetadataStore, account: Account) -> None:
    add(store, aside("x", since=1), aside("y", "released", since=1))
    put = put_file(store, account, account.root_key, "a", b"content")
    store.write(
        lambda unit: unit.sql.run(
            "UPDATE blobs SET location = 'x' WHERE location = :location", {"location": put.location}
        )
    )
    with store.read() as unit:
        assert unit.quarantine.referred(1, 5) == ["x"]
        assert unit.quarantine.referred(0, 5) == []
    assert [one.location for one in store.write(lambda unit: unit.quarantine.begin_deleting(5, 10, "released"))] == [
        "y"
    ]
    assert store.write(lambda unit: unit.quarantine.begin_deleting(5, 10)) == []
