"""Paths: from the address of a request to names, and from names to addresses."""

from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from starlette.types import Scope

from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.names import clean_name

# What RFC 3986 allows in a segment, except what some clients take apart: `;`, `=`, `,`, `&`, `+` and `'`.
_PLAIN: Final = "-._~!$()*:@"
_HTTP: Final = frozenset({"http", "https"})


def segments_of(raw_path: bytes) -> list[str]:
    """The segments of a path as text, without empty ones."""
    try:
        return [unquote_to_bytes(segment).decode() for segment in raw_path.split(b"/") if segment]
    except UnicodeDecodeError as wrong:
        raise ServiceError(codes.BAD_NAME, "A path must be UTF-8, percent-encoded") from wrong


def raw_path_of(scope: Scope) -> bytes:
    raw = scope.get("raw_path")
    return raw.partition(b"?")[0] if isinstance(raw, bytes) else quote(scope["path"]).encode()


def names_of(segments: Iterable[str]) -> tuple[str, ...]:
    """The names that these segments are, as they are stored; ServiceError for what can be no name."""
    return tuple(clean_name(segment) for segment in segments)


def quoted(name: str) -> str:
    """A name as a segment of an address."""
    return quote(name, safe=_PLAIN)


def address_of(base: str, names: Sequence[str], *, is_folder: bool) -> str:
    """The path of an address: a folder's ends with a slash."""
    path = "/".join([base, *map(quoted, names)])
    return f"{path}/" if is_folder else path


def path_of_url(url: str, hosts: frozenset[str]) -> bytes:
    """The path of a URL in a header, which may leave out the server; ServiceError for another server's.

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
