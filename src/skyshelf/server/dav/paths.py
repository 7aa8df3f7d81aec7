"""Paths: from the address of a request to names, and from names to addresses."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from starlette.types import Scope

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import FOLDER_DEPTH_MAX
from skyshelf.wire.names import clean_name

# The characters that RFC 3986 allows in a segment, except those that some clients mangle: `;`, `=`, `,`, `&`, `+`, `'`.
_PLAIN: Final = "-._~!$()*:@"
_SEGMENTS_MAX: Final = FOLDER_DEPTH_MAX + 8
"""More than the address of any file has. The event loop reads no more of an address."""
_HTTP: Final = frozenset({"http", "https"})


def segments_of(raw_path: bytes) -> list[str]:
    """Return the segments of a path as text, without empty ones, and without those beyond the deepest file."""
    try:
        segments = (unquote_to_bytes(segment).decode() for segment in raw_path.split(b"/") if segment)
        return list(islice(segments, _SEGMENTS_MAX))
    except UnicodeDecodeError as wrong:
        raise ServiceError(codes.BAD_NAME, "A path must be UTF-8, percent-encoded") from wrong


def raw_path_of(scope: Scope) -> bytes:
    raw = scope.get("raw_path")
    return raw.partition(b"?")[0] if isinstance(raw, bytes) else quote(scope["path"]).encode()


def names_of(segments: Iterable[str]) -> tuple[str, ...]:
    """Return the segments as names in stored form; raise ServiceError for an invalid name."""
    return tuple(clean_name(segment) for segment in segments)


def quoted(name: str) -> str:
    """Return a name as a segment of an address."""
    return quote(name, safe=_PLAIN)


def address_of(base: str, names: Sequence[str], *, is_folder: bool) -> str:
    """Return the path of an address; a folder's path ends with a slash."""
    path = "/".join([base, *map(quoted, names)])
    return f"{path}/" if is_folder else path


def path_of_url(url: str, hosts: frozenset[str]) -> bytes:
    """Return the path of a URL in a header, which may omit the server; raise ServiceError for another server.

    The scheme does not count: this server may not know that a proxy in front of it speaks TLS.
    """
    try:
        parsed = urlsplit(url.strip())
        raw = parsed.path.encode("ascii")
    except ValueError as wrong:
        raise ServiceError(codes.INVALID_REQUEST, "A URL in the headers is malformed: percent-encode it") from wrong
    if parsed.scheme or parsed.netloc:
        if parsed.scheme.lower() not in _HTTP or parsed.netloc.rpartition("@")[2].lower() not in hosts:
            raise ServiceError(codes.OTHER_SERVER)
    elif not raw.startswith(b"/"):
        raise ServiceError(codes.INVALID_REQUEST, "A URL in the headers must be whole, or a path that begins with /")
    return raw
