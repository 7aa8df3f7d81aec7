"""Login flow, version 2: the app begins, a person agrees in a browser, the app collects its password."""

from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.responses import Response

from skyshelf.server.http.authentication import refuse_other_sites
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.proxies import prefix_of, public_path
from skyshelf.server.nextcloud.ocs import json_response
from skyshelf.server.pages import rendering
from skyshelf.server.pages.words import words_for
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.views import Views, read_form, view_route
from skyshelf.service.accounts import app_passwords
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

BEGIN: Final = "/index.php/login/v2"
_FORM_BYTES_MAX: Final = 8 * 1024
_SENTENCES: Final = {
    codes.LOGIN_REFUSED: "Wrong email address, password or code.",
    codes.LOGIN_CODE_REFUSED: "Wrong email address, password or code.",
    codes.SECOND_FACTOR_REQUIRED: "This account needs a code as well.",
    codes.GRANT_ENDED: "This request of the app has ended. Begin again in the app.",
    codes.THROTTLED: "Too many attempts. Wait a few minutes.",
}
_OTHER: Final = "That did not work. Try again in a moment."


class LoginFlow(Views):
    """The three calls of the flow and its page."""

    def routes(self) -> list[Route]:
        page, address = partial(view_route, prepare=rendering.ready), f"{BEGIN}/flow/{{flow}}"
        return [
            view_route(BEGIN, "nextcloud_login", self._begin, ("POST",)),
            view_route(f"{BEGIN}/poll", "nextcloud_login_poll", self._poll, ("POST",)),
            page(address, "nextcloud_login_page", self._page, ("GET", "HEAD")),
            page(address, "nextcloud_login_agree", self._agree, ("POST",), refuse=self._shown),
        ]

    async def _begin(self, request: ServerRequest) -> Response:
        origin = request.head.client.origin
        token, flow = await self._threads.call(lambda: app_passwords.begin_grant(self._ctx))
        name = quote(app_passwords.app_name(request.headers.get("user-agent", "")))
        answer = {
            "poll": {"token": token, "endpoint": f"{origin}{BEGIN}/poll"},
            "login": f"{origin}{BEGIN}/flow/{flow}?app={name}",
        }
        return json_response(answer)

    async def _poll(self, request: ServerRequest) -> Response:
        form = await read_form(request, _FORM_BYTES_MAX)
        token = form.get("token") or request.query_params.get("token", "")
        granted = await self._threads.call(lambda: app_passwords.collect(self._ctx, token))
        if granted is None:
            return json_response([], 404)
        answer = {"server": request.head.client.origin, "loginName": granted.email, "appPassword": granted.password}
        return json_response(answer)

    async def _page(self, request: ServerRequest) -> Response:
        wrong = None
        try:
            await self._threads.call(lambda: app_passwords.check_grant(self._ctx, request.path_params["flow"]))
        except ServiceError as problem:
            wrong = problem
        return self._form(request, request.query_params.get("app", ""), problem=wrong)

    async def _agree(self, request: ServerRequest) -> Response:
        refuse_other_sites(request)
        form = request.state.form = await read_form(request, _FORM_BYTES_MAX)
        address = request.head.client.address
        await self._threads.password(
            lambda: app_passwords.agree(
                self._ctx,
                request.path_params["flow"],
                email=form.get("email", ""),
                password=form.get("password", ""),
                code=form.get("code", "").strip() or None,
                name=form.get("app", ""),
                address=address,
            )
        )
        return self._form(request, form.get("app", ""), is_done=True)

    def _shown(self, request: ServerRequest, problem: Exception) -> Response:
        """Return the page with an error, and with the person's input."""
        form: dict[str, str] = getattr(request.state, "form", {})
        return self._form(request, form.get("app", ""), email=form.get("email", ""), problem=problem)

    def _form(
        self,
        request: ServerRequest,
        app: str,
        *,
        email: str = "",
        problem: Exception | None = None,
        is_done: bool = False,
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
            prefix=prefix_of(request),
            status=200 if error is None else error.status_code,
            headers={"vary": "accept-language"},
            w=words,
            app=app_passwords.app_name(app),
            email=email[:254],
            wrong="" if error is None else words(sentence),
            action=public_path(request),
            is_done=is_done,
            # Nobody should enter a password for a login that has already expired.
            has_ended=isinstance(problem, ServiceError) and problem.error is codes.GRANT_ENDED,
        )
