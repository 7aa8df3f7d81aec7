"""Names: which are the same, how they order, and who may have one."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.making import apply, make_account, make_folder, put_file, trash
from tests.conformance.metadata.reading import listing, stored
from tests.examples import examples

from skyshelf.storage.errors import NameTaken, NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import Rename, StoredObject
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.names import clean_name, order_key
from skyshelf.wire.refusals import BadName

pytestmark = pytest.mark.backend

DIFFICULT = [
    "a",
    "A",
    "b",
    "B",
    "é",
    "É",
    "e\u0301x",
    "straße",
    "STRASSE",
    "ſ",
    "ﬁle",
    "file",
    "İstanbul",
    "ıstanbul",
    "Ω",
    "Ω",
    "한글",
    "مرحبا",
    "🏖",
    "👨‍👩‍👧‍👦",
    "🇮🇳",
    "a b",
    "a\u00a0b",
    " leading",
    "trailing ",
    "...",
    "~",
    "%s %(name)s :name $1 ?",
    "'; DROP TABLE objects; --",
    '"quoted"',
    "back\\slash",
    "{}[]null",
    "0",
    "00",
    "1e3",
    "true",
    "z" * 255,
    "ü" * 127,
    "\U0001f3d6" * 63 + "xyz",
    "\ufeffbom",
    "\u200bzero width",
    "\u202eright to left",
    "\U0010ffff",
]


def _clean_names() -> st.SearchStrategy[str]:
    def clean(text: str) -> str | None:
        try:
            return clean_name(text)
        except BadName:
            return None

    names: st.SearchStrategy[str | None] = st.text(max_size=60).map(clean)
    return names.filter(bool)  # type: ignore[return-value]


def test_every_clean_name_is_kept_as_it_is_and_found_again(store: MetadataStore, account: Account) -> None:
    for name in {clean_name(name) for name in DIFFICULT}:
        made = make_folder(store, account, account.root_key, name)
        assert stored(store, account, made.object_key).name == name
        with store.read() as unit:
            assert unit.tree.child_named(account.account_id, account.root_key, name) == made


def test_names_order_as_the_interface_says_and_equally_on_every_backend(store: MetadataStore, account: Account) -> None:
    names = sorted({clean_name(name) for name in DIFFICULT})
    keys = {name: make_folder(store, account, account.root_key, name).object_key for name in names}
    expected = sorted(names, key=lambda name: (order_key(name), keys[name]))
    assert listing(store, account, account.root_key) == expected
    with store.read() as unit:
        assert [one.name for one in unit.tree.children(account.account_id, account.root_key)] == expected


def test_any_names_at_all_order_as_the_interface_says(store: MetadataStore) -> None:
    @settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.sets(_clean_names(), max_size=12))
    def check(names: set[str]) -> None:
        account = make_account(store)
        keys = {name: make_folder(store, account, account.root_key, name).object_key for name in names}
        expected = sorted(names, key=lambda name: (order_key(name), keys[name]))
        assert listing(store, account, account.root_key) == expected

    check()


def test_upper_and_lower_case_are_two_names_that_stand_side_by_side(store: MetadataStore, account: Account) -> None:
    for name in ("b", "A", "a", "B"):
        put_file(store, account, account.root_key, name)
    names = listing(store, account, account.root_key)
    assert [name.lower() for name in names] == ["a", "a", "b", "b"]
    assert set(names) == {"a", "A", "b", "B"}


def test_composed_and_decomposed_are_one_name_after_cleaning(store: MetadataStore, account: Account) -> None:
    composed, decomposed = clean_name("é.txt"), clean_name(unicodedata.normalize("NFD", "é.txt"))
    first = put_file(store, account, account.root_key, composed, b"1")
    second = put_file(store, account, account.root_key, decomposed, b"2")
    assert second.object.object_key == first.object.object_key
    assert second.object.version == 2


def test_a_name_of_255_bytes_fits(store: MetadataStore, account: Account) -> None:
    name = "é" * 127 + "x"
    assert len(name.encode()) == 255
    put_file(store, account, account.root_key, name)
    assert listing(store, account, account.root_key) == [name]


def test_a_taken_name_refuses_a_folder_whether_a_file_or_a_folder_has_it(
    store: MetadataStore, account: Account
) -> None:
    make_folder(store, account, account.root_key, "folder")
    put_file(store, account, account.root_key, "file")
    for name in ("folder", "file"):
        with pytest.raises(NameTaken):
            make_folder(store, account, account.root_key, name)
    assert listing(store, account, account.root_key) == ["file", "folder"]


def test_a_file_cannot_take_the_name_of_a_folder(store: MetadataStore, account: Account) -> None:
    make_folder(store, account, account.root_key, "taken")
    with pytest.raises(NameTaken):
        put_file(store, account, account.root_key, "taken")


def test_the_same_name_is_free_in_another_folder_and_in_another_account(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    folder = make_folder(store, account, account.root_key, "same")
    make_folder(store, account, folder.object_key, "same")
    make_folder(store, other, other.root_key, "same")
    assert listing(store, other, other.root_key) == ["same"]


def test_trash_frees_a_name_and_holds_it_as_often_as_one_likes(store: MetadataStore, account: Account) -> None:
    for number in range(3):
        folder = make_folder(store, account, account.root_key, "again")
        trash(store, account, folder.object_key, now=number)
    make_folder(store, account, account.root_key, "again")
    assert listing(store, account, account.root_key) == ["again"]


def test_a_rename_onto_a_taken_name_is_refused_and_changes_nothing(store: MetadataStore, account: Account) -> None:
    one = make_folder(store, account, account.root_key, "one")
    make_folder(store, account, account.root_key, "two")
    (refusal,) = apply(store, account, Rename(one.object_key, "two"))
    assert isinstance(refusal, NameTaken)
    assert stored(store, account, one.object_key) == one


def test_a_rename_that_changes_only_the_case_is_a_rename(store: MetadataStore, account: Account) -> None:
    one = make_folder(store, account, account.root_key, "photos")
    (renamed,) = apply(store, account, Rename(one.object_key, "Photos"))
    assert isinstance(renamed, StoredObject)
    assert listing(store, account, account.root_key) == ["Photos"]


def test_a_parent_that_is_a_file_or_hidden_takes_nothing(store: MetadataStore, account: Account) -> None:
    file = put_file(store, account, account.root_key, "file").object
    outer = make_folder(store, account, account.root_key, "outer")
    inner = make_folder(store, account, outer.object_key, "inner")
    trash(store, account, outer.object_key)
    for make in (make_folder, put_file):
        with pytest.raises(NotAFolder):
            make(store, account, file.object_key, "x")
        for hidden in (outer, inner):
            with pytest.raises(ObjectMissing):
                make(store, account, hidden.object_key, "x")
