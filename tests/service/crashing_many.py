"""Many files in one call that kills its own process at the nth step that reaches a store; a program for every n."""

import hashlib
import sys
from pathlib import Path

import msgspec
from tests.service.crashing_upload import Acknowledged, DyingMetadata, Steps, die_everywhere

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.uploads.batch import UploadResult, upload_files
from skyshelf.storage.blobs.disk import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.open import BLOBS_FOLDER, embedded_urls, open_metadata
from skyshelf.wire.resources.uploads import FileToUpload

CONTENTS = {f"{number}.bin": bytes([number]) * (1000 + number) for number in range(4)}


class DyingFiles(DurableFiles):
    """A disk whose every change is a step, with another one before it."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def write(self, file: int, data: bytes | memoryview, at: int) -> None:
        super().write(file, data[: len(data) // 2], at)
        self._steps.step()
        super().write(file, data[len(data) // 2 :], at + len(data) // 2)
        self._steps.step()

    def rename(self, folder: int, name: str, new_folder: int, new_name: str) -> None:
        super().rename(folder, name, new_folder, new_name)
        self._steps.step()

    def sync_all(self, folder: int) -> bool:
        self._steps.step()
        done = super().sync_all(folder)
        self._steps.step()
        return done


def open_dying(data: Path, last: int) -> ServiceContext:
    steps = Steps(last)
    metadata, _ = embedded_urls(data)
    blobs = DiskBlobs(data / BLOBS_FOLDER, DyingFiles(steps))
    return ServiceContext(metadata=DyingMetadata(open_metadata(metadata), steps), blobs=blobs)


def upload(ctx: ServiceContext, caller: Caller) -> list[UploadResult]:
    about = [
        FileToUpload(
            name=name,
            size=len(data),
            hash=hashlib.md5(data, usedforsecurity=False).hexdigest(),
            folder_key=caller.root_key,
        )
        for name, data in CONTENTS.items()
    ]
    return upload_files(ctx, caller, about, [b"".join(CONTENTS.values())])


def main(template: Path, caller: Caller) -> None:
    def run(data: Path, last: int, acknowledged: Acknowledged) -> None:
        arrived = upload(open_dying(data, last), caller)
        acknowledged(sum(isinstance(one, StoredObject) for one in arrived))

    die_everywhere(template, run)


if __name__ == "__main__":
    main(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=Caller))
