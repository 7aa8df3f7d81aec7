"""HTTP/1.1 on the event loop: requests in all the shapes in which they may come."""

import logging
import os
import socket
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.http1.talking import LOOPS, PATIENCE, Application, Running

from skyshelf.server.http1.connection import AT_ONCE_MAX, HEAD_BYTES_MAX
from skyshelf.server.http1.heads import HEADERS_MAX
from skyshelf.server.pipeline import sending

HOST = b"Host: a\r\n"


@pytest.fixture(params=LOOPS)
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    server = Running(Application(tmp_path), request.param)
    yield server
    server.stop()


def get(path: bytes, *headers: bytes) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"".join(line + b"\r\n" for line in headers) + b"\r\n"


def test_one_connection_serves_many_requests_at_once_and_later(running: Running) -> None:
    with running.connected() as raw:
        for path, body in ((b"/now", b"now"), (b"/x", b"later"), (b"/now", b"now"), (b"/y", b"later")):
            raw.send(get(path))
            status, headers = raw.head()
            assert (status, raw.body(int(headers["content-length"]))) == (200, body)
            assert headers["date"].endswith("GMT")


@pytest.mark.parametrize("target", [b"/a#b/c", b"http://a/a#b/c"])
def test_a_number_sign_in_a_target_belongs_to_the_path(running: Running, target: bytes) -> None:
    """Without it, a request about one file would be about another one."""
    with running.connected() as raw:
        raw.send(get(target + b"?d"))
        assert raw.head()[0] == 200
    (scope,) = running.app.scopes
    assert (scope["path"], scope["raw_path"], scope["query_string"]) == ("/a#b/c", b"/a#b/c", b"d")


def test_pipelined_requests_are_answered_in_their_order(running: Running) -> None:
    paths = [b"/now", b"/x", b"/now", b"/stream", b"/file", b"/soon", b"/now"]
    with running.connected() as raw:
        raw.send(b"".join(map(get, paths)))
        assert [raw.answer()[1] for _ in range(3)] == [b"now", b"later", b"now"]
        assert raw.head()[1]["transfer-encoding"] == "chunked"
        assert raw.body(len(b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")) == b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        assert raw.answer()[1] == running.app.file.read_bytes()
        assert raw.answer()[1] == running.app.file.read_bytes()
        assert raw.answer()[1] == b"now"


@pytest.mark.parametrize("path", [b"/now", b"/x"])
def test_many_requests_in_a_row_are_all_answered(running: Running, path: bytes) -> None:
    number = AT_ONCE_MAX + 1000
    with running.connected() as raw:
        raw.send(get(path) * number)
        assert {raw.answer()[1] for _ in range(number)} == {b"now" if path == b"/now" else b"later"}
        raw.send(get(b"/now"))
        assert raw.answer()[1] == b"now"


def test_requests_after_a_body_are_answered_in_their_turn(running: Running) -> None:
    body = bytes(100_000)
    post = b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    with running.connected() as raw:
        raw.send((post + get(b"/now") * 200) * 2)
        for _ in range(2):
            raw.answer()
            assert {raw.answer()[1] for _ in range(200)} == {b"now"}
    assert running.app.bodies == [body, body]


def test_what_follows_the_last_request_loses_no_answer(running: Running) -> None:
    last = b"GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    for more in (b"x", get(b"/now"), b"\0" * 100_000):
        with running.connected() as raw:
            raw.send(last + more)
            assert raw.answer()[1] == b"later"
            assert raw.rest() == b""
    with running.connected() as raw:
        raw.send(get(b"/x") + get(b"/now") + b"no request\r\n\r\n" + get(b"/now"))
        assert [raw.answer()[1] for _ in range(2)] == [b"later", b"now"]
        assert raw.rest().startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    ("status", "head"),
    [
        (400, b"GET /now HTTP/1.1\r\n\r\n"),
        (400, b"GET /now HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        (400, b"GET /now HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
        (505, b"GET /now\r\n\r\n"),
        (505, b"GET /now HTTP/0.9\r\n\r\n"),
        (505, b"GET /now HTTP/2.0\r\nHost: a\r\n\r\n"),
        (501, b"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        (501, b"POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"),
        (400, b"POST /x HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (400, b"CONNECT /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"),
        (400, b"GET /now HTTP/1.1\nHost: a\n\n"),
        (400, b"GET /now HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        (400, b"GET /now HTTP/1.1\r\nHost: u@a\r\n\r\n"),
        (400, b"GET http://u@a/now HTTP/1.1\r\nHost: a\r\n\r\n"),
        (200, b"GET /now HTTP/1.1\r\nHost:\r\n\r\n"),
        (200, b"GET /now HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"),
        (200, b"GET /now HTTP/1.0\r\n\r\n"),
    ],
)
def test_heads_that_the_standard_forbids_are_refused(running: Running, status: int, head: bytes) -> None:
    with running.connected() as raw:
        raw.send(head)
        assert raw.head()[0] == status
    assert [scope["path"] for scope in running.app.scopes] in ([], ["/now"])


@pytest.mark.parametrize("size", [1, 100_000])
def test_a_request_may_come_byte_by_byte_or_in_large_pieces(running: Running, size: int) -> None:
    data = b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: 10\r\n\r\n0123456789" + get(b"/now")
    with running.connected() as raw:
        for at in range(0, len(data), size):
            raw.send(data[at : at + size])
        assert [raw.answer()[1], raw.answer()[1]] == [b"0123456789", b"now"]


def test_a_body_in_chunks_of_any_size_arrives_whole(running: Running) -> None:
    pieces = [b"a", b"b" * 70_000, b"c" * 3_000_000]
    with running.connected() as raw:
        raw.send(b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n")
        for piece in pieces:
            raw.send(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        raw.send(b"0\r\n\r\n")
        assert raw.answer()[1] == b"".join(pieces)


@pytest.mark.parametrize(
    "data",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n",
        b"GET http:// HTTP/1.1\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\n\r\n",
        b"POST /x HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused_and_the_connection_closed(running: Running, data: bytes) -> None:
    with running.connected() as raw:
        raw.send(data)
        status, headers = raw.head()
        assert (status, headers["connection"]) == (400, "close")
        assert raw.rest() == b""


@pytest.mark.parametrize(
    "chunk", [b"zz\r\nabc", b"3;a=b\nc\r\nabc\r\n0\r\n\r\n", b"3\nabc\r\n0\r\n\r\n", b"3\r\nabcd\r\n0\r\n\r\n"]
)
def test_a_body_with_wrong_chunks_is_never_taken_for_a_whole_one(running: Running, chunk: bytes) -> None:
    with running.connected() as raw:
        raw.send(b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n" + chunk)
        try:
            answer = raw.rest()
        except ConnectionResetError:
            answer = b""
        assert b" 200 " not in answer
    assert running.app.has_left.wait(PATIENCE) or not running.app.scopes


def test_a_head_without_end_is_refused(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"GET / HTTP/1.1\r\n")
        line = b"x: " + b"y" * 1000 + b"\r\n"
        try:
            for _ in range(2 * HEAD_BYTES_MAX // len(line)):
                raw.send(line)
        except (ConnectionResetError, BrokenPipeError):
            return
        assert raw.head()[0] == 431


def test_headers_behind_a_body_change_nothing_and_end(running: Running) -> None:
    chunked = b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
    with running.connected() as raw:
        raw.send(chunked + b"Authorization: other\r\n\r\n" + get(b"/now"))
        assert [raw.answer()[1], raw.answer()[1]] == [b"abc", b"now"]
        assert [name for name, _ in running.app.scopes[0]["headers"]] == [b"host", b"transfer-encoding"]
        raw.send(chunked + b"x: ")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.send(b"y" * 50_000_000)


def test_too_many_headers_are_refused(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"/now", *[b"a: b"] * HEADERS_MAX))
        assert raw.head()[0] == 400


def test_who_reads_nothing_has_one_response_kept(running: Running) -> None:
    size = 300_000
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        raw.send(get(f"/big/{size}".encode()) * 32)
        raw.head()
        begun = len(running.app.scopes)
        assert begun < 32
        raw.body(size)
        assert [len(raw.answer()[1]) for _ in range(32 - 1)] == [size] * (32 - 1)


def test_the_host_of_a_whole_url_replaces_the_header(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"http://b:1/x"))
        assert raw.answer()[0] == 200
    assert running.app.scopes[0]["headers"] == [(b"host", b"b:1")]


def test_a_body_that_breaks_leaves_the_answers_before_it(running: Running) -> None:
    broken = b"POST /x HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n"
    with running.connected() as raw:
        raw.send(get(b"/x") * 3 + broken)
        assert [raw.answer() for _ in range(3)] == [(200, b"later")] * 3
        assert raw.rest().startswith(b"HTTP/1.1 400 ")
    assert running.app.bodies == [b""] * 3


def test_headers_may_end_with_a_line_feed_alone(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /x HTTP/1.1\r\nHost: a\nContent-Length: 2\n\nabGET /now HTTP/1.1\r\nHost: a\n\n")
        assert [raw.answer()[1], raw.answer()[1]] == [b"ab", b"now"]


def test_paths_are_decoded_and_queries_are_not(running: Running) -> None:
    targets = [b"/a%20%C3%A4?b=%20#c", b"http://host:1/a/b?c", b"http://host", b"/%ff", b"//a//b"]
    with running.connected() as raw:
        for target in targets:
            raw.send(get(target))
            assert raw.answer()[0] == 200
    seen = [(scope["path"], scope["raw_path"], scope["query_string"]) for scope in running.app.scopes]
    assert seen == [
        ("/a ä", b"/a%20%C3%A4", b"b=%20"),
        ("/a/b", b"/a/b", b"c"),
        ("/", b"/", b""),
        ("/\N{REPLACEMENT CHARACTER}", b"/%ff", b""),
        ("//a//b", b"//a//b", b""),
    ]


def test_headers_arrive_as_they_were_sent_with_lower_case_names(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"/x", b"X-Name: \xe4 b ", b"x-name:c"))
        raw.answer()
    scope = running.app.scopes[0]
    assert scope["headers"] == [(b"host", b"a"), (b"x-name", b"\xe4 b"), (b"x-name", b"c")]
    assert scope["client"][0] == "127.0.0.1"
    assert scope["server"] == ("127.0.0.1", running.port)


def test_old_clients_get_a_response_that_they_understand(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"GET /stream HTTP/1.0\r\n\r\n")
        status, headers = raw.head()
        assert (status, headers["connection"], "transfer-encoding" in headers) == (200, "close", False)
        assert raw.rest() == b"onetwo"
    with running.connected() as raw:
        raw.send(b"GET /x HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        assert raw.head()[1]["connection"] == "keep-alive"
        assert raw.body(5) == b"later"
        raw.send(b"GET /x HTTP/1.0\r\n\r\n")
        assert raw.rest().endswith(b"later")


def test_a_head_is_answered_without_a_body(running: Running) -> None:
    with running.connected() as raw:
        for path in (b"/x", b"/stream", b"/path"):
            raw.send(get(path).replace(b"GET", b"HEAD"))
            raw.head()
        raw.send(get(b"/now"))
        assert raw.answer()[1] == b"now"


def test_who_asks_before_sending_a_body_is_told_to_go_on(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        assert raw.head() == (100, {})
        raw.send(b"abc")
        assert raw.answer()[1] == b"abc"


def test_a_client_that_still_sends_can_read_the_answer(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /early HTTP/1.1\r\n" + HOST + b"Content-Length: 300000\r\n\r\n" + b"x" * 100_000)
        assert raw.answer() == (200, b"early")
        raw.send(b"x" * 200_000)
        raw.send(get(b"/now"))
        assert raw.answer()[1] == b"now"


def test_a_client_that_never_stops_sending_is_cut_off(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /early HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000000\r\n\r\n")
        assert raw.answer() == (200, b"early")
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            raw.send(bytes(999_000_000))


def test_an_upgrade_is_ignored(running: Running) -> None:
    """Some clients ask for HTTP/2 with the first request, whether it has a body or not."""
    asks = b"Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    for framing, body in ((b"Content-Length: 3", b"abc"), (b"Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n")):
        with running.connected() as raw:
            raw.send(b"POST /x HTTP/1.1\r\n" + asks + framing + b"\r\n\r\n" + body + get(b"/now"))
            assert [raw.answer()[1], raw.answer()[1]] == [b"abc", b"now"]
            raw.send(b"GET /now HTTP/1.1\r\n" + asks + b"\r\n" + get(b"/x"))
            assert [raw.answer()[1], raw.answer()[1]] == [b"now", b"later"]
    assert all(name != b"upgrade" for scope in running.app.scopes for name, _ in scope["headers"])


def test_the_application_learns_that_a_client_has_left(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"/left"))
        assert running.app.is_waiting.wait(PATIENCE)
    assert running.app.has_left.wait(PATIENCE)
    assert running.app.messages == [{"type": "http.disconnect"}]


def test_a_body_that_breaks_off_is_not_taken_for_a_whole_one(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /x HTTP/1.1\r\n" + HOST + b"Content-Length: 10\r\n\r\n01234")
        raw.socket.shutdown(socket.SHUT_WR)
        assert running.app.has_left.wait(PATIENCE)


def test_a_file_of_the_last_answer_is_whole_and_the_connection_ends(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"GET /soon HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        assert raw.head()[1]["connection"] == "close"
        assert raw.rest() == running.app.file.read_bytes()
    _assert_closed(running)


def test_a_file_for_a_client_that_has_gone_is_closed(running: Running) -> None:
    with running.connected() as raw:
        raw.send(b"POST /too%20late HTTP/1.1\r\n" + HOST + b"Content-Length: 3\r\n\r\n12")
    assert running.app.has_left.wait(PATIENCE)
    _assert_closed(running)


def test_a_client_that_leaves_in_the_middle_of_a_file_is_no_error(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    os.truncate(running.app.file, 200_000_000)
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        # While requests wait for their turn, nothing is read, so only sending shows that the client has left.
        raw.send(get(b"/path") + get(b"/now") * 10)
        assert raw.head()[0] == 200
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert running.app.has_left.wait(PATIENCE)
    running.stop()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_client_that_stops_reading_a_large_response_is_no_error(
    running: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "SEND_SECONDS", 0.2)
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        raw.send(get(b"/unread"))
        assert raw.head()[0] == 200
        assert running.app.has_left.wait(PATIENCE)
    running.stop()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("resets", [True, False])
def test_a_client_that_leaves_in_the_middle_of_a_large_response_is_no_error(
    running: Running, caplog: pytest.LogCaptureFixture, resets: bool
) -> None:
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        raw.send(get(b"/unread") + get(b"/now") * 10)
        assert raw.head()[0] == 200
        if resets:
            raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert running.app.has_left.wait(PATIENCE)
    running.stop()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_file_that_becomes_shorter_while_it_is_sent_is_an_error(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    os.truncate(running.app.file, 200_000_000)
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        raw.send(get(b"/path"))
        assert raw.head()[0] == 200
        os.truncate(running.app.file, 0)
        with pytest.raises((AssertionError, ConnectionResetError)):
            raw.body(200_000_000)
    running.stop()
    assert "the application failed" in [record.getMessage() for record in caplog.records]


def _assert_closed(running: Running) -> None:
    (answered,) = running.app.sent
    assert answered.file is not None
    opened = Path(f"/proc/self/fd/{answered.file}")
    # Another thread may have opened something else under the same number.
    assert not opened.exists() or not opened.samefile(running.app.file)


@pytest.mark.parametrize("path", [b"/file", b"/path", b"/soon"])
def test_a_file_is_sent_to_a_client_that_reads_slowly(running: Running, path: bytes) -> None:
    running.app.file.write_bytes(b"0123456789abcdef" * 100_000)
    with running.connected() as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        raw.send(get(path) + get(b"/now"))
        status, headers = raw.head()
        size = int(headers["content-length"])
        assert (status, size) == (200, 1_600_000)
        assert (
            b"".join(raw.body(min(10_000, size - at)) for at in range(0, size, 10_000)) == running.app.file.read_bytes()
        )
        assert raw.answer()[1] == b"now"


def test_a_header_cannot_become_two(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"/split"))
        assert raw.head()[0] == 500


def test_a_response_that_is_too_short_breaks_off(running: Running) -> None:
    with running.connected() as raw:
        raw.send(get(b"/short"))
        with pytest.raises((AssertionError, ConnectionResetError)):
            raw.answer()
