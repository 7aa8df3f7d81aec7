"""A cache that forgets what was used longest ago."""

from skyshelf.storage.blobs.hashing import BoundedCache, ContentHash, RunningHashes
from skyshelf.storage.blobs.protocols import Part


def test_the_entry_that_was_not_used_for_longest_goes_first() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


def test_weights_count_and_not_entries() -> None:
    cache: BoundedCache[str, int] = BoundedCache(10)
    cache.put("small", 1, 3)
    cache.put("small", 2, 4)
    cache.put("large", 3, 6)
    assert (cache.get("small"), cache.get("large")) == (2, 3)
    cache.put("too large", 4, 11)
    assert len(cache) == 0
    cache.put("again", 5, 10)
    assert cache.get("again") == 5


def test_what_is_forgotten_is_gone() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    cache.put("a", 1)
    cache.forget("a")
    cache.forget("never there")
    assert cache.get("a") is None


def test_digests_are_found_by_the_part_they_end_with() -> None:
    hashes = RunningHashes()
    content = ContentHash()
    content.update(b"12345")
    hashes.remember("id", Part(0, 5, "", "token"), content)
    found = hashes.upto("id", Part(0, 5, "", "token"))
    assert found is not None
    assert found.sha256 == content.sha256
    assert hashes.upto("id", Part(0, 5, "", "other token")) is None
    assert hashes.upto("id", Part(0, 4, "", "token")) is None
    assert hashes.upto("other id", Part(0, 5, "", "token")) is None


def test_the_digests_before_the_last_part_are_kept_too() -> None:
    hashes = RunningHashes()
    parts = [Part(at, 1, "", f"token {at}") for at in range(3)]
    content = ContentHash()
    for part in parts:
        content = content.copy()
        content.update(b"x")
        hashes.remember("id", part, content)
    assert hashes.upto("id", parts[0]) is None
    assert hashes.furthest("id", parts).size == 3
    assert hashes.furthest("id", parts[:2]).size == 2
    assert hashes.furthest("id", parts[:1]).size == 0
