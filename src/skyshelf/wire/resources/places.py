"""Where objects are, and what is in folders at a glance."""

from typing import Annotated

from skyshelf.wire.limits import COVERS_MAX, LOCATIONS_MAX
from skyshelf.wire.models import AnswerModel
from skyshelf.wire.resources.downloads import KeysQuery, keys_up_to
from skyshelf.wire.resources.search import FolderAbove


class LocationsQuery(KeysQuery, frozen=True, kw_only=True):
    """The objects to locate, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(LOCATIONS_MAX)]


class ObjectPlace(AnswerModel, frozen=True, kw_only=True):
    """An object's folder, and whether that can be seen; `trashedDate` is that of an object in the trash."""

    object_key: str
    parent_object_key: str | None = None
    is_parent_visible: bool | None = None
    trashed_date: int | None = None


class Locations(AnswerModel, frozen=True, kw_only=True):
    """Those of the objects that exist, in the trash or not. `folders` are the folders above them, each once."""

    objects: list[ObjectPlace] | None = None
    folders: list[FolderAbove] | None = None


class CoversQuery(KeysQuery, frozen=True, kw_only=True):
    """The folders to return covers of, as comma-separated keys."""

    object_keys: Annotated[str, keys_up_to(COVERS_MAX)]


class CoverPicture(AnswerModel, frozen=True, kw_only=True):
    """A picture whose thumbnail is part of a cover."""

    object_key: str
    hash: str | None = None
    version: int | None = None


class FolderCover(AnswerModel, frozen=True, kw_only=True):
    """A folder and up to four of its newest pictures."""

    object_key: str
    pictures: list[CoverPicture] | None = None


class Covers(AnswerModel, frozen=True, kw_only=True):
    """The covers of those folders that have pictures."""

    covers: list[FolderCover] | None = None
