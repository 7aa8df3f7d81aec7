"""The public pages of shares.

A visitor needs nothing but the token in the address. Every error is shown as a page, never as JSON.
"""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from starlette.responses import RedirectResponse, Response

from skyshelf.server.files.file_responses import (
    USER_CONTENT,
    archive_response,
    attachment,
    original_response,
    thumbnail_bytes,
)
from skyshelf.server.files.thumbnail_wait import sent_thumbnail
from skyshelf.server.http.authentication import cookies_of, secured
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.multipart import FormPart, boundary_in, parts_of
from skyshelf.server.http.offload import forbid_offload
from skyshelf.server.http.proxies import prefix_of, public_path
from skyshelf.server.pages import rendering
from skyshelf.server.pages.share import pages
from skyshelf.server.pages.words import words_for
from skyshelf.server.pipeline.admission import kinds
from skyshelf.server.pipeline.bodies import Body, drain_body_after
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.threads import Threads
from skyshelf.server.pipeline.views import Views, read_form, view_route
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, code_of
from skyshelf.service.files.downloads import Original
from skyshelf.service.files.thumbnails import SAFE_INLINE, MissingThumbnail, Thumbnail
from skyshelf.service.sharing import guests, links, visitor
from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.shares import SEND, Share
from skyshelf.wire import error_codes as codes
from skyshelf.wire.decoding import decode_parameters
from skyshelf.wire.endpoints.shares import SHARE_PAGE
from skyshelf.wire.limits import GUEST_FILE_BYTES_MAX, THUMBNAIL_SIZES
from skyshelf.wire.resources.downloads import ArchiveHeaders, DownloadHeaders

_FORM_BYTES_MAX = 8 * 1024
_GUEST_BYTES_MAX = 4 * 1024
_PARTS_MAX = 200
_SENT_BYTES_MAX = 16 * GUEST_FILE_BYTES_MAX
_COOKIE = "skyshelf_share_"
# Browsers do not start their PDF viewer in a sandbox. Scripts in a PDF run inside the viewer, not on this origin.
_PDF_POLICY = "script-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Locked(Exception):
    """The share has a password that this visitor has not entered yet."""


class Visit:
    def __init__(self, ctx: ServiceContext, request: ServerRequest) -> None:
        self.ctx = ctx
        self.request = request
        self.origin = request.head.client.origin
        self.address = request.head.client.address
        self.token = request.query_params.get("u", "")
        self.links = pages.Links(self.token, prefix_of(request))
        self.words = words_for(request.headers.get("accept-language", ""))
        self.cookies = cookies_of(request)

    @property
    def is_head(self) -> bool:
        return self.request.method == "HEAD"

    @property
    def object_key(self) -> str:
        key: str = self.request.path_params["object_key"]
        return key

    def parameter(self, name: str) -> str | None:
        return self.request.query_params.get(name) or None

    def share(self) -> Share:
        """Return the token's share if this visitor may open it; for a worker thread."""
        return self._opened(links.find_share(self.ctx, self.token))

    def used_up_share(self) -> Share:
        """Return the share even if its download limit is reached, so one of these downloads can be resumed."""
        share = links.find_used_up_share(self.ctx, self.token)
        try:
            return self._opened(share)
        except Locked:
            # Without the password, a used-up share looks as if it did not exist.
            if links.is_used_up(share):
                raise ServiceError(codes.SHARE_NOT_FOUND) from None
            raise

    def _opened(self, share: Share) -> Share:
        if not links.is_open(self.ctx, share, self.cookie(cookie_name(share))):
            raise Locked
        return share

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https://")

    def cookie(self, name: str) -> str:
        return self.cookies.get(secured(name, is_secure=self.is_secure), "")

    def set_cookie(self, response: Response, name: str, value: str, *, path: str, seconds: int | None = None) -> None:
        """Set a cookie that is valid for one share."""
        response.set_cookie(
            secured(name, is_secure=self.is_secure),
            value,
            max_age=seconds,
            path=path,
            httponly=True,
            samesite="lax",
            secure=self.is_secure,
        )


def cookie_name(share: Share) -> str:
    return _COOKIE + share.share_key[-16:].lower()


class SharePages(Views):
    """The views below `/l/`. Only the page itself is an endpoint of the interface; the other paths may change."""

    def routes(self) -> list[Route]:
        return [
            self._route(SHARE_PAGE.path, SHARE_PAGE.name, self._page),
            # Some clients drop the slash before the query.
            self._route(SHARE_PAGE.path.rstrip("/"), SHARE_PAGE.name, self._page),
            self._route("/l/file/{object_key}", "share_file", self._file),
            self._route("/l/thumb/{object_key}", "share_thumbnail", self._thumbnail),
            self._route("/l/zip", "share_archive", self._archive),
            self._route("/l/unlock", "share_unlock", self._unlock, "POST"),
            self._route("/l/send", "share_send", self._send, "POST"),
            self._route(rendering.STYLE, "share_static", partial(_static, "style.css")),
            self._route(rendering.ICON, "share_static", partial(_static, "icon.svg")),
        ]

    def _route(self, path: str, name: str, view: Callable[[Visit], Awaitable[Response]], method: str = "GET") -> Route:
        async def respond(request: ServerRequest) -> Response:
            visit = Visit(self._ctx, request)
            response = _quiet(visit, await view(visit))
            return response if method == "GET" else drain_body_after(request, response)

        def refuse(request: ServerRequest, problem: Exception) -> Response:
            visit = Visit(self._ctx, request)
            return _quiet(visit, _refusal(visit, problem, name, has_way_back=method == "POST"))

        return view_route(path, name, respond, [method], refuse=refuse, prepare=rendering.ready)

    async def _page(self, visit: Visit) -> Response:
        return await self._threads.call(lambda: _page_response(visit))

    async def _file(self, visit: Visit) -> Response:
        await self._threads.admission.enter(kinds.DOWNLOADS)
        return await self._threads.call(lambda: _file_response(visit, self._threads))

    async def _thumbnail(self, visit: Visit) -> Response:
        size = next((size for size in THUMBNAIL_SIZES if str(size) == visit.parameter("size")), THUMBNAIL_SIZES[1])
        webp = "image/webp" in visit.request.headers.get("accept", "").lower()

        def find() -> Thumbnail | MissingThumbnail:
            return visitor.shared_thumbnail(visit.ctx, visit.share(), visit.object_key, size=size, webp=webp)

        def respond(found: Thumbnail) -> Response:
            return _thumbnail_response(visit, self._threads, found)

        return await sent_thumbnail(visit.ctx, self._threads, visit.request, find, respond)

    async def _archive(self, visit: Visit) -> Response:
        """Send an archive. A visitor and a sharing account compute one plan at a time; a HEAD needs it as well."""
        visiting = await self._threads.admission.enter(kinds.ARCHIVE_VISITS)
        share = await self._threads.call(visit.share)
        owner = share.account_id
        if not visit.is_head:
            for key in (f"link {share.share_key}", f"reader {self._threads.admission.caller}"):
                self._threads.admission.take(kinds.ARCHIVE_READERS, key=key)
            self._threads.admission.take(kinds.ARCHIVES, key=owner)
        planning = await self._threads.admission.enter(kinds.ARCHIVE_PLANS, key=owner)
        archive = await self._threads.body(
            lambda: visitor.plan_share_archive(visit.ctx, visit.share(), visit.parameter("p")), planning
        )
        visiting.release()
        if not visit.is_head:
            self._threads.admission.take(kinds.ARCHIVE_ENTRIES, key=owner, weight=len(archive.entries))
        asked = decode_parameters(ArchiveHeaders, visit.request.headers)
        if share.download_limit:
            # Parts of an archive would bypass the limit.
            asked = ArchiveHeaders()
        if not visit.is_head and _is_a_beginning(asked.range):
            folder = (visit.parameter("p") or "").upper()
            await self._threads.call(lambda: links.take_download(visit.ctx, share, folder))
        response = archive_response(visit.ctx, self._threads, visit.request, asked, archive, account_id=owner)
        if share.download_limit:
            for name in ("accept-ranges", "etag"):
                del response.headers[name]
        return response

    async def _unlock(self, visit: Visit) -> Response:
        given = (await read_form(visit.request, _FORM_BYTES_MAX)).get("password", "")
        await self._threads.call(lambda: _check_throttle(visit))
        return await self._threads.password(lambda: _unlock_response(visit, given))

    async def _send(self, visit: Visit) -> Response:
        """Receive a guest's files from a form; each is kept once it has arrived, whatever happens to the next."""
        share = await self._threads.call(visit.share)
        boundary = boundary_in(visit.request.headers.get("content-type", ""))
        lease = await self._threads.admission.enter(kinds.UPLOADS, key=share.account_id)
        body = Body.of(visit.request)
        body.limit(_SENT_BYTES_MAX)
        first = await body.block()
        sent = await self._threads.body(
            lambda: _receive(visit, share, parts_of(boundary, body.blocks(first), _PARTS_MAX)), lease
        )
        return RedirectResponse(visit.links.page(sent=sent), 303, {"cache-control": "no-store"})


def _receive(visit: Visit, share: Share, parts: Iterator[FormPart]) -> int:
    """Store the files, and return how many were kept. The form sends the guest's name first."""
    guest, sent = "", 0
    for part in parts:
        if part.name == "guest":
            guest = guests.clean_guest_name(part.text(_GUEST_BYTES_MAX).decode(errors="replace"))
        elif part.name == "file" and part.file_name:
            guests.receive(visit.ctx, share, guest, part.file_name, part)
            sent += 1
    if not sent:
        raise ServiceError(codes.INVALID_REQUEST, "Send at least one file")
    return sent


def _refusal(visit: Visit, problem: Exception, name: str, *, has_way_back: bool) -> Response:
    if isinstance(problem, Locked):
        # Only the page itself is a success: a program must not take a form for the file it asked for.
        return pages.password_page(visit.links, visit.words, status=200 if name == SHARE_PAGE.name else 401)
    error = response_for(problem)
    kept = {header: error.headers[header] for header in ("retry-after",) if header in error.headers}
    code = code_of(problem).code if isinstance(problem, StorageError) else getattr(problem, "code", None)
    has_way_back = has_way_back and error.status_code != 404
    return pages.problem_page(visit.links, visit.words, error.status_code, kept, code, has_way_back=has_way_back)


def _quiet(visit: Visit, response: Response) -> Response:
    """Return the response with the headers of all share pages, and without a body for HEAD."""
    for header, value in rendering.QUIET.items():
        response.headers[header] = value
    if visit.is_head:
        response.body = b""
    return response


async def _static(name: str, _: Visit) -> Response:
    return rendering.static(name)


def _page_response(visit: Visit) -> Response:
    share = visit.share()
    key = visit.parameter("p")
    guide = pages.Guide(
        share=share, links=visit.links, words=visit.words, origin=visit.origin, sent=_number(visit.parameter("sent"))
    )
    send = guests.send_view(visit.ctx, share)
    if share.rights == SEND and key is None and send is not None:
        response = pages.send_page(guide, send)
    else:
        view = visitor.share_view(visit.ctx, share, key, visit.parameter("after"))
        if isinstance(view, visitor.FileView):
            response = pages.file_page(guide, view)
        else:
            response = pages.folder_page(guide, view, send)
    if key is None and not visit.is_head:
        links.count_visit(visit.ctx, share)
    return response


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 5 else 0


def _file_response(visit: Visit, threads: Threads) -> Response:
    """Return the content of a file: as an attachment, or inline if that is asked for and safe."""
    headers = decode_parameters(DownloadHeaders, visit.request.headers)
    share = visit.used_up_share()
    original = visitor.shared_original(visit.ctx, share, visit.object_key)
    if share.download_limit:
        return _limited_response(visit, threads, share, original, headers)
    is_inline = visit.parameter("view") == "1" and original.mime in SAFE_INLINE
    if not visit.is_head and _is_a_beginning(headers.range):
        (links.note_view if is_inline else links.take_download)(visit.ctx, share, visit.object_key.upper())
    response = original_response(visit.ctx, threads, visit.request, headers, original)
    if is_inline and response.status_code in {200, 206}:
        response.headers["content-disposition"] = attachment(original.name).replace("attachment", "inline", 1)
        if original.mime == "application/pdf":
            response.headers["content-security-policy"] = _PDF_POLICY
    return response


def _limited_response(
    visit: Visit, threads: Threads, share: Share, original: Original, headers: DownloadHeaders
) -> Response:
    """Send a file with counted downloads: each is of the whole file, and only its ticket's holder can resume it."""
    forbid_offload(visit.request.scope)
    name = f"{cookie_name(share)}_ticket"
    held = visit.cookie(name)
    is_resumed = not _is_a_beginning(headers.range) and links.is_valid_ticket(
        visit.ctx, share, visit.object_key, original, held
    )
    if is_resumed:
        rest = DownloadHeaders(range=headers.range, if_range=headers.if_range)
        return original_response(visit.ctx, threads, visit.request, rest, original)
    if visit.is_head:
        if links.is_used_up(share):
            raise ServiceError(codes.SHARE_NOT_FOUND)
        return original_response(visit.ctx, threads, visit.request, DownloadHeaders(), original)
    links.take_download(visit.ctx, share, visit.object_key.upper())
    response = original_response(visit.ctx, threads, visit.request, DownloadHeaders(), original)
    ticket = links.issue_ticket(visit.ctx, share, visit.object_key, original)
    seconds = links.TICKET_LIFETIME_MS // 1000
    visit.set_cookie(response, name, ticket, path=public_path(visit.request), seconds=seconds)
    return response


def _is_a_beginning(asked_range: str | None) -> bool:
    """Return whether this is a new download rather than the rest of an interrupted one."""
    given = (asked_range or "").replace(" ", "").lower()
    return not given or given.startswith("bytes=0-")


def _thumbnail_response(visit: Visit, threads: Threads, found: Thumbnail) -> Response:
    headers = {
        **USER_CONTENT,
        "content-type": found.mime,
        "etag": f'"{found.etag}"',
        "cache-control": "private, max-age=600",
        "vary": "accept",
    }
    if f'"{found.etag}"' in visit.request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return thumbnail_bytes(visit.ctx, threads, visit.request, found, headers)


def _check_throttle(visit: Visit) -> None:
    """Refuse a visitor who has tried too often, before they wait for a thread that hashes passwords."""
    links.check_throttle(visit.ctx, links.find_share(visit.ctx, visit.token), visit.address)


def _unlock_response(visit: Visit, password: str) -> Response:
    share = links.find_share(visit.ctx, visit.token)
    proof = links.unlock(visit.ctx, share, password, visit.address)
    if proof is None:
        return pages.password_page(visit.links, visit.words, status=401, wrong=True)
    response = RedirectResponse(visit.links.page(), 303, {"cache-control": "no-store"})
    visit.set_cookie(response, cookie_name(share), proof, path=f"{visit.links.prefix}/l")
    return response
