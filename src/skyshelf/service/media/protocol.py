"""The protocol between the pool and its workers: length-prefixed messages, one job and one result at a time."""

import struct
from typing import IO

import msgspec

_LENGTH = struct.Struct("!I")
LARGEST_MESSAGE = 32 * 1024 * 1024


class ThumbnailJob(msgspec.Struct, frozen=True, tag=True):
    """Generate an image that fits into a square of that many pixels."""

    path: str
    mime_type: str
    mime_subtype: str
    size: int
    webp: bool


class CaptureDateJob(msgspec.Struct, frozen=True, tag=True):
    """Read when a picture or video was taken."""

    path: str
    mime_type: str
    mime_subtype: str


class MediaResult(msgspec.Struct, frozen=True, tag=True):
    """data is an image, or empty where none can be generated; taken is (epoch ms, month and day as 1231)."""

    data: bytes = b""
    taken: tuple[int, int] | None = None


Job = ThumbnailJob | CaptureDateJob

_encode = msgspec.msgpack.Encoder().encode
read_job = msgspec.msgpack.Decoder(Job).decode
read_done = msgspec.msgpack.Decoder(MediaResult).decode


def send(pipe: IO[bytes], message: Job | MediaResult) -> None:
    encoded = _encode(message)
    pipe.write(_LENGTH.pack(len(encoded)) + encoded)
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message; None when the other side is gone or sends nonsense."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > LARGEST_MESSAGE:
        return None
    body = pipe.read(length)
    return body if len(body) == length else None
