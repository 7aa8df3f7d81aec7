"""Login, logout and download nonces: the calls that set cookies."""

from typing import Final

import msgspec

from skyshelf.server.http.authentication import ended_session_cookie, is_own_page, nonce_cookie, session_cookie
from skyshelf.server.http.call import Call, Handler, HandlerKind, Reply
from skyshelf.service import alarms
from skyshelf.service.accounts import download_nonces, own_account, password_links, sessions
from skyshelf.service.accounts.passkeys import login as passkey_login
from skyshelf.service.accounts.passkeys import own_passkeys
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS
from skyshelf.wire.resources.session import LoginAnswer


def _cookie_nonce(call: Call) -> object:
    given = download_nonces.nonce_for(call.ctx, call.caller, call.body)
    cookie = nonce_cookie(given.nonce, NONCE_LIFETIME_MS // 1000, secure=_is_secure(call), prefix=call.prefix)
    return Reply(answer=given, headers={"set-cookie": cookie})


def _login(call: Call) -> object:
    if call.body.in_cookie and not is_own_page(call.headers.fetch_site):
        raise ServiceError(codes.LOGIN_REFUSED)
    return _opened(call, sessions.login(call.ctx, call.body, call.address, call.origin))


def _passkey_login(call: Call) -> object:
    if call.body.in_cookie and not is_own_page(call.headers.fetch_site):
        raise ServiceError(codes.PASSKEY_REFUSED)
    return _opened(call, passkey_login.login(call.ctx, call.body, call.address, call.origin))


def _opened(call: Call, opened: LoginAnswer) -> object:
    """The new session: in the body or, for browsers, in a cookie."""
    if not call.body.in_cookie:
        return opened
    cookie = session_cookie(opened, call.ctx.rules.session_days, secure=_is_secure(call), prefix=call.prefix)
    shown = msgspec.structs.replace(opened, auth_token=None, refresh_token=None, expires_in=None)
    return Reply(answer=shown, headers={"set-cookie": cookie})


def _remove_passkey(call: Call) -> None:
    key = call.keys["passkey_key"]
    own_passkeys.remove(call.ctx, call.caller, key, call.body, address=call.address, origin=call.origin)


def _allow_device(call: Call) -> object:
    key = call.keys["device_key"]
    return alarms.allow(call.ctx, call.caller, key, call.body, address=call.address, origin=call.origin)


def _check_login(call: Call) -> None:
    sessions.check_login_throttle(call.ctx, call.body, call.address)


def check_password_throttle(call: Call) -> None:
    """The precheck of calls that verify the caller's own password."""
    own_account.check_password_throttle(call.ctx, call.caller, call.address)


def check_link(call: Call) -> None:
    """The precheck of a one-time link: a stranger's guess costs no hash."""
    password_links.check_link(call.ctx, call.body)


def _logout(call: Call) -> object:
    sessions.logout(call.ctx, call.caller, call.body)
    ended = call.body.device_key
    if ended and not call.body.revokes_all and ended.lower() != call.caller.device_key:
        return None
    # Browsers keep thumbnails for ever; after a logout none may be left.
    cookie = ended_session_cookie(secure=_is_secure(call), prefix=call.prefix)
    return Reply(headers={"set-cookie": cookie, "clear-site-data": '"cache"'})


def _is_secure(call: Call) -> bool:
    return call.origin.startswith("https://")


HANDLERS: Final = {
    "cookie_nonce": Handler(_cookie_nonce),
    "login": Handler(_login, HandlerKind.PASSWORD, precheck=_check_login),
    "passkey_login": Handler(_passkey_login),
    "remove_passkey": Handler(_remove_passkey, HandlerKind.PASSWORD, precheck=check_password_throttle),
    "allow_device": Handler(_allow_device, HandlerKind.PASSWORD, precheck=check_password_throttle),
    "logout": Handler(_logout),
}
