"""WebDAV as a protocol: its methods become operations, and its errors are XML."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.dav import arranging, describing, locking, reading, storing
from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.dav.multistatus import XML_HEADERS
from skyshelf.server.dav.paths import raw_path_of
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.authentication import CHALLENGE
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.proxies import prefix_of
from skyshelf.server.pipeline.answers import PreparedFile
from skyshelf.server.pipeline.operation import Credential, Identify, NotAtOnce, Operation
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.threads import Threads
from skyshelf.server.pipeline.views import ViewOperation
from skyshelf.service.accounts.leave import Needs
from skyshelf.service.context import ServiceContext
from skyshelf.wire import error_codes as codes
from skyshelf.wire.error_codes import ErrorBody
from skyshelf.wire.leave import CallKind

# The interface has its own statuses for these.
_STATUSES: Final = {
    codes.STORAGE_FULL.code: 507,
    codes.ACCOUNT_LIMIT.code: 507,
    codes.NAME_TAKEN.code: 405,
    codes.TARGET_NOT_FOLDER.code: 409,
    codes.FOLDER_EXPECTED.code: 409,
    codes.FILE_EXPECTED.code: 409,
    codes.MOVE_INTO_ITSELF.code: 403,
    codes.ROOT_FIXED.code: 403,
    codes.TOO_DEEP.code: 403,
    codes.SESSION_INVALID.code: 401,
    codes.DELEGATION_ENDED.code: 401,
}
# The names of preconditions in RFC 4918 and RFC 4331.
_PRECONDITIONS: Final = {
    codes.LOCKED.code: "<D:lock-token-submitted><D:href>{href}</D:href></D:lock-token-submitted>",
    codes.LOCK_NOT_FOUND.code: "<D:lock-token-matches-request-uri/>",
    codes.TREE_TOO_LARGE.code: "<D:propfind-finite-depth/>",
    codes.STORAGE_FULL.code: "<D:quota-not-exceeded/>",
    codes.DISK_FULL.code: "<D:sufficient-disk-space/>",
}
_decode: Final = msgspec.json.Decoder(ErrorBody).decode
REMEMBERED_MS: Final = 60_000


class Method(msgspec.Struct, frozen=True, kw_only=True):
    handle: Callable[[DavCall], Awaitable[Response]]
    writes: bool = True
    kind: CallKind = CallKind.WRITE
    is_confinable: bool = True
    """Whether who sees one folder may call it."""
    frees: bool = False
    """Whether it removes something: nothing else that writes is accepted on a full disk."""
    is_whole_upload: bool = False
    """Whether its one commit holds the account, and refuses a paused device: a look before would cost a second one."""
    at_once: Callable[[DavCall], Response | PreparedFile] | None = None
    """Answers on the event loop if the bytes are few and in memory; raises NotAtOnce otherwise."""


METHODS: Final = {
    "GET": Method(handle=reading.get, kind=CallKind.READ, writes=False, at_once=reading.get_at_once),
    "HEAD": Method(handle=reading.get, kind=CallKind.LIST, writes=False, at_once=reading.get_at_once),
    "PROPFIND": Method(handle=reading.propfind, kind=CallKind.LIST, writes=False),
    "PUT": Method(handle=storing.put, is_whole_upload=True),
    "MKCOL": Method(handle=arranging.mkcol),
    "COPY": Method(handle=arranging.copy),
    "MOVE": Method(handle=arranging.move),
    "DELETE": Method(handle=arranging.delete, kind=CallKind.DELETE, frees=True),
    "PROPPATCH": Method(handle=describing.proppatch),
    "LOCK": Method(handle=locking.lock),
    "UNLOCK": Method(handle=locking.unlock, frees=True),
}
_ALLOW: Final = ", ".join(["OPTIONS", *METHODS])
_CLASSES: Final = {"dav": "1, 2, 3", "allow": _ALLOW, "ms-author-via": "DAV"}

DialectOf = Callable[[ServerRequest], Dialect | None]
"""Finds the dialect of a request; None if `prepare` of the tree has to read something first."""


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """A set of addresses that speak a dialect of WebDAV."""

    name: str
    """The prefix of its operations' names."""
    paths: tuple[str, ...]
    dialect_of: DialectOf
    methods: Mapping[str, Method]
    has_options: bool = True
    is_webdav: bool = True
    """Whether app passwords limited to WebDAV are accepted."""
    prepare: Callable[[], object] = lambda: None
    """Reads what `dialect_of` needs; for a worker thread."""


def tree_routes(ctx: ServiceContext, threads: Threads, trees: Iterable[Tree]) -> list[Route]:
    """Return the routes of the trees, one for each path and method."""
    routes = []
    for tree in trees:
        for path in tree.paths:
            routes += [
                Route(path, (name,), DavOperation(ctx, threads, tree, name, method))
                for name, method in tree.methods.items()
            ]
            if tree.has_options:
                name = f"{tree.name}_options"
                view = ViewOperation(name, options, refusal, has_body=True, is_admitted=True)
                routes.append(Route(path, ("OPTIONS",), view))
    return routes


def refusal(request: ServerRequest, problem: Exception) -> Response:
    """Return the response to an exception: XML, with the headers that belong to its status."""
    answer = response_for(problem)
    body = _decode(answer.body)
    code, message = body.code or "", body.message or ""
    href = escape(prefix_of(request) + raw_path_of(request.scope).decode("latin-1"))
    condition = _PRECONDITIONS.get(code, "").format(href=href)
    text = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<D:error xmlns:D="DAV:" xmlns:s="http://sabredav.org/ns">{condition}'
        f"<s:exception>{escape(code)}</s:exception><s:message>{escape(message)}</s:message></D:error>\n"
    )
    response = Response(text.encode(), _STATUSES.get(code, answer.status_code), XML_HEADERS)
    if "retry-after" in answer.headers:
        response.headers["retry-after"] = answer.headers["retry-after"]
    if response.status_code == 401:
        response.headers["www-authenticate"] = CHALLENGE
    if response.status_code == 405:
        response.headers["allow"] = _ALLOW
    return response


async def options(_: ServerRequest) -> Response:
    """Return what a tree offers, which is public."""
    return Response(status_code=200, headers=_CLASSES)


class DavOperation(Operation):
    """A method of WebDAV in a tree."""

    credential = Credential.APP_PASSWORD
    has_body = True
    has_own_rows = True

    def __init__(self, ctx: ServiceContext, threads: Threads, tree: Tree, name: str, method: Method) -> None:
        self._ctx = ctx
        self._threads = threads
        self._tree = tree
        self._method = method
        self.name = f"{tree.name}_{name.lower()}"
        self.is_webdav = tree.is_webdav
        self.writes = self.needs_write_mode = method.writes
        self.needs = Needs(kind=method.kind, is_confinable=method.is_confinable)
        self.refuses_paused = method.writes and not method.is_whole_upload
        self.needs_space = method.writes and not method.frees
        self.may_run_on_loop = method.at_once is not None
        self.remembered_ms = REMEMBERED_MS if self.may_run_on_loop else 0

    def must_wait(self, request: ServerRequest) -> bool:
        """Leave a request with an If header to a thread: each of its conditions may have a resource to look up."""
        return "if" in request.headers

    def answer_on_loop(self, request: ServerRequest) -> Response | PreparedFile:
        if self._method.at_once is None:
            raise NotAtOnce
        return self._method.at_once(self._call(request))

    async def answer(self, request: ServerRequest, identify: Identify) -> Response:
        if not request.is_identified:
            await self._threads.call(lambda: identify(request))
        try:
            call = self._call(request)
        except NotAtOnce:
            await self._threads.call(self._tree.prepare)
            call = self._call(request)
        return await self._method.handle(call)

    def refusal(self, request: ServerRequest, problem: Exception) -> Response:
        return refusal(request, problem)

    def _call(self, request: ServerRequest) -> DavCall:
        """Return the decoded request; raise NotAtOnce if something has to be read first."""
        known: DavCall | None = request.call
        if known is not None:
            return known
        dialect = self._tree.dialect_of(request)
        if dialect is None:
            raise NotAtOnce
        identity = request.identity
        assert identity is not None
        assert identity.app is not None
        call = request.call = DavCall(
            self._ctx, self._threads, request, dialect=dialect, app=identity.app, origin=request.head.client.origin
        )
        return call
