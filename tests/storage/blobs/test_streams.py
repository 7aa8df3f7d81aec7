"""Chunks of any size come out as blocks of one size."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.storage.blobs.streams import measured, regroup
from skyshelf.storage.errors import SizeMismatch


@given(st.lists(st.binary(max_size=50)), st.integers(1, 40))
def test_blocks_are_full_but_for_the_last_and_lose_nothing(chunks: list[bytes], size: int) -> None:
    blocks = list(regroup(chunks, size))
    assert b"".join(blocks) == b"".join(chunks)
    assert all(len(block) == size for block in blocks[:-1])
    assert all(0 < len(block) <= size for block in blocks)


def test_a_block_is_given_out_before_the_next_chunk_is_asked_for() -> None:
    asked = 0

    def chunks() -> Iterator[bytes]:
        nonlocal asked
        for _ in range(5):
            asked += 1
            yield b"1234"

    assert next(regroup(chunks(), 4)) == b"1234"
    assert asked == 1


@given(st.lists(st.binary(max_size=50)), st.integers(0, 400))
def test_a_stream_passes_only_at_its_announced_size(chunks: list[bytes], announced: int) -> None:
    whole = b"".join(chunks)
    assert b"".join(measured(chunks, len(whole))) == whole
    assert b"".join(measured(chunks, None)) == whole
    if announced != len(whole):
        with pytest.raises(SizeMismatch):
            list(measured(chunks, announced))
