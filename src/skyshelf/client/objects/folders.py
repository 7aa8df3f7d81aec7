"""Creating folders, never one twice."""

from contextlib import suppress
from unicodedata import normalize

from msgspec import json

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import AmbiguousNameError, ConflictError, UnexpectedAnswerError
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.lookup import not_found, root_key, split_path
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject, remote_object, root_object
from skyshelf.wire.endpoints.objects import CREATE_FOLDER
from skyshelf.wire.resources.objects import FolderCreation, ObjectType


async def create_folder(engine: Engine, name: str, parent_key: str, *, exist_ok: bool = False) -> RemoteObject:
    """Create a folder; with `exist_ok`, an existing one is returned instead.

    When the response is lost, a listing of the parent shows whether the folder exists before it is created again.
    """
    body = build_request_model(
        lambda: FolderCreation(object_name=name, parent_object_key=parent_key), parent_object_key=parent_key
    )
    known = {each.key for each in await folders_named(engine, name, parent_key)} if not exist_ok else set()
    may_exist = exist_ok

    async def find() -> RemoteObject | None:
        created = [each for each in await folders_named(engine, name, parent_key) if each.key not in known]
        return created[-1].detached_copy() if len(created) == 1 or (created and not exist_ok) else None

    async def create() -> RemoteObject:
        response = await engine.send(engine.plan(CREATE_FOLDER, body=body))
        # The interface does not define this body: it may be missing, or say nothing.
        with suppress(UnexpectedAnswerError):
            return _completed(remote_object(response.body), body)
        created = await engine.listed_at_last(find)
        if created is None:
            raise not_found(f"folder {name!r}, although the server reported its creation")
        return created

    async def happened() -> RemoteObject | None:
        nonlocal may_exist
        # An earlier attempt may have created it, and the listing not show it yet: then a conflict is its own.
        may_exist = may_exist or not known
        return await find()

    try:
        made = await engine.once_only(create, happened)
    except ConflictError:
        is_waiting = may_exist and not await _is_file(engine, name, parent_key)
        existing = await engine.listed_at_last(find) if is_waiting else None
        if existing is None:
            raise
        made = existing
    engine.written.put(made, parent_key)
    return made


def _completed(made: RemoteObject, body: FolderCreation) -> RemoteObject:
    """A new folder with what was sent, where the server's response says less."""
    sent = {
        "objectName": body.object_name,
        "parentObjectKey": body.parent_object_key,
        "objectType": ObjectType.FOLDER.value,
        "sourceName": body.source_name,
    }
    fields = json.decode(made.sent())
    missing = {name: value for name, value in sent.items() if fields.get(name) is None}
    return remote_object(json.encode({**fields, **missing})) if missing else made


async def _is_file(engine: Engine, name: str, parent_key: str) -> bool:
    """Whether a file has the name."""
    wanted = normalize("NFC", name)
    return any(
        [
            normalize("NFC", each.name) == wanted
            async for found in folder_pages(engine, parent_key, "f")
            for each in found
        ]
    )


async def folders_named(engine: Engine, name: str, parent_key: str) -> list[RemoteObject]:
    """The folders of that name; some servers allow several."""
    wanted = normalize("NFC", name)
    return [
        each
        async for found in folder_pages(engine, parent_key, "w")
        for each in found
        if normalize("NFC", each.name) == wanted
    ]


async def create_path(engine: Engine, path: str) -> RemoteObject:
    """The folder at a path, created with its parents where they are missing."""
    current = root_object(await root_key(engine))
    walked = ""
    for name in split_path(path):
        walked += SEPARATOR + name
        found = await folders_named(engine, name, current.key)
        exact = [each for each in found if each.name == name] or found
        if len(exact) > 1:
            keys = tuple(each.key for each in exact)
            raise AmbiguousNameError(f"{walked} is the name of {len(exact)} folders: {', '.join(keys)}", keys)
        current = exact[0].detached_copy() if exact else await create_folder(engine, name, current.key, exist_ok=True)
    return current
