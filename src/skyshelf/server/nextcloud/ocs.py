"""OCS: the envelope of the small calls besides WebDAV, as JSON or XML."""

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.dav.authentication import CHALLENGE
from skyshelf.server.dav.xml_bodies import escape
from skyshelf.server.http.error_responses import response_for
from skyshelf.wire.error_codes import ErrorBody

Data = dict[str, object] | list[object]
_JSON: Final = "application/json; charset=utf-8"
_XML: Final = "application/xml; charset=utf-8"
_NO_STORE: Final = {"cache-control": "no-store"}
_UNAUTHORIZED: Final = 997
_decode: Final = msgspec.json.Decoder(ErrorBody).decode


def is_json(request: Request) -> bool:
    wanted = request.query_params.get("format")
    return wanted == "json" if wanted else "json" in request.headers.get("accept", "")


def answer(request: Request, data: Data) -> Response:
    """Data in its envelope. Version 1 counts success as 100, version 2 as HTTP does."""
    status = 100 if "/v1.php/" in request.url.path else 200
    return _response(request, 200, {"status": "ok", "statuscode": status, "message": "OK"}, data)


def refusal(request: Request, problem: Exception) -> Response:
    """An error in the envelope, with the sentence for people."""
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
        body = msgspec.json.encode({"ocs": {"meta": meta, "data": data}})
        return Response(body, status, {"content-type": _JSON, **_NO_STORE})
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
