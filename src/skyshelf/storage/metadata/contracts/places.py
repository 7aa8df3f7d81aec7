"""Places: where many objects are, and what folders hold at a glance."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from skyshelf.storage.metadata.contracts.search import FoundFolder
from skyshelf.storage.metadata.contracts.tree import StoredObject


class Place(msgspec.Struct, frozen=True):
    """An object and whether its folder can be seen; there is nothing above the root, which is seen."""

    object: StoredObject
    is_parent_visible: bool


class Picture(msgspec.Struct, frozen=True):
    """The current version of a picture."""

    object_key: str
    md5: str
    version: int


class Places(Protocol):
    def above(self, account_id: int, object_keys: Sequence[str]) -> tuple[list[Place], list[FoundFolder]]:
        """Those of the objects that exist, trashed ones included, and all folders above them, each once.

        An object that is being purged, or goes with a folder that is, does not exist. A fixed number of statements.
        """

    def covers(self, account_id: int, folder_keys: Sequence[str]) -> dict[str, list[Picture]]:
        """Up to four pictures of each visible folder that has some among its newest files.

        Only a fixed number of files is examined per folder, however many it holds.
        """
