"""An account that is as full as a test can afford, and keys of what is in it."""

from collections.abc import Callable
from itertools import count

import msgspec
from msgspec.structs import replace
from tests.server.api import Api
from tests.server.good_calls import Keys, furnish
from tests.server.largest.values import a_name, words

from skyshelf.storage.metadata.contracts.boards import NewComment
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewTag, SetFavorite, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.keys import make_key
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, NAME_BYTES_MAX, VERSIONS_KEPT
from skyshelf.wire.resources.contacts import Contact, ContactMailbox

FILES = 1000
DOOMED = 300
CONTACTS = 300
COMMENTS = 200
_numbers = count(1)


class Full(msgspec.Struct, frozen=True, kw_only=True):
    """The account; `deep` are the names of the folders down to the deepest, where the file `leaf` is."""

    api: Api
    keys: Keys
    files: list[str]
    contacts: list[str]
    deep: list[str]
    leaf: str
    wide_file: str
    above_deepest: str
    """The key of the folder above the deepest one."""

    def pool(self, endpoint: str, what: str, most: int) -> list[str]:
        """So many keys for a call: of objects as it needs them, then of nothing."""
        given = _POOLS.get(endpoint, _POOLS.get(what, Full._standing))(self)
        return [*given[:most], *(unknown_key() for _ in range(most - len(given)))]

    def _standing(self) -> list[str]:
        return self.files

    def doomed(self) -> list[str]:
        """Files for a call that takes them away."""
        return many_files(self.api, DOOMED, self.doomed_folder().object_key)

    def doomed_folder(self) -> StoredObject:
        return self.api.folder(f"doomed {next(_numbers)}")

    def doomed_files(self) -> tuple[str, str]:
        """A folder of such files, and the name of one in it."""
        folder = self.doomed_folder()
        many_files(self.api, DOOMED, folder.object_key)
        return folder.name, self.api.file("doomed.txt", parent_key=folder.object_key).name

    def doomed_leaf(self) -> tuple[str, str]:
        """A folder as deep as one can be, and the name of a file in it."""
        folder = self.api.folder(f"doomed {next(_numbers)}", self.above_deepest)
        name = self.api.file("doomed.txt", parent_key=folder.object_key).name
        return "/".join([*self.deep[:-1], folder.name]), name

    def wide(self) -> tuple[str, str]:
        """The folder with many files, and the name of one in it."""
        return "a folder", self.wide_file

    def trashed(self) -> list[str]:
        keys = self.doomed()
        self.api.trash(*keys)
        return keys

    def folders(self) -> list[str]:
        return [self.keys.folder]


_POOLS: dict[str, Callable[[Full], list[str]]] = {
    "TRASH": Full.doomed,
    "trash_objects": Full.doomed,
    "restore": Full.trashed,
    "purge": Full.trashed,
    "contactIds": lambda full: full.contacts,
    "covers": Full.folders,
}
"""By endpoint, operation or field; every other call names the files that stay."""


def unknown_key() -> str:
    return make_key(1_700_000_000_000 + next(_numbers), bytes(10))


def many_files(api: Api, number: int, parent_key: str) -> list[str]:
    """Pictures with the same bytes, some with the longest names, made straight in the store."""
    like, now = api.file(f"like {next(_numbers)}.jpg", parent_key=parent_key), api.ctx.clock.now()
    with api.ctx.metadata.read() as unit:
        content = unit.content.get(like.sha256 or "")
    assert content is not None
    news = [
        NewFile(
            object_key=api.ctx.new_key(),
            parent_key=parent_key,
            name=a_name(NAME_BYTES_MAX if at % 10 == 0 else 40),
            sha256=like.sha256 or "",
            md5=like.md5 or "",
            size=like.size,
            location=content.location,
            category="photo",
            mime_type="image",
            mime_subtype="jpeg",
            file_created_at=now,
            last_modified_at=now,
            created_by="Ada",
            source_folder=words(100),
            taken_at=now - at,
            taken_day=503,
        )
        for at in range(number)
    ]
    api.ctx.metadata.write(lambda unit: unit.files.put_many(api.account.account_id, news, now, keep_versions=20))
    return [new.object_key for new in news]


def filled(api: Api) -> Full:
    """Put much of everything into an account."""
    keys = furnish(api)
    account_id, now = api.account.account_id, api.ctx.clock.now()
    files = many_files(api, FILES, keys.folder)
    parent, deep = api.root_key, []
    for level in range(FOLDER_DEPTH_MAX):
        deep.append(f"{'n' * 20}{level:03}")
        above, parent = parent, api.folder(deep[-1], parent).object_key
    leaf = "leaf.txt"
    for version in range(VERSIONS_KEPT):
        file = api.file(leaf, b"version %d" % version, parent)
    contacts = {
        api.ctx.new_key(): Contact(
            display_name=f"Contact {number} {words(40)}", emails=[ContactMailbox(email_id=f"{number}@example.org")]
        )
        for number in range(CONTACTS)
    }

    def fill(unit: Unit) -> None:
        # The alarm would pause the session.
        unit.alarms.set_limit(account_id, 0)
        some = [*files, file.object_key]
        unit.tree.apply(account_id, [SetFavorite(key, True) for key in some], now)
        unit.board_items.add(account_id, keys.board, some, now)
        unit.tags.add(account_id, some, NewTag(tag_key=keys.people.tag, name="sea"), now)
        unit.contacts.add(account_id, contacts, now)
        for number in range(COMMENTS):
            comment = NewComment(comment_key=api.ctx.new_key(), text=f"{number} {words(200)}")
            unit.board_comments.add(account_id, keys.board, comment, now)

    api.ctx.metadata.write(fill)
    full = Full(
        api=api,
        keys=replace(keys, file=file.object_key, versioned=file.object_key),
        files=files,
        contacts=list(contacts),
        deep=deep,
        leaf=leaf,
        wide_file=api.file("one of many.txt", parent_key=keys.folder).name,
        above_deepest=above,
    )
    full.trashed()
    return full
