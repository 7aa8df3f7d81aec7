"""Thumbnails are kept once per content, and go with it."""

import hashlib

from tests.conformance.metadata.making import NOW, in_parallel, mark_for_deletion, purge_all, put_file, trash

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.content import KeptThumbnail
from skyshelf.storage.metadata.store import MetadataStore


def keep(store: MetadataStore, sha256: str, location: str, form: str = "jpeg") -> KeptThumbnail:
    return store.write(lambda unit: unit.thumbnails.keep(sha256, 256, form, KeptThumbnail(location, 7), NOW))


def test_a_thumbnail_is_found_by_content_size_and_form(store: MetadataStore, account: Account) -> None:
    sha256 = put_file(store, account, account.root_key, "a.jpg").object.sha256
    assert sha256 is not None
    assert keep(store, sha256, "there") == KeptThumbnail("there", 7)
    with store.read() as unit:
        assert unit.thumbnails.get(sha256, 256, "jpeg") == KeptThumbnail("there", 7)
        assert unit.thumbnails.get(sha256, 512, "jpeg") is None
        assert unit.thumbnails.get(sha256, 256, "webp") is None


def test_that_none_can_be_made_is_remembered(store: MetadataStore, account: Account) -> None:
    sha256 = put_file(store, account, account.root_key, "a.jpg").object.sha256
    assert sha256 is not None
    keep(store, sha256, "")
    with store.read() as unit:
        kept = unit.thumbnails.get(sha256, 256, "jpeg")
    assert kept is not None
    assert kept.location == ""


def test_of_many_who_make_it_at_once_all_learn_the_same_one(store: MetadataStore, account: Account) -> None:
    sha256 = put_file(store, account, account.root_key, "a.jpg").object.sha256
    assert sha256 is not None
    kept = in_parallel(8, lambda number: keep(store, sha256, f"location {number}"))
    assert len(set(kept)) == 1


def test_nothing_is_kept_for_content_that_is_gone(store: MetadataStore) -> None:
    unknown = hashlib.sha256(b"never seen").hexdigest()
    assert keep(store, unknown, "there") == KeptThumbnail("", 0)
    with store.read() as unit:
        assert unit.thumbnails.get(unknown, 256, "jpeg") is None
        assert unit.content.known(["there"]) == set()


def test_the_sweeper_knows_thumbnails_and_gets_them_with_their_content(store: MetadataStore, account: Account) -> None:
    outcome = put_file(store, account, account.root_key, "a.jpg")
    assert outcome.object.sha256 is not None
    keep(store, outcome.object.sha256, "small one")
    keep(store, outcome.object.sha256, "", form="webp")
    with store.read() as unit:
        assert unit.content.known(["small one", outcome.location, "nobody's", ""]) == {"small one", outcome.location}
    trash(store, account, outcome.object.object_key)
    mark_for_deletion(store, account, outcome.object.object_key)
    purge_all(store, account)
    released = store.write(lambda unit: unit.content.release_idle(NOW + 1, 10))
    assert sorted(released) == sorted([outcome.location, "small one"])
    with store.read() as unit:
        assert unit.thumbnails.get(outcome.object.sha256, 256, "jpeg") is None
