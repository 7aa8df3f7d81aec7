"""What belongs to the files of an export: trash, favourites, tags, albums, comments; and contacts.

Each step looks at what the account has already, so an import that is run again adds nothing twice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeVar

from skyshelf.service.context import command_actor
from skyshelf.service.exporting import ExportedAlbum, ExportedObject
from skyshelf.service.exporting.documents import boards, contacts
from skyshelf.service.importing import ImportRun
from skyshelf.service.importing.exported import NEVER, AccountSource, ExportSummary, epoch
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.boards import OWNER, Board, NewBoard, NewComment
from skyshelf.storage.metadata.contracts.tree import NewTag, Outcome, SetFavorite, Trash, TreeChange
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.batches import batched
from skyshelf.wire.limits import LABEL_CHARS_MAX
from skyshelf.wire.resources.contacts import Contact

T = TypeVar("T")
_AT_ONCE: Final = 200


class Brought(NamedTuple):
    """An object of the export, and the key of the one in the drive."""

    line: ExportedObject
    key: str


class Belongings:
    """Brings what belongs to the files, once they are there."""

    def __init__(self, run: ImportRun, source: AccountSource, summary: ExportSummary) -> None:
        self._run = run
        self._source = source
        self._summary = summary
        self._account_id = run.account.account_id

    def trash(self, found: Iterable[Brought]) -> None:
        """Move objects to the trash, from now on."""
        for some in batched(found, _AT_ONCE):
            changes = [Trash(one.key) for one in some]
            outcomes = self._write(partial(_apply, self._account_id, changes))
            self._summary.trashed += sum(1 for one in outcomes if not isinstance(one, StorageError))

    def objects_of_albums(self) -> set[str]:
        """Return the objects of the export that its albums name."""
        return {item.object for album in self._source.albums() for item in album.items}

    def bring(self, found: Iterable[Brought]) -> None:
        """Bring everything else."""
        in_albums, keys = self.objects_of_albums(), dict[str, str]()
        for some in batched(found, _AT_ONCE):
            self._favorites([one for one in some if one.line.is_favorite])
            self._tags([one for one in some if one.line.tags])
            keys |= {one.line.key: one.key for one in some if one.line.key in in_albums}
        with self._run.ctx.metadata.read() as unit:
            own = [one for one in boards(unit, self._run.account) if one.role == OWNER]
        for album in self._source.albums():
            self._run.check_stopped()
            self._album(album, keys, own)
        self._contacts()
        self._summary.not_imported += NEVER

    def _write(self, work: Callable[[Unit, int], T]) -> T:
        now = self._run.ctx.clock.now()

        def as_import(unit: Unit) -> T:
            unit.act_as(command_actor(self._run.options.command))
            return work(unit, now)

        return self._run.ctx.metadata.write(as_import)

    def _favorites(self, found: list[Brought]) -> None:
        changes = [SetFavorite(one.key, favorite=True) for one in found]
        if changes:
            self._write(partial(_apply, self._account_id, changes))
            self._summary.favorites += len(changes)

    def _tags(self, found: list[Brought]) -> None:
        by_name: dict[str, list[str]] = {}
        for one in found:
            for name in one.line.tags:
                by_name.setdefault(name[:LABEL_CHARS_MAX], []).append(one.key)
        for name, keys in by_name.items():
            tag = NewTag(tag_key=self._run.ctx.new_key(), name=name)
            try:
                self._write(partial(_tag, self._account_id, keys, tag))
            except StorageError as error:
                self._summary.not_imported.append(f"the tag {name}: {error}")
            else:
                self._summary.tags += len(keys)

    # Albums

    def _album(self, album: ExportedAlbum, keys: dict[str, str], own: list[Board]) -> None:
        if album.role != "owner":
            self._summary.not_imported.append(f"the album {album.name}: it is {_owner(album)}'s")
            return
        if self._run.options.only_new and any(one.board_key == album.key for one in own):
            self._summary.not_imported.append(f"the album {album.name}: it still exists, and is left as it is")
            return
        # One of that name alone may be another one.
        known = next((one for one in own if (one.name, one.created_at) == (album.name, epoch(album.created))), None)
        others = sum(1 for one in album.items if not one.is_own)
        if others:
            self._summary.not_imported.append(f"{others:,} files of other people in the album {album.name}")
        try:
            board_key = known.board_key if known else self._new_album(album)
            for item in album.items:
                if item.object in keys:
                    # Each at its own time: that is their order.
                    self._write(partial(_show, self._account_id, board_key, keys[item.object], epoch(item.added)))
            if album.cover in keys:
                cover = keys[album.cover]
                self._write(lambda unit, now: unit.boards.set_cover(self._account_id, board_key, cover, now))
            self._comments(album, board_key, keys)
        except StorageError as error:
            self._summary.not_imported.append(f"all of the album {album.name}: {error}")

    def _new_album(self, album: ExportedAlbum) -> str:
        new = NewBoard(board_key=self._run.ctx.new_key(), name=album.name, description=album.description)
        created = epoch(album.created)
        self._write(lambda unit, _: unit.boards.create(self._account_id, new, created))
        self._summary.albums += 1
        return new.board_key

    def _comments(self, album: ExportedAlbum, board_key: str, keys: dict[str, str]) -> None:
        with self._run.ctx.metadata.read() as unit:
            known = {
                (one.object_key, one.text, one.created_at)
                for one in unit.board_comments.page(self._account_id, board_key, limit=10_000)
            }
        others = sum(1 for one in album.comments if not one.is_own)
        if others:
            self._summary.not_imported.append(f"{others:,} comments of other people on the album {album.name}")
        for one in album.comments:
            about, written = None if one.object is None else keys.get(one.object), epoch(one.written)
            if not one.is_own or (about, one.text, written) in known:
                continue
            new = NewComment(comment_key=self._run.ctx.new_key(), text=one.text, object_key=about)
            self._write(partial(_say, self._account_id, board_key, new, written))

    # Contacts

    def _contacts(self) -> None:
        with self._run.ctx.metadata.read() as unit:
            known = set(map(_identity, contacts(unit, self._run.account)))
        for some in batched(self._source.contacts(), _AT_ONCE):
            new: dict[str, Contact] = {}
            for contact in some:
                if isinstance(contact, str):
                    self._summary.not_imported.append(contact)
                elif _identity(contact) not in known:
                    known.add(_identity(contact))
                    new[self._run.ctx.new_key()] = contact
            if not new:
                continue
            try:
                self._write(partial(_add_contacts, self._account_id, new))
            except StorageError as error:
                self._summary.not_imported.append(f"{len(new):,} contacts: {error}")
            else:
                self._summary.contacts += len(new)


# Writes


def _apply(account_id: int, changes: Sequence[TreeChange], unit: Unit, now: int) -> list[Outcome]:
    return unit.tree.apply(account_id, changes, now)


def _tag(account_id: int, keys: Sequence[str], tag: NewTag, unit: Unit, now: int) -> None:
    unit.tags.add(account_id, keys, tag, now)


def _show(account_id: int, board_key: str, object_key: str, at: int, unit: Unit, _: int) -> None:
    unit.board_items.add(account_id, board_key, [object_key], at)


def _say(account_id: int, board_key: str, comment: NewComment, at: int, unit: Unit, _: int) -> None:
    unit.board_comments.add(account_id, board_key, comment, at)


def _add_contacts(account_id: int, contacts: Mapping[str, Contact], unit: Unit, now: int) -> None:
    unit.contacts.add(account_id, contacts, now)


def _owner(album: ExportedAlbum) -> str:
    return next((one.name for one in album.members if one.role == "owner"), "somebody else")


def _identity(contact: Contact) -> tuple[object, ...]:
    mails = tuple(one.email_id for one in contact.emails or ())
    return contact.display_name, mails, tuple(one.number for one in contact.phones or ())
