"""An answer as it arrives, without any I/O: bytes in; status, headers and pieces of the body out.

Heads and chunked bodies are read by httptools. A body whose length is announced is received straight into the pieces
that are handed on, and is counted here.
"""

from collections import deque
from typing import Final

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from skyshelf.client.http.faults import DamagedAnswerError

PIECE_BYTES: Final = 1024 * 1024
"""The largest piece of a body that is received in one go."""

HEAD_BYTES_MAX: Final = 256 * 1024
"""What a server can send before its answer has begun."""

_SCRATCH_BYTES: Final = 256 * 1024


class Scratch:
    """Where all connections of an event loop receive what the parser reads; nothing stays in it."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(_SCRATCH_BYTES))


class Response:
    """Receive into `buffer`, tell how much that was by `received`, and take the pieces of the body."""

    def __init__(self, method: str, scratch: Scratch) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_whole = False
        self.keeps_alive = False
        self._is_over = False
        self._method = method
        self._scratch = scratch.view
        self._parser = HttpResponseParser(self)
        self._parsed = 0
        self._arriving: dict[str, str] = {}
        self._pieces: deque[memoryview] = deque()
        # The piece that is being received: how much of it has arrived, and how much was handed on before it was full.
        self._filling: memoryview | None = None
        self._filled = 0
        self._handed_on = 0
        # What comes after that piece.
        self._missing = 0
        # Whole pieces that nobody needs any more. New memory has to be found and cleared, and is in no cache yet.
        self._spare: list[bytearray] = []

    @property
    def has_pieces(self) -> bool:
        """Whether something can be taken; as long as it is not, nothing more need be received."""
        return bool(self._pieces)

    def buffer(self) -> memoryview:
        """Where to put what arrives."""
        return self._scratch if self._filling is None else self._filling[self._filled :]

    def received(self, count: int) -> None:
        """So much has arrived there; DamagedAnswerError where it makes no sense."""
        if self.is_whole:
            raise DamagedAnswerError("the server sent more than it was asked for")
        if self._filling is None:
            self._parse(self._scratch[:count])
            return
        self._filled += count
        if self._filled == len(self._filling):
            self._pieces.append(self._filling[self._handed_on :])
            self._filling = None
            if self._missing:
                self._fill(self._missing)
            else:
                self.is_whole = True

    def ended(self) -> None:
        """Nothing more will arrive. A body that nobody framed is whole by that, every other one was cut off."""
        self.keeps_alive = False
        if self.is_whole:
            return
        if not self.status:
            raise ConnectionResetError
        if "content-length" in self.headers or "transfer-encoding" in self.headers:
            raise DamagedAnswerError("the answer was cut off")
        self.is_whole = True

    def take(self, size: int) -> bytes | bytearray:
        """The next piece, or so much of it; nothing where none is full."""
        if not self._pieces:
            return b""
        piece = self._pieces[0]
        if len(piece) > size:
            self._pieces[0] = piece[size:]
            return bytes(piece[:size])
        self._pieces.popleft()
        whole: bytes | bytearray = piece.obj  # type: ignore[assignment]
        return whole if len(whole) == len(piece) else bytes(piece)

    def release(self, piece: bytes | bytearray) -> None:
        """A piece that was taken is not used any more: what arrives later may be received into it."""
        if len(piece) == PIECE_BYTES and isinstance(piece, bytearray):
            self._spare.append(piece)

    def drain(self) -> None:
        """Let what there is of the piece that is being received be taken too."""
        if self._filling is not None and self._handed_on < self._filled:
            self._pieces.append(memoryview(bytes(self._filling[self._handed_on : self._filled])))
            self._handed_on = self._filled

    # What the parser tells.

    def on_message_begin(self) -> None:
        """Another answer in the same breath, to a request that nobody made, ends the connection and nothing else."""
        if self.is_whole:
            self._is_over = True
            self.keeps_alive = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """One header; those of the same name are one list, and what comes after the body is left out."""
        if not self.status and not self._is_over:
            known, text = name.decode("ascii", "replace").lower(), value.decode("utf-8", "surrogateescape")
            before = self._arriving.get(known)
            self._arriving[known] = text if before is None else f"{before}, {text}"

    def on_headers_complete(self) -> None:
        """The head is whole."""
        if self._is_over:
            return
        status = self._parser.get_status_code()
        if 100 <= status < 200:
            # A word on the way: the answer itself follows.
            self._arriving = {}
            return
        self.headers, self.status = self._arriving, status
        self.keeps_alive = self._parser.should_keep_alive()
        if self._method == "HEAD" or (self._method == "CONNECT" and 200 <= status < 300):
            self.is_whole = True

    def on_body(self, data: bytes) -> None:
        """A part of the body."""
        if not self.is_whole:
            self._pieces.append(memoryview(data))

    def on_message_complete(self) -> None:
        """All of it has arrived."""
        if self.status:
            self.is_whole = True

    def _parse(self, data: memoryview) -> None:
        try:
            self._parser.feed_data(data)
        except (HttpParserError, HttpParserUpgrade):
            self.keeps_alive = False
            if not self.is_whole:
                raise DamagedAnswerError("the answer is not HTTP") from None
        if not self.status:
            self._parsed += len(data)
            if self._parsed > HEAD_BYTES_MAX:
                raise DamagedAnswerError("the head of the answer has no end")
        elif not self.is_whole and "content-length" in self.headers:
            self._receive_directly(int(self.headers["content-length"]))

    def _receive_directly(self, length: int) -> None:
        """The parser has done its work: so many bytes are the body, of which some have come with the head."""
        first, self._pieces = self._pieces, deque()
        filling = self._fill(length)
        for part in first:
            # What comes with a head is less than a piece, so that all of it has room.
            filling[self._filled : self._filled + len(part)] = part
            self._filled += len(part)

    def _fill(self, missing: int) -> memoryview:
        size = min(missing, PIECE_BYTES)
        is_spare = size == PIECE_BYTES and self._spare
        self._filling = memoryview(self._spare.pop() if is_spare else bytearray(size))
        self._filled = self._handed_on = 0
        self._missing = missing - size
        return self._filling
