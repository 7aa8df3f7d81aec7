"""Account and session."""

import msgspec

from skyshelf.server.authentication import NONCE_COOKIE, ended_session_cookie, is_own_page, session_cookie
from skyshelf.server.call import Call, Handler, Reply, Slow
from skyshelf.service.accounts import download_nonces, sessions
from skyshelf.service.accounts import profile as profiles
from skyshelf.service.errors import Refused
from skyshelf.service.operator import client_settings, promotions
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS


def profile(call: Call) -> object:
    return profiles.profile(call.house, call.caller)


def list_promotions(call: Call) -> object:
    return promotions.promotions(call.house, call.caller)


def settings(call: Call) -> object:
    return client_settings.app_settings(call.house)


def cookie_nonce(call: Call) -> object:
    given = download_nonces.nonce_for(call.house, call.caller, call.body)
    cookie = (
        f"{NONCE_COOKIE}={given.nonce}; Path=/download; Max-Age={NONCE_LIFETIME_MS // 1000}; HttpOnly; SameSite=Strict"
    )
    if _is_secure(call):
        cookie += "; Secure"
    return Reply(answer=given, headers={"set-cookie": cookie})


def login(call: Call) -> object:
    if not call.body.in_cookie:
        return sessions.login(call.house, call.body, call.address)
    if not is_own_page(call.headers.fetch_site):
        raise Refused(codes.LOGIN_REFUSED)
    opened = sessions.login(call.house, call.body, call.address)
    cookie = session_cookie(opened, call.house.rules.session_days, secure=_is_secure(call))
    return Reply(answer=msgspec.structs.replace(opened, auth_token=None), headers={"set-cookie": cookie})


def session(call: Call) -> object:
    return sessions.current(call.house, call.caller)


def logout(call: Call) -> object:
    sessions.logout(call.house, call.caller)
    # Browsers keep thumbnails for good; whoever logs out wants none of them left.
    forgetting = {"clear-site-data": '"cache"'}
    return Reply(headers={"set-cookie": ended_session_cookie(secure=_is_secure(call)), **forgetting})


def _is_secure(call: Call) -> bool:
    return call.origin.startswith("https://")


HANDLERS: dict[str, Handler] = {
    "profile": profile,
    "promotions": list_promotions,
    "app_settings": settings,
    "cookie_nonce": cookie_nonce,
    "login": Slow(login),
    "session": session,
    "logout": logout,
}
