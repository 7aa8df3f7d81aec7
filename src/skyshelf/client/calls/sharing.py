"""Public links."""

from collections.abc import AsyncIterator, Iterable

from skyshelf.client import (
    paths,
    sharing,
)
from skyshelf.client.calls.base import Calls
from skyshelf.client.objects import Target
from skyshelf.client.sharing import LinkTarget, PublicLink
from skyshelf.wire.limits import SHARE_LIST_LIMIT_DEFAULT
from skyshelf.wire.resources.shares import OwnShare, ShareEditRequest


class ShareCalls(Calls):
    """Public links."""

    async def share_link(
        self,
        targets: Iterable[Target],
        *,
        name: str | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> PublicLink:
        """Make one public link to all of the objects; the name is made from the time where none is given.

        `expires` is a time in epoch milliseconds.
        """
        resolver = paths.PathResolver(self._engine)
        return await sharing.create_link(
            self._engine,
            [await resolver.key(target) for target in targets],
            name,
            expires=expires,
            password=password,
            max_downloads=max_downloads,
        )

    async def shares(self, *, page_size: int = SHARE_LIST_LIMIT_DEFAULT) -> AsyncIterator[OwnShare]:
        """The links that you have made, newest first, expired and used up ones too."""
        async for share in sharing.own_links(self._engine, page_size):
            yield share

    async def edit_share(
        self,
        link: LinkTarget,
        *,
        name: str | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> OwnShare:
        """Change a link; what is None stays as it is.

        `expires` 0 is never, `max_downloads` 0 is no limit, and an empty password is none.
        """
        edit = ShareEditRequest(share_name=name, expiry_date=expires, password=password, max_downloads=max_downloads)
        return await sharing.edit_link(self._engine, link, edit)

    async def revoke_share(self, link: LinkTarget) -> None:
        """End a link for good."""
        await sharing.revoke_link(self._engine, link)
