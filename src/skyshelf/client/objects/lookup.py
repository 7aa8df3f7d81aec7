"""Finding objects by path or key, and creating folders, none of them twice.

Nothing is guessed: an ambiguous name is an error that lists the keys.
"""

from collections.abc import Iterable, Sequence
from contextlib import aclosing, suppress
from unicodedata import normalize

from msgspec import json

from skyshelf.client import errors
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import checked
from skyshelf.client.objects.listing import KINDS, Kind, folder_pages
from skyshelf.client.objects.own_writes import objects_by_key
from skyshelf.client.objects.remote_object import (
    SEPARATOR,
    RemoteObject,
    Target,
    is_path,
    key_of,
    remote_object,
    root_object,
)
from skyshelf.client.objects.walk import walk
from skyshelf.wire.endpoints.account import PROFILE
from skyshelf.wire.endpoints.objects import CREATE_FOLDER
from skyshelf.wire.error_codes import OBJECT_NOT_FOUND
from skyshelf.wire.resources.objects import CloudObject, FolderCreation, ObjectType


def split_path(path: str) -> tuple[str, ...]:
    """Split a path into names. Dots have no special meaning: an object may have such a name."""
    return tuple(part for part in path.split(SEPARATOR) if part)


def not_found(what: str) -> errors.ObjectNotFoundError:
    """Return the error for an object that no listing has."""
    return errors.ObjectNotFoundError(f"there is no {what}", code=OBJECT_NOT_FOUND.code)


async def root_key(engine: Engine) -> str:
    """Return the key of the account's root folder, which is requested once."""
    known = engine.capabilities.root_key
    if known is not None:
        return known
    profile = await engine.call(PROFILE)
    if not profile.root_folder_key:
        raise errors.SkyshelfError("the server's profile does not name the root folder of the account")
    engine.capabilities.root_key = profile.root_folder_key
    return profile.root_folder_key


class PathResolver:
    """Finds objects by path or key; it lives for one call, and reads each listing once."""

    def __init__(self, engine: Engine, *, ignore_case: bool = False) -> None:
        self._engine = engine
        self._ignore_case = ignore_case
        self._listings: dict[tuple[str, Kind], list[RemoteObject]] = {}

    async def folder_key(self, target: Target | None) -> str:
        """Return the key of a folder; no target means the root. A key is not checked."""
        if target is None:
            return await root_key(self._engine)
        if is_path(target):
            return (await self.by_path(str(target), folders_only=True)).key
        return key_of(target)

    async def key(self, target: Target) -> str:
        """Return the key of an object; a key is not checked."""
        return (await self.by_path(str(target))).key if is_path(target) else key_of(target)

    async def keys(self, targets: Iterable[Target]) -> list[str]:
        """Return the keys of several objects, in the order given."""
        return [await self.key(target) for target in targets]

    async def objects(self, targets: Iterable[Target], parent: Target | None = None) -> list[RemoteObject]:
        """Return the objects with their full echo, in the order given.

        Objects are returned as they are. Keys are looked up by servers that can; on others the parent is listed, where
        it is known, and the tree is walked once for all other keys, until they are found.
        """
        wanted = list(targets)
        within = None if parent is None else await self.folder_key(parent)
        sought = [each for each in wanted if not isinstance(each, RemoteObject) and not is_path(each)]
        keys = {key_of(each).upper() for each in sought}
        found = await objects_by_key(self._engine, sorted(keys)) if keys and within is None else None
        if found is None:
            found = await self._from_listings(sought, keys, within)
        return [await self._chosen(target, found) for target in wanted]

    async def _from_listings(
        self, sought: Sequence[Target], keys: set[str], within: str | None
    ) -> dict[str, RemoteObject]:
        found: dict[str, RemoteObject] = {}
        for target in sought:
            folder = (target.parent_object_key or within) if isinstance(target, CloudObject) else within
            if folder is not None:
                await self._from_folder(folder, {key_of(target)}, found)
                keys = keys - {key_of(target).upper()}
        if keys:
            await self._from_tree(keys, found)
        return found

    async def by_path(self, path: str, *, folders_only: bool = False) -> RemoteObject:
        """Return the object at a path, resolved name by name from the root."""
        parts = split_path(path)
        current = root_object(await root_key(self._engine))
        for depth, name in enumerate(parts, 1):
            last = depth == len(parts)
            must_be_folder = not last or folders_only or path.endswith(SEPARATOR)
            kinds: tuple[Kind, ...] = ("w",) if must_be_folder else KINDS
            candidates = [each for kind in kinds for each in await self._listing(current.key, kind)]
            current = self._choose(candidates, name, SEPARATOR + SEPARATOR.join(parts[:depth]))
        return current

    def _choose(self, candidates: list[RemoteObject], name: str, path: str) -> RemoteObject:
        """Choose the object of exactly that name, else of another Unicode form, else of another case if requested."""
        composed = normalize("NFC", name)
        found = [each for each in candidates if each.name == name]
        found = found or [each for each in candidates if normalize("NFC", each.name) == composed]
        if not found and self._ignore_case:
            found = [each for each in candidates if normalize("NFC", each.name).casefold() == composed.casefold()]
        if not found:
            raise not_found(f"{path}")
        if len(found) > 1:
            keys = tuple(each.key for each in found)
            raise errors.AmbiguousNameError(
                f"{path} is the name of {len(found)} objects; name one by its key: {', '.join(keys)}", keys
            )
        return found[0].detached_copy()

    async def _chosen(self, target: Target, found: dict[str, RemoteObject]) -> RemoteObject:
        if isinstance(target, RemoteObject):
            return target
        if is_path(target):
            return await self.by_path(str(target))
        key = key_of(target).upper()
        if key not in found:
            raise not_found(f"object with the key {key_of(target)}")
        return found[key]

    async def _from_folder(self, folder_key: str, keys: set[str], found: dict[str, RemoteObject]) -> None:
        wanted = {key.upper() for key in keys} - found.keys()
        for kind in KINDS:
            if not wanted:
                return
            for each in await self._listing(folder_key, kind):
                if each.key.upper() in wanted:
                    found[each.key.upper()] = each.detached_copy()
                    wanted.discard(each.key.upper())

    async def _from_tree(self, keys: set[str], found: dict[str, RemoteObject]) -> None:
        missing = set(keys)
        # The content of a folder that vanished during the walk is gone too, or is found elsewhere.
        walking = walk(self._engine, await root_key(self._engine), vanished=lambda _parts, _error: None)
        async with aclosing(walking):
            async for walked in walking:
                key = walked.object.key.upper()
                if key in missing:
                    found[key] = walked.object.detached_copy()
                    missing.discard(key)
                    if not missing:
                        return

    async def _listing(self, folder_key: str, kind: Kind) -> list[RemoteObject]:
        known = self._listings.get((folder_key, kind))
        if known is None:
            known = [each async for found in folder_pages(self._engine, folder_key, kind, keep=True) for each in found]
            self._listings[folder_key, kind] = known
        return known


async def create_folder(engine: Engine, name: str, parent_key: str, *, exist_ok: bool = False) -> RemoteObject:
    """Create a folder; with `exist_ok`, an existing one is returned instead.

    When the response is lost, a listing of the parent shows whether the folder exists before it is created again.
    """
    body = checked(FolderCreation, object_name=name, parent_object_key=parent_key)
    known = {each.key for each in await children_named(engine, name, parent_key)} if not exist_ok else set()
    may_exist = exist_ok

    async def find() -> RemoteObject | None:
        created = [each for each in await children_named(engine, name, parent_key) if each.key not in known]
        return created[-1].detached_copy() if len(created) == 1 or (created and not exist_ok) else None

    async def create() -> RemoteObject:
        response = await engine.send(engine.plan(CREATE_FOLDER, body=body))
        # The interface does not define this body: it may be missing, say nothing, or show something else.
        with suppress(errors.UnexpectedAnswerError):
            made = _completed(remote_object(response.body), body)
            if made.is_folder and normalize("NFC", made.name) == normalize("NFC", body.object_name):
                return made
        created = await engine.listed_at_last(find)
        if created is None:
            raise not_found(f"folder {name!r}, although the server reported its creation")
        return created

    async def happened() -> RemoteObject | None:
        nonlocal may_exist
        # An earlier attempt may have created it without the listing showing it yet: the conflict is with ourselves.
        may_exist = may_exist or not known
        return await find()

    try:
        made = await engine.once_only(create, happened)
    except errors.ConflictError:
        is_waiting = may_exist and not await children_named(engine, name, parent_key, "f")
        existing = await engine.listed_at_last(find) if is_waiting else None
        if existing is None:
            raise
        made = existing
    engine.written.put(made, parent_key)
    return made


def _completed(made: RemoteObject, body: FolderCreation) -> RemoteObject:
    """Complete a new folder with what was sent, where the server's response says less."""
    sent = {
        "objectName": body.object_name,
        "parentObjectKey": body.parent_object_key,
        "objectType": ObjectType.FOLDER.value,
        "sourceName": body.source_name,
    }
    fields = json.decode(made.sent())
    missing = {name: value for name, value in sent.items() if fields.get(name) is None}
    return remote_object(json.encode({**fields, **missing})) if missing else made


async def children_named(engine: Engine, name: str, parent_key: str, kind: Kind = "w") -> list[RemoteObject]:
    """Return the folders, or the files, of that name in a folder; some servers allow several."""
    wanted = normalize("NFC", name)
    return [
        each
        async for found in folder_pages(engine, parent_key, kind)
        for each in found
        if normalize("NFC", each.name) == wanted
    ]


async def create_path(engine: Engine, path: str) -> RemoteObject:
    """Return the folder at a path, which is created with its parents where they are missing."""
    current = root_object(await root_key(engine))
    walked = ""
    for name in split_path(path):
        walked += SEPARATOR + name
        found = await children_named(engine, name, current.key)
        exact = [each for each in found if each.name == name] or found
        if len(exact) > 1:
            keys = tuple(each.key for each in exact)
            raise errors.AmbiguousNameError(f"{walked} is the name of {len(exact)} folders: {', '.join(keys)}", keys)
        current = exact[0].detached_copy() if exact else await create_folder(engine, name, current.key, exist_ok=True)
    return current
