"""The addresses that browsers and login providers use: to begin a login, to return from it, and to end sessions.

The cookie of an attempt must come back from another site, so it is SameSite=Lax; all others are for our pages only.
Each attempt has its own cookie, so several tabs can log in at once.
"""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlencode, urlsplit

from starlette.responses import Response

from skyshelf.server.http.authentication import cookies_of, secured, set_cookie
from skyshelf.server.http.error_responses import response_for
from skyshelf.server.http.proxies import prefix_of
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.router import Route
from skyshelf.server.pipeline.views import Views, read_form, view_route
from skyshelf.service.errors import ServiceError, Throttled
from skyshelf.service.identity import logins, sessions
from skyshelf.service.identity.links import SETTINGS_PAGE
from skyshelf.service.identity.logins import CALLBACK, HOME, LIFETIME, TICKET_LIFETIME
from skyshelf.service.oidc.tokens import TOKEN_BYTES_MAX
from skyshelf.wire import error_codes as codes

TICKET: Final = "skyshelf_ticket"
PERMIT: Final = "skyshelf_permit"
_ATTEMPT: Final = "skyshelf_login_"
_PATHS: Final = {TICKET: "/x/v1", PERMIT: "/oidc"}
_OF_STATE: Final = 12
ATTEMPTS_MAX: Final = 4
"""Maximum attempts of one browser: when another one begins, the older ones are forgotten."""


def own_cookie(name: str, value: str, lifetime: int, *, secure: bool, prefix: str) -> str:
    """Return a cookie for our own pages; the lifetime is in milliseconds."""
    path = prefix + _PATHS[name]
    return set_cookie(secured(name, is_secure=secure), value, lifetime // 1000, path=path, secure=secure)


def attempt_cookie(state: str, value: str, *, secure: bool, prefix: str) -> str:
    """Return the cookie with which the browser comes back from the provider."""
    return _attempt(_attempt_name(state, secure=secure), value, LIFETIME // 1000, secure=secure, prefix=prefix)


def attempt_in(cookies: Mapping[str, str], state: str, *, secure: bool) -> str:
    """Return the attempt that a provider's answer belongs to; empty if this browser has begun none."""
    return cookies.get(_attempt_name(state, secure=secure), "")


def ended_attempt(state: str, *, secure: bool, prefix: str) -> str:
    return _attempt(_attempt_name(state, secure=secure), "", 0, secure=secure, prefix=prefix)


def too_many_attempts(cookies: Mapping[str, str], *, secure: bool, prefix: str) -> list[str]:
    """Return cookies that end all attempts of a browser that has begun too many."""
    begun = [name for name in cookies if name.startswith(secured(_ATTEMPT, is_secure=secure))]
    if len(begun) < ATTEMPTS_MAX:
        return []
    return [_attempt(name, "", 0, secure=secure, prefix=prefix) for name in begun if _is_plain(name)]


def _attempt_name(state: str, *, secure: bool) -> str:
    # A state that is not ours names no cookie that a browser could have.
    of_state = state[:_OF_STATE] if _is_plain(state) else ""
    return secured(f"{_ATTEMPT}{of_state}", is_secure=secure)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def _attempt(name: str, value: str, seconds: int, *, secure: bool, prefix: str) -> str:
    return set_cookie(name, value, seconds, path=f"{prefix}/oidc", secure=secure, same_site="Lax")


LOGIN: Final = "/oidc/{provider}/login"
LOGOUT: Final = "/oidc/{provider}/logout"
# The provider's answer must not be cached, nor leak to the next page's links.
_HEADERS: Final = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
_DONE: Final = "done"
_OUTCOMES: Final = {codes.PROVIDER_UNAVAILABLE.code: "unavailable", codes.PROVIDER_LOGIN_ENDED.code: "ended"}


class OidcRoutes(Views):
    """The three addresses of every provider."""

    def routes(self) -> list[Route]:
        return [
            view_route(LOGIN, "oidc_login", self._login, refuse=self._explained),
            view_route(CALLBACK, "oidc_callback", self._callback, refuse=self._explained),
            view_route(LOGOUT, "oidc_logout", self._logout, ("POST",)),
        ]

    async def _login(self, request: ServerRequest) -> Response:
        """Send the browser to the provider."""
        provider, client, prefix = request.path_params["provider"], request.head.client, prefix_of(request)
        secure, cookies = client.is_secure, cookies_of(request)
        is_link = request.query_params.get("link") == "1"
        permit = cookies.get(secured(PERMIT, is_secure=secure), "-") if is_link else ""
        back = request.query_params.get("return", HOME)
        departure = await self._threads.provider(
            lambda: logins.begin(self._ctx, provider, client.origin, back=back, permit=permit)
        )
        kept = [
            *too_many_attempts(cookies, secure=secure, prefix=prefix),
            attempt_cookie(departure.state, departure.cookie, secure=secure, prefix=prefix),
        ]
        if is_link:
            kept.append(own_cookie(PERMIT, "", 0, secure=secure, prefix=prefix))
        return _redirect(departure.url, kept)

    async def _callback(self, request: ServerRequest) -> Response:
        """Handle the browser's return from the provider."""
        provider, client, prefix = request.path_params["provider"], request.head.client, prefix_of(request)
        query, secure = dict(request.query_params), client.is_secure
        state = query.get("state", "")
        cookie = attempt_in(cookies_of(request), state, secure=secure)
        returned = await self._threads.provider(
            lambda: logins.returned(
                self._ctx, provider, client.origin, query=query, cookie=cookie, address=client.address
            )
        )
        kept = [ended_attempt(state, secure=secure, prefix=prefix)] if cookie else []
        if returned.ticket is not None:
            kept.append(own_cookie(TICKET, returned.ticket, TICKET_LIFETIME, secure=secure, prefix=prefix))
        return _redirect(self._page(request, returned.back, returned.purpose, returned.problem or _DONE), kept)

    async def _logout(self, request: ServerRequest) -> Response:
        """Let the provider end sessions (back-channel logout)."""
        provider, address = request.path_params["provider"], request.head.client.address
        form = await read_form(request, TOKEN_BYTES_MAX + 1024)
        token = form.get("logout_token", "")
        await self._threads.provider(lambda: sessions.log_out(self._ctx, provider, token, address))
        return Response(status_code=200, headers=_HEADERS)

    def _explained(self, request: ServerRequest, problem: Exception) -> Response:
        """Redirect to a page of the web client that explains the error, if a person should know it."""
        purpose = "link" if request.query_params.get("link") == "1" else "login"
        outcome = "busy" if isinstance(problem, Throttled) else ""
        if isinstance(problem, ServiceError):
            outcome = _OUTCOMES.get(problem.error.code, "")
        if not outcome:
            return response_for(problem)
        return _redirect(self._page(request, SETTINGS_PAGE if purpose == "link" else HOME, purpose, outcome), ())

    @staticmethod
    def _page(request: ServerRequest, page: str, purpose: str, outcome: str) -> str:
        parts = urlsplit(page)
        query = "&".join(filter(None, (parts.query, urlencode({purpose: outcome}))))
        return f"{prefix_of(request)}{parts.path}?{query}"


def _redirect(location: str, cookies: Iterable[str]) -> Response:
    response = Response(status_code=303, headers={**_HEADERS, "location": location})
    for cookie in cookies:
        response.headers.append("set-cookie", cookie)
    return response
