"""Merkle trees, leaves and heads: known values, and laws of all trees."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.storage.metadata.history.log import grown, needed_places, open_places, range_hashes
from skyshelf.wire.proofs.heads import KEY_NAME, Head, SignedHead, key_hash, key_id, read_note
from skyshelf.wire.proofs.leaves import (
    Body,
    decode_before,
    decode_body,
    decode_state,
    encode_state,
    hash_of_body,
    hash_of_leaf,
)
from skyshelf.wire.proofs.merkle import (
    EMPTY,
    GrowingTree,
    consistency_ranges,
    included_root,
    inclusion_ranges,
    is_consistent,
    leaf_hash,
    node_hash,
)

# The inputs and roots that implementations of RFC 6962 are tested with.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
KNOWN = [leaf_hash(bytes.fromhex(one)) for one in INPUTS]
MANY = [leaf_hash(number.to_bytes(4)) for number in range(70_000)]
TILES = grown(0, {}, MANY)

BODY = "880166b34f4aa897e7a09b9c182e7228105fe10fbbdab78d9b7a5de1e333bb3f"
LEAF = "efd176e6907bf7e5683595889bec607d83beda4a1134738197755f65f569f15c"
MISSING = "6dac3dfd25fd56046244f26f7f9b4f1259b0724bc10ec8fc7c007e12fd929d8f"


def root_of(leaves: list[bytes]) -> bytes:
    """Compute the root as RFC 6962 defines it in section 2.1."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return node_hash(root_of(leaves[:half]), root_of(leaves[half:]))


def path_of(ranges: list[tuple[int, int]], leaves: list[bytes]) -> list[bytes]:
    return [root_of(leaves[low:high]) for low, high in ranges]


def test_roots_are_those_of_the_standard() -> None:
    tree = GrowingTree()
    assert tree.root() == EMPTY
    for leaf, root in zip(KNOWN, ROOTS, strict=True):
        tree.add(leaf)
        assert tree.root().hex() == root


def test_proofs_are_those_of_the_standard() -> None:
    """The example of section 2.1.3: seven leaves."""
    assert inclusion_ranges(0, 7) == [(1, 2), (2, 4), (4, 7)]
    assert inclusion_ranges(3, 7) == [(2, 3), (0, 2), (4, 7)]
    assert inclusion_ranges(4, 7) == [(5, 6), (6, 7), (0, 4)]
    assert inclusion_ranges(6, 7) == [(4, 6), (0, 4)]
    assert consistency_ranges(3, 7) == [(2, 3), (3, 4), (0, 2), (4, 7)]
    assert consistency_ranges(4, 7) == [(4, 7)]
    assert consistency_ranges(6, 7) == [(4, 6), (6, 7), (0, 4)]
    # Known hashes of proofs of the eight inputs.
    assert path_of(inclusion_ranges(0, 8), KNOWN)[0].hex().startswith("96a296d2")
    assert path_of(consistency_ranges(1, 8), KNOWN)[1].hex().startswith("5f083f0a")


@given(st.integers(1, 40), st.data())
def test_a_leaf_is_proven_to_be_in_a_tree_and_nothing_else_is(size: int, data: st.DataObject) -> None:
    leaves = MANY[:size]
    index = data.draw(st.integers(0, size - 1))
    path = path_of(inclusion_ranges(index, size), leaves)
    root = root_of(leaves)
    assert included_root(leaves[index], index, size, path) == root
    assert included_root(b"x" * 32, index, size, path) != root
    other = data.draw(st.integers(0, size + 2))
    if other != index:
        assert included_root(leaves[index], other, size, path) != root
    assert included_root(leaves[index], index, size, [*path, root]) != root
    if path:
        assert included_root(leaves[index], index, size, path[:-1]) != root
    tree = GrowingTree.before(index, size, path)
    assert tree.root() == root_of(leaves[:index])
    for leaf in leaves[index:]:
        tree.add(leaf)
    assert tree.root() == root


@given(st.integers(0, 40), st.integers(0, 40), st.data())
def test_a_tree_is_proven_to_continue_another_and_no_other_one(old: int, new: int, data: st.DataObject) -> None:
    old, new = min(old, new), max(old, new)
    leaves = MANY[:new]
    path = path_of(consistency_ranges(old, new), leaves)
    older, newer = (old, root_of(leaves[:old])), (new, root_of(leaves))
    assert is_consistent(older, newer, path)
    assert not is_consistent((old, b"x" * 32), newer, path)
    if old:
        assert not is_consistent(older, (new, b"x" * 32), path)
        changed = data.draw(st.integers(0, old - 1))
        forged = [*leaves[:changed], b"x" * 32, *leaves[changed + 1 :]]
        assert not is_consistent(older, (new, root_of(forged)), path_of(consistency_ranges(old, new), forged))
    assert not is_consistent(older, newer, [*path, b"x" * 32])
    if new > old:
        assert not is_consistent(newer, older, path)


@given(st.lists(st.integers(1, 700), min_size=1, max_size=5))
def test_tiles_grow_batch_by_batch_to_the_same_tree(batches: list[int]) -> None:
    tiles: dict[int, bytes] = {}
    size = 0
    for count in batches:
        opened = {place: tiles[place] for place in open_places(size)}
        tiles |= grown(size, opened, MANY[size : size + count])
        size += count
    assert tiles == grown(0, {}, MANY[:size])


@given(st.integers(1, 70_000), st.data())
def test_proofs_of_large_trees_read_few_tiles(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    ranges = [*inclusion_ranges(index, size), (0, size)]
    places = needed_places(ranges)
    assert len(places) <= 6
    *path, root = range_hashes({place: TILES[place] for place in places}, ranges)
    assert included_root(MANY[index], index, size, path) == root
    older = range_hashes(TILES, [(0, index)])[0] if index else EMPTY
    proof = consistency_ranges(index, size)
    assert len(needed_places(proof)) <= 6
    assert is_consistent((index, older), (size, root), range_hashes(TILES, proof))


def test_a_leaf_never_changes() -> None:
    """Hashes of a change that are written down: other ones would break every log there is."""
    state = encode_state(b"p" * 16, (False, "A", "a.txt", 3), (b"s" * 32, b"m" * 16), 1, (8, 7))
    body = Body("renamed", b"k" * 16, "device/session", None, state)
    assert decode_body(body.encoded()) == body
    seen = decode_state(state)
    assert (seen.name, seen.size, seen.version, seen.is_favorite, seen.status) == ("a.txt", 3, 1, True, "A")
    assert hash_of_body(body.encoded()).hex() == BODY
    assert hash_of_leaf(5, 1_700_000_000_000, hash_of_body(body.encoded())).hex() == LEAF
    assert hash_of_leaf(5, 0, None).hex() == MISSING


@given(st.binary(max_size=60))
def test_records_that_are_none_are_refused(record: bytes) -> None:
    for decode in (decode_body, decode_state, decode_before):
        try:
            decode(record)
        except ValueError:
            continue
        assert decode is decode_before


def test_a_head_is_a_signed_note_and_signatures_of_others_do_no_harm() -> None:
    head = Head("0123456789ABCDEF" * 2, 7, b"r" * 32, 3, 1_700_000_000_000)
    signed = SignedHead(head, key_hash(key_id(b"p" * 32)), b"s" * 64)
    note = signed.note()
    assert note.startswith(
        f"{KEY_NAME}/{head.log}\n7\n{base64.b64encode(b'r' * 32).decode()}\nstart 3\ntime 1700000000000\n\n"
    )
    assert note.splitlines()[-1].startswith(f"\u2014 {KEY_NAME} ")
    assert read_note(note) == signed
    assert head.newest == 9
    witness = f"\u2014 witness.example.org {base64.b64encode(b'w' * 68).decode()}\n"
    assert read_note(note + witness) == signed
    assert read_note(note.replace("\n\n", f"\n\n{witness}")) == signed


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n7\n", "\n07\n"),
        ("\n7\n", "\n-7\n"),
        ("start 3\n", ""),
        ("time", "other 1\ntime"),
        ("\n\n", "\n"),
        ("\u2014", "-"),
    ],
)
def test_a_head_has_one_form(old: str, new: str) -> None:
    note = SignedHead(Head("AB" * 16, 7, b"r" * 32, 3, 5), b"kkkk", b"s" * 64).note()
    with pytest.raises(ValueError, match=r"^it "):
        read_note(note.replace(old, new, 1))
