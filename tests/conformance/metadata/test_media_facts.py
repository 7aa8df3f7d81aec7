"""Facts about pictures and videos: stored with a version, read while it is the current one, gone with the object."""

from tests.conformance.metadata.making import (
    NOW,
    make_account,
    make_folder,
    mark_for_deletion,
    purge_all,
    put_file,
    trash,
)

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import MediaFacts, PhotoFacts
from skyshelf.storage.metadata.contracts.tree import Page
from skyshelf.storage.metadata.store import MetadataStore

LISBON = MediaFacts(4000, 3000, 38_722_300, -9_139_300, 60)


def facts_of(store: MetadataStore, account: Account, *keys: str) -> dict[str, MediaFacts]:
    with store.read() as unit:
        return {one.object_key: one.facts for one in unit.photos.of_objects(account.account_id, keys)}


def located(
    store: MetadataStore, account: Account, limit: int = 100, after: str | None = None
) -> Page[PhotoFacts, str]:
    with store.read() as unit:
        return unit.photos.located(account.account_id, limit=limit, after=after)


def test_facts_are_those_of_the_current_version(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.jpg", b"first", facts=LISBON).object.object_key
    assert facts_of(store, account, key) == {key: LISBON}
    put_file(store, account, account.root_key, "a.jpg", b"second", needs_date=True)
    assert facts_of(store, account, key) == {key: MediaFacts()}
    assert located(store, account).found == []
    with store.read() as unit:
        (file,) = unit.undated.some(account.account_id, 10)
    turned = MediaFacts(3000, 4000)
    assert store.write(lambda unit: unit.undated.settle(account.account_id, file, (NOW, 101), turned))
    assert facts_of(store, account, key) == {key: turned}


def test_only_own_pictures_and_videos_have_facts(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    mine = put_file(store, account, account.root_key, "a.jpg", facts=LISBON, taken_at=NOW, taken_day=101).object
    text = put_file(store, account, account.root_key, "a.txt").object.object_key
    theirs = put_file(store, other, other.root_key, "b.jpg", b"b", facts=LISBON).object.object_key
    with store.read() as unit:
        found = unit.photos.of_objects(account.account_id, [mine.object_key, text, theirs])
    assert found == [PhotoFacts(mine.object_key, 1, NOW, LISBON)]
    assert [one.object_key for one in located(store, account).found] == [mine.object_key]


def test_places_come_in_pages_without_what_cannot_be_seen(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "folder").object_key
    keys = [
        put_file(
            store, account, folder if number % 2 else account.root_key, f"{number}.jpg", facts=LISBON
        ).object.object_key
        for number in range(5)
    ]
    put_file(store, account, account.root_key, "nowhere.jpg", facts=MediaFacts(4, 3))
    trash(store, account, folder)
    seen: list[str] = []
    after = None
    while True:
        found, after = located(store, account, 2, after)
        seen += [one.object_key for one in found]
        if after is None:
            break
    assert seen == sorted(keys[::2])


def test_facts_go_with_their_object(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "a.jpg", facts=LISBON).object.object_key
    trash(store, account, key)
    mark_for_deletion(store, account, key)
    purge_all(store, account)
    assert facts_of(store, account, key) == {}
