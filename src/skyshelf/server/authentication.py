"""Who is calling: from the headers of a request to a Caller, or a refusal."""

import hmac
from collections.abc import Mapping

from skyshelf.service import sessions
from skyshelf.service.house import Caller, House
from skyshelf.service.refusals import Refused
from skyshelf.wire import error_codes as codes
from skyshelf.wire.endpoint import Access, Endpoint

NONCE_COOKIE = "skyshelf_nonce"


def check_required_headers(endpoint: Endpoint, headers: Mapping[str, str]) -> None:
    for required in endpoint.required_headers:
        if not headers.get(required.name.lower(), "").strip():
            raise Refused(required.error)


class AcceptedApps:
    """The pairs of public constants that this server lets in."""

    def __init__(self, pairs: frozenset[tuple[str, str]]) -> None:
        self._pairs = [(key.encode(), secret.encode()) for key, secret in pairs]

    def check(self, headers: Mapping[str, str]) -> None:
        given = headers.get("x-api-key", "").encode(), headers.get("x-app-secret", "").encode()
        matches = [
            hmac.compare_digest(given[0], key) & hmac.compare_digest(given[1], secret) for key, secret in self._pairs
        ]
        if not any(matches):
            raise Refused(codes.APP_REFUSED)


def find_caller(
    house: House, apps: AcceptedApps, endpoint: Endpoint, headers: Mapping[str, str], nonces: list[str]
) -> Caller | None:
    """The caller of an endpoint; None where anybody may call.

    A session first, then the application: whoever has no session learns nothing else.
    """
    if endpoint.access is Access.PUBLIC:
        return None
    if endpoint.access is Access.SESSION_OR_NONCE and "authorization" not in headers:
        return sessions.by_nonce(house, nonces)
    caller = sessions.by_token(
        house,
        authorization=headers.get("authorization", ""),
        user_id=headers.get("x-user-id", ""),
        device_key=headers.get("x-device-key", ""),
    )
    apps.check(headers)
    return caller
