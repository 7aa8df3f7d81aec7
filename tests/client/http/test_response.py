"""An answer from bytes alone, however they are cut, and whatever a server says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skyshelf.client.http import response
from skyshelf.client.http.faults import DamagedResponseError
from skyshelf.client.http.messages import PIECE_BYTES
from skyshelf.client.http.response import HEAD_BYTES_MAX, Response, Scratch

SCRATCH = Scratch()


def fed(data: bytes, *, method: str = "GET", step: int = 10**9) -> Response:
    """An answer that has got these bytes, in steps of that size."""
    answer = Response(method, SCRATCH)
    rest = memoryview(data)
    while rest:
        buffer = answer.buffer()
        count = min(len(buffer), len(rest), step)
        buffer[:count] = rest[:count]
        rest = rest[count:]
        answer.received(count)
    return answer


def body(answer: Response, size: int = PIECE_BYTES) -> bytes:
    pieces = []
    while piece := answer.take(size):
        assert len(piece) <= size
        pieces.append(bytes(piece))
    return b"".join(pieces)


FRAMED = b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\nETag: a\r\nX-One: 1\r\nx-one: 2\r\n\r\nhello world"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5;x=y\r\nworld\r\n0\r\nETag: late\r\n\r\n"
)


@given(step=st.integers(1, 80), size=st.integers(1, 12), whole=st.sampled_from([FRAMED, CHUNKED]))
def test_it_is_the_same_in_whatever_pieces_it_arrives(step: int, size: int, whole: bytes) -> None:
    answer = fed(whole, step=step)
    assert (answer.status, answer.is_whole, answer.keeps_alive) == (200, True, True)
    assert body(answer, size) == b"hello world"


def test_headers_are_in_lower_case_and_those_of_one_name_are_a_list() -> None:
    assert fed(FRAMED).headers == {"content-length": "11", "etag": "a", "x-one": "1, 2"}
    assert "etag" not in fed(CHUNKED).headers, "what comes after the body is not taken for a header"


def test_a_large_body_comes_in_large_pieces_that_are_not_copied() -> None:
    content = bytes(range(256)) * (3 * PIECE_BYTES // 256) + b"end"
    answer = fed(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content) + content, step=300_000)
    pieces = []
    while piece := answer.take(PIECE_BYTES):
        pieces.append(piece)
    assert [len(piece) for piece in pieces] == [PIECE_BYTES] * 3 + [3]
    assert all(isinstance(piece, bytearray) for piece in pieces)
    assert b"".join(pieces) == content


class _Taker:
    """Takes pieces, keeps some of them for a while, and looks whether they are still what they were."""

    def __init__(self, answer: Response) -> None:
        self._answer = answer
        self._kept: list[tuple[bytes | bytearray, bytes]] = []
        self.taken = b""

    def take(self, size: int) -> None:
        if piece := self._answer.take(size):
            self._kept.append((piece, bytes(piece)))
            self.taken += piece

    def look(self) -> None:
        assert all(piece == as_taken for piece, as_taken in self._kept)


@given(
    st.integers(0, 60),
    st.lists(st.tuples(st.sampled_from(["receive", "take", "drain"]), st.integers(1, 6)), max_size=80),
)
def test_a_piece_that_is_still_used_never_changes(length: int, steps: list[tuple[str, int]]) -> None:
    content = bytes(range(1, length + 1))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(response, "PIECE_BYTES", 4)
        answer = fed(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content))
        taker, rest = _Taker(answer), memoryview(content)
        for step, number in [*steps, *[("receive", 4), ("take", 4)] * (len(content) + 1)]:
            if step == "receive" and rest:
                count = min(number, len(answer.buffer()), len(rest))
                answer.buffer()[:count] = rest[:count]
                answer.received(count)
                rest = rest[count:]
            elif step == "take":
                taker.take(number)
            elif step == "drain":
                answer.drain()
            taker.look()
    assert (answer.is_whole, taker.taken) == (True, content)


def test_words_on_the_way_are_not_the_answer() -> None:
    answer = fed(b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + FRAMED)
    assert (answer.status, "link" in answer.headers, body(answer)) == (200, False, b"hello world")


@pytest.mark.parametrize(
    ("method", "data"),
    [
        ("HEAD", b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"),
        ("GET", b"HTTP/1.1 304 Same\r\nContent-Length: 11\r\n\r\n"),
        ("DELETE", b"HTTP/1.1 204 Gone\r\n\r\n"),
        ("GET", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ],
    ids=["head", "not modified", "no content", "empty"],
)
def test_some_answers_have_no_body(method: str, data: bytes) -> None:
    answer = fed(data, method=method)
    assert (answer.is_whole, body(answer)) == (True, b"")


def test_what_has_arrived_of_a_piece_can_be_taken_before_it_is_full() -> None:
    answer = fed(FRAMED[:-5])
    assert answer.take(PIECE_BYTES) == b""
    answer.drain()
    assert answer.take(PIECE_BYTES) == b"hello "
    answer.buffer()[:5] = b"world"
    answer.received(5)
    assert (answer.is_whole, body(answer)) == (True, b"world")


def test_a_body_without_a_frame_ends_with_the_connection_and_every_other_one_is_cut_off_by_it() -> None:
    unframed = fed(b"HTTP/1.1 200 OK\r\n\r\nhello")
    assert not unframed.is_whole
    unframed.ended()
    assert (unframed.is_whole, unframed.keeps_alive, body(unframed)) == (True, False, b"hello")
    for cut in (FRAMED[:-1], CHUNKED[:-4]):
        with pytest.raises(DamagedResponseError):
            fed(cut).ended()
    with pytest.raises(ConnectionResetError):
        fed(b"HTTP/1.1 200").ended()


@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-Hello\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\nSet: c\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * (HEAD_BYTES_MAX + 1),
    ],
    ids=[
        *("not http", "two lengths", "length and chunks", "negative", "endless length", "bare line feed"),
        *("bad chunk", "upgrade", "endless head"),
    ],
)
def test_what_makes_no_sense_is_damage(data: bytes) -> None:
    with pytest.raises(DamagedResponseError):
        fed(data, step=60)


def test_an_answer_to_nothing_never_replaces_the_one_before() -> None:
    more = b"HTTP/1.1 500 Evil\r\nContent-Length: 1\r\nEtag: b\r\n\r\nx"
    for first in (FRAMED, CHUNKED):
        answer = fed(first + more)
        assert (answer.status, answer.headers.get("etag"), body(answer)) != (500, "b", b"x")
        assert (answer.status, answer.is_whole, answer.keeps_alive) == (200, True, False)
    whole = fed(FRAMED)
    with pytest.raises(DamagedResponseError, match="more than the response"):
        whole.received(1)
    assert body(whole) == b"hello world"


@given(st.binary(max_size=300), st.integers(1, 40))
def test_no_bytes_do_anything_else(data: bytes, step: int) -> None:
    for start in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"):
        try:
            answer = fed(start + data, step=step)
            answer.ended()
        except (DamagedResponseError, ConnectionResetError):
            continue
        assert answer.is_whole
