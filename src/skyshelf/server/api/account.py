"""Login, logout, download nonces and identities at login providers: the calls that read or set cookies."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from skyshelf.server.api.call import Call, Handler, HandlerKind, Reply, use
from skyshelf.server.http.authentication import (
    cookies_of,
    ended_session_cookie,
    is_own_page,
    nonce_cookie,
    secured,
    session_cookie,
)
from skyshelf.server.oidc.routes import PERMIT, TICKET, own_cookie
from skyshelf.service.accounts import alarms, own_account, password_links, session_opening, sessions
from skyshelf.service.accounts.passkeys import assertions, own_passkeys
from skyshelf.service.errors import ServiceError
from skyshelf.service.identity import links
from skyshelf.service.identity import sessions as provider_sessions
from skyshelf.service.identity.logins import PERMIT_LIFETIME
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS
from skyshelf.wire.resources.credentials import IdentityDeparture, LoginAnswer


def _cookie_nonce(call: Call) -> object:
    given = session_opening.nonce_for(call.ctx, call.caller, call.body)
    cookie = nonce_cookie(given.nonce, NONCE_LIFETIME_MS // 1000, secure=_is_secure(call), prefix=call.prefix)
    return Reply(answer=given, headers={"set-cookie": cookie})


def _login(call: Call) -> object:
    if call.body.in_cookie:
        _refuse_other_sites(call, codes.LOGIN_REFUSED)
    return _opened(call, sessions.login(call.ctx, call.body, call.address, call.origin))


def _passkey_login(call: Call) -> object:
    if call.body.in_cookie:
        _refuse_other_sites(call, codes.PASSKEY_REFUSED)
    return _opened(call, assertions.login(call.ctx, call.body, call.address, call.origin))


def _refuse_other_sites(call: Call, refusal: codes.ErrorCode) -> None:
    """Refuse to log a browser in for a page of another site.

    Over plain HTTP browsers do not report the site of a page; but no page may send JSON to another origin unasked.
    """
    call.check_content_type()
    if not is_own_page(call.headers.fetch_site):
        raise ServiceError(refusal)


def _opened(call: Call, opened: LoginAnswer) -> object:
    """Return the new session, in the body or, for browsers, in a cookie."""
    return _in_cookie(call, opened) if call.body.in_cookie else opened


def _in_cookie(call: Call, opened: LoginAnswer) -> Reply:
    cookie = session_cookie(opened, call.ctx.rules.session_days, secure=_is_secure(call), prefix=call.prefix)
    shown = msgspec.structs.replace(opened, auth_token=None, refresh_token=None, expires_in=None)
    return Reply(answer=shown, headers={"set-cookie": cookie})


def _remove_passkey(call: Call) -> None:
    key = call.keys["passkey_key"]
    own_passkeys.remove(call.ctx, call.caller, key, call.body, address=call.address, origin=call.origin)


def _allow_device(call: Call) -> object:
    key = call.keys["device_key"]
    return alarms.allow(call.ctx, call.caller, key, call.body, address=call.address, origin=call.origin)


def _check_password_throttle(call: Call) -> None:
    own_account.check_password_throttle(call.ctx, call.caller, call.address)


def confirmed(function: Callable[[Call], Any]) -> Handler:
    """Return the handler of a call that verifies the caller's own password; a throttled caller is refused before."""
    return Handler(function, HandlerKind.PASSWORD, precheck=_check_password_throttle)


def use_confirmed(function: Callable[..., Any], *arguments: str) -> Handler:
    """Bind an endpoint whose caller confirms it with a password to a use case."""
    return confirmed(use(function, *arguments).handle)


def check_link(call: Call) -> None:
    """Refuse a wrong one-time link early, so a stranger's guess costs no hash."""
    password_links.check_link(call.ctx, call.body)


def _logout(call: Call) -> object:
    sessions.logout(call.ctx, call.caller, call.body)
    ended = call.body.device_key
    if ended and not call.body.revokes_all and ended.lower() != call.caller.device_key:
        return None
    # Browsers cache thumbnails for ever; none may be left after a logout.
    cookie = ended_session_cookie(secure=_is_secure(call), prefix=call.prefix)
    return Reply(headers={"set-cookie": cookie, "clear-site-data": '"cache"'})


def _is_secure(call: Call) -> bool:
    return call.origin.startswith("https://")


# Identities at login providers


def _ticket(call: Call) -> str:
    return cookies_of(call.request).get(secured(TICKET, is_secure=_is_secure(call)), "")


def _login_by_provider(call: Call) -> object:
    _refuse_other_sites(call, codes.PROVIDER_LOGIN_ENDED)
    opened = provider_sessions.use_ticket(call.ctx, call.body, _ticket(call), call.address, call.origin)
    return _in_cookie(call, opened)


def _begin_link(call: Call) -> object:
    permit = links.permit_link(call.ctx, call.caller, call.body, call.address)
    url = f"{call.origin}/oidc/{call.body.provider}/login?link=1"
    cookie = own_cookie(PERMIT, permit, PERMIT_LIFETIME, secure=_is_secure(call), prefix=call.prefix)
    return Reply(answer=IdentityDeparture(url=url), headers={"set-cookie": cookie})


HANDLERS: Final = {
    "cookie_nonce": Handler(_cookie_nonce),
    "login": Handler(
        _login,
        HandlerKind.PASSWORD,
        precheck=lambda call: sessions.check_login_throttle(call.ctx, call.body, call.address),
    ),
    "passkey_login": Handler(_passkey_login),
    "remove_passkey": confirmed(_remove_passkey),
    "allow_device": confirmed(_allow_device),
    "logout": Handler(_logout),
    "login_by_provider": Handler(_login_by_provider),
    "begin_link": confirmed(_begin_link),
    "finish_link": Handler(lambda call: links.finish_link(call.ctx, call.caller, _ticket(call))),
}
