"""Creating folders, never one twice."""

from contextlib import suppress
from unicodedata import normalize

from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import AmbiguousNameError, ConflictError, RequestFailedError, UnexpectedAnswerError
from skyshelf.client.objects.listing import folder_pages
from skyshelf.client.objects.lookup import not_found, root_key, split_path
from skyshelf.client.objects.remote_object import SEPARATOR, RemoteObject, remote_object, root_object
from skyshelf.wire.endpoints.objects import CREATE_FOLDER
from skyshelf.wire.resources.objects import FolderCreation


async def create_folder(engine: Engine, name: str, parent_key: str, *, exist_ok: bool = False) -> RemoteObject:
    """Create a folder; with `exist_ok`, an existing one is returned instead.

    When the response is lost, the request is not repeated: a listing of the parent shows whether the folder exists.
    """
    body = build_request_model(
        lambda: FolderCreation(object_name=name, parent_object_key=parent_key), parent_object_key=parent_key
    )
    known = {each.key for each in await folders_named(engine, name, parent_key)} if not exist_ok else set()
    try:
        response = await engine.send(engine.plan(CREATE_FOLDER, body=body))
    except ConflictError:
        existing = await folders_named(engine, name, parent_key) if exist_ok else []
        if len(existing) == 1:
            return existing[0].detached_copy()
        raise
    except RequestFailedError as error:
        if not error.retryable:
            raise
        created = [each for each in await folders_named(engine, name, parent_key) if each.key not in known]
        if len(created) == 1:
            return created[0].detached_copy()
        raise
    # The interface does not define this body: it may be missing, or say nothing.
    with suppress(UnexpectedAnswerError):
        return remote_object(response.body)
    created = [each for each in await folders_named(engine, name, parent_key) if each.key not in known]
    if not created:
        raise not_found(f"folder {name!r}, although the server reported its creation")
    return created[-1].detached_copy()


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
