"""A WebDAV request as its method sees it."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from skyshelf.server.dav.clutter import refuse_clutter
from skyshelf.server.dav.conditions import Conditions, State
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.paths import address_of, path_of_url, raw_path_of, segments_of
from skyshelf.server.http.bodies import Body
from skyshelf.server.http.prefix import own_path, prefix_of
from skyshelf.server.http.thread_pools import Threads
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.files.locks import Change, Guard, HeldLocks
from skyshelf.service.files.placing import Spot
from skyshelf.storage.errors import NotAFolder, ObjectMissing
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, WEBDAV_BODY_BYTES_MAX

Names = tuple[str, ...]
INFINITY: Final = "infinity"


class DavCall:
    """One request by an app; methods of it that take a unit are for worker threads."""

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
        """`0`, `1`, `infinity`, or None; ServiceError for anything else."""
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
        """The path of a URL in the If header; None for one that is not in this tree."""
        try:
            return self._names_in(url)
        except ServiceError:
            return None

    def _names_in(self, url: str) -> Names:
        path = own_path(self.request, path_of_url(url, self._hosts))
        return self.dialect.names_in(self.app, segments_of(path))

    async def body(self) -> bytes:
        """The XML of the request."""
        return await Body.of(self.request).all(WEBDAV_BODY_BYTES_MAX)

    def href(self, names: Names, *, is_folder: bool) -> str:
        return address_of(self.base, names, is_folder=is_folder)

    # Objects

    def look_up(self, unit: Unit, names: Names) -> StoredObject | None:
        """The object at a path of the app's tree, or None."""
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
        """The object at a path, the request's own by default; OBJECT_NOT_FOUND."""
        found = self.look_up(unit, self.names if names is None else names)
        if found is None:
            raise ServiceError(codes.OBJECT_NOT_FOUND)
        return found

    def spot(self, unit: Unit, names: Names) -> Spot:
        """The place of a path; TARGET_NOT_FOLDER where its folder does not exist."""
        if not names:
            raise ServiceError(codes.ROOT_FIXED)
        folder = self.look_up(unit, names[:-1])
        if folder is None or not folder.is_folder:
            raise ServiceError(codes.TARGET_NOT_FOLDER)
        return Spot(folder.object_key, names[-1])

    def new_spot(self, unit: Unit, names: Names) -> Spot:
        """The same for something that comes there; FORBIDDEN for a name that this server does not store."""
        spot = self.spot(unit, names)
        refuse_clutter(self.ctx, spot.name)
        return spot

    # Conditions and locks

    def check_conditions(self, unit: Unit, held: HeldLocks | None = None, *, is_read: bool = False) -> None:
        """The locks of the account are read where they are not given, and only if there is a condition."""
        if not self.conditions.are_given:
            return
        locks_held = held or HeldLocks(unit, self.account_id, self.ctx.clock.now())

        def state_of(url: str | None) -> State:
            names = self.names if url is None else self._tagged[url]
            stored = None if names is None else self.look_up(unit, names)
            if stored is None:
                return State(exists=False, etag=None, modified_at=0, lock_keys=frozenset())
            locks = frozenset(lock.lock_key for lock in locks_held.covering(stored.object_key))
            etag = self.dialect.etag_of(stored)
            return State(exists=True, etag=etag, modified_at=stored.last_modified_at, lock_keys=locks)

        self.conditions.check(state_of, is_read=is_read)

    def guard(self, change: Change, *, found: StoredObject | None = None) -> Guard:
        """Checks conditions and locks in the transaction of a change, and that `found` still is what is meant."""

        def check(unit: Unit) -> None:
            held = HeldLocks(unit, self.account_id, self.ctx.clock.now())
            self.check_conditions(unit, held)
            held.check(change, self.conditions.lock_keys)
            if found is not None:
                now_there = self.look_up(unit, self.names)
                if now_there is None or now_there.object_key != found.object_key:
                    raise ServiceError(codes.CONDITION_FAILED, "It was moved or replaced in the meantime")

        return check
