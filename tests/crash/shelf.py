"""The expected state of one worker's part of an account, kept on both sides of the pipe.

Every object belongs to one worker for good, and a worker does one thing at a time; so what must be there is known
exactly, whatever the other workers do. The last two digits of a key are its worker.
"""

from collections.abc import Iterator, Set

import msgspec
from tests.crash.contents import Content

ACTIVE = "A"
TRASHED = "T"


class Thing(msgspec.Struct):
    """A folder or a file that must be there."""

    object_key: str
    parent_key: str
    name: str
    is_folder: bool
    status: str = ACTIVE
    favorite: bool = False
    version: int = 1
    versions: dict[int, Content] = {}
    put_as: str = ""
    """The name under which the content came in: a later name does not change its type."""

    @property
    def content(self) -> Content | None:
        return None if self.is_folder else self.versions[self.version]


class UnfinishedUpload(msgspec.Struct):
    upload_key: str
    parent_key: str
    name: str
    content: Content
    received: int = 0


class Shelf(msgspec.Struct):
    """All that one worker has."""

    worker: int
    account_id: int
    root_key: str
    base_key: str
    """A folder of the worker's own, which it never changes."""
    alone: bool
    """Whether no other worker is in the account."""
    things: dict[str, Thing] = {}
    given_up: set[str] = set()
    """Objects marked for deletion and everything below them: their rows may exist until they are purged."""
    uploads: dict[str, UnfinishedUpload] = {}
    feed: list[tuple[str, str]] = []
    """(kind, object_key) of the changes that the account's feed must show for this worker, in order."""
    accounts: dict[str, str] = {}
    """Accounts that the worker opened on the side: account_key → root_key."""

    def owns(self, key: str) -> bool:
        return int(key[-2:], 16) == self.worker

    def is_known_folder(self, key: str) -> bool:
        return key == self.root_key or key in self.things

    def is_visible(self, key: str) -> bool:
        while key != self.root_key:
            thing = self.things.get(key)
            if thing is None or thing.status != ACTIVE:
                return False
            key = thing.parent_key
        return True

    def holder(self, parent_key: str, name: str) -> Thing | None:
        """The active thing that has the name in that folder."""
        return next(
            (
                thing
                for thing in self.things.values()
                if thing.status == ACTIVE and thing.name == name and thing.parent_key == parent_key
            ),
            None,
        )

    def is_at_or_below(self, key: str, above: str) -> bool:
        while key != above:
            thing = self.things.get(key)
            if thing is None:
                return False
            key = thing.parent_key
        return True

    def goes_with(self, key: str) -> Iterator[str]:
        """The thing itself and what goes with it: not what was trashed separately below it."""
        yield key
        for thing in list(self.things.values()):
            if thing.parent_key == key and thing.status == ACTIVE:
                yield from self.goes_with(thing.object_key)

    def owns_content(self, content: Content) -> bool:
        return any(content.sha256 == held.sha256 for thing in self.things.values() for held in thing.versions.values())

    @property
    def used(self) -> int:
        """Bytes of all versions, those in the trash included."""
        return sum(held.size for thing in self.things.values() for held in thing.versions.values())

    def forget_purged(self, there: Set[str]) -> None:
        """Drop what was given up and is gone by now; what was in the trash inside it has come to the root."""
        gone = self.given_up - there
        self.given_up -= gone
        for thing in self.things.values():
            if thing.parent_key in gone:
                thing.parent_key = self.root_key

    def copy(self) -> "Shelf":
        return msgspec.json.decode(msgspec.json.encode(self), type=Shelf)
