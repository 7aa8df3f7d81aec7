"""Banners: shown in their time, listed and removed by the operator."""

from tests.conformance.metadata.making import NOW, new_key

from skyshelf.storage.metadata.contracts.accounts import Banner
from skyshelf.storage.metadata.store import MetadataStore


def add(store: MetadataStore, title: str, start: int, end: int) -> Banner:
    banner = Banner(
        banner_key=new_key(),
        title=title,
        text="Größer, 更大 🎉",
        image_url="https://example.org/a.png",
        action_url="https://example.org/",
        start_at=start,
        end_at=end,
    )
    store.write(lambda unit: unit.banners.add(banner))
    return banner


def test_every_field_of_a_banner_comes_back(store: MetadataStore) -> None:
    banner = add(store, "Hello", NOW, NOW + 1)
    with store.read() as unit:
        assert unit.banners.everything() == [banner]


def test_a_banner_is_shown_from_its_start_and_no_longer_at_its_end(store: MetadataStore) -> None:
    banner = add(store, "Hello", NOW, NOW + 10)
    with store.read() as unit:
        assert [unit.banners.live(now) for now in (NOW - 1, NOW, NOW + 9, NOW + 10)] == [[], [banner], [banner], []]


def test_the_newest_start_comes_first(store: MetadataStore) -> None:
    second = add(store, "second", NOW + 1, NOW + 10)
    first = add(store, "first", NOW, NOW + 10)
    past = add(store, "past", NOW - 10, NOW - 5)
    with store.read() as unit:
        assert unit.banners.live(NOW + 2) == [second, first]
        assert unit.banners.everything() == [second, first, past]


def test_a_removed_banner_is_gone(store: MetadataStore) -> None:
    kept, gone = add(store, "kept", NOW, NOW + 1), add(store, "gone", NOW, NOW + 1)
    assert store.write(lambda unit: unit.banners.remove(gone.banner_key))
    assert not store.write(lambda unit: unit.banners.remove(gone.banner_key))
    with store.read() as unit:
        assert unit.banners.everything() == [kept]
