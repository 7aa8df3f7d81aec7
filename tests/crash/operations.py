"""What a worker does, as it announces it: all that is needed to know what must be there afterwards."""

from typing import TypeAlias

import msgspec
from tests.crash.contents import Content

from skyshelf.storage.metadata.contracts.tree import Move, Rename, SetFavorite, Trash, TreeChange


class _Operation(msgspec.Struct, tag=True, kw_only=True):
    now: int


class OpenAccount(_Operation):
    account_key: str
    root_key: str
    email: str


class AddFolder(_Operation):
    object_key: str
    parent_key: str
    name: str


class PutFile(_Operation):
    """A new file, or the next version of the one that has the name."""

    object_key: str
    parent_key: str
    name: str
    content: Content


class PutOwned(_Operation):
    """As PutFile, for content that the account should already hold: no bytes are written."""

    object_key: str
    parent_key: str
    name: str
    content: Content


class Change(msgspec.Struct, frozen=True):
    """One entry of a batch; value is the new name or the new parent, and "yes" or "" for a favourite."""

    kind: str
    object_key: str
    value: str = ""

    def for_the_tree(self) -> TreeChange:
        match self.kind:
            case "rename":
                return Rename(self.object_key, self.value)
            case "move":
                return Move(self.object_key, self.value)
            case "favorite":
                return SetFavorite(self.object_key, bool(self.value))
            case "trash":
                return Trash(self.object_key)
        raise ValueError(f"no change is called {self.kind}")


class ChangeTree(_Operation):
    changes: list[Change]


class Restore(_Operation):
    object_keys: list[str]


class MarkForDeletion(_Operation):
    object_keys: list[str]


class EmptyTrash(_Operation):
    """Only where the worker has the account for itself: it is about everybody's trash."""


class DeleteBatch(_Operation):
    limit: int


class BeginUpload(_Operation):
    upload_key: str
    parent_key: str
    name: str
    content: Content


class SendChunk(_Operation):
    upload_key: str
    size: int


class FinishUpload(_Operation):
    """The end of an upload; last_chunk more bytes come along and are never acknowledged on their own."""

    upload_key: str
    object_key: str
    last_chunk: int


class DiscardUpload(_Operation):
    upload_key: str


class ReleaseIdle(_Operation):
    limit: int


Operation: TypeAlias = (
    OpenAccount | AddFolder | PutFile | PutOwned | ChangeTree | Restore | MarkForDeletion | EmptyTrash | DeleteBatch
    | BeginUpload | SendChunk | FinishUpload | DiscardUpload | ReleaseIdle
)  # fmt: skip


def label(operation: Operation) -> str:
    """What the summary calls it."""
    if isinstance(operation, ChangeTree):
        return operation.changes[0].kind if len(operation.changes) == 1 else "batch"
    name = type(operation).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


LABELS = (
    "open account", "add folder", "put file", "put owned", "rename", "move", "favorite", "trash", "batch", "restore",
    "mark for deletion", "empty trash", "delete batch", "begin upload", "send chunk", "finish upload", "discard upload",
    "release idle",
)  # fmt: skip


def most_left_behind(operation: Operation) -> int:
    """How many unreferenced files a kill in the middle of it can leave, by the order of its steps."""
    match operation:
        case PutFile() | SendChunk() | DiscardUpload():
            return 1
        case FinishUpload():
            return 2  # the upload's own file, and a blob that turned out to be redundant
        case ReleaseIdle():
            return operation.limit
        case _:
            return 0
