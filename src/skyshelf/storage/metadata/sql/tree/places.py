"""Places in SQL."""

from collections.abc import Sequence
from typing import Final

import msgspec

from skyshelf.storage.metadata.contracts.tree import ACTIVE, PURGING, FoundFolder, StoredObject
from skyshelf.storage.metadata.sql.statements import SqlNoun, Value, digest_text, key_text, raw
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.tree.visibility import Lineage, load, named_folders


class Place(msgspec.Struct, frozen=True):
    """An object and whether its folder can be seen; there is nothing above the root, which is seen."""

    object: StoredObject
    is_parent_visible: bool

    @property
    def is_visible(self) -> bool:
        return self.is_parent_visible and self.object.status == ACTIVE


class Picture(msgspec.Struct, frozen=True):
    """The current version of a picture."""

    object_key: str
    md5: str
    version: int


_PICTURES: Final = 4
_EXAMINED: Final = 60
"""Files of a folder among which pictures are looked for."""


class SqlPlaces(SqlNoun):
    def above(self, account_id: int, object_keys: Sequence[str]) -> tuple[list[Place], list[FoundFolder]]:
        """Return the objects that exist, trashed ones included, and all folders above them, each once.

        An object that is being purged, or goes with a folder that is, does not exist. A fixed number of statements.
        """
        found = load(self._sql, account_id, object_keys)
        lineage = Lineage(self._sql, account_id, {one.parent_key for one in found.values() if one.parent_key})
        places = [
            Place(one, lineage.is_visible(one.parent_key))
            for key in dict.fromkeys(object_keys)
            if (one := found.get(key)) is not None
            and one.status != PURGING
            and not (one.status == ACTIVE and lineage.is_being_purged(one.parent_key))
        ]
        above = {key for place in places for key in lineage.up_from(place.object.parent_key)}
        return places, named_folders(self._sql, account_id, above)

    def covers(self, account_id: int, folder_keys: Sequence[str]) -> dict[str, list[Picture]]:
        """Return up to four pictures of each visible folder that has some among its newest files.

        Only a fixed number of files is examined per folder, however many it holds.
        """
        visible = SqlTree(self._sql).visible_many(account_id, folder_keys)
        folders = [key for key in dict.fromkeys(folder_keys) if key in visible and visible[key].is_folder]
        if not folders:
            return {}
        # A range of an index for each folder: a join would read whole folders.
        parts = " UNION ALL ".join(_newest_of(number) for number in range(len(folders)))
        params: dict[str, Value] = {f"folder{number}": raw(key) for number, key in enumerate(folders)}
        found: dict[str, list[Picture]] = {}
        for folder, key, md5, version in self._sql.all(parts, {"account": account_id, **params}):
            pictures = found.setdefault(key_text(folder), [])
            if len(pictures) < _PICTURES:
                pictures.append(Picture(key_text(key), digest_text(md5), version))
        return found


def _newest_of(number: int) -> str:
    return (
        f"SELECT parent_key, object_key, md5, version FROM (SELECT o.parent_key, o.object_key, o.md5, o.version,"
        f" o.mime_type FROM objects o WHERE o.account_id = :account AND o.parent_key = :folder{number} AND o.kind = 1"
        f" AND o.status = 'A' ORDER BY o.file_created_at DESC, o.object_key DESC LIMIT {_EXAMINED}) n{number}"
        " WHERE mime_type = 'image'"
    )
