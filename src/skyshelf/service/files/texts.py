"""The text of PDFs and office documents, read by media workers. The last texts are remembered, so parts cost little.

They are remembered for each account, like thumbnails: a fast response would reveal that someone else has the same file.
"""

import threading
from collections import OrderedDict
from concurrent.futures import Future
from functools import partial
from typing import Final

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError, Throttled, codes
from skyshelf.service.files.capture_dates import TooLargeToCopyError, local_file
from skyshelf.service.files.downloads import original
from skyshelf.service.files.thumbnails import BUSY_SECONDS
from skyshelf.service.integrity import reading
from skyshelf.service.media.pool import MediaBusy, Run
from skyshelf.service.media.protocol import TextJob
from skyshelf.wire.mime_types import DOCUMENT_TYPES
from skyshelf.wire.resources.downloads import DocumentText, TextQuery

LARGEST_SOURCE: Final = 256 * 1024 * 1024
REMEMBERED_BYTES_MAX: Final = 16 * 1024 * 1024
REMEMBERED_MAX: Final = 1000


class ReadText(msgspec.Struct, frozen=True):
    """A document's text in UTF-8, as far as it was read; empty if there is none."""

    octets: bytes = b""
    is_whole: bool = True


class MissingText(msgspec.Struct, frozen=True):
    """A text that has yet to be read, of content whose visibility was checked."""

    account_id: int
    sha256: str
    location: str
    mime_subtype: str

    @property
    def key(self) -> tuple[int, str, str]:
        return self.account_id, self.sha256, self.mime_subtype


class RecentTexts:
    """The last texts of this process. That a document has none is remembered too, so a hostile one costs once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: OrderedDict[tuple[int, str, str], ReadText] = OrderedDict()
        self._bytes = 0

    def get(self, missing: MissingText) -> ReadText | None:
        with self._lock:
            found = self._texts.get(missing.key)
            if found is not None:
                self._texts.move_to_end(missing.key)
            return found

    def put(self, missing: MissingText, text: ReadText) -> None:
        with self._lock:
            replaced = self._texts.pop(missing.key, None)
            self._texts[missing.key] = text
            self._bytes += len(text.octets) - (len(replaced.octets) if replaced else 0)
            while self._bytes > REMEMBERED_BYTES_MAX or len(self._texts) > REMEMBERED_MAX:
                _, oldest = self._texts.popitem(last=False)
                self._bytes -= len(oldest.octets)


_RECENT: Final = RecentTexts()


def find(ctx: ServiceContext, caller: Caller, object_key: str) -> ReadText | MissingText:
    """Find the text of a visible document; NO_TEXT if files of its type have none."""
    found = original(ctx, caller, object_key)
    if found.mime not in DOCUMENT_TYPES or not 0 < found.size <= LARGEST_SOURCE:
        raise ServiceError(codes.NO_TEXT)
    missing = MissingText(found.account_id, found.sha256, found.location, found.mime.partition("/")[2])
    return _RECENT.get(missing) or missing


def read(ctx: ServiceContext, missing: MissingText) -> "Future[ReadText]":
    """Start reading a text; simultaneous requests for the same one share the work.

    It counts against the owner's share of the workers. Throttled if too many wait; the future can raise MediaBusy and
    MediaUnavailable as well.
    """
    work = partial(_read, ctx, missing)
    try:
        return ctx.media.submit(missing.account_id, work, key=("text", *missing.key), is_heavy=True)
    except MediaBusy:
        raise Throttled(BUSY_SECONDS) from None


def part_of(text: ReadText, query: TextQuery) -> DocumentText:
    """Cut a part out of a text, between characters; NO_TEXT if there is none."""
    if not text.octets:
        raise ServiceError(codes.NO_TEXT)
    start = _boundary(text.octets, query.start)
    end = _boundary(text.octets, query.start + query.length)
    return DocumentText(
        text=text.octets[start:end].decode(),
        start=start,
        next_start=end if end < len(text.octets) else None,
        is_whole=text.is_whole,
    )


def _boundary(octets: bytes, at: int) -> int:
    """The beginning of the character that the byte belongs to."""
    at = min(at, len(octets))
    while 0 < at < len(octets) and octets[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _read(ctx: ServiceContext, missing: MissingText, run: Run) -> ReadText:
    known = _RECENT.get(missing)
    if known is not None:
        return known
    try:
        reading.check(ctx, missing.sha256, missing.location)
        with local_file(ctx, missing.location) as path:
            done = run(TextJob(path, missing.mime_subtype))
    except TooLargeToCopyError:
        done = None
    except reading.DAMAGE as problem:
        reading.report(ctx, missing.sha256, missing.location, problem)
        raise ServiceError(codes.CONTENT_DAMAGED) from problem
    text = ReadText() if done is None else ReadText(done.data, done.is_whole)
    _RECENT.put(missing, text)
    return text
