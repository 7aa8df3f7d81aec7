"""Logins through providers: the calls that read and set their cookies."""

from typing import Final

import msgspec

from skyshelf.server.handlers.account import check_password_throttle
from skyshelf.server.http.authentication import is_own_page, session_cookie
from skyshelf.server.http.call import Call, Handler, HandlerKind, Reply
from skyshelf.server.http.cookies import Cookies
from skyshelf.server.oidc.cookies import PERMIT, TICKET, own_cookie, own_cookie_name
from skyshelf.service.errors import ServiceError
from skyshelf.service.identity import links, sessions
from skyshelf.service.identity.logins import PERMIT_LIFETIME
from skyshelf.wire import error_codes as codes
from skyshelf.wire.resources.identities import IdentityDeparture


def _is_secure(call: Call) -> bool:
    return call.origin.startswith("https://")


def _ticket(call: Call) -> str:
    return Cookies(call.request).get(own_cookie_name(TICKET, secure=_is_secure(call)), "")


def _login_by_provider(call: Call) -> object:
    if not is_own_page(call.headers.fetch_site):
        raise ServiceError(codes.PROVIDER_LOGIN_ENDED)
    opened = sessions.use_ticket(call.ctx, call.body, _ticket(call), call.address, call.origin)
    cookie = session_cookie(opened, call.ctx.rules.session_days, secure=_is_secure(call), prefix=call.prefix)
    shown = msgspec.structs.replace(opened, auth_token=None, refresh_token=None, expires_in=None)
    return Reply(answer=shown, headers={"set-cookie": cookie})


def _begin_link(call: Call) -> object:
    permit = links.permit_link(call.ctx, call.caller, call.body, call.address)
    url = f"{call.origin}/oidc/{call.body.provider}/login?link=1"
    cookie = own_cookie(PERMIT, permit, PERMIT_LIFETIME, secure=_is_secure(call), prefix=call.prefix)
    return Reply(answer=IdentityDeparture(url=url), headers={"set-cookie": cookie})


def _finish_link(call: Call) -> object:
    return links.finish_link(call.ctx, call.caller, _ticket(call))


HANDLERS: Final = {
    "login_by_provider": Handler(_login_by_provider),
    "begin_link": Handler(_begin_link, HandlerKind.PASSWORD, precheck=check_password_throttle),
    "finish_link": Handler(_finish_link),
}
