"""Reading a part of a file into memory."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

from skyshelf.client.download.integrity import (
    CURRENT,
    ContentSource,
    ExpectedContent,
    check_response_headers,
    strong_etag,
    verify,
)
from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import IntegrityError, NetworkError, RequestFailedError
from skyshelf.client.http.messages import StreamingResponse
from skyshelf.wire.resources.downloads import DownloadHeaders
from skyshelf.wire.resources.objects import CloudObject

_CONTENT_RANGE: Final = re.compile(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19}|\*)")
_PIECE_BYTES: Final = 256 * 1024
_CHANGED: Final = "the content on the server has changed since it was described: look the file up again"


async def read_range(
    engine: Engine, found: CloudObject, start: int, end: int | None, *, source: ContentSource = CURRENT
) -> bytes:
    """Read the bytes from `start` up to `end`, or to the end of the file; fewer where the file is shorter.

    The whole content is verified. A part is the described content's: an IntegrityError says that it has changed.
    """
    expected = ExpectedContent.of_object(found)
    size = expected.size
    last = size if end is None else end if size is None else min(end, size)
    if last is not None and start >= last:
        return b""
    is_whole = start == 0 and last == size
    wanted = f"bytes={start}-" if last is None else f"bytes={start}-{last - 1}"
    headers = DownloadHeaders() if is_whole else DownloadHeaders(range=wanted, if_range=expected.etag)
    request = source.request(engine, found.object_key, headers)

    async def once() -> bytes:
        async with engine.stream_once(request) as answer:
            if answer.status == 206:
                first = _first(answer.headers, expected)
                if first != start:
                    raise IntegrityError(f"requested {wanted}, but the server sent bytes from {first}")
                skipped = 0
            else:
                # The whole content, because it was requested, the server does not support ranges, or it has changed.
                check_response_headers(answer.status, answer.headers, expected, DownloadHeaders())
                _must_be_same(answer.headers, expected)
                skipped = start
            content = await _collect(answer, skipped, None if last is None else last - start)
        if last is not None and len(content) < last - start:
            raise NetworkError("the connection closed before the range was complete", method="GET", path=request.path)
        return content

    try:
        content = await engine.repeating(once)
    except RequestFailedError as error:
        if error.status == 416:
            return b""
        raise
    if is_whole:
        verify(len(content), hashlib.md5(content, usedforsecurity=False).hexdigest(), expected, None)
    return content


async def _collect(answer: StreamingResponse, skipped: int, length: int | None) -> bytes:
    pieces: list[bytes | bytearray] = []
    missing = length
    async for piece in answer.pieces(_PIECE_BYTES):
        kept = piece[skipped:]
        skipped = max(0, skipped - len(piece))
        if missing is not None:
            kept = kept[:missing]
            missing -= len(kept)
        if kept:
            pieces.append(kept)
        if missing == 0:
            break
    return b"".join(pieces)


def _first(headers: Mapping[str, str], expected: ExpectedContent) -> int:
    text = headers.get("content-range", "").strip()
    found = _CONTENT_RANGE.fullmatch(text)
    if found is None:
        raise IntegrityError(f"the server sent a range without saying which: {text[:80]!r}")
    if expected.size is not None and found[3] not in {"*", str(expected.size)}:
        raise IntegrityError(_CHANGED)
    _must_be_same(headers, expected)
    return int(found[1])


def _must_be_same(headers: Mapping[str, str], expected: ExpectedContent) -> None:
    etag = strong_etag(headers)
    if etag is not None and expected.etag is not None and etag.lower() != expected.etag:
        raise IntegrityError(_CHANGED)
