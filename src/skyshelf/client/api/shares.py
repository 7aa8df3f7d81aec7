"""Public links."""

import time
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.errors import InvalidRequestError, ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.objects import lookup
from skyshelf.client.objects.remote_object import Target
from skyshelf.wire.endpoints.shares import ADD_SHARE, CREATE_SHARE, EDIT_SHARE, OWN_SHARES, REVOKE_SHARE
from skyshelf.wire.error_codes import SHARE_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import SHARE_LIST_LIMIT_DEFAULT
from skyshelf.wire.resources.shares import (
    NewShareRequest,
    OwnShare,
    OwnShares,
    SharedObject,
    ShareEditRequest,
    ShareLink,
    ShareRequest,
    SharesQuery,
)
from skyshelf.wire.times import share_name

# Public links: making them, and what becomes of them later.

_LIMITS = "links with an end, a password or a number of downloads: make a plain one, which has none of them"


class PublicLink(Struct, frozen=True, kw_only=True):
    """A link that was made: the record that a client keeps of it."""

    url: str
    token: str | None
    share_name: str
    object_keys: str
    share_key: str | None = None

    def __repr__(self) -> str:
        # Whoever has the link has what it shows.
        return f"PublicLink(share_name={self.share_name!r})"


LinkTarget: TypeAlias = OwnShare | PublicLink | str
"""What a method takes for a link: the link as it was made or listed, its key, or its address."""


async def create_link(
    engine: Engine,
    keys: Sequence[str],
    name: str | None = None,
    *,
    expires: int | None = None,
    password: str | None = None,
    max_downloads: int | None = None,
) -> PublicLink:
    """Make one link to all of the objects. It is never repeated: a link that nobody knows of is a leak."""
    unique = list(dict.fromkeys(keys))
    called = name or share_name(time.time_ns() // 1_000_000)
    if not (expires or password or max_downloads):
        shared = [build_request_model(partial(SharedObject, object_key=key), object_key=key) for key in unique]
        link = await engine.call(CREATE_SHARE, ShareLink, body=ShareRequest(objects=shared, share_name=called))
        return _made(link.share_url, None, called, unique)
    body = build_request_model(
        partial(
            NewShareRequest,
            object_keys=unique,
            share_name=called,
            expiry_date=expires,
            password=password,
            max_downloads=max_downloads,
        )
    )
    with beyond(_LIMITS):
        made = await engine.call(ADD_SHARE, OwnShare, body=body)
    return _made(made.share_url, made.share_key, called, unique)


def _made(url: str | None, share_key: str | None, name: str, keys: list[str]) -> PublicLink:
    if not url:
        raise UnexpectedAnswerError("the server made a link and did not tell its address")
    token = ShareLink(share_url=url).token
    return PublicLink(url=url, token=token, share_name=name, object_keys=",".join(keys), share_key=share_key)


async def own_links(engine: Engine, page_size: int) -> AsyncIterator[OwnShare]:
    """The links of the user, newest first."""
    cursor: str | None = None
    while True:
        with beyond("a list of your links, only one of what has a link"):
            query = SharesQuery(cursor=cursor, limit=page_size)
            page = await engine.call(OWN_SHARES, OwnShares, query=query)
        for share in page.shares or ():
            yield share
        if not page.next_cursor or page.next_cursor == cursor:
            return
        cursor = page.next_cursor


async def edit_link(engine: Engine, link: LinkTarget, edit: ShareEditRequest) -> OwnShare:
    """Change what a link is called and what limits it."""
    key = await _key_of(engine, link)
    with beyond("changing a link that was made"):
        return await engine.call(EDIT_SHARE, OwnShare, body=edit, keys={"share_key": key})


async def revoke_link(engine: Engine, link: LinkTarget) -> None:
    """End a link for good."""
    key = await _key_of(engine, link)
    with beyond("taking back a link that was made: put what it shows into the trash"):
        await engine.send(engine.plan(REVOKE_SHARE, keys={"share_key": key}))


async def _key_of(engine: Engine, link: LinkTarget) -> str:
    """The key of a link; of an address it is looked for among the links of the user."""
    if isinstance(link, OwnShare):
        return link.share_key
    if isinstance(link, PublicLink):
        if link.share_key is not None:
            return link.share_key
        link = link.url
    if is_key(link):
        return link
    token = ShareLink(share_url=link).token
    if token is None:
        raise InvalidRequestError(f"{link!r} is neither the address of a link nor its key")
    async for share in own_links(engine, page_size=200):
        if ShareLink(share_url=share.share_url).token == token:
            return share.share_key
    raise ObjectNotFoundError(SHARE_NOT_FOUND.message, status=404, code=SHARE_NOT_FOUND.code)


# Public links.


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
        resolver = lookup.PathResolver(self._engine)
        return await create_link(
            self._engine,
            [await resolver.key(target) for target in targets],
            name,
            expires=expires,
            password=password,
            max_downloads=max_downloads,
        )

    async def shares(self, *, page_size: int = SHARE_LIST_LIMIT_DEFAULT) -> AsyncIterator[OwnShare]:
        """The links that you have made, newest first, expired and used up ones too."""
        async for share in own_links(self._engine, page_size):
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
        return await edit_link(self._engine, link, edit)

    async def revoke_share(self, link: LinkTarget) -> None:
        """End a link for good."""
        await revoke_link(self._engine, link)
