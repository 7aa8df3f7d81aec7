"""Errors in the OpenAPI description: by status, each with its codes."""

from collections.abc import Iterable
from typing import Any, Final

from skyshelf.wire import headers as header_names
from skyshelf.wire.endpoint import AnswerKind, Endpoint
from skyshelf.wire.error_codes import ErrorCode

ERROR_SCHEMA_NAME: Final = "Error"
COMMON_HEADERS: Final = {
    header_names.REQUEST_ID: "The request's id in the server's log.",
    header_names.RETRY_AFTER: "Seconds to wait before retrying.",
    "Allow": "The methods that the path supports.",
}
_MORE_HEADERS: Final = {405: ("Allow",), 429: (header_names.RETRY_AFTER,), 503: (header_names.RETRY_AFTER,)}


def error_schema() -> dict[str, Any]:
    """The schema of every error body."""
    return {
        "title": ERROR_SCHEMA_NAME,
        "description": "The body of every error: a code for programs and a message for people.",
        "type": "object",
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
        "required": ["code", "message"],
    }


def error_answers(endpoint: Endpoint) -> dict[str, Any]:
    """Every error status of an endpoint, in order."""
    found = {}
    for status, rows in sorted(_by_status(endpoint).items()):
        is_shared = _is_shared(endpoint, status, rows)
        found[str(status)] = (
            {"$ref": f"#/components/responses/{rows[0].code}"} if is_shared else _error_answer(endpoint, status, rows)
        )
    return found


def shared_error_answers(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Error responses with a single code, which many endpoints share, by their code."""
    shared = {
        rows[0].code: _error_answer(endpoint, status, rows)
        for endpoint in endpoints
        for status, rows in _by_status(endpoint).items()
        if _is_shared(endpoint, status, rows)
    }
    return dict(sorted(shared.items()))


def _by_status(endpoint: Endpoint) -> dict[int, list[ErrorCode]]:
    found: dict[int, list[ErrorCode]] = {}
    for row in endpoint.all_errors:
        found.setdefault(row.status, []).append(row)
    return found


def _is_shared(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> bool:
    # HEAD has no content, and pages and special bodies are not shared.
    is_special = endpoint.head or status in endpoint.error_bodies
    return len(rows) == 1 and not is_special


def _error_answer(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> dict[str, Any]:
    names = [header_names.REQUEST_ID, *_MORE_HEADERS.get(status, ())]
    return {
        "description": "; ".join(f"`{row.code}` {row.message}" for row in rows),
        "headers": {name: header_reference(name) for name in names},
        "content": _content(endpoint, status, rows),
    }


def _content(endpoint: Endpoint, status: int, rows: list[ErrorCode]) -> dict[str, Any]:
    # Errors of a public page are pages; only the router's own errors are JSON.
    is_page = any(answer.kind is AnswerKind.HTML for answer in endpoint.answers.values())
    if is_page and status != 405:
        return {"text/html": {"schema": {"type": "string"}}}
    known = {"properties": {"code": {"enum": [row.code for row in rows]}}}
    shapes = [{"$ref": f"#/components/schemas/{ERROR_SCHEMA_NAME}"}, known]
    if status in endpoint.error_bodies:
        shapes.append({"$ref": f"#/components/schemas/{endpoint.error_bodies[status].__name__}"})
    return {"application/json": {"schema": {"allOf": shapes}}}


def header_reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/headers/{name}"}
