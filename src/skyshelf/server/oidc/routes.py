"""The addresses that browsers and login providers use: to go there, to come back, and to end sessions."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from skyshelf.server.http.cookies import Cookies
from skyshelf.server.http.endpoints import HELD_BACK
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.forms import read_form
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import view_route
from skyshelf.server.oidc.cookies import (
    PERMIT,
    TICKET,
    attempt_cookie,
    attempt_in,
    ended_attempt,
    own_cookie,
    own_cookie_name,
    too_many_attempts,
)
from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.identity import logins, logout
from skyshelf.service.identity.links import SETTINGS_PAGE
from skyshelf.service.identity.logins import CALLBACK, HOME, TICKET_LIFETIME
from skyshelf.service.oidc.tokens import TOKEN_BYTES_MAX
from skyshelf.wire import error_codes as codes

LOGIN: Final = "/oidc/{provider}/login"
LOGOUT: Final = "/oidc/{provider}/logout"
# The answer of the provider must not be kept, nor be shown to the next page's links.
_HEADERS: Final = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
_DONE: Final = "done"
_OUTCOMES: Final = {codes.PROVIDER_UNAVAILABLE.code: "unavailable", codes.PROVIDER_LOGIN_ENDED.code: "ended"}


class OidcRoutes:
    """The three addresses of every provider."""

    def __init__(self, ctx: ServiceContext, threads: Threads, proxies: Proxies) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies

    def routes(self) -> list[Route]:
        return [
            view_route(LOGIN, "oidc_login", self._login),
            view_route(CALLBACK, "oidc_callback", self._callback),
            view_route(LOGOUT, "oidc_logout", self._logout, ("POST",)),
        ]

    async def _login(self, request: Request) -> Response:
        """Send the browser to the provider."""
        provider, origin = request.path_params["provider"], self._proxies.origin(request)
        secure, prefix, cookies = self._proxies.is_secure(request), self._proxies.prefix, Cookies(request)
        is_link = request.query_params.get("link") == "1"
        permit = cookies.get(own_cookie_name(PERMIT, secure=secure), "-") if is_link else ""
        back = request.query_params.get("return", HOME)
        try:
            departure = await self._threads.provider(
                lambda: logins.begin(self._ctx, provider, origin, back=back, permit=permit)
            )
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._explained(problem, "link" if is_link else "login")
        kept = [
            *too_many_attempts(cookies, secure=secure, prefix=prefix),
            attempt_cookie(departure.state, departure.cookie, secure=secure, prefix=prefix),
        ]
        if is_link:
            kept.append(own_cookie(PERMIT, "", 0, secure=secure, prefix=prefix))
        return _redirect(departure.url, kept)

    async def _callback(self, request: Request) -> Response:
        """The browser comes back from the provider."""
        provider, origin = request.path_params["provider"], self._proxies.origin(request)
        secure, prefix = self._proxies.is_secure(request), self._proxies.prefix
        query, address = dict(request.query_params), self._proxies.address(request)
        state = query.get("state", "")
        cookie = attempt_in(Cookies(request), state, secure=secure)
        try:
            returned = await self._threads.provider(
                lambda: logins.returned(self._ctx, provider, origin, query=query, cookie=cookie, address=address)
            )
        except Exception as problem:  # noqa: BLE001 - every error has a response
            return await self._explained(problem, "login")
        kept = [ended_attempt(state, secure=secure, prefix=prefix)] if cookie else []
        if returned.ticket is not None:
            kept.append(own_cookie(TICKET, returned.ticket, TICKET_LIFETIME, secure=secure, prefix=prefix))
        return _redirect(self._page(returned.back, returned.purpose, returned.problem or _DONE), kept)

    async def _logout(self, request: Request) -> Response:
        """The provider ends sessions (back-channel logout)."""
        provider, address = request.path_params["provider"], self._proxies.address(request)
        try:
            form = await read_form(request, TOKEN_BYTES_MAX + 1024)
            token = form.get("logout_token", "")
            await self._threads.provider(lambda: logout.log_out(self._ctx, provider, token, address))
        except Exception as problem:  # noqa: BLE001 - every error has a response
            response = response_for(problem)
            if response.status_code in HELD_BACK:
                await self._threads.admission.hold_back()
            return response
        return Response(status_code=200, headers=_HEADERS)

    async def _explained(self, problem: Exception, purpose: str) -> Response:
        """A page of the web client that explains what a person should know; all else is an ordinary error."""
        outcome = "busy" if isinstance(problem, Throttled) else ""
        if isinstance(problem, ServiceError):
            outcome = _OUTCOMES.get(problem.error.code, "")
        if not outcome:
            return response_for(problem)
        return _redirect(self._page(SETTINGS_PAGE if purpose == "link" else HOME, purpose, outcome), ())

    def _page(self, page: str, purpose: str, outcome: str) -> str:
        parts = urlsplit(page)
        query = "&".join(filter(None, (parts.query, urlencode({purpose: outcome}))))
        return f"{self._proxies.prefix}{parts.path}?{query}"


def _redirect(location: str, cookies: Iterable[str]) -> Response:
    response = Response(status_code=303, headers={**_HEADERS, "location": location})
    for cookie in cookies:
        response.headers.append("set-cookie", cookie)
    return response
