"""Tags: one per folded name, borne by objects, gone with the last of them."""

import pytest
from tests.conformance.metadata.making import (
    NOW,
    in_parallel,
    make_account,
    make_folder,
    mark_for_deletion,
    new_key,
    purge_all,
    put_file,
    trash,
)
from tests.conformance.metadata.reading import names_of

from skyshelf.storage.errors import Missing, NameTaken, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import CursorRow, NewTag, Tag
from skyshelf.storage.metadata.store import MetadataStore


def file_in(store: MetadataStore, account: Account, name: str, folder_key: str | None = None) -> str:
    return put_file(store, account, folder_key or account.root_key, name).object.object_key


def tag(store: MetadataStore, account: Account, object_key: str, name: str, *, now: int = NOW) -> Tag:
    new = NewTag(tag_key=new_key(), name=name)
    return store.write(lambda unit: unit.tags.add(account.account_id, [object_key], new, now))


def untag(store: MetadataStore, account: Account, object_key: str, tag_key: str) -> bool:
    gone = store.write(lambda unit: unit.tags.remove(account.account_id, [object_key], tag_key, NOW))
    assert gone in ([], [object_key])
    return bool(gone)


def tags_of(store: MetadataStore, account: Account, object_key: str) -> list[str]:
    with store.read() as unit:
        return [one.name for one in unit.tags.of_object(account.account_id, object_key)]


def recent(store: MetadataStore, account: Account, limit: int = 100) -> list[str]:
    with store.read() as unit:
        return [one.name for one in unit.tags.recent(account.account_id, limit)]


def objects(store: MetadataStore, account: Account, tag_key: str, limit: int = 100) -> list[str]:
    """The names of all, page by page."""
    found: list[CursorRow] = []
    with store.read() as unit:
        while True:
            after = found[-1].cursor if found else None
            page = unit.tags.objects(account.account_id, tag_key, limit=limit, after=after)
            found += page
            if len(page) < limit:
                return names_of([one.encoded for one in found])


def test_a_new_tag_is_made_with_the_key_that_was_offered(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    new = NewTag(tag_key=new_key(), name="Ferien 🏖️")
    added = store.write(lambda unit: unit.tags.add(account.account_id, [key], new, NOW))
    assert added == Tag(new.tag_key, "Ferien 🏖️", NOW, NOW)
    with store.read() as unit:
        assert unit.tags.get(account.account_id, new.tag_key) == added
        assert unit.tags.of_object(account.account_id, key) == [added]


@pytest.mark.parametrize(
    ("first", "second"), [("Été", "ÉTÉ"), ("Été", "E\u0301te\u0301"), ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος")]
)
def test_case_and_composition_do_not_make_another_tag_and_the_first_spelling_stays(
    store: MetadataStore, account: Account, first: str, second: str
) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    one, two = tag(store, account, a, first), tag(store, account, b, second, now=NOW + 5)
    assert two.tag_key == one.tag_key
    assert (two.name, two.created_at, two.used_at) == (first, NOW, NOW + 5)
    assert tags_of(store, account, b) == [first]


def test_tagging_twice_is_tagging_once(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    made = tag(store, account, key, "sea")
    tag(store, account, key, "Sea", now=NOW + 1)
    assert tags_of(store, account, key) == ["sea"]
    assert untag(store, account, key, made.tag_key)
    assert tags_of(store, account, key) == []


def test_folders_can_have_tags_too(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    made = tag(store, account, folder, "sea")
    assert objects(store, account, made.tag_key) == ["Photos"]


def test_the_tags_of_an_object_are_in_the_order_of_their_names(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    for name in ("zebra", "Äpfel", "banana", "Apple"):
        tag(store, account, key, name)
    assert tags_of(store, account, key) == ["Apple", "banana", "zebra", "Äpfel"]


def test_what_cannot_be_seen_gets_no_tag(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    below = file_in(store, account, "a.jpg", folder)
    trash(store, account, folder)
    for key in (folder, below, file_in(store, other, "theirs.jpg"), new_key()):
        with pytest.raises(ObjectMissing):
            tag(store, account, key, "sea")
    assert recent(store, account) == []


def test_removing_what_is_not_there_is_answered_with_false(store: MetadataStore, account: Account) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    made = tag(store, account, a, "sea")
    assert not untag(store, account, b, made.tag_key)
    assert not untag(store, account, a, new_key())
    assert tags_of(store, account, a) == ["sea"]


def test_a_tag_exists_as_long_as_some_object_has_it(store: MetadataStore, account: Account) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    made = tag(store, account, a, "sea")
    tag(store, account, b, "sea")
    assert untag(store, account, a, made.tag_key)
    assert recent(store, account) == ["sea"]
    assert untag(store, account, b, made.tag_key)
    assert recent(store, account) == []
    with store.read() as unit, pytest.raises(Missing):
        unit.tags.get(account.account_id, made.tag_key)


def test_a_tag_whose_last_object_is_purged_is_gone_until_it_is_given_again(
    store: MetadataStore, account: Account
) -> None:
    key = file_in(store, account, "a.jpg")
    made = tag(store, account, key, "sea")
    trash(store, account, key)
    assert recent(store, account) == ["sea"]
    mark_for_deletion(store, account, key)
    purge_all(store, account)
    assert recent(store, account) == []
    with store.read() as unit, pytest.raises(Missing):
        unit.tags.objects(account.account_id, made.tag_key, limit=10)
    tag(store, account, file_in(store, account, "b.jpg"), "sea")
    assert recent(store, account) == ["sea"]


def test_the_tags_given_last_are_the_recent_ones(store: MetadataStore, account: Account) -> None:
    a, b = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    for number, name in enumerate(("one", "two", "three")):
        tag(store, account, a, name, now=NOW + number)
    tag(store, account, b, "one", now=NOW + 9)
    assert recent(store, account) == ["one", "three", "two"]
    assert recent(store, account, limit=2) == ["one", "three"]


def test_the_objects_of_a_tag_are_paged_last_tagged_first(store: MetadataStore, account: Account) -> None:
    keys = [file_in(store, account, f"{number}.jpg") for number in range(5)]
    for number, key in enumerate(keys):
        made = tag(store, account, key, "sea", now=NOW + number)
    assert objects(store, account, made.tag_key) == ["4.jpg", "3.jpg", "2.jpg", "1.jpg", "0.jpg"]
    assert objects(store, account, made.tag_key, limit=2) == ["4.jpg", "3.jpg", "2.jpg", "1.jpg", "0.jpg"]
    trash(store, account, keys[3])
    assert objects(store, account, made.tag_key, limit=3) == ["4.jpg", "2.jpg", "1.jpg", "0.jpg"]


def test_what_is_below_a_trashed_folder_is_not_among_the_objects_of_a_tag(
    store: MetadataStore, account: Account
) -> None:
    folder = make_folder(store, account, account.root_key, "Photos").object_key
    made = tag(store, account, file_in(store, account, "below.jpg", folder), "sea")
    tag(store, account, file_in(store, account, "beside.jpg"), "sea")
    trash(store, account, folder)
    assert objects(store, account, made.tag_key) == ["beside.jpg"]


def test_another_accounts_tags_do_not_exist(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    mine, theirs = file_in(store, account, "mine.jpg"), file_in(store, other, "theirs.jpg")
    made = tag(store, account, mine, "sea")
    their_tag = tag(store, other, theirs, "sea")
    assert their_tag.tag_key != made.tag_key
    assert not untag(store, other, mine, made.tag_key)
    assert tags_of(store, other, mine) == []
    with store.read() as unit:
        with pytest.raises(Missing):
            unit.tags.get(other.account_id, made.tag_key)
        with pytest.raises(Missing):
            unit.tags.objects(other.account_id, made.tag_key, limit=10)
    assert tags_of(store, account, mine) == ["sea"]


def test_the_same_new_tag_from_many_at_once_is_one_tag(store: MetadataStore, account: Account) -> None:
    keys = [file_in(store, account, f"{number}.jpg") for number in range(8)]
    made = in_parallel(8, lambda number: tag(store, account, keys[number], "sea"))
    assert len({one.tag_key for one in made}) == 1
    assert len(objects(store, account, made[0].tag_key)) == 8


def rename(store: MetadataStore, account: Account, tag_key: str, name: str) -> Tag:
    return store.write(lambda unit: unit.tags.rename(account.account_id, tag_key, name, NOW))


def test_many_objects_get_a_tag_at_once_or_none(store: MetadataStore, account: Account) -> None:
    keys = [file_in(store, account, f"{number}.jpg") for number in range(3)]
    new = NewTag(tag_key=new_key(), name="sea")
    with pytest.raises(ObjectMissing):
        store.write(lambda unit: unit.tags.add(account.account_id, [*keys, new_key()], new, NOW))
    assert recent(store, account) == []
    store.write(lambda unit: unit.tags.add(account.account_id, [*keys, keys[0]], new, NOW))
    assert len(objects(store, account, new.tag_key)) == 3
    gone = store.write(
        lambda unit: unit.tags.remove(account.account_id, [keys[2], new_key(), keys[0]], new.tag_key, NOW)
    )
    assert gone == [keys[2], keys[0]]
    assert objects(store, account, new.tag_key) == ["1.jpg"]


def test_a_renamed_tag_stays_on_its_objects(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    made = tag(store, account, key, "see")
    assert rename(store, account, made.tag_key, "Sea").name == "Sea"
    assert rename(store, account, made.tag_key, "sea").name == "sea", "another spelling of its own name"
    assert tags_of(store, account, key) == ["sea"]
    other = tag(store, account, key, "beach")
    with pytest.raises(NameTaken):
        rename(store, account, other.tag_key, "SEA")
    for caller, unknown in ((account, new_key()), (make_account(store), made.tag_key)):
        with pytest.raises(Missing):
            rename(store, caller, unknown, "x")
    assert tags_of(store, account, key) == ["beach", "sea"]


def test_a_name_that_only_a_purged_object_bore_is_free(store: MetadataStore, account: Account) -> None:
    gone, kept = file_in(store, account, "a.jpg"), file_in(store, account, "b.jpg")
    tag(store, account, gone, "sea")
    other = tag(store, account, kept, "beach")
    trash(store, account, gone)
    mark_for_deletion(store, account, gone)
    purge_all(store, account)
    assert rename(store, account, other.tag_key, "sea").name == "sea"


def test_a_deleted_tag_is_off_everything(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    made, kept = tag(store, account, key, "sea"), tag(store, account, key, "beach")
    for caller in (make_account(store), account):
        try:
            store.write(lambda unit, one=caller.account_id: unit.tags.delete(one, made.tag_key, NOW))  # type: ignore[misc]
        except Missing:
            assert caller is not account
            assert tags_of(store, account, key) == ["beach", "sea"]
    assert tags_of(store, account, key) == [kept.name]


def test_all_tags_are_paged_by_name(store: MetadataStore, account: Account) -> None:
    key = file_in(store, account, "a.jpg")
    for name in ("zebra", "Äpfel", "banana", "Apple", "cherry"):
        tag(store, account, key, name)
    other = make_account(store)
    tag(store, other, file_in(store, other, "b.jpg"), "theirs")
    with store.read() as unit:
        found = unit.tags.page(account.account_id, limit=2)
        while page := unit.tags.page(account.account_id, limit=2, after=found[-1][1]):
            found += page
    assert [one.name for one, _ in found] == ["Apple", "banana", "cherry", "zebra", "Äpfel"]
