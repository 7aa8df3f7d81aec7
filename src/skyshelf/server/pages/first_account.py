"""The first account: a page behind a one-time link, for the operator of a new server."""

import base64
import hashlib
import hmac
from html import escape

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from skyshelf.server.http.bodies import drain_body_after
from skyshelf.server.http.error_responses import error_response, response_for
from skyshelf.server.http.forms import read_form
from skyshelf.server.http.proxies import Proxies
from skyshelf.server.http.thread_pools import Threads
from skyshelf.server.http.views import view_route
from skyshelf.service.accounts.accounts import add_first_account, has_accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.wire import error_codes as codes
from skyshelf.wire.refusals import Refusal

PATH = "/x/v1/first-account"
_FORM_BYTES_MAX = 16 * 1024
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:10vh auto;padding:0 1rem;color:#1c2430}"
    "label{display:block;margin-top:1rem}input{display:block;width:100%;box-sizing:border-box;padding:.5rem;font:inherit}"
    "button{margin-top:1.5rem;padding:.6rem 1.2rem;font:inherit}.wrong{color:#a11;font-weight:600}"
    "@media(prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ee}.wrong{color:#ff8c8c}}"
)
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; frame-ancestors 'none';"
        " base-uri 'none'"
    ),
    "cache-control": "no-store",
}


class FirstAccount:
    """Available while no account exists, with the token that was printed at the start."""

    def __init__(self, ctx: ServiceContext, threads: Threads, proxies: Proxies, token: str | None) -> None:
        self._ctx = ctx
        self._threads = threads
        self._proxies = proxies
        self._token = token

    def routes(self) -> list[Route]:
        return [view_route(PATH, "first_account", self._respond, ["GET", "POST"])] if self._token else []

    async def _respond(self, request: Request) -> Response:
        try:
            return await (self._show(request) if request.method != "POST" else self._take(request))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception as problem:  # noqa: BLE001 - every error has an answer
            return drain_body_after(request, response_for(problem))

    async def _show(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        if not self._fits(token) or await self._threads.call(lambda: has_accounts(self._ctx)):
            return error_response(codes.NOT_OFFERED)
        return _page(_form(token, {}))

    async def _take(self, request: Request) -> Response:
        given = await read_form(request, _FORM_BYTES_MAX)
        if not self._fits(given.get("token", "")) or await self._threads.call(lambda: has_accounts(self._ctx)):
            return error_response(codes.NOT_OFFERED)
        try:
            account = await self._threads.password(lambda: self._add(given))
        except Refusal as wrong:
            return _page(_form(given["token"], given, wrong.message), 400)
        if account is None:
            return error_response(codes.NOT_OFFERED)
        return _page(_welcome(account, self._proxies.origin(request)), 201)

    def _add(self, given: dict[str, str]) -> Account | None:
        return add_first_account(
            self._ctx,
            given.get("email", ""),
            given.get("first_name", ""),
            given.get("last_name", ""),
            given.get("password", ""),
        )

    def _fits(self, token: str) -> bool:
        return self._token is not None and hmac.compare_digest(token.encode(), self._token.encode())


def _page(content: str, status: int = 200) -> Response:
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Skyshelf</title><style>{_STYLE}</style></head><body><main>{content}</main></body></html>"
    )
    return HTMLResponse(page, status, _HEADERS)


def _form(token: str, given: dict[str, str], wrong: str | None = None) -> str:
    def field(name: str, label: str, kind: str, completion: str) -> str:
        value = "" if kind == "password" else f' value="{escape(given.get(name, ""))}"'
        return (
            f'<label for="{name}">{label}</label><input id="{name}" name="{name}" type="{kind}"'
            f' autocomplete="{completion}" required{value}>'
        )

    return (
        "<h1>Create the first account</h1>"
        + (f'<p class="wrong" role="alert">{escape(wrong)}.</p>' if wrong else "")
        + f'<form method="post" action="{PATH}"><input type="hidden" name="token" value="{escape(token)}">'
        + field("email", "Email address", "email", "username")
        + field("first_name", "First name", "text", "given-name")
        + field("last_name", "Last name", "text", "family-name")
        + field("password", "Password (at least 8 characters)", "password", "new-password")
        + "<button>Create account</button></form>"
    )


def _welcome(account: Account, origin: str) -> str:
    return (
        f"<h1>Welcome, {escape(account.first_name)}</h1><p>The account {escape(account.email)} was created."
        ' This page is no longer available.</p><p><a href="/">Open your drive</a>, or log in from a terminal:</p>'
        f"<pre>skyshelf login --server {escape(origin)} {escape(account.email)}</pre>"
    )
