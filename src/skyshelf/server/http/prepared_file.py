"""Small files without a wait: their bytes, and one whose headers are ready, so that only the bytes are left to read."""

from collections.abc import Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.call import NotAtOnce
from skyshelf.server.http.offload import note_offloaded, offload_of, offloaded_response
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
        self,
        ctx: ServiceContext,
        *,
        sha256: str,
        location: str,
        size: int,
        headers: Mapping[str, str],
        is_derived: bool = False,
        account_id: int | None = None,
    ) -> None:
        if size > reading.AT_ONCE_MAX:
            raise NotAtOnce
        self._ctx = ctx
        self._sha256 = sha256
        self._location = location
        self.size = size
        self.is_derived = is_derived
        """Whether it was made from a user's file, and can be sent from memory: damage of a file is shown at once."""
        self.account_id = account_id
        """The account of whose own rows all of it follows, if there is one."""
        self._given = headers
        self._offloaded: list[tuple[bytes, bytes]] | None = None
        self.headers = Response(headers={**headers, "content-length": str(size)}).raw_headers

    @staticmethod
    def is_plain(headers: Headers) -> bool:
        """Whether a request wants the whole file, whatever it has already."""
        return not any(name in headers for name in _CONDITIONS)

    def offloaded(self, request: Request) -> list[tuple[bytes, bytes]] | None:
        """The headers with which the proxy sends the file. None where this server does: also if it was not verified
        lately, and while damage is known, which takes longer to look at."""
        offload = offload_of(request.scope, request.headers, self.size, is_part=False)
        if offload is None or self._ctx.integrity.has_damage():
            return None
        if not reading.is_verified(self._ctx, self._sha256, self._location):
            return None
        if self._offloaded is None:
            path = self._ctx.blobs.local_path(self._location)
            if path is None:
                return None
            response = offloaded_response(request.scope, offload.pointer(path), self._given, self.size)
            self._offloaded = response.raw_headers
        note_offloaded(request.scope, self.size)
        return self._offloaded

    def is_undamaged(self) -> bool:
        """Whether no damage is known that would have to be looked at."""
        return not self._ctx.integrity.has_damage()

    def is_local(self) -> bool:
        """Whether its bytes are in a file of this machine."""
        return self._ctx.blobs.local_path(self._location) is not None

    def open(self) -> int | None:
        """A descriptor of the file, if its bytes are in memory and were verified lately."""
        return reading.open_at_once(self._ctx, self._location, self.size)

    def read(self) -> bytes:
        return bytes_at_once(self._ctx, self._sha256, self._location, self.size, start=0, length=self.size)
