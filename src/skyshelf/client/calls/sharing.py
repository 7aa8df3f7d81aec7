"""Public links."""

from collections.abc import Iterable

from skyshelf.client import (
    paths,
    sharing,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.client.sharing import PublicLink


class ShareCalls(Calls):
    """Public links."""

    async def share_link(self, targets: Iterable[Target], *, name: str | None = None) -> PublicLink:
        """Make one public link to all of the objects; the name is made from the time where none is given."""
        resolver = paths.PathResolver(self._engine)
        return await sharing.create_link(self._engine, [await resolver.key(target) for target in targets], name)
