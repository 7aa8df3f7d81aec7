"""What a server says about the bytes that it is about to send, judged before any of them is kept. No I/O."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import IntegrityError
from skyshelf.wire.resources.downloads import DownloadHeaders

_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})")
_MD5: Final = re.compile(r"[0-9a-fA-F]{32}")


class ExpectedContent(Struct, frozen=True, kw_only=True):
    """What a listing says about the content; what the server does not tell is None."""

    size: int | None = None
    md5: str | None = None

    @classmethod
    def of(cls, size: int | None, md5: str | None) -> "ExpectedContent":
        """From the fields of an object; a hash that is no MD5 says nothing that could be checked."""
        known = md5 is not None and _MD5.fullmatch(md5.strip()) is not None
        return cls(
            size=size if size is not None and size >= 0 else None,
            md5=md5.strip().lower() if known and md5 is not None else None,
        )

    @property
    def etag(self) -> str | None:
        """The tag that servers of this interface give the content."""
        return f'"{self.md5}"' if self.md5 else None


class ByteRangeReply(Struct, frozen=True, kw_only=True):
    """Bytes that are about to arrive: where the first belongs, how long the whole is, and its tag."""

    start: int
    total: int | None
    etag: str | None


def range_headers(length: int, etag: str | None) -> DownloadHeaders:
    """Ask for what is missing, but for all of it should the content have changed."""
    if not length or etag is None:
        return DownloadHeaders()
    return DownloadHeaders(range=f"bytes={length}-", if_range=etag)


def check_response_headers(
    status: int, headers: Mapping[str, str], expected: ExpectedContent, asked: DownloadHeaders
) -> ByteRangeReply:
    """What will arrive, or IntegrityError where that cannot be the object."""
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"", "identity"}:
        raise IntegrityError(f"the content arrives encoded as {encoding}, which nobody asked for")
    if status == 206:
        incoming = _ranged(headers, asked)
    elif status == 200:
        incoming = ByteRangeReply(start=0, total=_length(headers), etag=strong_etag(headers))
    else:
        raise IntegrityError(f"the server answered {status} where content was expected")
    if None not in (incoming.total, expected.size) and incoming.total != expected.size:
        raise IntegrityError(f"the server announces {incoming.total} bytes of an object that has {expected.size}")
    return incoming


def strong_etag(headers: Mapping[str, str]) -> str | None:
    """The tag of the very bytes; a weak one stands for something similar, which is not enough to go on with."""
    etag = headers.get("etag", "").strip()
    return etag if etag.startswith('"') and etag.endswith('"') and len(etag) > 2 else None


def verify(length: int, md5: str, expected: ExpectedContent, announced: int | None) -> None:
    """IntegrityError unless everything that is known about the content holds."""
    for known in (announced, expected.size):
        if known is not None and length != known:
            raise IntegrityError(f"{length} bytes arrived of an object that has {known}")
    if expected.md5 is not None and md5 != expected.md5:
        raise IntegrityError(f"the content has the MD5 {md5}, and the server announced {expected.md5}")


def _length(headers: Mapping[str, str]) -> int | None:
    text = headers.get("content-length", "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,19}", text, re.ASCII) else None


def _ranged(headers: Mapping[str, str], asked: DownloadHeaders) -> ByteRangeReply:
    """Exactly the range that was asked for, of exactly the content that was asked for."""
    text = headers.get("content-range", "")
    found = _CONTENT_RANGE.fullmatch(text.strip())
    if found is None or asked.range is None:
        raise IntegrityError(f"the server answered with a part of the content that nobody asked for: {text[:80]!r}")
    first, last, total = map(int, found.groups())
    if f"bytes={first}-" != asked.range or last != total - 1:
        raise IntegrityError(f"asked for {asked.range}, the server answered with {text[:80]}")
    announced = _length(headers)
    if announced is not None and announced != total - first:
        raise IntegrityError(f"the server announces {announced} bytes for {text[:80]}")
    etag = strong_etag(headers)
    if etag is not None and asked.if_range is not None and etag != asked.if_range:
        raise IntegrityError("the server goes on with other content than before")
    return ByteRangeReply(start=first, total=total, etag=etag)
