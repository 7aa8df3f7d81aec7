"""The parts of an upload, checked before anything is made of them."""

from collections.abc import Sequence

from skyshelf.storage.blobs.records import Part
from skyshelf.storage.errors import UploadDamaged


def check_joined(parts: Sequence[Part], size: int) -> None:
    """UploadDamaged unless each part begins where the one before it ends, and the last ends at size."""
    end = 0
    for part in parts:
        if part.offset != end or part.size < 0:
            raise UploadDamaged(f"A part of the upload begins at byte {part.offset}, and byte {end} comes next.")
        end = part.end
    if end != size:
        raise UploadDamaged(f"The parts of the upload end at byte {end}, and the upload has {size} bytes.")
