"""The protocol between the pool and its workers: length-prefixed messages, one job and one result at a time."""

import struct
from typing import IO

import msgspec

from skyshelf.storage.metadata.contracts.media_facts import MediaFacts

LENGTH = struct.Struct("!I")
LARGEST_MESSAGE = 32 * 1024 * 1024
READY = b"+"
"""What a worker sends first: from then on, a worker that dies died of its job."""


class ThumbnailJob(msgspec.Struct, frozen=True, tag=True):
    """Generate an image that fits into a square of that many pixels."""

    path: str
    mime_type: str
    mime_subtype: str
    size: int
    webp: bool
    heavy: bool = False


class CaptureDateJob(msgspec.Struct, frozen=True, tag=True):
    """Read when and where a picture or video was taken, and its size."""

    path: str
    mime_type: str
    mime_subtype: str
    heavy: bool = False


class MediaResult(msgspec.Struct, frozen=True, tag=True):
    """data is an image, or empty where none can be generated; taken is (epoch ms, month and day as 1231)."""

    data: bytes = b""
    placeholder: bytes = b""
    """The same picture in a few pixels."""
    taken: tuple[int, int] | None = None
    facts: MediaFacts | None = None
    is_heavy: bool = False
    """The job was too much for a light one; nothing was decoded."""
    retire: bool = False
    """The worker has not got rid of all memory that the job used, and should be replaced."""


Job = ThumbnailJob | CaptureDateJob

_packed = msgspec.msgpack.Encoder().encode
read_job = msgspec.msgpack.Decoder(Job).decode
read_done = msgspec.msgpack.Decoder(MediaResult).decode


def encode(message: Job | MediaResult) -> bytes:
    packed = _packed(message)
    return LENGTH.pack(len(packed)) + packed


def send(pipe: IO[bytes], message: Job | MediaResult) -> None:
    pipe.write(encode(message))
    pipe.flush()


def receive(pipe: IO[bytes]) -> bytes | None:
    """The next message; None when the other side is gone or sends nonsense."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > LARGEST_MESSAGE:
        return None
    body = pipe.read(length)
    return body if len(body) == length else None
