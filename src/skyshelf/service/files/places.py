"""Where objects are, and covers of folders."""

from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.tree import TRASHED
from skyshelf.wire.resources.places import (
    CoverPicture,
    Covers,
    CoversQuery,
    FolderCover,
    Locations,
    LocationsQuery,
    ObjectPlace,
)
from skyshelf.wire.resources.search import FolderAbove


def locations(ctx: ServiceContext, caller: Caller, query: LocationsQuery) -> Locations:
    """The folders above objects; keys that the caller does not have are left out."""
    with ctx.metadata.snapshot() as unit:
        places, folders = unit.places.above(caller.account_id, query.keys)
    return Locations(
        objects=[
            ObjectPlace(
                object_key=place.object.object_key,
                parent_object_key=place.object.parent_key,
                is_parent_visible=place.is_parent_visible,
                trashed_date=place.object.trashed_at if place.object.status == TRASHED else None,
            )
            for place in places
        ],
        folders=[
            FolderAbove(object_key=one.object_key, parent_object_key=one.parent_key, object_name=one.name)
            for one in folders
        ],
    )


def covers(ctx: ServiceContext, caller: Caller, query: CoversQuery) -> Covers:
    """Pictures that show at a glance what folders hold; keys that the caller does not have are left out."""
    with ctx.metadata.snapshot() as unit:
        found = unit.places.covers(caller.account_id, query.keys)
    return Covers(
        covers=[
            FolderCover(
                object_key=key,
                pictures=[
                    CoverPicture(object_key=one.object_key, hash=one.md5, version=one.version) for one in pictures
                ],
            )
            for key, pictures in found.items()
        ]
    )
