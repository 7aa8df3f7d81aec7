"""The content that a download is about, and its checks: headers before any byte is stored, the content at the end."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import IntegrityError, InvalidRequestError, ObjectNotFoundError
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.client.objects.lookup import PathResolver, not_found
from skyshelf.client.objects.remote_object import md5_in
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.downloads import DOWNLOAD
from skyshelf.wire.endpoints.history import PAST_FILE
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.error_codes import FILE_EXPECTED
from skyshelf.wire.models import QueryModel
from skyshelf.wire.resources.downloads import DownloadHeaders, DownloadQuery
from skyshelf.wire.resources.history import PastFileQuery
from skyshelf.wire.resources.objects import CloudObject, FileVersion

_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})")
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
        """Expect the content that an object's fields describe; a hash that is not an MD5 cannot be checked."""
        known = md5_in(md5)
        return cls(
            size=size if size is not None and size >= 0 else None,
            md5=_EMPTY_MD5 if known is None and size == 0 else known,
            may_be_page=may_be_page,
        )

    @classmethod
    def of_object(cls, found: CloudObject) -> "ExpectedContent":
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
    """Return what will arrive; IntegrityError where it cannot be the object."""
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
    """Return the strong ETag; a weak one does not guarantee identical bytes."""
    etag = headers.get("etag", "").strip()
    return etag if etag.startswith('"') and etag.endswith('"') and len(etag) > 2 else None


def verify(length: int, md5: str, expected: ExpectedContent, announced: int | None) -> None:
    """Raise IntegrityError unless size and MD5 match, as far as they are known."""
    for known in (announced, expected.size):
        if known is not None and length != known:
            raise IntegrityError(f"received {length} bytes of an object of {known}")
    if expected.md5 is not None and md5 != expected.md5:
        raise IntegrityError(f"the content has the MD5 {md5}, but the server announced {expected.md5}")


def _length(headers: Mapping[str, str]) -> int | None:
    text = headers.get("content-length", "").strip()
    return int(text) if re.fullmatch(r"[0-9]{1,19}", text, re.ASCII) else None


def _ranged(headers: Mapping[str, str], asked: DownloadHeaders) -> ByteRangeReply:
    """Check that the response is exactly the requested range of the requested content."""
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


UNVERIFIED: Final = "the server has no hash of this file, so its content cannot be verified"


async def described(
    engine: Engine, found: CloudObject | str, version: int | None = None, parent_key: str | None = None
) -> CloudObject:
    """Return the object with size, hash and time of its content.

    Listings have the hash, and the interface's list of versions does not: an object without one is looked up, by its
    key where the server can, in the listing of its parent where that is known, and else by a walk.
    """
    known = found if isinstance(found, CloudObject) else None
    if version is None:
        complete = known is not None and ExpectedContent.of_object(known).can_be_verified
        return known if known is not None and complete else await _looked_up(engine, found, parent_key)
    key = known.object_key if known is not None else str(found)
    listed = await _version(engine, key, version)
    if not listed.hash and listed.is_current_version:
        return await described(engine, found, None, parent_key)
    return CloudObject(
        object_key=key,
        object_name=known.object_name if known is not None else None,
        mime_type=known.mime_type if known is not None else None,
        mime_sub_type=known.mime_sub_type if known is not None else None,
        size_in_bytes=listed.size_in_bytes,
        hash=listed.hash,
        last_modified_date=listed.created_date,
    )


async def _looked_up(engine: Engine, found: CloudObject | str, parent_key: str | None) -> CloudObject:
    try:
        (remote,) = await PathResolver(engine).objects([found], parent_key)
    except ObjectNotFoundError:
        if isinstance(found, CloudObject):
            # Not in the user's own tree: a file that somebody else put on a board.
            return found
        raise
    if remote.is_folder:
        raise InvalidRequestError(FILE_EXPECTED.message, code=FILE_EXPECTED.code)
    return remote.wire


async def _version(engine: Engine, key: str, version: int) -> FileVersion:
    listed = await engine.call(VERSIONS, keys={"object_key": key})
    for found in listed.obj_versions or ():
        if found.version == version:
            return found
    raise not_found(f"version {version} of the file {key}")


class ContentSource(NamedTuple):
    """Where a content is requested from."""

    endpoint: Endpoint
    query: QueryModel | None = None

    @classmethod
    def of(cls, version: int | None = None, at: int | None = None) -> "ContentSource":
        """Choose a version, or the content at a moment; with neither, the current content."""
        if at is not None:
            return cls(PAST_FILE, PastFileQuery(at=at))
        return CURRENT if version is None else cls(DOWNLOAD, DownloadQuery(version=version))

    def request(self, engine: Engine, object_key: str, headers: DownloadHeaders) -> PlannedRequest:
        """Plan the request for the content of an object, or for a range of it."""
        keys = {"object_key": object_key} if self.endpoint.parameters else {}
        return engine.plan(self.endpoint, query=self.query, headers=headers, keys=keys)


CURRENT: Final = ContentSource(DOWNLOAD)
