"""What goes in and comes out: a request that is ready to be sent, and its response."""

from collections.abc import AsyncIterator, Mapping
from typing import Final, Protocol

from msgspec import Struct

from skyshelf.wire.endpoint import Endpoint

ANSWER_BYTES_MAX: Final = 32 * 1024 * 1024
"""The largest response that is read into memory as a whole, unless the request allows more."""

PIECE_BYTES: Final = 1024 * 1024
"""The largest piece of a body that is received at once."""


class PlannedRequest(Struct, frozen=True, kw_only=True):
    """One request, ready to be sent; `repeatable` says whether it may be sent again after it may have arrived.

    `endpoint` says which responses are a success; without it, all with a status of 2xx are.
    """

    method: str
    url: str
    path: str
    headers: dict[str, str]
    endpoint: Endpoint | None = None
    body: bytes | None = None
    repeatable: bool = False
    binary: bool = False
    answer_bytes_max: int = ANSWER_BYTES_MAX

    @property
    def is_write(self) -> bool:
        """Whether it may change something on the server."""
        return self.method not in {"GET", "HEAD"}

    def __repr__(self) -> str:
        # Headers hold the session, and the query can hold a nonce.
        return f"PlannedRequest({self.method} {self.path})"


class BufferedResponse(Struct, frozen=True):
    """A response with its whole body; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def __repr__(self) -> str:
        return f"BufferedResponse({self.status}, {len(self.body)} bytes)"


class StreamingResponse(Protocol):
    """A response whose body is still arriving; header names are in lower case."""

    @property
    def status(self) -> int:
        """The status code."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers."""
        ...

    def pieces(self, size: int = PIECE_BYTES) -> AsyncIterator[bytes | bytearray]:
        """Yield the body as it arrives, in pieces of at most `size` bytes; NetworkError when the connection is cut."""
        ...

    async def whole(self) -> BufferedResponse:
        """Read the rest of the body at once, for error bodies and other small responses."""
        ...
