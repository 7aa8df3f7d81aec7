"""Account and session."""

import msgspec

from skyshelf.server.http.authentication import NONCE_COOKIE, ended_session_cookie, is_own_page, session_cookie
from skyshelf.server.http.call import Call, Handler, Reply, Slow
from skyshelf.service.accounts import deletion, download_nonces, own_account, second_factor, sessions
from skyshelf.service.accounts import profile as profiles
from skyshelf.service.errors import Refused
from skyshelf.service.operator import banners, client_settings, promotions
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import NONCE_LIFETIME_MS


def profile(call: Call) -> object:
    return profiles.profile(call.ctx, call.caller)


def list_promotions(call: Call) -> object:
    return promotions.promotions(call.ctx, call.caller)


def settings(call: Call) -> object:
    return client_settings.app_settings(call.ctx)


def cookie_nonce(call: Call) -> object:
    given = download_nonces.nonce_for(call.ctx, call.caller, call.body)
    cookie = (
        f"{NONCE_COOKIE}={given.nonce}; Path=/download; Max-Age={NONCE_LIFETIME_MS // 1000}; HttpOnly; SameSite=Strict"
    )
    if _is_secure(call):
        cookie += "; Secure"
    return Reply(answer=given, headers={"set-cookie": cookie})


def login(call: Call) -> object:
    if not call.body.in_cookie:
        return sessions.login(call.ctx, call.body, call.address)
    if not is_own_page(call.headers.fetch_site):
        raise Refused(codes.LOGIN_REFUSED)
    opened = sessions.login(call.ctx, call.body, call.address)
    cookie = session_cookie(opened, call.ctx.rules.session_days, secure=_is_secure(call))
    return Reply(answer=msgspec.structs.replace(opened, auth_token=None), headers={"set-cookie": cookie})


def session(call: Call) -> object:
    return sessions.current(call.ctx, call.caller)


def logout(call: Call) -> object:
    sessions.logout(call.ctx, call.caller)
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


# What people change about their own account.


def change_password(call: Call) -> object:
    return own_account.change_password(call.ctx, call.caller, call.body, call.address)


def edit_profile(call: Call) -> object:
    return own_account.edit_profile(call.ctx, call.caller, call.body)


def own_devices(call: Call) -> object:
    return own_account.own_devices(call.ctx, call.caller)


def end_session(call: Call) -> object:
    own_account.end_session(call.ctx, call.caller, call.body)
    return Reply()


def end_other_sessions(call: Call) -> object:
    return own_account.end_other_sessions(call.ctx, call.caller)


def remove_device(call: Call) -> object:
    own_account.remove_device(call.ctx, call.caller, call.keys["device_key"])
    return Reply()


def delete_account(call: Call) -> object:
    return deletion.delete_account(call.ctx, call.caller, call.body, call.address)


def keep_account(call: Call) -> object:
    deletion.keep_account(call.ctx, call.caller)
    return Reply()


HANDLERS |= {
    "change_password": Slow(change_password),
    "edit_profile": edit_profile,
    "own_devices": own_devices,
    "end_session": end_session,
    "end_other_sessions": end_other_sessions,
    "remove_device": remove_device,
    "delete_account": Slow(delete_account),
    "keep_account": keep_account,
}


# The second factor of a login.


def status(call: Call) -> object:
    return second_factor.status(call.ctx, call.caller)


def begin(call: Call) -> object:
    return second_factor.begin(call.ctx, call.caller, call.body, call.address)


def confirm(call: Call) -> object:
    return second_factor.confirm(call.ctx, call.caller, call.body, call.address)


def turn_off(call: Call) -> object:
    second_factor.turn_off(call.ctx, call.caller, call.body, call.address)
    return Reply()


def renew_codes(call: Call) -> object:
    return second_factor.renew_codes(call.ctx, call.caller, call.body, call.address)


HANDLERS |= {
    "second_factor": status,
    "begin_second_factor": Slow(begin),
    "confirm_second_factor": confirm,
    "turn_off_second_factor": Slow(turn_off),
    "renew_recovery_codes": Slow(renew_codes),
}


# Promo banners.


def list_banners(call: Call) -> object:
    return banners.live_banners(call.ctx)


HANDLERS |= {"banners": list_banners}
