"""Placement: the folder that an upload goes into, and what else happens once the file exists.

A plain upload names its folder (FolderPlacement). Uploads to other places pass another factory, such as the one for
boards in boards/placement.py.
"""

from collections.abc import Callable
from typing import Protocol

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.uploads import UploadMetadata


class Placement(Protocol):
    """Where one upload goes. Created outside the transaction, which may run twice; each method runs inside one."""

    def check(self, unit: Unit, caller: Caller) -> None:
        """Raise before any byte arrives what the commit would raise at the end."""

    def existing_folder(self, unit: Unit, caller: Caller) -> str | None:
        """The key of the target folder; None where it has yet to be created."""

    def folder(self, unit: Unit, caller: Caller) -> str:
        """The key of the target folder, which is created where it is missing."""

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:
        """Called when the file exists, in the same transaction."""


PlacementFactory = Callable[[ServiceContext, UploadMetadata], Placement]


class FolderPlacement:
    """The folder that the request names, and nothing else."""

    def __init__(self, _ctx: ServiceContext, metadata: UploadMetadata) -> None:
        assert metadata.folder_key is not None, "an upload without a folder needs another placement"
        assert metadata.board_key is None, "an upload to a board needs the boards' placement"
        self.folder_key = metadata.folder_key

    def check(self, unit: Unit, caller: Caller) -> None:
        """Nothing beyond the checks of every upload."""

    def existing_folder(self, unit: Unit, caller: Caller) -> str | None:  # noqa: ARG002
        return self.folder_key

    def folder(self, unit: Unit, caller: Caller) -> str:  # noqa: ARG002
        return self.folder_key

    def stored(self, unit: Unit, caller: Caller, object_key: str) -> None:
        """The file is where it belongs."""
