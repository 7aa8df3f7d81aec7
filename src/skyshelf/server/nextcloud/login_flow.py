"""Login flow, version 2: the app begins, a person agrees in a browser, the app collects its password."""

from typing import Final
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.http.endpoints import HELD_BACK
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.forms import read_form
from skyshelf.server.http.prefix import public_path
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import view_route
from skyshelf.server.pages import rendering
from skyshelf.server.pages.words import words_for
from skyshelf.service.accounts import app_grants
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

BEGIN: Final = "/index.php/login/v2"
_FORM_BYTES_MAX: Final = 8 * 1024
_JSON: Final = {"content-type": "application/json; charset=utf-8", "cache-control": "no-store"}
_SENTENCES: Final = {
    codes.LOGIN_REFUSED: "Wrong email address, password or code.",
    codes.LOGIN_CODE_REFUSED: "Wrong email address, password or code.",
    codes.SECOND_FACTOR_REQUIRED: "This account needs a code as well.",
    codes.GRANT_ENDED: "This request of the app has ended. Begin again in the app.",
    codes.THROTTLED: "Too many attempts. Wait a few minutes.",
}
_OTHER: Final = "That did not work. Try again in a moment."
_OWN_SITE: Final = frozenset({None, "same-origin", "none"})


class LoginFlow:
    """The three calls of the flow and its page."""

    def __init__(self, ctx: ServiceContext, threads: Threads, proxies: Proxies) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies

    def routes(self) -> list[Route]:
        return [
            view_route(BEGIN, "nextcloud_login", self._begin, ("POST",)),
            view_route(f"{BEGIN}/poll", "nextcloud_login_poll", self._poll, ("POST",)),
            view_route(f"{BEGIN}/flow/{{flow}}", "nextcloud_login_page", self._page, ("GET", "HEAD")),
            view_route(f"{BEGIN}/flow/{{flow}}", "nextcloud_login_agree", self._agree, ("POST",)),
        ]

    async def _begin(self, request: Request) -> Response:
        origin = self._proxies.origin(request)
        try:
            token, flow = await self._threads.call(lambda: app_grants.begin(self._ctx))
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return response_for(problem)
        name = quote(app_grants.name_of(request.headers.get("user-agent", "")))
        answer = {
            "poll": {"token": token, "endpoint": f"{origin}{BEGIN}/poll"},
            "login": f"{origin}{BEGIN}/flow/{flow}?app={name}",
        }
        return Response(msgspec.json.encode(answer), headers=_JSON)

    async def _poll(self, request: Request) -> Response:
        try:
            form = await read_form(request, _FORM_BYTES_MAX)
            token = form.get("token") or request.query_params.get("token", "")
            granted = await self._threads.call(lambda: app_grants.collect(self._ctx, token))
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._held_back(response_for(problem))
        if granted is None:
            return Response(b"[]", 404, _JSON)
        answer = {
            "server": self._proxies.origin(request),
            "loginName": granted.email,
            "appPassword": granted.password,
        }
        return Response(msgspec.json.encode(answer), headers=_JSON)

    async def _page(self, request: Request) -> Response:
        try:
            await self._threads.call(lambda: app_grants.check(self._ctx, request.path_params["flow"]))
        except ServiceError as problem:
            return self._form(request, request.query_params.get("app", ""), problem=problem)
        return self._form(request, request.query_params.get("app", ""))

    async def _agree(self, request: Request) -> Response:
        form: dict[str, str] = {}
        try:
            _refuse_other_sites(request)
            form = await read_form(request, _FORM_BYTES_MAX)
            address = self._proxies.address(request)
            await self._threads.password(
                lambda: app_grants.agree(
                    self._ctx,
                    request.path_params["flow"],
                    email=form.get("email", ""),
                    password=form.get("password", ""),
                    code=form.get("code", "").strip() or None,
                    name=form.get("app", ""),
                    address=address,
                )
            )
        except Exception as problem:  # noqa: BLE001 - every error is shown on the page
            return await self._held_back(
                self._form(request, form.get("app", ""), email=form.get("email", ""), problem=problem)
            )
        return self._form(request, form.get("app", ""), is_done=True)

    def _form(
        self, request: Request, app: str, *, email: str = "", problem: Exception | None = None, is_done: bool = False
    ) -> Response:
        words = words_for(request.headers.get("accept-language", ""))
        error = None if problem is None else response_for(problem)
        sentence = _OTHER
        if isinstance(problem, ServiceError):
            sentence = _SENTENCES.get(problem.error, _OTHER)
        elif error is not None and error.status_code == 429:
            sentence = _SENTENCES[codes.THROTTLED]
        return rendering.page(
            "connect.html",
            prefix=self._proxies.prefix,
            status=200 if error is None else error.status_code,
            headers={"vary": "accept-language"},
            w=words,
            app=app_grants.name_of(app),
            email=email[:254],
            wrong="" if error is None else words(sentence),
            action=public_path(request),
            is_done=is_done,
            # Nobody should type a password that can no longer connect anything.
            has_ended=isinstance(problem, ServiceError) and problem.error is codes.GRANT_ENDED,
        )

    async def _held_back(self, response: Response) -> Response:
        if response.status_code in HELD_BACK:
            await self._threads.admission.hold_back()
        return response


def _refuse_other_sites(request: Request) -> None:
    if request.headers.get("sec-fetch-site") not in _OWN_SITE:
        raise ServiceError(codes.FORBIDDEN)
