"""A media worker process: reads jobs from standard input and writes results to standard output.

It opens untrusted files, so its memory is limited, it cannot write files, and its parent kills it when it takes too
long. A broken file gives an empty result; the parent notices a crash.
"""

import io
import os
import resource
import sys
from typing import IO

from skyshelf.service.media.protocol import CaptureDateJob, Job, MediaResult, ThumbnailJob, read_job, receive, send

MEMORY = 2 * 1024**3


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(5)
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Libraries that print must not print into the results.
    os.dup2(2, 1)
    serve(jobs, answers)


def serve(jobs: IO[bytes], answers: IO[bytes]) -> None:
    while (message := receive(jobs)) is not None:
        send(answers, _answer(read_job(message)))


def _answer(job: Job) -> MediaResult:
    try:
        return MediaResult(data=_thumbnail(job)) if isinstance(job, ThumbnailJob) else MediaResult(taken=_taken(job))
    except Exception:  # noqa: BLE001 - broken files are common, and have no thumbnail
        return MediaResult()


def _thumbnail(job: ThumbnailJob) -> bytes:
    if job.mime_type == "video":
        from skyshelf.service.media.videos import render
    elif job.mime_type == "image":
        from skyshelf.service.media.images import render
    else:
        from skyshelf.service.media.pdfs import render
    image = render(job.path, job.size)
    if image is None:
        return b""
    encoded = io.BytesIO()
    if job.webp:
        image.save(encoded, "WEBP", quality=80, method=2)
    else:
        image.save(encoded, "JPEG", quality=82, progressive=True)
    return encoded.getvalue()


def _taken(job: CaptureDateJob) -> tuple[int, int] | None:
    if job.mime_type == "video":
        from skyshelf.service.media.videos import taken
    else:
        from skyshelf.service.media.images import taken
    return taken(job.path)


if __name__ == "__main__":
    main()
