"""The demo account: created once, and filled through the same functions that serve everybody."""

import hashlib
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from skyshelf.service.accounts.accounts import add_account, find_account
from skyshelf.service.boards.boards import create_board
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.demo import generate as papers
from skyshelf.service.files.batches import apply_batch, create_folder
from skyshelf.service.sharing.links import create_share
from skyshelf.service.uploads.commit import Content, commit_file
from skyshelf.storage.errors import AccountMissing, EmailTaken
from skyshelf.storage.metadata.contracts.accounts import Account, Banner
from skyshelf.storage.metadata.contracts.boards import NewComment
from skyshelf.storage.metadata.contracts.tree import NewTag, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.resources.batch import BatchEntry, BatchRequest, EchoedObject, Operation
from skyshelf.wire.resources.boards import BoardCreation
from skyshelf.wire.resources.contacts import Contact, ContactMailbox, ContactPhone
from skyshelf.wire.resources.objects import FolderCreation, ObjectStatus
from skyshelf.wire.resources.shares import SharedObject, ShareRequest
from skyshelf.wire.resources.uploads import UploadMetadata
from skyshelf.wire.times import from_epoch_ms, share_name, to_epoch_ms

EMAIL = "demo@skyshelf.example"
PASSWORD = "look-around"  # noqa: S105 - public on purpose: the account holds nobody's data
_WEEK_MS = 7 * 24 * 60 * 60 * 1000
_PEOPLE = (
    ("Astrid", "Berg", "astrid@example.org", "+47 555 0101"),
    ("Kofi", "Mensah", "kofi@example.org", "+233 555 0102"),
    ("Mei", "Lin", "mei@example.org", "+886 555 0103"),
    ("Tomás", "Ríos", "tomas@example.org", "+54 555 0104"),
)


class DemoAccount(NamedTuple):
    email: str
    password: str


def fill(ctx: ServiceContext) -> DemoAccount:
    """Create and fill the demo account; an existing one stays as it is."""
    try:
        find_account(ctx, EMAIL)
    except AccountMissing:
        try:
            account = add_account(ctx, EMAIL, "Robin", "Demo", PASSWORD)
        except EmailTaken:  # another instance was faster and fills it
            return DemoAccount(EMAIL, PASSWORD)
        _DemoFiller(ctx, account).everything()
    return DemoAccount(EMAIL, PASSWORD)


class _DemoFiller:
    def __init__(self, ctx: ServiceContext, account: Account) -> None:
        self._ctx = ctx
        self._now = ctx.clock.now()
        self._today = from_epoch_ms(self._now)
        self._caller = Caller.of(account)

    def everything(self) -> None:
        photos = self._photos()
        documents = self._documents()
        self._change(Operation.SET_FAVORITE, [photos[0], photos[3], photos[8], documents[0]])
        self._tags({"lake": photos[::3], "mountains": photos[1::4], "paperwork": documents[-2:]})
        self._board(photos[:8])
        self._contacts()
        self._banner()
        self._share([*photos[:5], documents[0]])

    def _photos(self) -> list[StoredObject]:
        """Add pictures from this day in earlier years, this month, and other seasons."""
        root = self._folder("Photos", self._caller.root_key)
        found = []
        for seed, taken in enumerate(self._moments()):
            year = self._folder(str(taken.year), root)
            image = papers.landscape(seed)
            name = f"IMG_{taken:%Y%m%d_%H%M%S}"
            if seed % 7 == 2:
                found.append(self._file(f"{name}.heic", papers.heic(image, taken), year, taken))
            else:
                found.append(self._file(f"{name}.jpg", papers.jpeg(image, taken), year, taken))
        filmed = self._back(1) + timedelta(hours=2)
        found.append(self._file("VID_the_hills.mp4", papers.film(filmed), self._folder("Videos", root), filmed))
        return found

    def _moments(self) -> list[datetime]:
        this_day = [self._back(years) + timedelta(minutes=more) for years in (1, 2, 3, 5) for more in (0, 47)]
        this_month = [self._back(years).replace(day=day, hour=16) for years in (1, 2, 4) for day in (3, 17)]
        seasons = [
            self._back(years).replace(hour=8) - timedelta(days=days) for years in (0, 1, 3) for days in (40, 120)
        ]
        return [*this_day, *this_month, *seasons]

    def _back(self, years: int) -> datetime:
        """Return this day that many years ago; 28 February for a leap day."""
        day = min(self._today.day, 28) if self._today.month == 2 else self._today.day
        return self._today.replace(year=self._today.year - years, day=day, hour=10, minute=12, second=30)

    def _documents(self) -> list[StoredObject]:
        root = self._folder("Documents", self._caller.root_key)
        cabin = self._folder("Cabin", root)
        recipes = self._folder("Recipes", cabin)
        for text in papers.PACKING_LISTS:
            packing = self._file("Packing list.txt", text.encode(), cabin)
        found = [
            self._file("Guide to the lake.pdf", papers.guide(), cabin),
            packing,
            self._file("Blueberry pie.txt", papers.RECIPE.encode(), recipes),
            self._file("Plans.md", papers.NOTES.encode(), root),
            self._file("Expenses.csv", papers.EXPENSES.encode(), root),
        ]
        self._file("Five notes.wav", papers.melody(), self._folder("Music", self._caller.root_key))
        trashed = self._file("Screenshot.png", papers.png(papers.landscape(11)), root)
        self._change(Operation.TRASH, [trashed])
        return found

    def _folder(self, name: str, parent_key: str) -> str:
        """Return the key of a folder; create it if it is missing."""
        with self._ctx.metadata.read() as unit:
            existing = unit.tree.child_named(self._caller.account_id, parent_key, name)
        if existing is not None:
            return existing.object_key
        request = FolderCreation(object_name=name, parent_object_key=parent_key)
        return create_folder(self._ctx, self._caller, request, "").object_key

    def _file(self, name: str, data: bytes, folder_key: str, taken: datetime | None = None) -> StoredObject:
        when = None if taken is None else to_epoch_ms(taken)
        metadata = UploadMetadata(
            name=name,
            size=len(data),
            hash=hashlib.md5(data, usedforsecurity=False).hexdigest(),
            folder_key=folder_key,
            file_created_date=when,
            last_modified_date=when,
        )
        stored_at = self._ctx.clock.now()
        content = Content(blob=self._ctx.blobs.put([data], expected_size=len(data)), stored_at=stored_at)
        return commit_file(self._ctx, self._caller, metadata, content)

    def _change(self, operation: Operation, objects: Iterable[StoredObject]) -> None:
        status = ObjectStatus.TRASHED if operation is Operation.TRASH else ObjectStatus.ACTIVE
        entries = [
            BatchEntry(
                operation=operation,
                object=EchoedObject(
                    object_key=one.object_key, object_name=one.name, source_name=one.source_name, status=status
                ),
            )
            for one in objects
        ]
        apply_batch(self._ctx, self._caller, BatchRequest(objects=entries), "")

    def _tags(self, tagged: dict[str, list[StoredObject]]) -> None:
        given = [(one.object_key, name, self._ctx.new_key()) for name, objects in tagged.items() for one in objects]

        def work(unit: Unit) -> None:
            for object_key, name, tag_key in given:
                unit.tags.add(self._caller.account_id, [object_key], NewTag(tag_key=tag_key, name=name), self._now)

        self._ctx.metadata.write(work)

    def _board(self, items: list[StoredObject]) -> None:
        request = BoardCreation(board_name="A year at the lake", board_description="The best of every season.")
        board = create_board(self._ctx, self._caller, request)
        keys = [one.object_key for one in items]
        comment = NewComment(
            comment_key=self._ctx.new_key(), text="Look at that light! Same place next year?", object_key=keys[0]
        )

        def work(unit: Unit) -> None:
            unit.board_items.add(self._caller.account_id, board.board_key, keys, self._now)
            unit.board_comments.add(self._caller.account_id, board.board_key, comment, self._now)

        self._ctx.metadata.write(work)

    def _contacts(self) -> None:
        contacts = {
            self._ctx.new_key(): Contact(
                display_name=f"{first} {last}",
                first_name=first,
                last_name=last,
                emails=[ContactMailbox(email_id=email, type="home")],
                phones=[ContactPhone(number=phone, type="mobile")],
            )
            for first, last, email, phone in _PEOPLE
        }
        self._ctx.metadata.write(lambda unit: unit.contacts.add(self._caller.account_id, contacts, self._now))

    def _banner(self) -> None:
        banner = Banner(
            banner_key=self._ctx.new_key(),
            title="Welcome to the demo",
            text="Everything here was generated by a program. Change it, break it, start over with an empty folder.",
            start_at=self._now,
            end_at=self._now + 52 * _WEEK_MS,
        )
        self._ctx.metadata.write(lambda unit: unit.banners.add(banner))

    def _share(self, objects: list[StoredObject]) -> None:
        request = ShareRequest(
            objects=[SharedObject(object_key=one.object_key) for one in objects], share_name=share_name(self._now)
        )
        create_share(self._ctx, self._caller, request, "")
