"""Multipart forms, parsed part by part as they arrive."""

from collections.abc import Container, Iterator

from multipart import (  # type: ignore[import-untyped]
    MultipartError,
    MultipartSegment,
    PushMultipartParser,
    parse_options_header,
)

from skyshelf.service.errors import ServiceError
from skyshelf.storage.blobs.protocols import BytesLike
from skyshelf.wire import error_codes as codes
from skyshelf.wire.headers import MULTIPART

_PARTS_MAX = 32


class FormPart:
    """One part of a form: its name, and its bytes in pieces, which can be read once."""

    def __init__(
        self, name: str, events: "Iterator[MultipartSegment | BytesLike | None]", file_name: str | None = None
    ) -> None:
        self.name = name
        self.file_name = file_name
        self._events = events
        self._is_complete = False

    def __iter__(self) -> Iterator[BytesLike]:
        while not self._is_complete:
            event = next(self._events)
            if event is None:
                self._is_complete = True
                return
            assert not isinstance(event, MultipartSegment)
            yield event

    def text(self, most: int) -> bytes:
        """Return the bytes of a small part."""
        whole = bytearray()
        for piece in self:
            whole += piece
            if len(whole) > most:
                raise ServiceError(codes.BODY_TOO_LARGE, f"The part {self.name} has more than {most} bytes")
        return bytes(whole)


def boundary_in(content_type: str) -> str:
    """Return the boundary of a multipart body; any other type is refused."""
    kind, options = parse_options_header(content_type)
    boundary: str = options.get("boundary", "")
    if kind.lower() != MULTIPART or not boundary:
        raise ServiceError(codes.WRONG_CONTENT_TYPE, f"Send {MULTIPART} with its boundary")
    return boundary


def parts_of(boundary: str, blocks: Iterator[bytes], most: int = _PARTS_MAX) -> Iterator[FormPart]:
    """Yield the parts in order; the unread rest of one is skipped when the next is requested."""
    events = _events(boundary, blocks, most)
    for event in events:
        assert isinstance(event, MultipartSegment)
        part = FormPart(event.name or "", events, event.filename)
        yield part
        for _ in part:
            pass


def last_of(part: FormPart, parts: Iterator[FormPart], known: Container[str]) -> Iterator[BytesLike]:
    """Yield the bytes of the last part with a known name; they end only when the whole form ends."""
    yield from part
    for more in parts:
        if more.name in known:
            raise ServiceError(codes.INVALID_REQUEST, f"The form has {more.name} twice")


def _events(boundary: str, blocks: Iterator[bytes], most: int) -> Iterator[MultipartSegment | BytesLike | None]:
    try:
        parser = PushMultipartParser(boundary, max_segment_count=most)
        for block in blocks:
            if not parser.closed:
                yield from parser.parse(block)
        parser.close()
    except MultipartError as wrong:
        raise ServiceError(codes.INVALID_REQUEST, f"The body is not {MULTIPART}: {wrong}"[:200]) from wrong
