"""Sharing: making a link, and the public pages behind it.

A visitor needs nothing but the token in the address. Whatever goes wrong, a visitor meets a page and not JSON.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from skyshelf.server.http.call import Call, Handler, Page
from skyshelf.server.http.endpoints import read_body
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.file_responses import USER_CONTENT, attachment, blob_response, original_response, pieces_of
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.pages import rendering
from skyshelf.server.pages.links import ICON, STYLE, Links
from skyshelf.server.pages.share import pages
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import Refused
from skyshelf.service.files.downloads import Original
from skyshelf.service.files.viewable_types import SAFE_INLINE
from skyshelf.service.sharing import archive as share_archives
from skyshelf.service.sharing import links, password_gate, resume_tickets, visitor
from skyshelf.storage.metadata.contracts.shares import Share
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_headers
from skyshelf.wire.limits import THUMBNAIL_SIZES
from skyshelf.wire.resources.downloads import DownloadHeaders

_FORM_BYTES_MAX = 8 * 1024
_COOKIE = "skyshelf_share_"
# The viewers of browsers do not start in a sandbox. A PDF is no page: what runs in it, runs in the viewer's own place.
_PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

View = Callable[["Visit"], Awaitable[Response]]


class Locked(Exception):
    """The share has a password that this visitor has not given yet."""


class Visit:
    """One request of a visitor."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.ctx: ServiceContext = request.app.state.ctx
        self.threads: Threads = request.app.state.threads
        self.proxies: Proxies = request.app.state.proxies
        self.token = request.query_params.get("u", "")
        self.links = Links(self.token)

    @property
    def is_head(self) -> bool:
        return self.request.method == "HEAD"

    def parameter(self, name: str) -> str | None:
        return self.request.query_params.get(name) or None

    def share(self) -> Share:
        """The share of the token, if it is open to this visitor; for a worker thread."""
        return self._opened(links.find_share(self.ctx, self.token))

    def used_up_share(self) -> Share:
        """The same, even where all downloads are taken: for the rest of one of them."""
        share = links.find_used_up_share(self.ctx, self.token)
        try:
            return self._opened(share)
        except Locked:
            # Whoever does not know the password is not told that there was one.
            if links.is_used_up(share):
                raise Refused(codes.SHARE_NOT_FOUND) from None
            raise

    def _opened(self, share: Share) -> Share:
        if not password_gate.is_open(self.ctx, share, self.request.cookies.get(cookie_name(share), "")):
            raise Locked
        return share


def cookie_name(share: Share) -> str:
    return _COOKIE + share.share_key[-16:].lower()


def _create_share(call: Call) -> object:
    return links.create_share(call.ctx, call.caller, call.body, call.origin)


async def _share_page(request: Request) -> Response:
    return await _answer(request, _look)


async def _look(visit: Visit) -> Response:
    def work() -> Response:
        share = visit.share()
        place = visit.parameter("p")
        view = visitor.look(visit.ctx, share, place, visit.parameter("after"))
        if place is None and not visit.is_head:
            links.count_visit(visit.ctx, share)
        if isinstance(view, visitor.FileView):
            return pages.file_page(share, view, visit.links)
        return pages.folder_page(share, view, visit.links)

    return await visit.threads.call(work)


async def _file(visit: Visit) -> Response:
    """The content of a file: an attachment, or shown by the browser where that is asked for and safe."""
    key = visit.request.path_params["object_key"]
    asked = decode_headers(DownloadHeaders, visit.request.headers)

    def work() -> tuple[Original, bool, DownloadHeaders, tuple[str, str] | None]:
        share = visit.used_up_share()
        if share.download_limit:
            return _limited(visit, share, key, asked)
        original = visitor.shared_original(visit.ctx, share, key)
        is_shown = visit.parameter("view") == "1" and original.mime in SAFE_INLINE
        if not visit.is_head and not is_shown and _is_a_beginning(asked):
            links.take_download(visit.ctx, share)
        return original, is_shown, asked, None

    original, is_shown, allowed, ticket = await visit.threads.call(work)
    answer = await original_response(visit.ctx, visit.threads, visit.request, allowed, original)
    if ticket is not None:
        _keep(visit, answer, *ticket, path=visit.request.url.path, seconds=resume_tickets.LIFETIME_MS // 1000)
    if is_shown and answer.status_code in {200, 206}:
        answer.headers["content-disposition"] = attachment(original.name).replace("attachment", "inline", 1)
        if original.mime == "application/pdf":
            answer.headers["content-security-policy"] = _PDF_POLICY
    return answer


def _limited(
    visit: Visit, share: Share, key: str, asked: DownloadHeaders
) -> tuple[Original, bool, DownloadHeaders, tuple[str, str] | None]:
    """Where downloads are counted, each is whole, and the rest of one is given to whoever holds its ticket."""
    original = visitor.shared_original(visit.ctx, share, key)
    name = f"{cookie_name(share)}_ticket"
    ticket = visit.request.cookies.get(name, "")
    if not _is_a_beginning(asked) and resume_tickets.is_good(visit.ctx, share, key, original, ticket):
        return original, False, DownloadHeaders(range=asked.range, if_range=asked.if_range), None
    if visit.is_head:
        if links.is_used_up(share):
            raise Refused(codes.SHARE_NOT_FOUND)
        return original, False, DownloadHeaders(), None
    links.take_download(visit.ctx, share)
    return original, False, DownloadHeaders(), (name, resume_tickets.ticket_for(visit.ctx, share, key, original))


def _keep(visit: Visit, answer: Response, name: str, value: str, *, path: str, seconds: int | None = None) -> None:
    """Have the visitor's browser keep something that is worth something for one link alone."""
    answer.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        httponly=True,
        samesite="lax",
        secure=visit.proxies.origin(visit.request).startswith("https://"),
    )


def _is_a_beginning(asked: DownloadHeaders) -> bool:
    """Whether this is a new download, and not the rest of one that broke off."""
    given = (asked.range or "").replace(" ", "").lower()
    return not given or given.startswith("bytes=0-")


async def _thumbnail(visit: Visit) -> Response:
    key = visit.request.path_params["object_key"]
    wanted = visit.parameter("size")
    size = next((one for one in THUMBNAIL_SIZES if str(one) == wanted), THUMBNAIL_SIZES[1])
    webp = "image/webp" in visit.request.headers.get("accept", "").lower()
    # Making one can take a while: not in the threads that small requests need.
    found = await visit.threads.body(
        lambda: visitor.shared_thumbnail(visit.ctx, visit.share(), key, size=size, webp=webp)
    )
    headers = {
        **USER_CONTENT,
        "content-type": found.mime,
        "etag": f'"{found.etag}"',
        "cache-control": "private, max-age=600",
        "vary": "accept",
    }
    if f'"{found.etag}"' in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return await blob_response(
        visit.ctx, visit.threads, visit.request, location=found.location, size=found.size, headers=headers
    )


async def _archive(visit: Visit) -> Response:
    def work() -> share_archives.Archive:
        share = visit.share()
        archive = share_archives.plan_archive(visit.ctx, share, visit.parameter("p"))
        if not visit.is_head:
            links.take_download(visit.ctx, share)
        return archive

    archive = await visit.threads.body(work)
    headers = {
        **USER_CONTENT,
        "content-type": "application/zip",
        "content-length": str(archive.length),
        "content-disposition": attachment(archive.name),
        "cache-control": "no-store",
    }
    if visit.is_head:
        return Response(headers=headers)
    return StreamingResponse(pieces_of(visit.threads, share_archives.archive_bytes(visit.ctx, archive)), 200, headers)


async def _unlock(visit: Visit) -> Response:
    body = await read_body(visit.request, _FORM_BYTES_MAX)
    given = parse_qs(body.decode("utf-8", "replace"), max_num_fields=8).get("password", [""])[-1]
    address = visit.proxies.address(visit.request)

    def work() -> tuple[Share, str | None]:
        share = links.find_share(visit.ctx, visit.token)
        return share, password_gate.unlock(visit.ctx, share, given, address)

    share, proof = await visit.threads.slow(work)
    if proof is None:
        return pages.password_page(visit.links, wrong=True)
    answer = RedirectResponse(visit.links.page(), 303, {"cache-control": "no-store"})
    _keep(visit, answer, cookie_name(share), proof, path="/l")
    return answer


async def _answer(request: Request, view: View) -> Response:
    """The answer of a view; what goes wrong becomes a page."""
    visit = Visit(request)
    try:
        answer = await view(visit)
    except ClientDisconnect:
        return Response(status_code=499)
    except Locked:
        answer = pages.password_page(visit.links, wrong=False)
    except Exception as problem:  # noqa: BLE001 - every error has an answer
        plain = response_for(problem)
        kept = {name: plain.headers[name] for name in ("retry-after",) if name in plain.headers}
        answer = pages.problem_page(plain.status_code, kept)
    for name, value in rendering.QUIET.items():
        answer.headers[name] = value
    if visit.is_head:
        answer.body = b""
    return answer


def _route(path: str, name: str, view: View, methods: list[str]) -> Route:
    async def endpoint(request: Request) -> Response:
        request.scope["endpoint_name"] = name
        return await _answer(request, view)

    return Route(path, endpoint, methods=methods, name=name)


def _static(path: str, file: str) -> Route:
    async def endpoint(request: Request) -> Response:
        request.scope["endpoint_name"] = "share_static"
        return rendering.static(file)

    return Route(path, endpoint, methods=["GET"], name=file)


HANDLERS: dict[str, Handler] = {
    "create_share": _create_share,
    "share_page": Page(_share_page),
}

ROUTES: list[Route] = [
    _route("/l/file/{object_key}", "share_file", _file, ["GET"]),
    _route("/l/thumb/{object_key}", "share_thumbnail", _thumbnail, ["GET"]),
    _route("/l/zip", "share_archive", _archive, ["GET"]),
    _route("/l/unlock", "share_unlock", _unlock, ["POST"]),
    _static(STYLE, "style.css"),
    _static(ICON, "icon.svg"),
]
"""What the public pages are made of; these paths are no endpoints of the interface."""
