"""An upload that kills its own process at the nth step that reaches a store; run as a program, it does so for every n.

The program opens no store: each upload runs in a process forked from it, so a hundred of them cost little more than the
steps themselves.
"""

import hashlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any, TypeVar

import msgspec

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.uploads import chunked
from skyshelf.storage.blobs.protocols import Part, StoredBlob
from skyshelf.storage.metadata.store import Unit, write_alone
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.resources.uploads import UploadMetadata, UploadProgress

T = TypeVar("T")

DATA = bytes(range(256)) * 1200
CHUNK = len(DATA) // 3
NAME = "precious.bin"


class Steps:
    """Counts the steps that reach a store, and kills the process at the last one."""

    def __init__(self, last: int) -> None:
        self._left = last

    def step(self) -> None:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DyingMetadata:
    """A metadata store whose commits are steps: one before them, one after."""

    def __init__(self, store: Any, steps: Steps) -> None:
        self._store = store
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, work: Callable[[Unit], T]) -> T:
        self._steps.step()
        result: T = self._store.write(work)
        self._steps.step()
        return result

    def write_jointly(self, joint: Callable[[Unit, Sequence[Any]], Sequence[Any]], item: Any) -> Any:
        return write_alone(self.write, joint, item)


class DyingUpload:
    def __init__(self, upload: Any, steps: Steps) -> None:
        self._upload = upload
        self._steps = steps

    def append(self, chunks: Iterable[bytes], *, after: Part | None, expected_size: int | None = None) -> Part:
        part: Part = self._upload.append(self._half_of(chunks), after=after, expected_size=expected_size)
        self._steps.step()
        return part

    def _half_of(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            yield chunk[: len(chunk) // 2]
            self._steps.step()
            yield chunk[len(chunk) // 2 :]

    def finish(self, parts: list[Part], size: int) -> StoredBlob:
        blob: StoredBlob = self._upload.finish(parts, size)
        self._steps.step()
        return blob

    def discard(self) -> None:
        self._upload.discard()
        self._steps.step()


class DyingBlobs:
    """A blob store whose uploads are steps."""

    def __init__(self, store: Any, steps: Steps) -> None:
        self._store = store
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def uploading(self, upload_id: str) -> Iterator[DyingUpload]:
        with self._store.uploading(upload_id) as upload:
            yield DyingUpload(upload, self._steps)


def metadata_of(caller: Caller) -> UploadMetadata:
    digest = hashlib.md5(DATA, usedforsecurity=False).hexdigest()
    return UploadMetadata(name=NAME, size=len(DATA), hash=digest, folder_key=caller.root_key)


def open_dying(data: Path, last: int) -> ServiceContext:
    steps = Steps(last)
    metadata, blobs = embedded_urls(data)
    return ServiceContext(
        metadata=DyingMetadata(open_metadata(metadata), steps),
        blobs=DyingBlobs(open_blobs(blobs), steps),  # type: ignore[arg-type]
    )


def upload(ctx: ServiceContext, caller: Caller, acknowledged: Callable[[int], None]) -> None:
    """Send all chunks, one after the other, and report each that was acknowledged."""
    begun = chunked.initiate(ctx, caller, metadata_of(caller))
    assert isinstance(begun, UploadProgress)
    for offset in range(0, len(DATA), CHUNK):
        data = DATA[offset : offset + CHUNK]
        digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
        chunk = chunked.Chunk(upload_key=begun.transaction_id, offset=offset, md5=digest, size=len(data))
        chunked.receive(ctx, caller, chunk, [data])
        acknowledged(offset + len(data))


Acknowledged = Callable[[int], None]


def die_everywhere(template: Path, upload: Callable[[Path, int, Acknowledged], None]) -> None:
    """Kill an upload at every step, each on a copy of the template; print what each had acknowledged."""
    for last in range(1, 1000):
        data = template.with_name(f"died at {last}")
        copytree(template, data)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            upload(data, last, partial(_say, writing))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as said:
            acknowledged = [int(line) for line in said]
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps({"last": last, "code": code, "acknowledged": max(acknowledged, default=0)}), flush=True)
        if code != -signal.SIGKILL:
            return


def _say(where: int, offset: int) -> None:
    os.write(where, f"{offset}\n".encode())


if __name__ == "__main__":
    who = msgspec.json.decode(sys.argv[2], type=Caller)
    die_everywhere(
        Path(sys.argv[1]), lambda data, last, acknowledged: upload(open_dying(data, last), who, acknowledged)
    )
