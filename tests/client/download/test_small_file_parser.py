"""Many contents in one body, in whatever pieces it arrives, and whatever it is."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from skyshelf.client.download.small_files import MultiContentParser
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.wire.resources.downloads import HEAD_BYTES_MAX, ContentHead

MOST = 1000


def written(head: ContentHead, content: bytes) -> bytes:
    return json.encode(head) + b"\n" + content


def told(content: bytes) -> ContentHead:
    return ContentHead(object_key="A" * 32, size_in_bytes=len(content), hash="0" * 32)


refused = st.just((ContentHead(object_key="B" * 32, error_code="SKY3000", error_message="None such\n"), b""))
sent = st.binary(max_size=100).map(lambda content: (told(content), content))
bodies = st.lists(st.one_of(sent, refused), max_size=10)


def in_pieces(body: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    return [body[start:end] for start, end in pairwise(places)]


def read(body: bytes, size: int) -> None:
    """Feed it in pieces of that size."""
    reader = MultiContentParser(MOST)
    for start in range(0, len(body), size):
        list(reader.feed(body[start : start + size]))


@given(bodies, st.lists(st.integers(min_value=0), max_size=20))
def test_whatever_the_pieces_the_contents_are_the_same(
    wanted: list[tuple[ContentHead, bytes]], cuts: list[int]
) -> None:
    reader = MultiContentParser(MOST)
    found: list[tuple[ContentHead, bytes]] = []
    for piece in in_pieces(b"".join(written(*one) for one in wanted), cuts):
        found += [(head, bytes(content)) for head, content in reader.feed(piece)]
    assert found == wanted
    assert reader.is_between


@given(bodies.filter(bool), st.data())
def test_a_body_that_is_cut_gives_what_was_whole_and_is_known_to_be_cut(
    wanted: list[tuple[ContentHead, bytes]], data: st.DataObject
) -> None:
    parts = [written(*one) for one in wanted]
    ends = [sum(map(len, parts[: count + 1])) for count in range(len(parts))]
    cut = data.draw(st.integers(0, ends[-1] - 1))
    reader = MultiContentParser(MOST)
    found = list(reader.feed(b"".join(parts)[:cut]))
    whole = [end for end in ends if end <= cut]
    assert [head for head, _ in found] == [head for head, _ in wanted[: len(whole)]]
    assert reader.is_between == (cut in {0, *ends})


@given(st.binary(max_size=2000), st.lists(st.integers(min_value=0), max_size=5))
def test_nothing_else_comes_out_of_anything(body: bytes, cuts: list[int]) -> None:
    reader = MultiContentParser(MOST)
    try:
        for piece in in_pieces(body, cuts):
            assert all(len(content) <= MOST for _, content in reader.feed(piece))
    except UnexpectedAnswerError:
        pass


@pytest.mark.parametrize(
    "line",
    [
        b"<html>",
        b"{}",
        b"[]",
        b"\xff",
        b'{"objectKey":1}',
        b'{"objectKey":"A"}',
        b'{"objectKey":"A","sizeInBytes":-1}',
        b'{"objectKey":"A","sizeInBytes":1001}',
        b'{"objectKey":"A","sizeInBytes":1e99}',
        b'{"objectKey":"A","sizeInBytes":99999999999999999999999}',
        b'{"objectKey":"' + b"A" * HEAD_BYTES_MAX + b'"}',
        b"[" * (HEAD_BYTES_MAX - 1),
    ],
)
def test_a_line_that_is_no_head_is_refused(line: bytes) -> None:
    for size in (1, 7, len(line) + 1):
        with pytest.raises(UnexpectedAnswerError):
            read(line + b"\n", size)


def test_a_line_without_an_end_is_not_collected() -> None:
    with pytest.raises(UnexpectedAnswerError, match="too long"):
        read(b" " * (2 * HEAD_BYTES_MAX), 10)
