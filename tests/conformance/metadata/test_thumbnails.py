"""Thumbnails are kept for each account and content, and go when the account no longer has it."""

import hashlib

from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    mark_for_deletion,
    purge_all,
    put_file,
    trash,
)

from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.content import KeptThumbnail, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import PutOutcome
from skyshelf.storage.metadata.store import MetadataStore

BROKEN = KeptThumbnail("", 0, renderer=3)


def picture(store: MetadataStore, account: Account) -> PutOutcome:
    return put_file(store, account, account.root_key, "a.jpg", data=b"the same for everybody")


def key_of(account: Account, outcome: PutOutcome, size: int = 256, form: str = "jpeg") -> ThumbnailKey:
    assert outcome.object.sha256 is not None
    return ThumbnailKey(account.account_id, outcome.object.sha256, size, form)


def keep(store: MetadataStore, key: ThumbnailKey, kept: KeptThumbnail) -> KeptThumbnail:
    return store.write(lambda unit: unit.thumbnails.keep(key, kept, NOW))


def get(store: MetadataStore, key: ThumbnailKey) -> KeptThumbnail | None:
    with store.read() as unit:
        return unit.thumbnails.get(key)


def at(location: str) -> KeptThumbnail:
    return KeptThumbnail(location, 7, renderer=3)


def delete(store: MetadataStore, account: Account, outcome: PutOutcome) -> None:
    trash(store, account, outcome.object.object_key)
    mark_for_deletion(store, account, outcome.object.object_key)
    purge_all(store, account)


def release(store: MetadataStore, before: int = NOW + 1) -> list[str]:
    return store.write(lambda unit: unit.thumbnails.release_idle(before, 10))[0]


def test_a_thumbnail_is_found_by_content_size_and_form(store: MetadataStore, account: Account) -> None:
    outcome = picture(store, account)
    key = key_of(account, outcome)
    assert keep(store, key, at("there")) == at("there")
    assert get(store, key) == at("there")
    assert get(store, key_of(account, outcome, size=512)) is None
    assert get(store, key_of(account, outcome, form="webp")) is None


def test_a_thumbnail_of_one_account_is_none_of_another_with_the_same_picture(
    store: MetadataStore, account: Account
) -> None:
    other = make_account(store, "other")
    key = key_of(account, picture(store, account))
    theirs = key_of(other, picture(store, other))
    keep(store, key, at("mine"))
    assert get(store, theirs) is None
    assert keep(store, theirs, at("theirs")) == at("theirs")
    assert get(store, key) == at("mine")


def test_that_none_can_be_made_is_remembered_for_all_sizes_and_forms(store: MetadataStore, account: Account) -> None:
    outcome = picture(store, account)
    keep(store, key_of(account, outcome), BROKEN)
    assert get(store, key_of(account, outcome, 1080, "webp")) == BROKEN
    later = KeptThumbnail("", 0, renderer=4, retry_at=99)
    assert keep(store, key_of(account, outcome, 512), later) == later
    assert get(store, key_of(account, outcome)) == later


def test_a_thumbnail_ends_an_earlier_failure(store: MetadataStore, account: Account) -> None:
    outcome = picture(store, account)
    keep(store, key_of(account, outcome), BROKEN)
    assert keep(store, key_of(account, outcome, 512), at("there")) == at("there")
    assert get(store, key_of(account, outcome)) is None


def test_of_many_who_make_it_at_once_all_learn_the_same_one(store: MetadataStore, account: Account) -> None:
    key = key_of(account, picture(store, account))
    kept = in_parallel(8, lambda number: keep(store, key, at(f"location {number}")))
    assert len(set(kept)) == 1


def test_nothing_is_kept_for_content_that_the_account_does_not_have(store: MetadataStore, account: Account) -> None:
    other = make_account(store, "other")
    unknown = ThumbnailKey(account.account_id, hashlib.sha256(b"never seen").hexdigest(), 256, "jpeg")
    somebody_elses = ThumbnailKey(account.account_id, key_of(other, picture(store, other)).sha256, 256, "jpeg")
    for key in (unknown, somebody_elses):
        assert keep(store, key, at("there")) == KeptThumbnail("", 0)
        assert get(store, key) is None
    with store.read() as unit:
        assert unit.content.known(["there"]) == set()


def test_the_sweeper_knows_thumbnails_and_gets_them_with_their_content(store: MetadataStore, account: Account) -> None:
    outcome = picture(store, account)
    keep(store, key_of(account, outcome), at("small one"))
    with store.read() as unit:
        assert unit.content.known(["small one", outcome.location, "nobody's", ""]) == {"small one", outcome.location}
    delete(store, account, outcome)
    released = store.write(lambda unit: unit.content.release_idle(NOW + 1, 10, NOW))
    assert (released.contents, released.thumbnails) == ([outcome.location], ["small one"])
    assert get(store, key_of(account, outcome)) is None


def test_thumbnails_go_with_the_accounts_last_version_even_where_others_have_the_content(
    store: MetadataStore, account: Account
) -> None:
    other = make_account(store, "other")
    mine, theirs = picture(store, account), picture(store, other)
    keep(store, key_of(account, mine), at("mine"))
    keep(store, key_of(other, theirs), at("theirs"))
    delete(store, account, mine)
    assert release(store, before=NOW) == []
    assert release(store) == ["mine"]
    assert get(store, key_of(account, mine)) is None
    assert get(store, key_of(other, theirs)) == at("theirs")


def test_thumbnails_stay_while_the_account_has_another_file_with_the_content(
    store: MetadataStore, account: Account
) -> None:
    outcome = picture(store, account)
    put_file(store, account, account.root_key, "copy.jpg", data=b"the same for everybody")
    keep(store, key_of(account, outcome), at("there"))
    delete(store, account, outcome)
    assert release(store) == []
    assert get(store, key_of(account, outcome)) == at("there")
