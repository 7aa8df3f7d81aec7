"""How a ZIP of a share ends before its end: the visitor leaves, or the storage fails."""

import asyncio

import pytest
from starlette.types import Message
from tests.server.api import Api
from tests.server.sharing import Link, share

from skyshelf.server.app import SkyshelfApp
from skyshelf.storage.errors import BlobCorrupt


class Visitor:
    """Speaks ASGI to the application, so that a test can leave in the middle and sees how an answer ends."""

    def __init__(self, app: SkyshelfApp, link: Link, path: str) -> None:
        self._app = app
        self._scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": path, "raw_path": path.encode(), "query_string": f"u={link.token}".encode(), "root_path": "",
            "headers": [(b"host", b"testserver")], "client": ("127.0.0.1", 1), "server": ("testserver", 80),
        }  # fmt: skip
        self.received = 0
        self.is_complete = False
        self._gone = asyncio.Event()
        self._requested = False

    async def visit(self, leave_after: int | None = None) -> None:
        async def receive() -> Message:
            if not self._requested:
                self._requested = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if message["type"] != "http.response.body":
                return
            self.received += len(message.get("body", b""))
            self.is_complete = not message.get("more_body", False)
            if leave_after is not None and self.received >= leave_after:
                self._gone.set()
            await asyncio.sleep(0)

        await asyncio.wait_for(self._app(self._scope, receive, send), 30)


class WatchedStream:
    """A stream of a blob that counts what is read of it, and can break."""

    def __init__(self, size: int, breaks_after: int) -> None:
        self.size = size
        self.read = 0
        self.is_closed = False
        self._breaks_after = breaks_after

    def __iter__(self) -> "WatchedStream":
        return self

    def __next__(self) -> bytes:
        if self.is_closed or self.read == self.size:
            raise StopIteration
        if self.read >= self._breaks_after:
            raise BlobCorrupt("the disk has lost the rest")
        piece = bytes(min(1 << 20, self.size - self.read))
        self.read += len(piece)
        return piece

    def close(self) -> None:
        self.is_closed = True


class LargeShare:
    """A share of a file that would be 500 MiB long, were anybody to read it to its end."""

    size = 500 << 20

    def __init__(self, api: Api) -> None:
        self.link = share(api, api.file("large.bin", b"stands for much more", size=self.size).object_key)
        self.streams: list[WatchedStream] = []
        self.breaks_after = self.size

    def read(self, location: str, start: int = 0, length: int | None = None) -> WatchedStream:
        self.streams.append(WatchedStream(self.size, self.breaks_after))
        return self.streams[-1]


@pytest.fixture
def large(api: Api, monkeypatch: pytest.MonkeyPatch) -> LargeShare:
    large = LargeShare(api)
    monkeypatch.setattr(api.ctx.blobs, "read", large.read)
    return large


def test_a_visitor_who_leaves_stops_the_zip(app: SkyshelfApp, large: LargeShare) -> None:
    visitor = Visitor(app, large.link, "/l/zip")
    asyncio.run(visitor.visit(leave_after=5 << 20))
    assert not visitor.is_complete
    assert large.streams[0].read < 100 << 20
    assert large.streams[0].is_closed


def test_a_blob_that_breaks_midway_breaks_the_answer_instead_of_ending_it(app: SkyshelfApp, large: LargeShare) -> None:
    large.breaks_after = 3 << 20
    visitor = Visitor(app, large.link, "/l/zip")
    with pytest.raises(BlobCorrupt):
        asyncio.run(visitor.visit())
    assert not visitor.is_complete
    assert large.streams[0].is_closed
