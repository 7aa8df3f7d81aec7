"""A store with one of everything that the doctor looks at."""

from dataclasses import dataclass

from tests.operating.stacks import Stack
from tests.server.api import new_account

from skyshelf.service.accounts import login_codes
from skyshelf.service.files.trash import enqueue_purge
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.boards import NewBoard
from skyshelf.storage.metadata.contracts.content import KeptThumbnail, ThumbnailKey
from skyshelf.storage.metadata.contracts.files import NewFile, NewUpload, UploadPart
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject, Trash
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.names import category, split_mime


@dataclass(frozen=True)
class Shelf:
    """Somebody's things, on a stack."""

    stack: Stack
    account: Account

    @property
    def id(self) -> int:
        return self.account.account_id

    def folder(self, name: str, parent_key: str | None = None) -> StoredObject:
        ctx = self.stack.ctx
        new = NewFolder(object_key=ctx.new_key(), parent_key=parent_key or self.account.root_key, name=name)
        now = ctx.clock.now()
        return ctx.metadata.write(lambda unit: unit.tree.add_folder(self.id, new, now))

    def file(self, name: str, data: bytes, parent_key: str | None = None) -> StoredObject:
        """A file, straight into the stores; nobody looks into it for a date."""
        ctx = self.stack.ctx
        blob, now = ctx.blobs.put([data]), ctx.clock.now()
        mime_type, mime_subtype = split_mime(name)
        new = NewFile(
            object_key=ctx.new_key(),
            parent_key=parent_key or self.account.root_key,
            name=name,
            sha256=blob.sha256,
            md5=blob.md5,
            size=blob.size,
            location=blob.location,
            category=category(mime_type),
            mime_type=mime_type,
            mime_subtype=mime_subtype,
            file_created_at=now,
            last_modified_at=now,
            created_by=self.account.first_name,
        )
        put = ctx.metadata.write(lambda unit: unit.files.put(self.id, new, now, keep_versions=20))
        if put.location != blob.location:
            ctx.blobs.delete(blob.location)
        return put.object

    def trash(self, *object_keys: str) -> None:
        now = self.stack.ctx.clock.now()
        changes = [Trash(key) for key in object_keys]
        self.stack.ctx.metadata.write(lambda unit: unit.tree.apply(self.id, changes, now))

    def location(self, stored: StoredObject) -> str:
        with self.stack.ctx.metadata.read() as unit:
            return unit.files.version(self.id, stored.object_key).location

    def thumbnail(self, stored: StoredObject) -> str:
        """A thumbnail of a file; where it is."""
        ctx, blob = self.stack.ctx, self.stack.ctx.blobs.put([b"a small picture"])
        kept = KeptThumbnail(blob.location, blob.size)
        assert stored.sha256 is not None
        key, now = ThumbnailKey(self.id, stored.sha256, 512, "jpeg"), ctx.clock.now()
        ctx.metadata.write(lambda unit: unit.thumbnails.keep(key, kept, now))
        return blob.location

    def upload(self, name: str, size: int, chunk: bytes) -> str:
        """An upload of which one chunk has come; its key."""
        ctx, key, now = self.stack.ctx, self.stack.ctx.new_key(), self.stack.ctx.clock.now()
        new = NewUpload(
            upload_key=key, parent_key=self.account.root_key, name=name, size=size, md5="00" * 16, details=b"{}"
        )
        ctx.metadata.write(lambda unit: unit.uploads.begin(self.id, new, now))
        with ctx.blobs.uploading(key) as held:
            part = held.append([chunk], after=None)
            row = UploadPart(part.offset, part.size, part.md5, part.token)
            ctx.metadata.write(lambda unit: unit.uploads.advance(self.id, key, row, now))
        return key

    def give_up(self, *object_keys: str) -> None:
        """Trash objects, and doom them, as somebody who empties the trash."""
        self.trash(*object_keys)
        now = self.stack.ctx.clock.now()

        def work(unit: Unit) -> None:
            unit.purge.mark_all_for_deletion(self.id, now)
            enqueue_purge(unit, self.id, now)

        self.stack.ctx.metadata.write(work)

    def board(self, *object_keys: str) -> str:
        """A board of one's own that shows some files; its key."""
        ctx = self.stack.ctx
        now, new = ctx.clock.now(), NewBoard(board_key=ctx.new_key(), name="summer")

        def work(unit: Unit) -> None:
            unit.boards.create(self.id, new, now)
            unit.board_items.add(self.id, new.board_key, object_keys, now)

        ctx.metadata.write(work)
        return new.board_key

    def turn_on_second_factor(self) -> None:
        """Have logins ask for a code, with one recovery code."""
        ctx = self.stack.ctx
        ctx.secret(login_codes.SETTING)
        salt, now = ctx.randomness.bytes(16), ctx.clock.now()

        def work(unit: Unit) -> None:
            unit.second_factors.begin(self.id, salt, now)
            unit.second_factors.confirm(self.id, salt, 1, now)
            unit.second_factors.replace_codes(self.id, [bytes(32)])

        ctx.metadata.write(work)


@dataclass(frozen=True)
class Everything:
    """One of everything."""

    shelf: Shelf
    outer: StoredObject
    inner: StoredObject
    photo: StoredObject
    letter: StoredObject
    thumbnail: str
    upload: str
    board: str


def new_shelf(stack: Stack, email: str = "ada@example.org", *, quota: int | None = None) -> Shelf:
    return Shelf(stack, new_account(stack.ctx, email, quota=quota))


def one_of_everything(stack: Stack) -> Everything:
    shelf = new_shelf(stack)
    outer = shelf.folder("outer")
    stack.clock.advance(1)  # so that its key is the smaller one
    inner = shelf.folder("inner", outer.object_key)
    shelf.file("photo.jpg", b"not really a picture, first", inner.object_key)
    photo = shelf.file("photo.jpg", b"not really a picture, second", inner.object_key)
    letter = shelf.file("letter.txt", b"dear reader", outer.object_key)
    shelf.file("copy of letter.txt", b"dear reader")
    shelf.file("empty", b"")
    going = shelf.folder("going")
    shelf.file("going too.txt", b"farewell", going.object_key)
    shelf.give_up(going.object_key)
    shelf.trash(shelf.file("trashed.txt", b"not yet farewell").object_key)
    shelf.turn_on_second_factor()
    return Everything(
        shelf=shelf,
        outer=outer,
        inner=inner,
        photo=photo,
        letter=letter,
        thumbnail=shelf.thumbnail(photo),
        upload=shelf.upload("film.mp4", 1000, b"the first chunk"),
        board=shelf.board(photo.object_key),
    )
