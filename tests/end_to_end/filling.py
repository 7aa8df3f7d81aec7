"""Many files in little time: straight into the stores, a thousand per commit."""

import hashlib
from collections.abc import Sequence

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile, PutOutcome
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject, Trash

PER_COMMIT = 1000
CONTENTS = [b"x" * size for size in range(1, 8)]


class Filler:
    """Puts files of a few contents into an account, and into its trash."""

    def __init__(self, ctx: ServiceContext, account: Account) -> None:
        self.ctx = ctx
        self.account = account
        self._blobs = [ctx.blobs.put([content]) for content in CONTENTS]

    def folder(self, name: str, parent_key: str | None = None) -> str:
        new = NewFolder(object_key=self.ctx.new_key(), parent_key=parent_key or self.account.root_key, name=name)
        now = self.ctx.clock.now()
        return self.ctx.metadata.write(lambda unit: unit.tree.add_folder(self.account.account_id, new, now)).object_key

    def files(self, count: int, parent_key: str | None = None) -> tuple[list[str], int]:
        """The keys of that many new files in a folder, and the sum of their bytes."""
        keys: list[str] = []
        size = 0
        for first in range(0, count, PER_COMMIT):
            files = [self._file(number, parent_key) for number in range(first, min(count, first + PER_COMMIT))]
            now = self.ctx.clock.now()
            outcomes = self.ctx.metadata.write(
                lambda unit, files=files, now=now: unit.files.put_many(  # type: ignore[misc]
                    self.account.account_id, files, now, keep_versions=1
                )
            )
            assert all(isinstance(outcome, PutOutcome) for outcome in outcomes), outcomes[:3]
            keys += [file.object_key for file in files]
            size += sum(file.size for file in files)
        return keys, size

    def _file(self, number: int, parent_key: str | None) -> NewFile:
        blob, now = self._blobs[number % len(CONTENTS)], self.ctx.clock.now()
        return NewFile(
            object_key=self.ctx.new_key(),
            parent_key=parent_key or self.account.root_key,
            name=f"{number}.txt",
            sha256=blob.sha256,
            md5=hashlib.md5(CONTENTS[number % len(CONTENTS)], usedforsecurity=False).hexdigest(),
            size=blob.size,
            location=blob.location,
            category="document",
            mime_type="text",
            mime_subtype="plain",
            file_created_at=now,
            last_modified_at=now,
            created_by="Ada",
        )

    def trash(self, keys: Sequence[str]) -> None:
        for first in range(0, len(keys), PER_COMMIT):
            changes, now = [Trash(key) for key in keys[first : first + PER_COMMIT]], self.ctx.clock.now()
            outcomes = self.ctx.metadata.write(
                lambda unit, changes=changes, now=now: unit.tree.apply(self.account.account_id, changes, now)  # type: ignore[misc]
            )
            assert all(isinstance(outcome, StoredObject) for outcome in outcomes)

    def fill_trash(self, count: int) -> None:
        """That many files in the trash: a tenth by themselves, the rest in folders with folders in them."""
        alone, _ = self.files(count // 10)
        self.trash(alone)
        left, number = count - len(alone), 0
        while left:
            folder = self.folder(f"folder {number}")
            inner = self.folder("inner", self.folder("deeper", folder))
            size = min(left, PER_COMMIT)
            self.files(size // 2, folder)
            inside, _ = self.files(size - size // 2, inner)
            # What was trashed by itself, inside of what is trashed then.
            self.trash(inside[:1])
            self.trash([folder])
            left, number = left - size, number + 1
