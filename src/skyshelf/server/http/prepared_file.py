"""A small file whose headers are ready: what is left for each request is to compare ETags and to read the bytes."""

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

from skyshelf.server.http.call import NotAtOnce
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import reading

_CONDITIONS: Final = ("range", "if-none-match", "if-modified-since", "if-range")


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
        """NotAtOnce where the bytes would have to be waited for."""
        data = reading.read_at_once(self._ctx, self._sha256, self._location, self._size, start=0, length=self._size)
        if data is None:
            raise NotAtOnce
        return data
