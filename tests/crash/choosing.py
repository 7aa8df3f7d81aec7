"""What a worker does next: a mixed load, chosen by chance from what its shelf allows."""

from collections.abc import Callable
from random import Random

from tests.crash.contents import any_content, fresh_content
from tests.crash.operations import (
    AddFolder,
    BeginUpload,
    Change,
    ChangeTree,
    DeleteBatch,
    DiscardUpload,
    EmptyTrash,
    FinishUpload,
    MarkForDeletion,
    OpenAccount,
    Operation,
    PutFile,
    PutOwned,
    ReleaseIdle,
    Restore,
    SendChunk,
)
from tests.crash.shelf import ACTIVE, TRASHED, Shelf, Thing, UnfinishedUpload

from skyshelf.wire.keys import RANDOM_BYTES, make_key

ROOM = 30
"""Things on one shelf before more leave than come: it bounds what a check has to read."""
_NAMES = 40
_ENDINGS = ("jpg", "mp4", "mp3", "txt")
_ACCOUNTS = 5
_UPLOADS = 4


class Chooser:
    """Chooses for one worker; the shelf is the expectation as it stands."""

    def __init__(self, shelf: Shelf, rng: Random) -> None:
        self._shelf = shelf
        self._rng = rng
        self._now = 0

    def next(self, now: int) -> Operation:
        self._now = now
        crowded = len(self._shelf.things) > ROOM
        ways: dict[Callable[[], Operation | None], int] = {
            self._put_file: 4 if crowded else 24,
            self._next_version: 16,
            self._put_owned: 6,
            self._add_folder: 2 if crowded else 8,
            self._one_change: 26,
            self._batch: 8,
            self._restore: 2 if crowded else 8,
            self._mark_for_deletion: 16 if crowded else 4,
            self._empty_trash: 6,
            self._delete_batch: 6,
            self._begin_upload: 8,
            self._begin_again: 2,
            self._send_chunk: 18,
            self._finish_upload: 10,
            self._discard_upload: 1,
            self._release_idle: 3,
            self._open_account: 1,
        }
        while True:
            (way,) = self._rng.choices(list(ways), list(ways.values()))
            chosen = way()
            if chosen is not None:
                return chosen

    def _new_key(self) -> str:
        return make_key(self._now, self._rng.randbytes(RANDOM_BYTES - 1) + bytes([self._shelf.worker]))

    def _name(self) -> str:
        """One of a few, so names collide: a put becomes a version, a move is refused, a restore is numbered."""
        return f"w{self._shelf.worker} {self._rng.randrange(_NAMES)}.{self._rng.choice(_ENDINGS)}"

    def _folder(self) -> str:
        """Somewhere to put things; now and then a folder that cannot be seen, which must be refused."""
        folders = [key for key, thing in self._shelf.things.items() if thing.is_folder]
        return self._rng.choice([self._shelf.root_key, self._shelf.base_key, *folders])

    def _changeable(self) -> list[Thing]:
        """What people have before their eyes: things that can be seen, and things in the trash.

        Not those in the trash whose folder is given up: which folder they are in depends on who purges when.
        """
        shelf = self._shelf
        return [
            thing
            for key, thing in shelf.things.items()
            if key != shelf.base_key
            and (shelf.is_visible(key) if thing.status == ACTIVE else shelf.is_known_folder(thing.parent_key))
        ]

    def _trash(self) -> list[str]:
        return [key for key, thing in self._shelf.things.items() if thing.status == TRASHED]

    def _put_file(self) -> Operation:
        content = any_content(self._rng)
        return PutFile(
            now=self._now, object_key=self._new_key(), parent_key=self._folder(), name=self._name(), content=content
        )

    def _next_version(self) -> Operation | None:
        files = [thing for thing in self._changeable() if not thing.is_folder]
        if not files:
            return None
        file = self._rng.choice(files)
        content = any_content(self._rng)
        return PutFile(
            now=self._now, object_key=self._new_key(), parent_key=file.parent_key, name=file.name, content=content
        )

    def _put_owned(self) -> Operation:
        held = [content for thing in self._shelf.things.values() for content in thing.versions.values()]
        # Either certainly ours or certainly nobody's: shared content may be the account's by another worker.
        content = self._rng.choice(held) if held and self._rng.random() < 0.8 else fresh_content(self._rng)
        return PutOwned(
            now=self._now, object_key=self._new_key(), parent_key=self._folder(), name=self._name(), content=content
        )

    def _add_folder(self) -> Operation:
        return AddFolder(now=self._now, object_key=self._new_key(), parent_key=self._folder(), name=self._name())

    def _change(self, thing: Thing) -> Change:
        match self._rng.randrange(4):
            case 0:
                return Change("rename", thing.object_key, self._name())
            case 1:
                return Change("move", thing.object_key, self._folder())
            case 2:
                return Change("favorite", thing.object_key, self._rng.choice(("yes", "")))
            case _:
                return Change("trash", thing.object_key)

    def _one_change(self) -> Operation | None:
        things = self._changeable()
        return ChangeTree(now=self._now, changes=[self._change(self._rng.choice(things))]) if things else None

    def _batch(self) -> Operation | None:
        things = self._changeable()
        if not things:
            return None
        changes = [self._change(self._rng.choice(things)) for _ in range(self._rng.randint(2, 8))]
        return ChangeTree(now=self._now, changes=changes)

    def _restore(self) -> Operation | None:
        keys = self._some(self._trash())
        return Restore(now=self._now, object_keys=keys) if keys else None

    def _mark_for_deletion(self) -> Operation | None:
        keys = self._some(self._trash())
        return MarkForDeletion(now=self._now, object_keys=keys) if keys else None

    def _some(self, keys: list[str]) -> list[str]:
        return self._rng.sample(keys, min(len(keys), self._rng.randint(1, 4)))

    def _empty_trash(self) -> Operation | None:
        return EmptyTrash(now=self._now) if self._shelf.alone else None

    def _delete_batch(self) -> Operation:
        return DeleteBatch(now=self._now, limit=self._rng.choice((1, 2, 5, 50)))

    def _begin_upload(self) -> Operation | None:
        if len(self._shelf.uploads) >= _UPLOADS:
            return None
        content = fresh_content(self._rng) if self._rng.random() < 0.8 else any_content(self._rng)
        if content.size == 0:
            return None
        return BeginUpload(
            now=self._now, upload_key=self._new_key(), parent_key=self._folder(), name=self._name(), content=content
        )

    def _begin_again(self) -> Operation | None:
        upload = self._upload(lambda _: True)
        if upload is None:
            return None
        return BeginUpload(
            now=self._now,
            upload_key=self._new_key(),
            parent_key=upload.parent_key,
            name=upload.name,
            content=upload.content,
        )

    def _send_chunk(self) -> Operation | None:
        upload = self._upload(lambda one: one.received < one.content.size)
        if upload is None:
            return None
        rest = upload.content.size - upload.received
        return SendChunk(now=self._now, upload_key=upload.upload_key, size=self._rng.randint(min(rest, 100), rest))

    def _finish_upload(self) -> Operation | None:
        """Mostly of an upload that lacks nothing or little; the bytes that are missing come with the end."""
        upload = self._upload(lambda one: one.received > 0)
        if upload is None:
            return None
        return FinishUpload(
            now=self._now,
            upload_key=upload.upload_key,
            object_key=self._new_key(),
            last_chunk=upload.content.size - upload.received,
        )

    def _discard_upload(self) -> Operation | None:
        upload = self._upload(lambda _: True)
        return None if upload is None else DiscardUpload(now=self._now, upload_key=upload.upload_key)

    def _upload(self, suits: Callable[[UnfinishedUpload], bool]) -> UnfinishedUpload | None:
        uploads = [upload for upload in self._shelf.uploads.values() if suits(upload)]
        return self._rng.choice(uploads) if uploads else None

    def _release_idle(self) -> Operation:
        return ReleaseIdle(now=self._now, limit=3)

    def _open_account(self) -> Operation | None:
        if len(self._shelf.accounts) >= _ACCOUNTS:
            return None
        key = self._new_key()
        return OpenAccount(
            now=self._now, account_key=key, root_key=self._new_key(), email=f"{key.lower()}@crash.example"
        )
