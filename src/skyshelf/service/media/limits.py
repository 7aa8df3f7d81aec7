"""What a media job may use. All of it together fits beside the server into 500 MB.

A hostile file can make any decoder use all the time and memory that it gets, so both are limited by the operating
system, and by the header of a picture before it is decoded. Ordinary pictures and dates are light. PDFs, videos and
very large pictures are heavy, and only one heavy job runs at a time.
"""

from typing import Final

import msgspec

MIB: Final = 1024 * 1024


class JobLimits(msgspec.Struct, frozen=True):
    """Memory is what a worker process may allocate in all, pixels what a decoded picture may take of it."""

    memory: int
    pixels: int
    cpu_seconds: int
    wall_seconds: int
    """Longer than the CPU time, because a worker gives way to the server on a busy machine."""


LIGHT: Final = JobLimits(memory=104 * MIB, pixels=64 * MIB, cpu_seconds=4, wall_seconds=12)
HEAVY: Final = JobLimits(memory=192 * MIB, pixels=152 * MIB, cpu_seconds=8, wall_seconds=24)

# Pictures: what the decoder of a format needs for each pixel at its peak.
BYTES_PER_PIXEL: Final = {"WEBP": 16, "AVIF": 10, "HEIF": 5}
# Progressive JPEGs are kept whole as coefficients, however small the picture that is wanted.
PROGRESSIVE_BYTES_PER_PIXEL: Final = 3
MOST_PIXELS: Final = 200_000_000
"""Of a picture in any format; JPEGs of this size can be decoded at an eighth of it."""

RENDERER: Final = 1
"""Increase it when files become readable that were not: failures of earlier numbers are tried again."""


class TooHeavyError(Exception):
    """The picture needs more memory than the job may use."""


def limits_of(*, heavy: bool) -> JobLimits:
    return HEAVY if heavy else LIGHT
