"""Files that the reverse proxy sends: the server checks the request, and answers with headers and a path only.

nginx understands `X-Accel-Redirect`, a path below a location that clients cannot request, and Apache and lighttpd
`X-Sendfile`, a path of the file system. Such a response has no body, so only a proxy that understands it may get it.
Three things are needed: the setting of this server, a peer that is a trusted proxy, and the header `X-Sendfile-Type`,
by which the proxy says in each request that it does. The proxy then handles ranges, using the response's headers.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from skyshelf.server.http.proxies import Proxies
from skyshelf.wire.limits import KIB

SMALLEST: Final = 16 * KIB
"""Below this size, sending the bytes is cheaper than having the proxy open the file again."""
RANGE_CHARACTERS_MAX: Final = 40
"""Numbers in longer ranges overflow in some proxies."""
_OFFLOAD: Final = "skyshelf.offload"
_SENT: Final = "skyshelf.offloaded"
_ASKED: Final = b"x-sendfile-type"
# Conditions that this server ignores or answers itself, but a proxy might evaluate by the date of the blob's file.
_CONDITIONS: Final = ("if-match", "if-unmodified-since")

_OF_THE_PROXY: Final = frozenset({"content-length", "content-range"})

OffloadKind = Literal["x-accel-redirect", "x-sendfile"]


class OffloadSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The header that the proxy understands, and for X-Accel-Redirect the location of the blobs in nginx."""

    kind: OffloadKind
    prefix: str = "/blobs/"


class Offload:
    """Decides which requests the proxy may answer with a file."""

    def __init__(self, settings: OffloadSettings, proxies: Proxies) -> None:
        self._settings = settings
        self._proxies = proxies
        self._name = settings.kind.encode()

    def mark(self, scope: Scope) -> None:
        """Note in the scope that the request's proxy sends files."""
        asked = [value for name, value in scope["headers"] if name == _ASKED]
        client = scope.get("client")
        if asked and client and all(one.lower() == self._name for one in asked) and self._proxies.trusts(client[0]):
            scope[_OFFLOAD] = self

    def pointer(self, path: Path) -> tuple[str, str]:
        """Return the header that tells the proxy which file to send."""
        if self._settings.kind == "x-sendfile":
            return self._settings.kind, str(path.absolute())
        # <two digits>/<location>, the layout of the blob folder.
        return self._settings.kind, f"{self._settings.prefix}{path.parent.name}/{path.name}"


def offload_of(scope: Scope, headers: Headers, size: int, *, is_part: bool) -> Offload | None:
    """Return the offload of a request whose proxy may send the file, otherwise None.

    A range must be one that this server sends as a part: the proxy decides by the same header; if it would decide
    otherwise, this server sends the file.
    """
    offload: Offload | None = scope.get(_OFFLOAD)
    if offload is None or size < SMALLEST or any(name in headers for name in _CONDITIONS):
        return None
    asked = headers.get("range")
    if (asked is not None) != is_part or len(asked or "") > RANGE_CHARACTERS_MAX:
        return None
    return None if (headers.get("if-none-match") or "").strip() == "*" else offload


def forbid_offload(scope: Scope) -> None:
    """Forbid offloading: a proxy that cannot open a file asks again, and this request must not be repeated."""
    scope.pop(_OFFLOAD, None)


def offloaded_response(scope: Scope, pointer: tuple[str, str], headers: Mapping[str, str], length: int) -> Response:
    """Return only headers. The proxy adds length and range headers; nginx repeats one header for whole files only."""
    added = _OF_THE_PROXY if "content-range" in headers else _OF_THE_PROXY | {"accept-ranges"}
    kept = {name: value for name, value in headers.items() if name not in added}
    note_offloaded(scope, length)
    return Response(headers={**kept, pointer[0]: pointer[1]})


def note_offloaded(scope: Scope, length: int) -> None:
    """Note how many bytes the proxy sends, for the log."""
    scope[_SENT] = length


def offloaded_bytes(scope: Scope) -> int:
    """Return how many bytes the proxy sends instead of this server."""
    sent: int = scope.get(_SENT, 0)
    return sent
