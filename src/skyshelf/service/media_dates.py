"""When a picture or a video was taken, from the file's own metadata."""

from skyshelf.service.house import House
from skyshelf.service.local_files import TooLargeToCopyError, local_file
from skyshelf.service.media.jobs import TakenJob
from skyshelf.storage.errors import StorageError

DATED = {"image", "video"}


def taken(house: House, location: str, mime_type: str, mime_subtype: str) -> tuple[int, int] | None:
    """(epoch milliseconds, month and day as 1231), or None where the file does not tell. Never raises for a file."""
    if mime_type not in DATED:
        return None
    try:
        with local_file(house, location) as path:
            done = house.media.run(TakenJob(path, mime_type, mime_subtype))
            return done.taken if done else None
    except (StorageError, OSError, TooLargeToCopyError):
        return None
