"""Making folders, without ever making one twice."""

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
    """Make a folder; with `exist_ok`, the one that is there already will do.

    When the answer is lost, the request is not repeated: a look at the parent tells whether the folder is there now.
    """
    body = build_request_model(
        lambda: FolderCreation(object_name=name, parent_object_key=parent_key), parent_object_key=parent_key
    )
    known = {each.key for each in await folders_named(engine, name, parent_key)} if not exist_ok else set()
    try:
        answer = await engine.send(engine.plan(CREATE_FOLDER, body=body))
    except ConflictError:
        there = await folders_named(engine, name, parent_key) if exist_ok else []
        if len(there) == 1:
            return there[0].detached_copy()
        raise
    except RequestFailedError as error:
        if not error.retryable:
            raise
        made = [each for each in await folders_named(engine, name, parent_key) if each.key not in known]
        if len(made) == 1:
            return made[0].detached_copy()
        raise
    # The interface does not show the body of this answer, so that it may have none, or one that tells nothing.
    with suppress(UnexpectedAnswerError):
        return remote_object(answer.body)
    made = [each for each in await folders_named(engine, name, parent_key) if each.key not in known]
    if not made:
        raise not_found(f"folder {name!r}, although the server says that it made it")
    return made[-1].detached_copy()


async def folders_named(engine: Engine, name: str, parent_key: str) -> list[RemoteObject]:
    """The folders of that name; on servers that allow it there can be several."""
    wanted = normalize("NFC", name)
    return [
        each
        async for found in folder_pages(engine, parent_key, "w")
        for each in found
        if normalize("NFC", each.name) == wanted
    ]


async def create_path(engine: Engine, path: str) -> RemoteObject:
    """The folder at a path, made with all that leads to it where it is missing."""
    current = root_object(await root_key(engine))
    walked = ""
    for name in split_path(path):
        walked += SEPARATOR + name
        there = await folders_named(engine, name, current.key)
        exact = [each for each in there if each.name == name] or there
        if len(exact) > 1:
            keys = tuple(each.key for each in exact)
            raise AmbiguousNameError(f"{walked} is the name of {len(exact)} folders: {', '.join(keys)}", keys)
        current = exact[0].detached_copy() if exact else await create_folder(engine, name, current.key, exist_ok=True)
    return current
