"""A store that lies, or a proxy that answers for it: nothing wrong counts as right, and the process goes on."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from skyshelf.backup.bucket import BucketPlace
from skyshelf.backup.places import BackupRefused
from skyshelf.storage.blobs.object_store.objects import Objects, s3_store
from skyshelf.storage.errors import BlobCorrupt, StoreUnavailable

HELLO = b"hello"
OBJECT = {"ETag": '"e"', "Last-Modified": "Wed, 21 Oct 2015 07:28:00 GMT"}
PART = {**OBJECT, "Content-Range": "bytes 0-4/5"}
HUGE = str(10**11)
LOGIN_PAGE = b"<html><body>Log in to our network</body></html>"
LISTED = (
    b"<ListBucketResult><Contents><Key>blobs/a</Key><Size>%s</Size><LastModified>%s</LastModified></Contents>"
    b"</ListBucketResult>"
)
NEVER_ASKED = b"<DeleteResult><Error><Key>other</Key><Code>X</Code><Message>m</Message></Error></DeleteResult>"


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that leaves early is what the test wants."""


Answer = tuple[int, dict[str, str], bytes]


@contextmanager
def answering(answer: Answer) -> Iterator[Objects]:
    """Objects in a store that answers every request so."""
    status, headers, body = answer

    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            self.close_connection = True
            self.send_response_only(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_PUT = do_POST = do_HEAD = do_GET  # noqa: N815 - names that the library calls

        def log_message(self, *_: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Answering)
    serving = threading.Thread(target=server.serve_forever, args=(0.01,))
    serving.start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    patience = timedelta(seconds=2)
    try:
        yield Objects(s3_store("b", endpoint=endpoint, access_key_id="a", secret_access_key="s", patience=patience))
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def whole(objects: Objects) -> bytes:
    return objects.get("k")


def part(objects: Objects) -> bytes:
    return bytes(objects.get_range("k", 0, 5, of_size=5))


def put(objects: Objects) -> None:
    objects.put("k", b"secret")


def listing(objects: Objects) -> list[Any]:
    return list(objects.list("blobs/"))


def delete(objects: Objects) -> None:
    objects.delete(["a", "b"])


@pytest.mark.parametrize(
    ("ask", "answer", "error"),
    [
        (whole, (200, {**OBJECT, "Content-Length": HUGE}, HELLO), BlobCorrupt),
        (whole, (200, {**OBJECT, "Last-Modified": "yesterday"}, HELLO), StoreUnavailable),
        (whole, (200, {**OBJECT, "X-More": "y" * 1_000_000}, HELLO), StoreUnavailable),
        (part, (200, OBJECT, HELLO), StoreUnavailable),
        (part, (206, {**PART, "Content-Range": "bytes 0-4/6"}, HELLO), BlobCorrupt),
        (part, (206, {**PART, "Content-Range": "bytes 1-5/6"}, HELLO), StoreUnavailable),
        (part, (206, {**PART, "Content-Range": "bytes 0-18446744073709551615/5"}, HELLO), StoreUnavailable),
        (part, (206, PART, HELLO * 100), BlobCorrupt),
        (put, (200, {}, b""), StoreUnavailable),
        (put, (200, {}, LOGIN_PAGE), StoreUnavailable),
        (put, (307, {"Location": "http://localhost:9/elsewhere"}, b""), StoreUnavailable),
        (listing, (200, {}, b""), StoreUnavailable),
        (listing, (200, {}, LISTED % (b"-5", b"2020-01-01T00:00:00Z")), StoreUnavailable),
        (listing, (200, {}, LISTED % (b"5", b"+262142-01-01T00:00:00Z")), StoreUnavailable),
        (delete, (200, {}, b""), StoreUnavailable),
        (delete, (200, {}, NEVER_ASKED), StoreUnavailable),
    ],
)
def test_an_answer_that_no_store_would_send_is_an_error(
    ask: Callable[[Objects], Any], answer: Answer, error: type[Exception]
) -> None:
    with answering(answer) as objects, pytest.raises(error) as raised:
        ask(objects)
    assert "127.0.0.1" not in str(raised.value)


def test_a_page_that_reads_like_an_empty_listing_begins_no_backup_and_no_pruning() -> None:
    with answering((200, {"ETag": '"e"'}, LOGIN_PAGE)) as objects:
        assert listing(objects) == []
        place = BucketPlace(objects, "the bucket")
        try:
            with pytest.raises(BackupRefused, match="does not list what was just written"), place.lock():
                pass
        finally:
            place.close()
