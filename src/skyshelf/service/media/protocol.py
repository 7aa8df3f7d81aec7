"""Jobs of media workers: their limits, and the protocol in which the pool sends one job and gets one result at a time.

All workers together fit beside the server into 500 MB. A hostile file can make any decoder use all the time and memory
that it gets, so the operating system limits both, and a picture's header is checked before it is decoded. Ordinary
pictures and dates are light. PDFs, videos and very large pictures are heavy, and only one heavy job runs at a time.
"""

import struct
from typing import IO, Final

import msgspec

from skyshelf.storage.metadata.contracts.files import MediaFacts

MIB: Final = 1024 * 1024


class JobLimits(msgspec.Struct, frozen=True):
    """Limits of one job, in bytes: `memory` for the whole worker process, `pixels` for a decoded picture."""

    memory: int
    pixels: int
    cpu_seconds: int
    wall_seconds: int
    """Longer than the CPU time, because a worker yields to the server on a busy machine."""


LIGHT: Final = JobLimits(memory=104 * MIB, pixels=64 * MIB, cpu_seconds=4, wall_seconds=12)
HEAVY: Final = JobLimits(memory=192 * MIB, pixels=152 * MIB, cpu_seconds=8, wall_seconds=24)

# Peak memory of a format's decoder per pixel.
BYTES_PER_PIXEL: Final = {"WEBP": 16, "AVIF": 10, "HEIF": 5}
# Progressive JPEGs are kept whole as coefficients, however small the picture that is wanted.
PROGRESSIVE_BYTES_PER_PIXEL: Final = 3
MOST_PIXELS: Final = 200_000_000
"""Maximum for any format; JPEGs of this size can be decoded at an eighth of it."""

RENDERER: Final = 1
"""Increase it when more files become readable: failures of earlier versions are then retried."""


class TooHeavyError(Exception):
    """The picture needs more memory than the job may use."""


def limits_of(*, heavy: bool) -> JobLimits:
    return HEAVY if heavy else LIGHT


# Messages: each has its length before it.

LENGTH = struct.Struct("!I")
LARGEST_MESSAGE = 32 * 1024 * 1024
READY = b"+"
"""A worker's first message: if it dies after that, its job is the reason."""


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


class TextJob(msgspec.Struct, frozen=True, tag=True):
    """Read the text of a PDF or an office document."""

    path: str
    mime_subtype: str
    heavy: bool = False


class MediaResult(msgspec.Struct, frozen=True, tag=True):
    """The result of a job; `data` is an image or a text, or empty if there is none."""

    data: bytes = b""
    placeholder: bytes = b""
    """The picture in a few pixels."""
    is_whole: bool = True
    """Whether a text is all of it."""
    taken: tuple[int, int] | None = None
    facts: MediaFacts | None = None
    is_heavy: bool = False
    """Whether the job exceeded the light limits; nothing was decoded."""
    retire: bool = False
    """Whether the worker still holds memory of the job, and should be replaced."""


Job = ThumbnailJob | CaptureDateJob | TextJob

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
    """Read the next message; None if the other side is gone or sends nonsense."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > LARGEST_MESSAGE:
        return None
    body = pipe.read(length)
    return body if len(body) == length else None
