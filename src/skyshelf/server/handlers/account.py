"""Account and session."""

from skyshelf.server.authentication import NONCE_COOKIE
from skyshelf.server.call import Call, Handler, Reply, Slow
from skyshelf.service import app_settings, cookie_nonces, profiles, promotions, sessions
from skyshelf.wire.limits import NONCE_LIFETIME_MS


def profile(call: Call) -> object:
    return profiles.profile(call.house, call.caller)


def list_promotions(call: Call) -> object:
    return promotions.promotions(call.house, call.caller)


def settings(call: Call) -> object:
    return app_settings.app_settings(call.house)


def cookie_nonce(call: Call) -> object:
    given = cookie_nonces.nonce_for(call.house, call.caller, call.body)
    cookie = (
        f"{NONCE_COOKIE}={given.nonce}; Path=/download; Max-Age={NONCE_LIFETIME_MS // 1000}; HttpOnly; SameSite=Strict"
    )
    if call.origin.startswith("https://"):
        cookie += "; Secure"
    return Reply(answer=given, headers={"set-cookie": cookie})


def login(call: Call) -> object:
    return sessions.login(call.house, call.body, call.address)


def logout(call: Call) -> object:
    sessions.logout(call.house, call.caller)
    return Reply()


HANDLERS: dict[str, Handler] = {
    "profile": profile,
    "promotions": list_promotions,
    "app_settings": settings,
    "cookie_nonce": cookie_nonce,
    "login": Slow(login),
    "logout": logout,
}
