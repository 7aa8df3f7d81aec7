"""Small files without a wait: their bytes, and one whose headers are ready, so that only the bytes are left to read."""

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

from skyshelf.server.http.call import NotAtOnce
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import reading

_CONDITIONS: Final = ("range", "if-none-match", "if-modified-since", "if-range")


def bytes_at_once(ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int, length: int) -> bytes:
    """NotAtOnce where the bytes would have to be waited for, or may be damaged."""
    data = reading.read_at_once(ctx, sha256, location, size, start=start, length=length)
    if data is None:
        raise NotAtOnce
    return data


class PreparedFile:
    """The whole of it. Parts and conditions are left to the function that prepared it."""

    def __init__(
        self, ctx: ServiceContext, *, sha256: str, location: str, size: int, headers: Mapping[str, str]
    ) -> None:
        if size > reading.AT_ONCE_MAX:
            raise NotAtOnce
        self._ctx = ctx
        self._sha256 = sha256
        self._location = location
        self._size = size
        self.headers = Response(headers={**headers, "content-length": str(size)}).raw_headers

    @staticmethod
    def is_plain(headers: Headers) -> bool:
        """Whether a request wants the whole file, whatever it has already."""
        return not any(name in headers for name in _CONDITIONS)

    def read(self) -> bytes:
        return bytes_at_once(self._ctx, self._sha256, self._location, self._size, start=0, length=self._size)
