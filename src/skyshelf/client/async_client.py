"""The client: every call of the interface as a method. What each does lives in the module of its noun."""

from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from skyshelf.client import (
    account,
    batches,
    config_file,
    contacts,
    downloads,
    feeds,
    folders,
    listings,
    paths,
    sharing,
    thumbnails,
    uploads,
)
from skyshelf.client.contacts import CHUNK as CONTACTS_AT_ONCE
from skyshelf.client.credentials import Credentials
from skyshelf.client.download_events import WORKERS as DOWNLOAD_WORKERS
from skyshelf.client.download_events import BulkSummary, DownloadEvent
from skyshelf.client.downloads import Downloaded
from skyshelf.client.engine import Engine
from skyshelf.client.errors import ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.listings import PAGE_SIZE, Kind, ObjectPage
from skyshelf.client.objects import RemoteObject, Target, is_path, key_of
from skyshelf.client.outcomes import BatchResult, Outcome
from skyshelf.client.search import matcher
from skyshelf.client.search import search as searched
from skyshelf.client.sharing import PublicLink
from skyshelf.client.thumbnails import ThumbnailSize
from skyshelf.client.transport import Transport, TransportSettings
from skyshelf.client.upload_tree import WORKERS, TreeUpload, UploadEvent, UploadSummary
from skyshelf.client.uploads import Progress, UploadOptions
from skyshelf.client.walk import WINDOW, WalkedObject
from skyshelf.client.walk import walk as walked
from skyshelf.wire.account import (
    AppSettings,
    AppSettingsQuery,
    CookieNonce,
    CookieNonceRequest,
    Device,
    Promotions,
    Quota,
    UserProfile,
)
from skyshelf.wire.batch import Operation
from skyshelf.wire.boards import Board, BoardCreation, BoardDetails, BoardMember, BoardMembers
from skyshelf.wire.contacts import Contact, ContactEmail
from skyshelf.wire.endpoints.account import APP_SETTINGS, COOKIE_NONCE, PROMOTIONS
from skyshelf.wire.endpoints.boards import BOARD_MEMBERS, CREATE_BOARD, LEAVE_BOARD
from skyshelf.wire.endpoints.feeds import OBJECT_TAGS, RECENT, RECENT_TAGS, SUPPORTED_DOCUMENTS
from skyshelf.wire.endpoints.messaging import BANNERS
from skyshelf.wire.endpoints.objects import VERSIONS
from skyshelf.wire.feeds import (
    LINKED_APP_DEFAULT,
    ManualTag,
    RecentObjects,
    Spotlight,
    SupportedDocuments,
    SupportedExtensions,
)
from skyshelf.wire.messaging import BannerCard, BannerList
from skyshelf.wire.objects import CloudObject, ObjectSort
from skyshelf.wire.session import LoginAnswer, LoginRequest
from skyshelf.wire.times import PAGE_DATE_DEFAULT
from skyshelf.wire.versions import FileVersions


class AsyncClient:
    """A session with a server.

    What is not given comes from the environment and then from the config file. Use it as a context manager, or
    close it: it holds connections.
    """

    def __init__(
        self,
        server: str | None = None,
        *,
        auth_token: str | None = None,
        user_id: str | None = None,
        device_key: str | None = None,
        profile: str | None = None,
        config: Path | None = None,
        hosts: dict[str, str] | None = None,
        retries: int | None = None,
        retry_wait: float | None = None,
        ca_file: str | None = None,
        use_proxies: bool = True,
        connect_timeout: float = 15.0,
        read_timeout: float = 60.0,
        connections: int = 64,
    ) -> None:
        given = {"server": server, "auth_token": auth_token, "user_id": user_id, "device_key": device_key}
        settings = config_file.load_settings(
            {**given, **(hosts or {})}, profile=profile, retries=retries, retry_wait=retry_wait, path=config
        )
        transport = Transport(
            TransportSettings(
                connect_timeout=connect_timeout,
                read_timeout=read_timeout,
                ca_file=ca_file,
                use_proxies=use_proxies,
                connections=connections,
            )
        )
        self._engine = Engine(settings.hosts, settings.credentials, transport, policy=settings.policy)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self._engine.hosts.urls['base_url']})"

    @property
    def credentials(self) -> Credentials | None:
        """The session; None before a login."""
        return self._engine.credentials

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.close()

    # Account and session

    async def login(
        self,
        email: str,
        password: str,
        *,
        device_name: str | None = None,
        platform_type: str | None = None,
        device_key: str | None = None,
    ) -> LoginAnswer:
        """Open a session, which this client uses from now on; naming a registered device ends its earlier session."""
        request = LoginRequest(
            email_id=email,
            password=password,
            device_name=device_name,
            platform_type=platform_type,
            device_key=device_key,
        )
        return await account.login(self._engine, request)

    async def logout(self) -> None:
        """End the session; its token stops working everywhere."""
        await account.logout(self._engine)

    async def profile(self) -> UserProfile:
        """Who is logged in; an AuthenticationError where the session is not valid any more."""
        return await account.profile(self._engine)

    async def quota(self) -> Quota:
        """How much may be used and is used, in bytes, in GB and in percent."""
        return await account.quota(self._engine)

    async def devices(self) -> list[Device]:
        """The registered devices."""
        return (await account.profile(self._engine)).devices or []

    async def promotions(self) -> Promotions:
        """Storage promotions, active and expired."""
        return await self._engine.call(PROMOTIONS, Promotions)

    async def app_settings(self) -> AppSettings:
        """The backup policy, and what clients should know about the server."""
        return await self._engine.call(APP_SETTINGS, AppSettings, query=AppSettingsQuery())

    async def cookie_nonce(self, jwt: str) -> CookieNonce:
        """A nonce that opens downloads for a short time; the JWT comes with the login."""
        return await self._engine.call(COOKIE_NONCE, CookieNonce, body=CookieNonceRequest(jwt=jwt))

    async def banners(self) -> list[BannerCard]:
        """Promo banners to show now."""
        return (await self._engine.call(BANNERS, BannerList)).cards or []

    # Files and folders

    async def root_key(self) -> str:
        """The key of the account's root folder."""
        return await paths.root_key(self._engine)

    async def page(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        number: int = 0,
        limit: int = PAGE_SIZE,
        sort: ObjectSort = "+objectName",
    ) -> ObjectPage:
        """One page of a folder, files (f) or folders (w); the root where no folder is given."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        return await listings.page(self._engine, key, kind, number=number, limit=limit, sort=sort)

    async def list_folder(
        self,
        folder: Target | None = None,
        *,
        kind: Kind | None = None,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
    ) -> AsyncIterator[RemoteObject]:
        """Everything in a folder, folders first; however many pages that takes."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        async for found in listings.folder_objects(self._engine, key, kind, limit=page_size, sort=sort):
            yield found

    async def walk(
        self,
        folder: Target | None = None,
        *,
        sort: ObjectSort = "+objectName",
        page_size: int = PAGE_SIZE,
        window: int = WINDOW,
        enter: Callable[[WalkedObject], bool] | None = None,
        vanished: Callable[[tuple[str, ...], ObjectNotFoundError], None] | None = None,
    ) -> AsyncIterator[WalkedObject]:
        """Everything below a folder, breadth first, many folders at once; the order is always the same.

        `enter` says which folders are looked into. A folder that is gone when its turn comes is an error, unless
        `vanished` takes note of it.
        """
        key = await paths.PathResolver(self._engine).folder_key(folder)
        async for found in walked(
            self._engine, key, sort=sort, window=window, limit=page_size, enter=enter, vanished=vanished
        ):
            yield found

    async def search(
        self,
        query: str = "",
        *,
        extension: str | None = None,
        folder: Target | None = None,
        case_sensitive: bool = False,
        folders: bool = True,
        limit: int | None = None,
    ) -> AsyncIterator[WalkedObject]:
        """What has the text in its name, or in the path that a backup took it from, anywhere below a folder."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        matches = matcher(query, extension=extension, case_sensitive=case_sensitive, folders=folders)
        async for found in searched(walked(self._engine, key), matches, limit):
            yield found

    async def get(self, target: Target, *, parent: Target | None = None, ignore_case: bool = False) -> RemoteObject:
        """The object as it is now, by its key or its path; with a key, naming the parent spares a long search."""
        (found,) = await paths.PathResolver(self._engine, ignore_case=ignore_case).objects([target], parent)
        return found

    async def create_folder(self, name: str, parent: Target | None = None, *, exist_ok: bool = False) -> RemoteObject:
        """Make a folder; with `exist_ok`, the one that is there already will do."""
        key = await paths.PathResolver(self._engine).folder_key(parent)
        return await folders.create_folder(self._engine, name, key, exist_ok=exist_ok)

    async def create_path(self, path: str) -> RemoteObject:
        """The folder at a path, made with all that leads to it where it is missing."""
        return await folders.create_path(self._engine, path)

    # Batch operations

    async def set_favorite(
        self, targets: Iterable[Target], favorite: bool = True, *, parent: Target | None = None
    ) -> BatchResult:
        """Make objects favourites, or no favourites any more."""
        objects = await paths.PathResolver(self._engine).objects(targets, parent)
        operation = Operation.SET_FAVORITE if favorite else Operation.UNSET_FAVORITE
        return await batches.apply(self._engine, operation, batches.favored(objects, favorite))

    async def rename(self, target: Target, new_name: str, *, parent: Target | None = None) -> RemoteObject:
        """Rename one object; the object as it is then. A refusal is an InvalidRequestError."""
        result = await self.rename_many([(target, new_name)], parent=parent)
        return _the_only(result.raise_for_failures())

    async def rename_many(
        self, new_names: Iterable[tuple[Target, str]], *, parent: Target | None = None
    ) -> BatchResult:
        """Rename objects, each to its own name."""
        wanted = [(target, batches.name_for(name)) for target, name in new_names]
        objects = await paths.PathResolver(self._engine).objects((target for target, _ in wanted), parent)
        changes = batches.renamed(zip(objects, (name for _, name in wanted), strict=True))
        return await batches.apply(self._engine, Operation.RENAME, changes)

    async def move(self, targets: Iterable[Target], folder: Target, *, parent: Target | None = None) -> BatchResult:
        """Put objects into another folder."""
        resolver = paths.PathResolver(self._engine)
        key = await resolver.folder_key(folder)
        objects = await resolver.objects(targets, parent)
        return await batches.apply(self._engine, Operation.MOVE, batches.moved(objects, key))

    async def trash(self, targets: Iterable[Target], *, parent: Target | None = None) -> BatchResult:
        """Put objects into the trash; a folder takes what is below it along."""
        objects = await paths.PathResolver(self._engine).objects(targets, parent)
        return await batches.apply(self._engine, Operation.TRASH, batches.trashed(objects))

    async def restore(self, targets: Iterable[Target]) -> BatchResult:
        """Take objects out of the trash, by their keys or as the trash listed them."""
        return await batches.restore(self._engine, batches.keys_in_trash(targets))

    async def list_trash(
        self, *, sort: ObjectSort | None = None, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Everything in the trash, newest trashed first."""
        async for found in feeds.trash(self._engine, sort, page_size):
            yield found

    # Versions, feeds, tags

    async def versions(self, target: Target) -> FileVersions:
        """The versions of a file, newest first."""
        key = await paths.PathResolver(self._engine).key(target)
        return await self._engine.call(VERSIONS, FileVersions, keys={"object_key": key})

    async def recent(self) -> RecentObjects:
        """The newest pictures and videos, and the newest other files."""
        return await self._engine.call(RECENT, RecentObjects)

    async def spotlights(self, *, page_size: int = 200) -> AsyncIterator[Spotlight]:
        """Memories: pictures and videos of this day and of this month in earlier years."""
        async for found in feeds.spotlights(self._engine, page_size):
            yield found

    async def shared_by_me(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[RemoteObject]:
        """Objects with a live share link, newest share first."""
        async for found in feeds.shared_by_me(self._engine, page_size):
            yield found

    async def linked_app(
        self, appcode: str = LINKED_APP_DEFAULT, *, page_size: int = PAGE_SIZE
    ) -> AsyncIterator[RemoteObject]:
        """Objects that an app uploaded under its code."""
        async for found in feeds.linked_app(self._engine, appcode, page_size):
            yield found

    async def recent_tags(self) -> list[ManualTag]:
        """Tags used lately."""
        return await self._engine.call(RECENT_TAGS, list[ManualTag])

    async def object_tags(self, target: Target) -> list[ManualTag]:
        """The tags of an object."""
        key = await paths.PathResolver(self._engine).key(target)
        return await self._engine.call(OBJECT_TAGS, list[ManualTag], keys={"object_key": key})

    async def supported_documents(self) -> SupportedExtensions:
        """Extensions that the web client can show and edit."""
        answer = await self._engine.call(SUPPORTED_DOCUMENTS, SupportedDocuments)
        return answer.supported_extensions or SupportedExtensions()

    # Sharing

    async def share_link(self, targets: Iterable[Target], *, name: str | None = None) -> PublicLink:
        """Make one public link to all of the objects; the name is made from the time where none is given."""
        resolver = paths.PathResolver(self._engine)
        return await sharing.create_link(self._engine, [await resolver.key(target) for target in targets], name)

    # Boards

    async def boards(self, *, page_size: int = PAGE_SIZE) -> AsyncIterator[Board]:
        """The boards that the user is a member of."""
        async for found in feeds.boards(self._engine, page_size):
            yield found

    async def create_board(self, name: str, description: str | None = None) -> Board:
        """Make a board."""
        body = BoardCreation(board_name=name, board_description=description)
        return await self._engine.call(CREATE_BOARD, Board, body=body)

    async def board(self, board_key: str, *, sort: ObjectSort = "-lastModifiedDate") -> BoardDetails:
        """A board and all that is on it."""
        return await feeds.board(self._engine, board_key, sort)

    async def board_members(self, board_key: str) -> list[BoardMember]:
        """The roster of a board."""
        answer = await self._engine.call(BOARD_MEMBERS, BoardMembers, keys={"board_key": board_key})
        return answer.board_members or []

    async def leave_board(self, board_key: str) -> None:
        """Leave a board."""
        await self._engine.send(self._engine.plan(LEAVE_BOARD, body=[], keys={"board_key": board_key}))

    # Contacts

    async def contacts(
        self, *, only_active: bool = True, changed_after: str = PAGE_DATE_DEFAULT, chunk_size: int = CONTACTS_AT_ONCE
    ) -> AsyncIterator[Contact]:
        """Every contact; `changed_after` has the form yyyy-MM-dd HH:mm:ss.SSSSSS."""
        async for found in contacts.contacts(
            self._engine, only_active=only_active, changed_after=changed_after, chunk_size=chunk_size
        ):
            yield found

    async def contact_emails(self, *, chunk_size: int = CONTACTS_AT_ONCE) -> AsyncIterator[ContactEmail]:
        """Every e-mail address of the contacts."""
        async for found in contacts.emails(self._engine, chunk_size=chunk_size):
            yield found

    # Content

    async def download(
        self,
        target: Target,
        destination: Path | str,
        *,
        overwrite: bool = False,
        version: int | None = None,
        progress: Progress | None = None,
    ) -> Downloaded:
        """Download a file to `destination`, or into it where it is a folder.

        The bytes are checked while they arrive, and the file is there only when all of it is right. What was cut off
        goes on where it was. DestinationExistsError when something is there already, unless `overwrite`.
        """
        found = await paths.PathResolver(self._engine).by_path(str(target)) if is_path(target) else target
        known = found.wire if isinstance(found, RemoteObject) else found
        content = known if isinstance(known, CloudObject) else key_of(known)
        return await downloads.download_object(
            self._engine, content, Path(destination), overwrite=overwrite, version=version, progress=progress
        )

    async def download_all(
        self,
        destination: Path | str,
        folder: Target | None = None,
        *,
        extension: str | None = None,
        workers: int = DOWNLOAD_WORKERS,
        overwrite: bool = False,
        wanted: Callable[[RemoteObject], bool] | None = None,
        progress: Callable[[DownloadEvent], None] | None = None,
    ) -> BulkSummary:
        """Copy everything below a folder (the root, where none is named) to this machine; run it again to go on.

        Objects that would share a name all get one of their own. What is there and right is skipped, and what cannot
        be downloaded is named in the summary: look at its `ok`, or call its `raise_for_failures`. `wanted` picks files.
        """
        from skyshelf.client.bulk_download import BulkDownload

        key = await paths.PathResolver(self._engine).folder_key(folder)
        ending = extension.lower().lstrip(".") if extension else None
        run = BulkDownload(
            self._engine,
            key,
            Path(destination),
            workers=workers,
            overwrite=overwrite,
            wanted=lambda found: (ending is None or found.extension == ending) and (wanted is None or wanted(found)),
            on_event=progress,
        )
        return await run.run()

    async def thumbnail(
        self, target: Target, *, size: ThumbnailSize = 512, accept: str = "image/webp, image/jpeg"
    ) -> bytes:
        """A small picture of a picture, video or PDF; ObjectNotFoundError where there is none."""
        key = await paths.PathResolver(self._engine).key(target)
        return await thumbnails.thumbnail(self._engine, key, size, accept)

    async def upload(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        name: str | None = None,
        options: UploadOptions | None = None,
        progress: Progress | None = None,
    ) -> RemoteObject:
        """Upload a file. One that was cut off goes on where it was; a taken name gets a next version."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        return await uploads.upload_file(self._engine, Path(path), key, name=name, options=options, progress=progress)

    async def upload_tree(
        self,
        path: Path | str,
        folder: Target | None = None,
        *,
        workers: int = WORKERS,
        options: UploadOptions | None = None,
        progress: Callable[[UploadEvent], None] | None = None,
    ) -> UploadSummary:
        """Upload everything in a local folder; what the server has already is skipped."""
        key = await paths.PathResolver(self._engine).folder_key(folder)
        run = TreeUpload(self._engine, workers=workers, options=options, progress=progress)
        return await run.run(Path(path), key)


def _the_only(result: BatchResult) -> RemoteObject:
    outcome: Outcome = result.outcomes[0]
    if outcome.object is None:
        raise UnexpectedAnswerError("the server did it and does not show the result; list the folder to see it")
    return outcome.object
