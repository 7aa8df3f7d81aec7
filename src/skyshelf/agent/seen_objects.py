"""Where objects were seen last, so that a change of one does not begin with a walk through the whole account."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects import RemoteObject
from skyshelf.wire.objects import CloudObject

KEPT_MAX: Final = 100_000


class SeenObjects:
    """Remembers the parent of every object that a result showed. It is a hint only: what moved is found by a walk."""

    def __init__(self) -> None:
        self._parents: OrderedDict[str, str] = OrderedDict()

    def note(self, found: CloudObject) -> CloudObject:
        """Remember an object, and give it back."""
        if found.parent_object_key:
            key = found.object_key.upper()
            self._parents[key] = found.parent_object_key
            self._parents.move_to_end(key)
            if len(self._parents) > KEPT_MAX:
                self._parents.popitem(last=False)
        return found

    async def resolve(self, client: AsyncClient, keys: Iterable[str]) -> list[RemoteObject]:
        """The objects as they are now, with all that a change of them needs; ObjectNotFoundError where one is not."""
        wanted = list(dict.fromkeys(key.upper() for key in keys))
        found: dict[str, RemoteObject] = {}
        for parent in dict.fromkeys(self._parents[key] for key in wanted if key in self._parents):
            found |= await _in_folder(client, parent, {key for key in wanted if self._parents.get(key) == parent})
        missing = set(wanted) - found.keys()
        if missing:
            found |= await _in_tree(client, missing)
        for key in wanted:
            if key not in found:
                raise ObjectNotFoundError(f"there is no object with the key {key}")
            self.note(found[key].wire)
        return [found[key] for key in wanted]


async def _in_folder(client: AsyncClient, folder: str, keys: set[str]) -> dict[str, RemoteObject]:
    found: dict[str, RemoteObject] = {}
    try:
        async for each in client.list_folder(folder):
            if each.key.upper() in keys:
                found[each.key.upper()] = each.kept()
    except ObjectNotFoundError:
        # The folder is gone, and its objects may be anywhere.
        return {}
    return found


async def _in_tree(client: AsyncClient, keys: set[str]) -> dict[str, RemoteObject]:
    found: dict[str, RemoteObject] = {}
    walking = client.walk(vanished=lambda _parts, _error: None)
    try:
        async for walked in walking:
            key = walked.object.key.upper()
            if key in keys:
                found[key] = walked.object.kept()
                if len(found) == len(keys):
                    break
    finally:
        await walking.aclose()  # type: ignore[attr-defined]
    return found
