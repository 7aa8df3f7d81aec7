"""Public links."""

import time
from collections.abc import AsyncIterator, Iterable, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.engine import CannotTellError
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import InvalidRequestError, ObjectNotFoundError, RequestFailedError, UnexpectedAnswerError
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import RemoteObject, Target
from skyshelf.wire.endpoints import shares as endpoints
from skyshelf.wire.endpoints.feeds import SHARED_BY_ME
from skyshelf.wire.error_codes import SHARE_NOT_FOUND
from skyshelf.wire.keys import is_key
from skyshelf.wire.limits import SHARE_LIST_LIMIT_DEFAULT
from skyshelf.wire.resources import shares as models
from skyshelf.wire.resources.feeds import SharedByMeQuery
from skyshelf.wire.resources.shares import OwnShare
from skyshelf.wire.times import share_name

_LIMITS: Final = "limit a link by time, password or number of downloads; create a plain link instead"
_LISTING: Final = "list your links; it lists the items that have one"
_CLOCKS_APART_MS: Final = 10 * 60 * 1000
"""How far the server's clock may be behind ours."""

_GUESTS: Final = "let people without an account look at a board or send files"
_REVOKING: Final = "revoke a link; put what it shows into the trash"


class PublicLink(Struct, frozen=True, kw_only=True):
    """A link that `shares.create` created. Anybody who has its `url` can open it, so the repr leaves it out."""

    url: str
    token: str | None
    share_name: str
    object_keys: list[str]
    share_key: str | None = None

    @property
    def nonce(self) -> str | None:
        """The link's nonce, which the URL ends with: another name for `token`."""
        return self.token

    @property
    def joined_object_keys(self) -> str:
        """The keys in one text, separated by commas."""
        return ",".join(self.object_keys)

    def __repr__(self) -> str:
        return f"PublicLink(share_name={self.share_name!r})"


LinkTarget: TypeAlias = OwnShare | PublicLink | str
"""How methods name a link: as `create` or `list` returned it, by its key, or by its URL."""


class AsyncShares(Calls):
    """Public links. Limits, `list`, `edit` and `revoke` are an extension: see `NotOfferedError`.

    Example:
        ```python
        link = client.shares.create(["/Photos"], password="open sesame")
        print(link.url)
        client.shares.revoke(link)
        ```
    """

    async def create(
        self,
        targets: Iterable[Target],
        *,
        name: str | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> PublicLink:
        """Create one public link to files and folders.

        After a lost response, your links show whether it was created. Where the server cannot list them, the list of
        shared objects shows that it was not, and it is created again; otherwise the error says that this is unknown.

        Args:
            targets: Objects, keys or paths.
            name: What the link's page is called; by default a name from the current time.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_downloads: How many downloads the link allows; None for no limit.

        Returns:
            The link with its URL.
        """
        keys = list(dict.fromkeys(await PathResolver(self._engine).keys(targets)))
        now = time.time_ns() // 1_000_000
        title, since = name or share_name(now), now - _CLOCKS_APART_MS
        limits = (expires or None, bool(password), max_downloads or None)

        async def create() -> PublicLink:
            if any(limits):
                body = checked(
                    models.NewShareRequest,
                    object_keys=keys,
                    share_name=title,
                    expiry_date=expires,
                    password=password,
                    max_downloads=max_downloads,
                )
                share = await self._call(endpoints.ADD_SHARE, feature=_LIMITS, body=body)
                return _public_link(share.share_url, share.share_key, title, keys)
            shared = [checked(models.SharedObject, object_key=key) for key in keys]
            request = models.ShareRequest(objects=shared, share_name=title)
            link = await self._call(endpoints.CREATE_SHARE, body=request)
            return _public_link(link.share_url, None, title, keys)

        return await self._engine.once_only(create, lambda: self._created(title, keys, since, limits))

    async def _created(
        self, title: str, keys: Sequence[str], since: int, limits: tuple[int | None, bool, int | None]
    ) -> PublicLink | None:
        """Find a link that was just created and whose response was lost."""
        wanted = {key.upper() for key in keys}
        try:
            async for share in self.list():
                if (share.created_date or 0) < since:
                    # The newest come first.
                    return None
                shown = {key.upper() for key in share.object_keys or ()}
                has = (share.expiry_date or None, bool(share.has_password), share.max_downloads or None)
                if (share.share_name, shown, has) == (title, wanted, limits) and share.share_url:
                    return _public_link(share.share_url, share.share_key, title, keys)
        except RequestFailedError as error:
            if error.status is None:
                raise
        else:
            return None
        # This server does not list links, but lists the objects that have one.
        if await self._engine.listed_at_last(lambda: self._are_shared(wanted)):
            raise CannotTellError(
                "what was to be shared has a link now, perhaps an older one, and this server does not list links; "
                "create it again if a second one does no harm"
            )
        return None

    async def _are_shared(self, keys: set[str]) -> bool | None:
        """Whether all objects have a link; None where one does not, or where the server does not say."""
        missing = set(keys)
        try:
            async for found in self.objects():
                missing.discard(found.key.upper())
                if not missing:
                    return True
        except RequestFailedError as error:
            if error.status is None:
                raise
        return None

    async def publish_board(
        self,
        board_key: str,
        *,
        name: str,
        rights: Literal["view", "add"] = "view",
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
        max_uploads: int | None = None,
    ) -> OwnShare:
        """Create a public link to one of your boards, for people without an account.

        Args:
            board_key: The key of a board that you own.
            name: What the link is called in your list; visitors see the board's name.
            rights: Whether visitors can only look and download, or also add files, which count against your quota.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_downloads: How many downloads the link allows; None for no limit.
            max_uploads: How many files visitors can add; None for the server's limit.

        Returns:
            The link with its URL.

        Raises:
            ObjectNotFoundError: You are not a member of such a board.
            ForbiddenError: The board is somebody else's.
        """
        body = models.NewBoardShareRequest(
            share_name=name,
            rights=rights,
            expiry_date=expires,
            password=password,
            max_downloads=max_downloads,
            max_uploads=max_uploads,
        )
        return await self._call(endpoints.ADD_BOARD_SHARE, feature=_GUESTS, body=body, keys={"board_key": board_key})

    async def request_files(
        self,
        folder: Target,
        *,
        name: str,
        expires: int | None = None,
        password: str | None = None,
        max_uploads: int | None = None,
        max_upload_bytes: int | None = None,
    ) -> OwnShare:
        """Create a public link with which anybody can send files into a folder, without seeing what is in it.

        The files count against your quota. A name that is taken gets a number, so nothing is overwritten.

        Args:
            folder: The folder, its key or its path.
            name: What the link's page is called.
            expires: When the link stops working, in epoch milliseconds; None for no expiry.
            password: What visitors have to enter; None for no password.
            max_uploads: How many files can be sent; None for the server's limit.
            max_upload_bytes: The largest file that can be sent; None for the server's limit.

        Returns:
            The link with its URL.
        """
        keys = await PathResolver(self._engine).keys([folder])
        body = checked(
            models.NewShareRequest,
            object_keys=keys,
            share_name=name,
            rights="send",
            expiry_date=expires,
            password=password,
            max_uploads=max_uploads,
            max_upload_bytes=max_upload_bytes,
        )
        return await self._call(endpoints.ADD_SHARE, feature=_GUESTS, body=body)

    async def edit(
        self,
        link: LinkTarget,
        *,
        name: str | None = None,
        rights: Literal["view", "add"] | None = None,
        expires: int | None = None,
        password: str | None = None,
        max_downloads: int | None = None,
    ) -> OwnShare:
        """Change a link; None keeps the current value.

        Args:
            link: The link as `create` or `list` returned it, its key, or its URL.
            name: The new name.
            rights: Whether visitors of a board can only look, or also add files.
            expires: When it stops working, in epoch milliseconds; 0 for no expiry.
            password: The new password; an empty one removes it.
            max_downloads: The new limit; 0 for no limit.

        Returns:
            The link as it is now.

        Raises:
            ObjectNotFoundError: You have no such link.
        """
        edit = models.ShareEditRequest(
            share_name=name, rights=rights, expiry_date=expires, password=password, max_downloads=max_downloads
        )
        keys = {"share_key": await self._key(link)}
        return await self._call(endpoints.EDIT_SHARE, feature="change a link", body=edit, keys=keys)

    async def revoke(self, link: LinkTarget) -> None:
        """Delete a link; its URL stops working.

        Args:
            link: The link as `create` or `list` returned it, its key, or its URL.

        Raises:
            ObjectNotFoundError: You have no such link.
        """
        await self._remove(endpoints.REVOKE_SHARE, feature=_REVOKING, keys={"share_key": await self._key(link)})

    def objects(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """List the files and folders that have a working link, most recently shared first.

        Args:
            page_size: How many objects one request asks for.
        """
        return self._objects_by_page(
            SHARED_BY_ME, lambda number: SharedByMeQuery(page=number, limit=page_size), page_size
        )

    async def _key(self, link: LinkTarget) -> str:
        """Return a link's key; a URL is looked up among the user's links."""
        if isinstance(link, OwnShare):
            return link.share_key
        if isinstance(link, PublicLink):
            if link.share_key is not None:
                return link.share_key
            link = link.url
        if is_key(link):
            return link
        token = models.ShareLink(share_url=link).token
        if token is None:
            raise InvalidRequestError(f"{link!r} is neither a link's URL nor its key")
        async for share in self.list(page_size=200):
            if models.ShareLink(share_url=share.share_url).token == token:
                return share.share_key
        raise ObjectNotFoundError(SHARE_NOT_FOUND.message, status=404, code=SHARE_NOT_FOUND.code)

    def list(self, *, page_size: int = SHARE_LIST_LIMIT_DEFAULT) -> AsyncIterator[OwnShare]:
        """List your links, newest first, including expired and used-up ones.

        Args:
            page_size: How many links one request asks for.
        """
        return self._by_cursor(
            endpoints.OWN_SHARES,
            lambda page: page.shares,
            partial(models.SharesQuery, limit=page_size),
            feature=_LISTING,
        )


def _public_link(url: str | None, share_key: str | None, name: str, keys: Sequence[str]) -> PublicLink:
    if not url:
        raise UnexpectedAnswerError("the server created a link and did not send its URL")
    token = models.ShareLink(share_url=url).token
    return PublicLink(url=url, token=token, share_name=name, object_keys=[*keys], share_key=share_key)
