"""A media worker process: reads jobs from standard input and writes results to standard output.

It opens untrusted files, so the operating system limits its memory and CPU time for every job, it cannot write files,
and its parent kills it when it takes too long. A broken file gives an empty result; the parent notices a crash.
"""

import ctypes
import io
import math
import os
import resource
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec.structs import replace

from skyshelf.service.media import protocol

if TYPE_CHECKING:
    from PIL.Image import Image

PLACEHOLDER_PIXELS = 16
# Shared libraries and reserved addresses count here as well; RLIMIT_DATA limits actual use.
_ADDRESSES = protocol.HEAVY.memory + 1024 * protocol.MIB
_SLACK = 8 * protocol.MIB
# Returns free memory to the system, if the C library supports it.
_trim = getattr(ctypes.CDLL(None), "malloc_trim", lambda _kept: 0)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    resource.setrlimit(resource.RLIMIT_DATA, (protocol.HEAVY.memory, protocol.HEAVY.memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Output of libraries must not end up in the results.
    os.dup2(2, 1)
    answers.write(protocol.READY)
    answers.flush()
    serve(jobs, answers)


def serve(jobs: IO[bytes], answers: IO[bytes]) -> None:
    while (message := protocol.receive(jobs)) is not None:
        job = protocol.read_job(message)
        _limit(protocol.limits_of(heavy=job.heavy))
        answer = _answer(job)
        protocol.send(answers, replace(answer, retire=True) if _holds_too_much() else answer)


def _limit(limits: protocol.JobLimits) -> None:
    """Set the limits of a job: CPU time counts from here, and a light job gets less memory."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = math.ceil(used.ru_utime + used.ru_stime) + limits.cpu_seconds
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, protocol.HEAVY.memory))


def _holds_too_much() -> bool:
    """Whether so much memory is still allocated that a light job would have too little."""
    _trim(0)
    data_pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    return data_pages * resource.getpagesize() > protocol.LIGHT.memory - protocol.LIGHT.pixels + _SLACK


def _answer(job: protocol.Job) -> protocol.MediaResult:
    try:
        if isinstance(job, protocol.TextJob):
            return _text(job)
        return _thumbnail(job) if isinstance(job, protocol.ThumbnailJob) else _facts(job)
    except (protocol.TooHeavyError, MemoryError):
        return protocol.MediaResult(is_heavy=not job.heavy)
    except Exception:  # noqa: BLE001 - broken files are common, and have no thumbnail
        return protocol.MediaResult()


def _thumbnail(job: protocol.ThumbnailJob) -> protocol.MediaResult:
    limits = protocol.limits_of(heavy=job.heavy)
    if job.mime_type == "video":
        from skyshelf.service.media.videos import render
    elif job.mime_type == "image":
        from skyshelf.service.media.images import render
    else:
        from skyshelf.service.media.images import render_pdf as render
    image = render(job.path, job.size, limits.pixels)
    if image is None:
        return protocol.MediaResult()
    encoded = io.BytesIO()
    if job.webp:
        image.save(encoded, "WEBP", quality=80, method=2)
    else:
        image.save(encoded, "JPEG", quality=82, progressive=True)
    return protocol.MediaResult(data=encoded.getvalue(), placeholder=_placeholder(image))


def _text(job: protocol.TextJob) -> protocol.MediaResult:
    from skyshelf.service.media.documents import text_of

    text, is_whole = text_of(job.path, job.mime_subtype)
    return protocol.MediaResult(data=text.encode(), is_whole=is_whole)


def _placeholder(image: "Image") -> bytes:
    """Make a placeholder of about 100 bytes. Browsers blur it by enlarging it, without a script."""
    image.thumbnail((PLACEHOLDER_PIXELS, PLACEHOLDER_PIXELS))
    encoded = io.BytesIO()
    image.save(encoded, "WEBP", quality=20, method=4)
    return encoded.getvalue()


def _facts(job: protocol.CaptureDateJob) -> protocol.MediaResult:
    if job.mime_type == "video":
        from skyshelf.service.media.videos import facts, taken
    else:
        from skyshelf.service.media.images import facts, taken
    found = taken(job.path)
    try:
        return protocol.MediaResult(taken=found, facts=facts(job.path))
    except Exception:  # noqa: BLE001 - a date is worth having even where the rest is broken
        return protocol.MediaResult(taken=found)


if __name__ == "__main__":
    main()
