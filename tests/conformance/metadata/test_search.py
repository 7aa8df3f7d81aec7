"""A search finds exactly what a scan of all names finds, in any script, however short the text."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    apply,
    make_account,
    make_folder,
    mark_for_deletion,
    new_file,
    new_key,
    purge_all,
    put_file,
    restore,
    trash,
)
from tests.examples import examples

from skyshelf.storage.metadata import search_index as search_terms
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.tree import (
    Move,
    NewTag,
    Range,
    Rename,
    SearchCursor,
    SearchFilter,
    SetFavorite,
    StoredObject,
)
from skyshelf.storage.metadata.postgres.search import PostgresSearchIndex
from skyshelf.storage.metadata.sql import search as sql_search
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.wire.limits import TIME_MS_MAX
from skyshelf.wire.names import extension
from skyshelf.wire.search_rule import SearchText

pytestmark = pytest.mark.backend

ALPHABET = "aAbBéÉßıİxX19 ._-ñかがガ漢字한ȟﬁ🙂ʼnΣςДй"
names = st.text(ALPHABET, min_size=1, max_size=8).map(lambda name: name.strip(" .") or "a")
queries = st.one_of(st.text(ALPHABET, max_size=4), names)


def everything_found(
    store: MetadataStore, account: Account, wanted: SearchFilter, *, limit: int = 50, at_most: int = 1000
) -> list[str]:
    """The keys of all pages, in order."""
    keys: list[str] = []
    after: SearchCursor | None = None
    for _ in range(at_most):
        with store.read() as unit:
            page = unit.search.page(account.account_id, wanted, limit=limit, after=after)
        assert len(page.objects) <= limit
        keys += [encoded.split(b'"objectKey":"', 1)[1][:32].decode() for encoded in page.objects]
        after = page.next
        if after is None:
            return keys
    raise AssertionError("the search does not come to its end")


def found(store: MetadataStore, account: Account, text: str = "", **wanted: object) -> list[str]:
    return everything_found(store, account, SearchFilter(text=text, **wanted))  # type: ignore[arg-type]


def walked(store: MetadataStore, account: Account, folder_key: str) -> Iterator[StoredObject]:
    """Everything that can be seen below a folder."""
    with store.read() as unit:
        children = unit.tree.children(account.account_id, folder_key)
    for child in children:
        yield child
        if child.is_folder:
            yield from walked(store, account, child.object_key)


def test_the_best_match_comes_first_and_then_the_newest(store: MetadataStore, account: Account) -> None:
    root = account.root_key

    def put(name: str, **fields: object) -> str:
        return put_file(store, account, root, name, **fields).object.object_key  # type: ignore[arg-type]

    part = put("my-grabeach.txt")
    source = put("photo.jpg", source_folder="/phone/Beach")
    word = put("the beach.txt")
    older, newer = put("beach 1.txt"), put("beach 2.txt")
    whole = make_folder(store, account, root, "Béach").object_key
    put("bench.txt")
    assert found(store, account, "BEACH") == [whole, newer, older, word, part, source]
    assert everything_found(store, account, SearchFilter(text="beach"), limit=1) == [
        whole,
        newer,
        older,
        word,
        part,
        source,
    ]


def test_new_content_makes_a_file_the_newest_and_a_new_name_does_not(store: MetadataStore, account: Account) -> None:
    first = put_file(store, account, account.root_key, "note a").object.object_key
    second = put_file(store, account, account.root_key, "note b").object.object_key
    assert found(store, account, "note") == [second, first]
    put_file(store, account, account.root_key, "note a", b"other", now=NOW + 1)
    assert found(store, account, "note") == [first, second]
    apply(store, account, Rename(second, "note c"))
    assert found(store, account, "note") == [first, second]


def test_words_may_stand_in_any_order_and_all_of_them_must_be_there(store: MetadataStore, account: Account) -> None:
    one = put_file(store, account, account.root_key, "summer holiday 2024.jpg").object.object_key
    put_file(store, account, account.root_key, "summer work 2024.jpg")
    assert found(store, account, "2024 holi") == [one]
    assert found(store, account, "  holiday\t") == [one]
    assert found(store, account, "holiday winter") == []


def test_what_changes_is_found_by_its_new_name_alone(store: MetadataStore, account: Account) -> None:
    key = put_file(store, account, account.root_key, "before.txt").object.object_key
    apply(store, account, Rename(key, "after.txt"))
    assert found(store, account, "before") == []
    assert found(store, account, "after") == [key]


def test_merging_the_index_changes_nothing_that_is_found(store: MetadataStore, account: Account) -> None:
    keys = [put_file(store, account, account.root_key, f"note {number}").object.object_key for number in range(12)]
    for key in keys[::2]:
        apply(store, account, Rename(key, f"letter {key}"))
    trash(store, account, keys[0])
    before = [found(store, account, text) for text in ("note", "letter", "")]
    while store.write(lambda unit: unit.search.merge_some(1)):
        pass
    assert [found(store, account, text) for text in ("note", "letter", "")] == before


def test_what_is_trashed_or_below_it_or_gone_is_not_found(store: MetadataStore, account: Account) -> None:
    folder = make_folder(store, account, account.root_key, "holiday").object_key
    deeper = make_folder(store, account, folder, "more").object_key
    below = put_file(store, account, deeper, "holiday.jpg").object.object_key
    alone = put_file(store, account, account.root_key, "a holiday.jpg").object.object_key
    trash(store, account, folder, alone)
    assert found(store, account, "holiday") == []
    restore(store, account, folder)
    assert sorted(found(store, account, "holiday")) == sorted([folder, below])
    trash(store, account, folder)
    mark_for_deletion(store, account, folder, alone)
    purge_all(store, account)
    assert found(store, account, "holiday") == []
    again = put_file(store, account, account.root_key, "holiday.jpg").object.object_key
    assert found(store, account, "holiday") == [again]


def test_every_filter_leaves_out_what_does_not_fit(store: MetadataStore, account: Account) -> None:
    root = account.root_key
    folder = make_folder(store, account, root, "Trip").object_key
    photo = put_file(
        store,
        account,
        folder,
        "trip.JPG",
        b"x" * 10,
        last_modified_at=50,
        file_created_at=40,
        taken_at=30,
        taken_day=101,
    ).object.object_key
    film = put_file(store, account, folder, "trip.mp4", b"x" * 20, last_modified_at=60).object.object_key
    paper = put_file(store, account, root, "trip.pdf", b"x" * 30).object.object_key
    sound = put_file(store, account, root, "trip.mp3", b"x" * 40).object.object_key
    apply(store, account, SetFavorite(film, True), SetFavorite(folder, True))
    tag = NewTag(tag_key=new_key(), name="Sea")
    store.write(lambda unit: unit.tags.add(account.account_id, [photo], tag, NOW))

    def keys(**wanted: object) -> set[str]:
        for_all = found(store, account, "trip", **wanted)
        assert sorted(found(store, account, "", **wanted)) == sorted(for_all)
        return set(for_all)

    assert keys() == {folder, photo, film, paper, sound}
    assert keys(extension="jpg") == {photo}
    assert keys(kind="photo") == {photo}
    assert keys(kind="video") == {film}
    assert keys(kind="audio") == {sound}
    assert keys(kind="document") == {paper}
    assert keys(kind="folder") == {folder}
    assert keys(favorite=True) == {film, folder}
    assert keys(favorite=False) == {photo, paper, sound}
    assert keys(size=Range(20, 30)) == {film, paper}
    assert keys(size=Range(0, None)) == {photo, film, paper, sound}
    assert keys(modified=Range(50, 60)) == {photo, film}
    assert keys(created=Range(None, 40)) == {photo}
    assert keys(taken=Range(30, 30)) == {photo}
    assert keys(taken=Range(31, None)) == set()
    assert keys(folder_key=folder) == {photo, film}
    assert keys(tag="sEA") == {photo}
    assert keys(tag="sEA", folder_key=root, kind="photo") == {photo}
    assert keys(tag="seaside") == set()


def test_accounts_never_find_each_others_things(store: MetadataStore, account: Account) -> None:
    other = make_account(store)
    key = put_file(store, account, account.root_key, "shared name.txt").object.object_key
    theirs = put_file(store, other, other.root_key, "shared name.txt").object.object_key
    assert found(store, account, "shared") == [key]
    assert found(store, other, "shared") == [theirs]
    assert found(store, account) == [key]


def test_a_call_does_a_bounded_amount_of_work_and_the_search_goes_on(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trashed folder with many hits is passed over page by page, and nothing behind it is lost."""
    monkeypatch.setattr(sql_search, "MOST_EXAMINED", 10)
    monkeypatch.setattr(sql_search, "SPARE", 2)
    monkeypatch.setattr(PostgresSearchIndex, "newest_looked_at", 20)
    oldest = put_file(store, account, account.root_key, "hit oldest").object.object_key
    folder = make_folder(store, account, account.root_key, "going").object_key
    files = [new_file(folder, f"hit {number}") for number in range(60)]
    store.write(
        lambda unit: [unit.files.put(account.account_id, file, NOW, keep_versions=1) for file in files] and None
    )
    trash(store, account, folder)
    assert found(store, account, "hit") == [oldest]
    assert found(store, account, "it") == [oldest]
    assert everything_found(store, account, SearchFilter(text="hit", size=Range(1, None)), limit=1) == [oldest]


@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_the_index_and_a_walk_find_the_same(
    lasting_store: Store, data: st.DataObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that a few objects are many: the newest are looked at in another way than the rest.
    monkeypatch.setattr(PostgresSearchIndex, "newest_looked_at", 3)
    monkeypatch.setattr(sql_search, "SPARE", 1)
    store, account = lasting_store, make_account(lasting_store)
    folders, objects = [account.root_key], []
    for name in data.draw(st.lists(names, min_size=1, max_size=12, unique_by=str.casefold)):
        parent = data.draw(st.sampled_from(folders))
        if data.draw(st.booleans()):
            folders.append(make_folder(store, account, parent, name).object_key)
            objects.append(folders[-1])
        else:
            source = data.draw(st.sampled_from(["", "/phone/DCIM", "Ärger/がく"]))
            objects.append(put_file(store, account, parent, name, source_folder=source).object.object_key)
    for key in data.draw(st.lists(st.sampled_from(objects), max_size=5)):
        change = data.draw(st.sampled_from(["rename", "move", "trash", "restore", "favorite"]))
        if change == "trash":
            trash(store, account, key)
        elif change == "restore":
            store.write(lambda unit, key=key: unit.tree.restore(account.account_id, [key], NOW))  # type: ignore[misc]
        else:
            apply(
                store,
                account,
                Rename(key, data.draw(names))
                if change == "rename"
                else SetFavorite(key, True)
                if change == "favorite"
                else Move(key, data.draw(st.sampled_from(folders))),
            )
    seen = list(walked(store, account, account.root_key))
    for query in data.draw(st.lists(queries, min_size=3, max_size=6)):
        ending = data.draw(st.sampled_from([None, None, "x", "9"]))
        text = SearchText(query)
        expected = {
            one.object_key: rank
            for one in seen
            if (rank := text.rank(one.name, one.source_folder)) is not None
            and (ending is None or (not one.is_folder and extension(one.name) == ending))
        }
        hits = everything_found(
            store, account, SearchFilter(text=query, extension=ending), limit=data.draw(st.integers(1, 5))
        )
        assert sorted(hits) == sorted(expected), query
        assert [expected[key] for key in hits] == sorted(expected.values()), query


MONTH = 30 * 24 * 3600 * 1000
moments = st.one_of(
    st.integers(0, TIME_MS_MAX),
    st.sampled_from([0, 1, MONTH, NOW, NOW + MONTH, 4_133_980_799_999, 4_133_980_800_000, TIME_MS_MAX]),
    st.integers(NOW - 30 * MONTH, NOW + 30 * MONTH),
)
sizes = st.one_of(st.integers(0, 70), st.integers(0, 2**40), st.sampled_from([0, 1, 2**20 - 1, 2**20, 2**40]))


def ranges(values: st.SearchStrategy[int]) -> st.SearchStrategy[Range]:
    return st.builds(Range, st.none() | values, st.none() | values)


def is_in(value: int | None, range_: Range) -> bool:
    if range_.is_open:
        return True
    return (
        value is not None
        and (range_.first is None or value >= range_.first)
        and (range_.last is None or value <= range_.last)
    )


@settings(
    max_examples=examples(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_ranges_leave_out_exactly_what_is_outside(
    lasting_store: Store, data: st.DataObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PostgresSearchIndex, "newest_looked_at", 3)
    store, account = lasting_store, make_account(lasting_store, default_space=2**60)
    for number in range(data.draw(st.integers(1, 6))):
        put_file(
            store,
            account,
            account.root_key,
            f"file {number}",
            f"{account.account_id} {number}".encode(),
            size=data.draw(sizes),
            last_modified_at=data.draw(moments),
            file_created_at=data.draw(moments),
            taken_at=data.draw(st.none() | moments),
        )
    make_folder(store, account, account.root_key, "file folder")
    seen = list(walked(store, account, account.root_key))
    for _ in range(4):
        wanted = SearchFilter(
            text=data.draw(st.sampled_from(["", "file"])),
            size=data.draw(ranges(sizes)),
            modified=data.draw(st.just(Range()) | ranges(moments)),
            created=data.draw(st.just(Range()) | ranges(moments)),
            taken=data.draw(st.just(Range()) | ranges(moments)),
        )
        expected = {
            one.object_key
            for one in seen
            if is_in(None if one.is_folder else one.size, wanted.size)
            and is_in(one.last_modified_at, wanted.modified)
            and is_in(one.file_created_at, wanted.created)
            and is_in(one.taken_at, wanted.taken)
        }
        hits = everything_found(store, account, wanted, limit=3)
        assert sorted(hits) == sorted(expected), wanted


def index_size(store: Store, account: Account) -> int:
    """How many terms the index has, of whichever object."""
    with store.read() as unit:
        if isinstance(unit.sql.search_index, PostgresSearchIndex):
            row = unit.sql.one(
                "SELECT coalesce(sum(cardinality(terms)), 0) FROM search_entries WHERE account_id = :account",
                {"account": account.account_id},
            )
        else:
            row = unit.sql.one("SELECT coalesce(sum(length(block)), 0) FROM search_terms_data WHERE id > 10")
    assert row is not None
    return int(row[0])


# No character twice, so that every three of them make a new term.
LONG_NAME = "".join(chr(0x4E00 + number) for number in range(60)) + " the end"
LONG_PATH = "/".join(chr(0x5000 + number) + chr(0x6000 + number) for number in range(1300)) + "/last folder"


def test_the_longest_texts_are_found_by_every_part_that_counts(store: MetadataStore, account: Account) -> None:
    titles = " ".join(f"word{number}" for number in range(40))[:251]
    key = put_file(store, account, account.root_key, titles, source_folder=LONG_PATH).object.object_key
    other = put_file(store, account, account.root_key, LONG_NAME).object.object_key
    put_file(store, account, account.root_key, "neither.txt", source_folder="/elsewhere")
    for word in titles.split():
        assert found(store, account, word) == [key]
    assert found(store, account, titles) == [key]
    assert found(store, account, "the end") == [other]
    assert found(store, account, LONG_NAME[30:34]) == [other]
    assert found(store, account, LONG_PATH[-30:-20]) == [key]
    assert found(store, account, "last folder") == [key]
    assert found(store, account, LONG_PATH[:4]) == [], "of a long path, its end counts"


def test_an_object_has_a_limited_number_of_terms(store: Store, account: Account) -> None:
    put_file(store, account, account.root_key, "x.txt", source_folder="/DCIM")
    before = index_size(store, account)
    for number in range(10):
        put_file(store, account, account.root_key, f"{number}{LONG_NAME}", source_folder=LONG_PATH)
    assert index_size(store, account) - before < 10 * 9000


def test_what_a_transaction_leaves_out_of_the_index_is_found_all_the_same(
    store: MetadataStore, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_terms, "DIFFERENT_TERMS", 60)
    files = [new_file(account.root_key, f"holiday {number} at the sea.txt") for number in range(12)]
    files += [new_file(account.root_key, f"{number}.jpg", source_folder="/phone/beach") for number in range(3)]
    store.write(lambda unit: unit.files.put_many(account.account_id, files, NOW, keep_versions=1))
    assert len(found(store, account, "sea")) == 12
    assert len(found(store, account, "holiday 7")) == 1
    assert len(found(store, account, "beach")) == 3
    assert found(store, account, "mountain") == []
    keys = [file.object_key for file in files]
    trash(store, account, *keys)
    assert found(store, account, "sea") == []
    restore(store, account, *keys)
    assert found(store, account, "sea 7") == [keys[7]]
    assert len(found(store, account, "holiday")) == 12
    assert found(store, account, "3", kind="photo") == []


def test_a_favourite_is_not_indexed_again(store: Store, account: Account) -> None:
    keys = [
        put_file(store, account, account.root_key, f"{number}.txt", source_folder=LONG_PATH).object.object_key
        for number in range(5)
    ]
    before = index_size(store, account)
    apply(store, account, *(SetFavorite(key, True) for key in keys[:3]))
    assert index_size(store, account) == before
    assert sorted(found(store, account, favorite=True)) == sorted(keys[:3])
    assert found(store, account, "2", favorite=True) == [keys[2]]
    assert found(store, account, "4", favorite=True) == []
    assert sorted(found(store, account, favorite=False)) == sorted(keys[3:])


def test_more_favourites_than_are_examined_at_once_are_found(
    store: MetadataStore, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_search, "MOST_EXAMINED", 4)
    monkeypatch.setattr(sql_search, "_FAVORITES", sql_search._FAVORITES.replace("4001", "5"))
    keys = [put_file(store, account, account.root_key, f"{number}.txt").object.object_key for number in range(9)]
    apply(store, account, *(SetFavorite(key, True) for key in keys[:7]))
    assert sorted(found(store, account, favorite=True)) == sorted(keys[:7])
