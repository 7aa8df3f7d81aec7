"""OCS: the small calls besides WebDAV, their envelope as JSON or XML, and what they announce: only what is offered."""

import re
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.authentication import CHALLENGE
from skyshelf.server.http.error_responses import response_for
from skyshelf.storage.metadata.contracts.accounts import Account, Quota
from skyshelf.wire.error_codes import ErrorBody

Data = dict[str, object] | list[object]
_JSON: Final = "application/json; charset=utf-8"
_XML: Final = "application/xml; charset=utf-8"
_NO_STORE: Final = {"cache-control": "no-store"}
_UNAUTHORIZED: Final = 997
_decode: Final = msgspec.json.Decoder(ErrorBody).decode


def json_response(answer: object, status: int = 200) -> Response:
    """Return JSON with the type as Nextcloud writes it."""
    return Response(msgspec.json.encode(answer), status, {"content-type": _JSON, **_NO_STORE})


def is_json(request: Request) -> bool:
    wanted = request.query_params.get("format")
    return wanted == "json" if wanted else "json" in request.headers.get("accept", "")


def answer(request: Request, data: Data) -> Response:
    """Wrap data in an envelope. Version 1 uses 100 for success, version 2 the status of HTTP."""
    status = 100 if "/v1.php/" in request.url.path else 200
    return _response(request, 200, {"status": "ok", "statuscode": status, "message": "OK"}, data)


def refusal(request: Request, problem: Exception) -> Response:
    """Return an error in the envelope, with a message for people."""
    error = response_for(problem)
    body, status = _decode(error.body), error.status_code
    code = _UNAUTHORIZED if status == 401 else status
    response = _response(request, status, {"status": "failure", "statuscode": code, "message": body.message or ""}, [])
    if status == 401:
        response.headers["www-authenticate"] = CHALLENGE
    if "retry-after" in error.headers:
        response.headers["retry-after"] = error.headers["retry-after"]
    return response


def _response(request: Request, status: int, meta: dict[str, object], data: Data) -> Response:
    if is_json(request):
        return json_response({"ocs": {"meta": meta, "data": data}}, status)
    text = f'<?xml version="1.0"?>\n<ocs>{_element("meta", meta)}{_element("data", data)}</ocs>\n'
    return Response(text.encode(), status, {"content-type": _XML, **_NO_STORE})


def _element(name: str, value: object) -> str:
    if isinstance(value, dict):
        inside = "".join(_element(key, one) for key, one in value.items())
    elif isinstance(value, list):
        inside = "".join(_element("element", one) for one in value)
    elif isinstance(value, bool):
        inside = "1" if value else ""
    else:
        inside = "" if value is None else escape(str(value))
    return f"<{name}>{inside}</{name}>"


# Clients choose their calls by these numbers: this release has everything that is announced below.
_MAJOR, _MINOR, _MICRO = 28, 0, 0
_VERSION: Final = f"{_MAJOR}.{_MINOR}.{_MICRO}"
_DESKTOP: Final = re.compile(r"mirall/([0-9]{1,4})\.([0-9]{1,4})")
_BULK_WORKS_SINCE: Final = (3, 10)
PRODUCT: Final = "Skyshelf"
COLOR: Final = "#2f5bd0"


def status(*, is_read_only: bool) -> dict[str, object]:
    """Return the answer of status.php."""
    return {
        "installed": True,
        "maintenance": False,
        "needsDbUpgrade": False,
        "version": f"{_VERSION}.1",
        "versionstring": _VERSION,
        "edition": "",
        "productname": PRODUCT,
        "extendedSupport": False,
        "readonly": is_read_only,
    }


def can_send_in_bulk(user_agent: str) -> bool:
    """Return whether a client's bulk uploads work: older desktop clients fail if a file is empty."""
    desktop = _DESKTOP.search(user_agent)
    return desktop is None or (int(desktop[1]), int(desktop[2])) >= _BULK_WORKS_SINCE


def capabilities(origin: str, user_agent: str) -> dict[str, object]:
    """Return the answer of cloud/capabilities."""
    bulk = {"bulkupload": "1.0"} if can_send_in_bulk(user_agent) else {}
    return {
        "version": {
            "major": _MAJOR,
            "minor": _MINOR,
            "micro": _MICRO,
            "string": _VERSION,
            "edition": "",
            "extendedSupport": False,
        },
        "capabilities": {
            "core": {"pollinterval": 60, "webdav-root": "remote.php/webdav", "mod-rewrite-working": False},
            "dav": {"chunking": "1.0", **bulk},
            "checksums": {"supportedTypes": ["SHA256", "SHA1", "MD5", "ADLER32"], "preferredUploadType": "SHA256"},
            "files": {"bigfilechunking": True, "undelete": True, "versioning": True, "favorites": True},
            "files_sharing": {"api_enabled": False, "public": {"enabled": False}, "resharing": False},
            "theming": {
                "name": PRODUCT,
                "url": origin,
                "slogan": "",
                "color": COLOR,
                "color-text": "#ffffff",
                "color-element": COLOR,
            },
        },
    }


def user(account: Account, quota: Quota) -> dict[str, object]:
    """Return the answer of cloud/user."""
    name = f"{account.first_name} {account.last_name}".strip() or account.email
    return {
        "enabled": True,
        "id": account.email,
        "email": account.email,
        "displayname": name,
        "display-name": name,
        "quota": quota_of(quota),
        "groups": [],
        "language": "en",
        "locale": "",
        "backendCapabilities": {"setDisplayName": False, "setPassword": False},
    }


def quota_of(quota: Quota) -> dict[str, object]:
    share = 100 * quota.used / quota.allocated if quota.allocated else 0
    return {
        "free": quota.free,
        "used": quota.used,
        "total": quota.allocated,
        "relative": round(share, 2),
        "quota": quota.allocated,
    }
