"""A response as it arrives, without I/O: bytes in; status, headers and pieces of the body out.

httptools parses heads and chunked bodies. A body of announced length is received straight into the pieces that callers
get, and is counted here.
"""

from collections import deque
from typing import Final

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from skyshelf.client.http.faults import DamagedResponseError
from skyshelf.client.http.messages import PIECE_BYTES

HEAD_BYTES_MAX: Final = 256 * 1024
"""The largest head of a response, interim responses included."""

_SCRATCH_BYTES: Final = 256 * 1024


class Scratch:
    """The buffer into which all connections of an event loop receive what is parsed; nothing stays in it."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(_SCRATCH_BYTES))


class Response:
    """Receive into `buffer`, report how much with `received`, and take the pieces of the body."""

    def __init__(self, method: str, scratch: Scratch) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_whole = False
        self.keeps_alive = False
        self.is_in_head = False
        self._is_over = False
        self._method = method
        self._scratch = scratch.view
        self._parser = HttpResponseParser(self)
        self._parsed = 0
        self._arriving: dict[str, str] = {}
        self._pieces: deque[memoryview] = deque()
        # The piece being received: how much of it has arrived, and how much was taken before it was full.
        self._filling: memoryview | None = None
        self._filled = 0
        self._taken = 0
        # Bytes of the body after that piece.
        self._missing = 0

    @property
    def has_pieces(self) -> bool:
        """Whether a piece can be taken; until it is, nothing more needs to be received."""
        return bool(self._pieces)

    def buffer(self) -> memoryview:
        return self._scratch if self._filling is None else self._filling[self._filled :]

    def received(self, count: int) -> None:
        """Process `count` received bytes; DamagedResponseError where they are not valid."""
        if self.is_whole:
            raise DamagedResponseError("the server sent more than the response")
        if self._filling is None:
            self._parse(self._scratch[:count])
            return
        self._filled += count
        if self._filled == len(self._filling):
            self._pieces.append(self._filling[self._taken :])
            self._filling = None
            if self._missing:
                self._fill(self._missing)
            else:
                self.is_whole = True

    def ended(self) -> None:
        """End the response: a body without a length is complete, every other one was cut off."""
        self.keeps_alive = False
        if self.is_whole:
            return
        if not self.status:
            raise ConnectionResetError
        if "content-length" in self.headers or "transfer-encoding" in self.headers:
            raise DamagedResponseError("the response was cut off")
        self.is_whole = True

    def take(self, size: int) -> bytes | bytearray:
        """Return the next piece, or `size` bytes of it; nothing when none is full."""
        if not self._pieces:
            return b""
        piece = self._pieces[0]
        if len(piece) > size:
            self._pieces[0] = piece[size:]
            return bytes(piece[:size])
        self._pieces.popleft()
        whole: bytes | bytearray = piece.obj  # type: ignore[assignment]
        return whole if len(whole) == len(piece) else bytes(piece)

    def drain(self) -> None:
        """Make the received part of an incomplete piece available too."""
        if self._filling is not None and self._taken < self._filled:
            self._pieces.append(memoryview(bytes(self._filling[self._taken : self._filled])))
            self._taken = self._filled

    # Called by the parser.

    def on_message_begin(self) -> None:
        """Refuse a second response, to no request: it ends the connection and changes nothing else."""
        if self.is_whole:
            self._is_over = True
            self.keeps_alive = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header; repeated names become one list, and trailers are ignored."""
        if not self.status and not self._is_over:
            known, text = name.decode("ascii", "replace").lower(), value.decode("utf-8", "surrogateescape")
            before = self._arriving.get(known)
            self._arriving[known] = text if before is None else f"{before}, {text}"

    def on_headers_complete(self) -> None:
        if self._is_over:
            return
        status = self._parser.get_status_code()
        if 100 <= status < 200:
            # An interim response: the final one follows.
            self._arriving = {}
            self.is_in_head = False
            return
        self.headers, self.status = self._arriving, status
        self.is_in_head = False
        self.keeps_alive = self._parser.should_keep_alive()
        if self._method == "HEAD" or (self._method == "CONNECT" and 200 <= status < 300):
            self.is_whole = True

    def on_body(self, data: bytes) -> None:
        if not self.is_whole:
            self._pieces.append(memoryview(data))

    def on_message_complete(self) -> None:
        if self.status:
            self.is_whole = True

    def _parse(self, data: memoryview) -> None:
        self.is_in_head = not self.status
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self.keeps_alive = False
            if not self.is_whole:
                raise DamagedResponseError("the response is not HTTP") from None
        if not self.status:
            self._parsed += len(data)
            if self._parsed > HEAD_BYTES_MAX:
                raise DamagedResponseError("the head of the response is too long")
        elif not self.is_whole and "content-length" in self.headers:
            self._receive_directly(int(self.headers["content-length"]))

    def _receive_directly(self, length: int) -> None:
        """Receive the body without the parser: `length` bytes, of which some came with the head."""
        first, self._pieces = self._pieces, deque()
        filling = self._fill(length)
        for part in first:
            # Less than a piece comes with the head, so it fits.
            filling[self._filled : self._filled + len(part)] = part
            self._filled += len(part)

    def _fill(self, missing: int) -> memoryview:
        size = min(missing, PIECE_BYTES)
        self._filling = memoryview(bytearray(size))
        self._filled = self._taken = 0
        self._missing = missing - size
        return self._filling
