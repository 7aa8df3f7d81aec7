"""An account with everything that an export has, and what is compared after it was exported and imported."""

from pathlib import Path

from tests.operating.shelves import Shelf

from skyshelf.backup.exports import open_destination
from skyshelf.service.exporting.writing import WrittenExport, write_export
from skyshelf.service.importing import Event, ImportOptions
from skyshelf.service.importing.export_run import AccountImport
from skyshelf.service.importing.exported import ExportSummary, opened
from skyshelf.storage.metadata.contracts.boards import NewBoard, NewComment
from skyshelf.storage.metadata.contracts.shares import NewShare
from skyshelf.storage.metadata.contracts.tree import NewTag, SetFavorite, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone

AWKWARD = ("a:b?.txt", "CON.txt", "ends with a dot.", "Zoë 🌊.txt", "same.TXT", "Same.txt", "a_b_.txt")
"""Names that some system refuses, or that two files have on some system."""
SECRET = "the secret of a link"


def furnish(shelf: Shelf) -> None:
    """Put one of everything into an account."""
    clock, ctx = shelf.stack.clock, shelf.stack.ctx
    photos = shelf.folder("Photos")
    deep = shelf.folder("2024", photos.object_key)
    shelf.folder("nothing in it")
    beach = shelf.file("beach.jpg", b"a beach", deep.object_key)
    harbour = shelf.file("harbour.jpg", b"a harbour", deep.object_key)
    for number in range(3):
        clock.advance(61_000)
        shelf.file("letter.txt", b"draft %d" % (number % 2))
    for name in AWKWARD:
        shelf.file(name, name.encode(), photos.object_key)
    shelf.file("empty", b"")
    old = shelf.folder("old things")
    shelf.file("in the trash.txt", b"trashed with its folder", old.object_key)
    clock.advance(1000)
    first = shelf.file("note.txt", b"the first note")
    shelf.trash(first.object_key)
    second = shelf.file("note.txt", b"the second note")
    shelf.trash(second.object_key, old.object_key)
    shelf.file("note.txt", b"the note that stays")
    now = ctx.clock.now()

    def work(unit: Unit) -> None:
        unit.tree.apply(shelf.id, [SetFavorite(beach.object_key, favorite=True)], now)
        for name in ("sea", "Holiday"):
            unit.tags.add(shelf.id, [beach.object_key], NewTag(tag_key=ctx.new_key(), name=name), now)
        board = ctx.new_key()
        unit.boards.create(shelf.id, NewBoard(board_key=board, name="Summer", description="At the sea"), now)
        unit.board_items.add(shelf.id, board, [harbour.object_key], now + 1)
        unit.board_items.add(shelf.id, board, [beach.object_key], now + 2)
        unit.boards.set_cover(shelf.id, board, beach.object_key, now + 3)
        caption = NewComment(comment_key=ctx.new_key(), text="Before the storm", object_key=beach.object_key)
        unit.board_comments.add(shelf.id, board, caption, now + 4)
        unit.board_comments.add(shelf.id, board, NewComment(comment_key=ctx.new_key(), text="All of it"), now + 5)
        ada = Contact(
            display_name="Ada Byron",
            first_name="Ada",
            last_name="Byron",
            emails=[ContactMailbox(email_id="ada@example.org", type="home")],
            phones=[ContactPhone(number="+44 20 7946 0000", type="work")],
        )
        unit.contacts.add(shelf.id, {ctx.new_key(): ada}, now)
        share = NewShare(
            share_key=ctx.new_key(), token_hash=SECRET.encode(), name="To look at", object_keys=[photos.object_key]
        )
        unit.shares.add(shelf.id, share, now)

    ctx.metadata.write(work)


def write(shelf: Shelf, destination: str, *, part_bytes: int = 2**40, as_zip: bool = False) -> WrittenExport:
    """Export an account as an operator does."""
    target = open_destination(destination)
    return write_export(
        shelf.stack.ctx, shelf.account, target, part_bytes=part_bytes, as_zip=as_zip, progress=lambda *_: None
    )


def bring_back(shelf: Shelf, folder: Path, **options: object) -> ExportSummary:
    """Import an export."""
    asked = ImportOptions(**({"threads": 2} | options))  # type: ignore[arg-type]
    with opened(folder) as source:
        return AccountImport(shelf.stack.ctx, shelf.account, asked, _nobody).run_account(source)


def _nobody(_event: Event) -> None:
    """Nobody listens."""


def everything(shelf: Shelf) -> dict[str, object]:
    """All that an import brings back of an export, without keys."""
    ctx = shelf.stack.ctx
    with ctx.metadata.snapshot() as unit:
        found = _all(unit, shelf)
        names = {one.object_key: one for one in found}
        albums = {
            board.name: (
                board.description,
                board.cover_key and names[board.cover_key].name,
                [
                    names[item.object_key].name
                    for item in unit.exports.board_items(board.board_key, after=None, limit=99)
                ],
                [
                    (one.text, one.created_at, one.object_key and names[one.object_key].name)
                    for one in unit.board_comments.page(shelf.id, board.board_key, limit=99)
                ],
            )
            for board in unit.boards.page(shelf.id, limit=99)
        }
        contacts = [
            (one.display_name, one.first_name, one.last_name, one.emails, one.phones)
            for one, _ in unit.contacts.following(shelf.id, limit=99)
        ]
        tags = unit.exports.tags(shelf.id, list(names))
        objects = sorted(
            (
                _path(one, names),
                one.status,
                one.is_folder,
                one.is_favorite,
                tags.get(one.object_key, []),
                [
                    (version.sha256, version.file_created_at, version.last_modified_at, version.created_by)
                    for version in (() if one.is_folder else unit.files.versions(shelf.id, one.object_key))
                ],
            )
            for one in found
        )
    return {"objects": objects, "albums": albums, "contacts": contacts}


def _all(unit: Unit, shelf: Shelf) -> list[StoredObject]:
    return unit.exports.objects(shelf.id, after=None, until=None, limit=10_000)


def _path(one: StoredObject, names: dict[str, StoredObject]) -> str:
    above = names.get(one.parent_key or "")
    # Of several that were in the trash with one name, all but one have a number now.
    name = "note.txt" if one.status == "T" and one.name.startswith("note") else one.name
    return name if above is None else f"{_path(above, names)}/{name}"
