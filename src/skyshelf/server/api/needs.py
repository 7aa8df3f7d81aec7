"""What each endpoint needs a delegation to allow, and the objects that a call names.

An endpoint without a line here is for logins alone: it changes the account, concerns other people, or cannot be undone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from skyshelf.service.accounts.leave import Needs, check_inside, take
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.storage.metadata.contracts.leave import Amounts
from skyshelf.wire.leave import CallKind

_ANY: Final = Needs()
_LIST: Final = Needs(kind=CallKind.LIST)
_LIST_ALL: Final = Needs(kind=CallKind.LIST, is_confinable=False)
_READ: Final = Needs(kind=CallKind.READ)
_READ_ALL: Final = Needs(kind=CallKind.READ, is_confinable=False)
_WRITE: Final = Needs(kind=CallKind.WRITE)
_WRITE_ALL: Final = Needs(kind=CallKind.WRITE, is_confinable=False)
# What changes no file is not in the feed, so the call itself is counted.
_TAG: Final = Needs(kind=CallKind.WRITE, writes=1)
_SHARE: Final = Needs(kind=CallKind.SHARE, writes=1)
_SHARE_ALL: Final = Needs(kind=CallKind.SHARE, is_confinable=False, writes=1)

NEEDS: Final[Mapping[str, Needs]] = {
    "own_delegation": _ANY,
    "app_settings": _ANY,
    "epoch": _ANY,
    "profile": _ANY,
    "supported_documents": _ANY,
    # Names and properties
    "default_view": _LIST,
    "short_default_view": _LIST,
    "listing": _LIST,
    "search": _LIST,
    "versions": _LIST,
    "object_info": _LIST,
    "object_tags": _LIST,
    "object_changes": _LIST,
    "photo_facts": _LIST,
    "object_location": _LIST_ALL,
    "locations": _LIST_ALL,
    "covers": _LIST,
    "category": _LIST_ALL,
    "changes": _LIST_ALL,
    "duplicates": _LIST_ALL,
    "everything": _LIST_ALL,
    "favorites": _LIST_ALL,
    "history": _LIST_ALL,
    "history_differences": _LIST_ALL,
    "keyword": _LIST_ALL,
    "largest_files": _LIST_ALL,
    "linked_app": _LIST_ALL,
    "old_versions": _LIST_ALL,
    "own_share": Needs(kind=CallKind.SHARE, is_confinable=False),
    "own_shares": Needs(kind=CallKind.SHARE, is_confinable=False),
    "past_folder": _LIST_ALL,
    "past_object": _LIST_ALL,
    "photo_places": _LIST_ALL,
    "recent": _LIST_ALL,
    "recent_tags": _LIST_ALL,
    "shared_by_me": _LIST_ALL,
    "spotlights": _LIST_ALL,
    "storage_use": _LIST_ALL,
    "tag_list": _LIST_ALL,
    "tagged_objects": _LIST_ALL,
    "timeline": _LIST_ALL,
    "timeline_objects": _LIST_ALL,
    "trash": _LIST_ALL,
    "unfinished_uploads": _LIST_ALL,
    # Contents
    "contents": _READ,
    "download": _READ,
    "metadata_download": _READ,
    "placeholders": _READ,
    "short_download": _READ,
    "text": _READ,
    "thumbnail": _READ,
    "create_archive": Needs(kind=CallKind.READ),
    "download_archive": _READ_ALL,
    "past_file": _READ_ALL,
    # Changes; what moves to the trash needs that kind as well, which its transaction checks
    "batch": _WRITE,
    "flat_batch": _WRITE,
    "copy": _WRITE,
    "create_folder": _WRITE,
    "restore_version": _WRITE,
    "upload": _WRITE,
    "upload_many": _WRITE,
    "initiate_upload": _WRITE,
    "upload_chunk": _WRITE_ALL,
    "cancel_upload": _WRITE_ALL,
    "restore": _WRITE_ALL,
    "add_tag": _TAG,
    "remove_tag": _TAG,
    "rename_tag": Needs(kind=CallKind.WRITE, is_confinable=False, writes=1),
    "trash_objects": Needs(kind=CallKind.DELETE),
    "purge": Needs(kind=CallKind.PURGE, is_confinable=False),
    "add_share": _SHARE,
    "create_share": _SHARE,
    "edit_share": _SHARE_ALL,
    "revoke_share": _SHARE_ALL,
}

OBJECT_FIELDS: Final = frozenset({"object_key", "object_keys", "folder_key", "parent_object_key"})
"""The fields of paths, queries and bodies that name objects."""
_FOLDER: Final = "folder_key"


def confined(ctx: ServiceContext, caller: Caller, keys: Mapping[str, str], models: list[Any]) -> list[Any]:
    """Return the queries and bodies of a call with the caller's folder where they name none.

    OBJECT_NOT_FOUND if one of the objects that they name is not in that folder.
    """
    if caller.leave is None or not caller.leave.folders:
        return models
    inner = [
        msgspec.structs.replace(model, folder_key=caller.root_key)
        if isinstance(model, msgspec.Struct) and getattr(model, _FOLDER, "") is None
        else model
        for model in models
    ]
    named = {value for name, value in keys.items() if name in OBJECT_FIELDS}
    check_inside(ctx, caller, named.union(*map(objects_in, inner)))
    return inner


def count_more(ctx: ServiceContext, caller: Caller, needs: Needs | None, query: object) -> None:
    """Count the reads of a call of many objects besides the first one, which was counted with the call."""
    if needs is not None and needs.kind is CallKind.READ:
        take(ctx, caller, Amounts(reads=max(0, len(set(objects_in(query))) - 1)))


def objects_in(model: object) -> Iterator[str]:
    """Yield the keys of the objects that a query or a body names, at any depth."""
    if isinstance(model, list):
        for one in model:
            yield from objects_in(one)
    elif isinstance(model, msgspec.Struct):
        for name in model.__struct_fields__:
            value = getattr(model, name)
            if name in OBJECT_FIELDS:
                # In queries, several keys are one text.
                yield from value.split(",") if isinstance(value, str) else value or ()
            else:
                yield from objects_in(value)
