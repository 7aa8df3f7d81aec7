"""Where objects were seen last, so that a change of one does not begin with a walk through the whole account."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.wire.resources.objects import CloudObject

KEPT_MAX: Final = 100_000


class SeenObjects:
    """Remembers the parent of every object that a result showed. It is a hint only: what moved is looked for."""

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
        hinted = [CloudObject(object_key=key, parent_object_key=self._parents.get(key)) for key in wanted]
        try:
            found = await client.get_many(hinted)
        except ObjectNotFoundError:
            # A folder is gone, or something is not where it was: it may be anywhere.
            found = await client.get_many(wanted)
        for each in found:
            self.note(each.wire)
        return found
