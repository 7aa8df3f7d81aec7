"""A WebDAV request as its method sees it."""

import functools
from collections.abc import Awaitable, Callable, Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.dav.conditions import Conditions, State
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.paths import address_of, path_of_url, raw_path_of, segments_of
from skyshelf.server.dav.properties import View
from skyshelf.server.http.proxies import own_path, prefix_of
from skyshelf.server.pipeline.bodies import Body
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change, Guard, HeldLocks
from skyshelf.service.files.moves import Spot
from skyshelf.storage.errors import NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, WEBDAV_BODY_BYTES_MAX

Names = tuple[str, ...]
INFINITY: Final = "infinity"
# Files that operating systems leave on network drives.
_CLUTTER: Final = frozenset({".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".localized", ".trashes"})
_APPLE_DOUBLE: Final = "._"


def is_clutter(name: str) -> bool:
    """Return whether macOS or Windows uses this name for its own housekeeping files."""
    return name.startswith(_APPLE_DOUBLE) or name.casefold() in _CLUTTER


def refuse_clutter(ctx: ServiceContext, name: str) -> None:
    """Raise FORBIDDEN for such a name if the operator does not want these files."""
    if ctx.rules.refuse_clutter and is_clutter(name):
        raise ServiceError(codes.FORBIDDEN, "This server does not store files such as ._*, .DS_Store and Thumbs.db")


def in_thread(work: "Callable[[DavCall], Response]") -> "Callable[[DavCall], Awaitable[Response]]":
    """Return the method whose whole work is done in a worker thread."""

    async def handle(call: DavCall) -> Response:
        return await call.threads.call(lambda: work(call))

    return handle


class DavCall:
    """One request by an app; its methods that take a unit are for worker threads."""

    def __init__(
        self, ctx: ServiceContext, threads: Threads, request: Request, *, dialect: Dialect, app: App, origin: str
    ) -> None:
        self.ctx = ctx
        self.threads = threads
        self.request = request
        self.dialect = dialect
        self.app = app
        dialect.bind(app)
        self.base = prefix_of(request) + dialect.base_of(app)
        self.headers: Mapping[str, str] = request.headers
        self._hosts = frozenset({urlsplit(origin).netloc.lower(), self.headers.get("host", "").lower()})
        self.names: Names = dialect.names_in(app, segments_of(raw_path_of(request.scope)))
        self.conditions = Conditions(self.headers)
        self._tagged: dict[str, Names | None] = {url: self._names_of_url(url) for url in self.conditions.urls}

    @property
    def caller(self) -> Caller:
        return self.app.caller

    @property
    def account_id(self) -> int:
        return self.app.caller.account_id

    # Headers

    @property
    def depth(self) -> str | None:
        """Return `0`, `1`, `infinity`, or None; raise ServiceError for anything else."""
        given = self.headers.get("depth")
        if given is None:
            return None
        depth = given.strip().lower()
        if depth not in {"0", "1", INFINITY}:
            raise ServiceError(codes.INVALID_REQUEST, "Depth is 0, 1 or infinity")
        return depth

    @property
    def overwrites(self) -> bool:
        given = self.headers.get("overwrite", "T").strip().upper()
        if given not in {"T", "F"}:
            raise ServiceError(codes.INVALID_REQUEST, "Overwrite is T or F")
        return given == "T"

    @property
    def destination(self) -> Names:
        given = self.headers.get("destination")
        if given is None:
            raise ServiceError(codes.INVALID_REQUEST, "The Destination header is missing")
        return self._names_in(given)

    def _names_of_url(self, url: str) -> Names | None:
        """Return the path of a URL in the If header; None if it is not in this tree."""
        try:
            return self._names_in(url)
        except ServiceError:
            return None

    def _names_in(self, url: str) -> Names:
        path = own_path(self.request, path_of_url(url, self._hosts))
        return self.dialect.named_in(self.app, segments_of(path))

    async def body(self) -> bytes:
        return await Body.of(self.request).all(WEBDAV_BODY_BYTES_MAX)

    def view(self, unit: Unit) -> View:
        return View(self.ctx, unit, self.account_id, self.base, root_key=self.caller.root_key)

    def held(self, unit: Unit) -> HeldLocks:
        return HeldLocks(unit, self.account_id, self.ctx.clock.now())

    def href(self, names: Names, *, is_folder: bool) -> str:
        return address_of(self.base, names, is_folder=is_folder)

    # Objects

    def look_up(self, unit: Unit, names: Names) -> StoredObject | None:
        """Return the object at a path of the app's tree, or None."""
        root_key, scope = self.caller.root_key, self.app.scope
        if not names or scope.folder_key is not None:
            # A folder that the app is confined to may be in the trash.
            root = self._root(unit, root_key)
            if not names or root is None:
                return root
        # A file may be in the deepest folder.
        return unit.tree.at_path(self.account_id, root_key, names) if len(names) <= FOLDER_DEPTH_MAX + 1 else None

    def _root(self, unit: Unit, root_key: str) -> StoredObject | None:
        try:
            return unit.tree.visible_folder(self.account_id, root_key)
        except (ObjectMissing, NotAFolder):
            return None

    def find(self, unit: Unit, names: Names | None = None) -> StoredObject:
        """Return the object at a path, by default the request's own; raise OBJECT_NOT_FOUND if there is none."""
        found = self.look_up(unit, self.names if names is None else names)
        if found is None:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return found

    def spot(self, unit: Unit, names: Names) -> Spot:
        """Return the folder and name that a path stands for; raise TARGET_NOT_FOLDER if the folder does not exist."""
        if not names:
            raise ServiceError(codes.ROOT_FIXED)
        folder = self.look_up(unit, names[:-1])
        if folder is None or not folder.is_folder:
            raise ServiceError(codes.TARGET_NOT_FOLDER)
        return Spot(folder.object_key, names[-1])

    def new_spot(self, unit: Unit, names: Names) -> Spot:
        """Return the spot of a new object; raise FORBIDDEN for a name that this server does not store."""
        spot = self.spot(unit, names)
        refuse_clutter(self.ctx, spot.name)
        return spot

    # Conditions and locks

    def check_conditions(self, unit: Unit, held: HeldLocks | None = None, *, is_read: bool = False) -> None:
        """Check the request's conditions; without given locks, the account's are read if there is a condition."""
        if not self.conditions.are_given:
            return
        locks_held = held or self.held(unit)

        @functools.cache
        def state_of(url: str | None) -> State:
            names = self.names if url is None else self._tagged[url]
            stored = None if names is None else self.look_up(unit, names)
            if stored is None:
                return State(exists=False, etag=None, modified_at=0, lock_keys=frozenset())
            locks = frozenset(lock.lock_key for lock in locks_held.covering(stored.object_key, stored.parent_key))
            etag = self.dialect.etag_of(stored)
            return State(exists=True, etag=etag, modified_at=stored.last_modified_at, lock_keys=locks)

        self.conditions.check(state_of, is_read=is_read)

    def guard(self, change: Change, *, found: StoredObject | None = None) -> Guard:
        """Return a check of conditions and locks for the transaction of a change, and that `found` is still there."""

        def check(unit: Unit) -> None:
            held = self.held(unit)
            self.check_conditions(unit, held)
            held.check(change, self.conditions.lock_keys)
            if found is not None:
                now_there = self.look_up(unit, self.names)
                if now_there is None or now_there.object_key != found.object_key:
                    raise ServiceError(codes.CONDITION_FAILED, "It was moved or replaced in the meantime")

        return check
