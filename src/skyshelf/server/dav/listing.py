"""Long answers: a multistatus is written page by page in worker threads, and no faster than its client reads."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.multistatus import PAGE_BYTES, PAGE_ENTRIES, TAIL, XML_HEADERS, Entries
from skyshelf.server.dav.properties import View
from skyshelf.server.pipeline.admission.kinds import RESPONSES
from skyshelf.server.pipeline.sending import PIECE, StreamedResponse, pieces_of
from skyshelf.storage.metadata.contracts.tree import StoredObject

Found = tuple[str, StoredObject]
"""An object and its address."""
Texts = Callable[["Listing"], Iterator[str]]
"""Yields head and entries of an answer, and nothing where a page may end. A long one may end anywhere: `Listing.view`
is another one then."""


class Listing:
    """The answer to one request. Nothing is written before the client has read what was, nor after it has gone."""

    view: View
    """The source of the properties in the page that is being written."""

    def __init__(self, call: DavCall, texts: Texts) -> None:
        self.call = call
        self._texts = texts(self)
        self.is_complete = False

    async def response(self) -> Response:
        """Return the response; errors are those of the first page, since none can follow a status."""
        threads = self.call.threads
        first = await threads.call(self.page)
        if self.is_complete and len(first) <= PIECE:
            return Response(first, 207, XML_HEADERS)
        # A client that leaves it unread holds this page, and the one before it.
        threads.admission.take(RESPONSES, weight=2 * PAGE_BYTES)
        return StreamedResponse(self._pieces(first), 207, XML_HEADERS)

    async def _pieces(self, page: bytes) -> AsyncIterator[bytes | memoryview]:
        while True:
            async for piece in pieces_of(page):
                yield piece
            if self.is_complete:
                return
            page = await self.call.threads.call(self.page)

    def page(self) -> bytes:
        """Return the next page, in one read of the store."""
        written: list[bytes] = []
        size = 0
        with self.call.ctx.metadata.read() as unit:
            self.view = self.call.view(unit)
            for text in self._texts:
                written.append(text.encode())
                size += len(written[-1])
                if size >= PAGE_BYTES or (not text and len(written) > PAGE_ENTRIES):
                    return b"".join(written)
        self.is_complete = True
        return b"".join([*written, TAIL.encode()])

    def entries(self, entries: Entries, found: Sequence[Found]) -> Iterator[str]:
        """Yield the entries of objects, with what they need read once per page."""
        while found:
            view, written = self.view, 0
            for href, one in found[: entries.load(view, [one for _, one in found])]:
                yield entries.entry(href, one, view)
                written += 1
                if self.view is not view:
                    break
            found = found[written:]
