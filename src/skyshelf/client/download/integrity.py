"""Checks of a download: the response headers before any byte is stored, the content at the end. No I/O."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from skyshelf.client.errors import IntegrityError
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.objects import CloudObject

_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})")
_MD5: Final = re.compile(r"[0-9a-fA-F]{32}")
_EMPTY_MD5: Final = "d41d8cd98f00b204e9800998ecf8427e"
_PAGE_TYPES: Final = re.compile(r"text/html|application/(xhtml\+xml|json|[\w.-]+\+json)", re.IGNORECASE)
_PAGE_START: Final = re.compile(rb"\s*(<!doctype html|<html|<head|<body|[{\[]\s*[\"\]}{])", re.IGNORECASE)
_PAGE_EXTENSIONS: Final = frozenset({"html", "htm", "xhtml", "shtml", "mhtml", "php", "json", "ipynb", "map"})


class ExpectedContent(Struct, frozen=True, kw_only=True):
    """Size and MD5 of the content according to a listing; None where the server does not send them.

    `may_be_page` says that the file itself may be a web page or JSON: without an MD5, another file that arrives as one
    is an error page with a status of success.
    """

    size: int | None = None
    md5: str | None = None
    may_be_page: bool = False

    @classmethod
    def of(cls, size: int | None, md5: str | None, *, may_be_page: bool = False) -> "ExpectedContent":
        """From the fields of an object; a hash that is not an MD5 cannot be checked. All empty files have the same."""
        known = md5.strip().lower() if md5 is not None and _MD5.fullmatch(md5.strip()) else None
        return cls(
            size=size if size is not None and size >= 0 else None,
            md5=_EMPTY_MD5 if known is None and size == 0 else known,
            may_be_page=may_be_page,
        )

    @classmethod
    def of_object(cls, found: CloudObject) -> "ExpectedContent":
        """From an object."""
        media_type = f"{found.mime_type}/{found.mime_sub_type}"
        may_be_page = found.extension in _PAGE_EXTENSIONS or _PAGE_TYPES.fullmatch(media_type) is not None
        return cls.of(found.size_in_bytes, found.hash, may_be_page=may_be_page)

    @property
    def can_be_verified(self) -> bool:
        """Whether the content that arrives can be proved right or wrong."""
        return self.md5 is not None

    @property
    def etag(self) -> str | None:
        """The ETag that servers of this interface send with the content."""
        return f'"{self.md5}"' if self.md5 else None


class ByteRangeReply(Struct, frozen=True, kw_only=True):
    """The bytes that will arrive: their offset, the length of the whole content, and its ETag."""

    start: int
    total: int | None
    etag: str | None


def range_headers(length: int, etag: str | None) -> DownloadHeaders:
    """Request the missing bytes, or the whole content if it has changed."""
    if not length or etag is None:
        return DownloadHeaders()
    return DownloadHeaders(range=f"bytes={length}-", if_range=etag)


def check_response_headers(
    status: int, headers: Mapping[str, str], expected: ExpectedContent, asked: DownloadHeaders
) -> ByteRangeReply:
    """What will arrive; IntegrityError where it cannot be the object."""
    encoding = headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"", "identity"}:
        raise IntegrityError(f"the content is encoded as {encoding}, which was not requested")
    if status == 206:
        incoming = _ranged(headers, asked)
    elif status == 200:
        incoming = ByteRangeReply(start=0, total=_length(headers), etag=strong_etag(headers))
    else:
        raise IntegrityError(f"the server answered {status} instead of content")
    is_other_size = None not in (incoming.total, expected.size) and incoming.total != expected.size
    if is_page_type(headers) and not expected.may_be_page and (is_other_size or expected.md5 is None):
        raise IntegrityError(NOT_THE_FILE)
    if is_other_size:
        raise IntegrityError(f"the server announces {incoming.total} bytes for an object of {expected.size}")
    return incoming


NOT_THE_FILE: Final = "the server sent a web page or a message instead of the file"


def is_page_type(headers: Mapping[str, str]) -> bool:
    """Whether a response says that it is a web page or JSON: what servers and proxies send instead of a file."""
    return _PAGE_TYPES.fullmatch(headers.get("content-type", "").partition(";")[0].strip()) is not None


def looks_like_page(start: bytes) -> bool:
    """Whether content begins like a web page or JSON."""
    return _PAGE_START.match(start) is not None


def strong_etag(headers: Mapping[str, str]) -> str | None:
    """The strong ETag; a weak one does not guarantee identical bytes."""
    etag = headers.get("etag", "").strip()
    return etag if etag.startswith('"') and etag.endswith('"') and len(etag) > 2 else None


def verify(length: int, md5: str, expected: ExpectedContent, announced: int | None) -> None:
    """IntegrityError unless size and MD5 match, as far as they are known."""
    for known in (announced, expected.size):
        if known is not None and length != known:
            raise IntegrityError(f"received {length} bytes of an object of {known}")
    if expected.md5 is not None and md5 != expected.md5:
        raise IntegrityError(f"the content has the MD5 {md5}, but the server announced {expected.md5}")


def _length(headers: Mapping[str, str]) -> int | None:
    text = headers.get("content-length", "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,19}", text, re.ASCII) else None


def _ranged(headers: Mapping[str, str], asked: DownloadHeaders) -> ByteRangeReply:
    """Exactly the requested range of the requested content."""
    text = headers.get("content-range", "")
    found = _CONTENT_RANGE.fullmatch(text.strip())
    if found is None or asked.range is None:
        raise IntegrityError(f"the server sent a range that was not requested: {text[:80]!r}")
    first, last, total = map(int, found.groups())
    if f"bytes={first}-" != asked.range or last != total - 1:
        raise IntegrityError(f"requested {asked.range}, but the server sent {text[:80]}")
    announced = _length(headers)
    if announced is not None and announced != total - first:
        raise IntegrityError(f"the server announces {announced} bytes for {text[:80]}")
    etag = strong_etag(headers)
    if etag is not None and asked.if_range is not None and etag != asked.if_range:
        raise IntegrityError("the content on the server has changed since the download started")
    return ByteRangeReply(start=first, total=total, etag=etag)
