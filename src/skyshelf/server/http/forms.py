"""Forms of our own pages: a few short fields, each given once."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from skyshelf.server.http.bodies import Body
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

FORM: Final = "application/x-www-form-urlencoded"
_FIELDS_MAX: Final = 8


async def read_form(request: Request, most: int) -> dict[str, str]:
    """The fields of a form. Whatever is no such form is refused with a 4xx: too long, too many fields, not UTF-8."""
    kind = request.headers.get("content-type", FORM).partition(";")[0].strip().lower()
    if kind != FORM:
        raise ServiceError(codes.WRONG_CONTENT_TYPE, f"Send {FORM}")
    body = await Body.of(request).all(most)
    try:
        # The text of a form is ASCII; other characters of older clients must be UTF-8.
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS_MAX, errors="strict")
    except ValueError as wrong:
        raise ServiceError(codes.INVALID_REQUEST, f"Send at most {_FIELDS_MAX} fields, in UTF-8") from wrong
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ServiceError(codes.INVALID_REQUEST, "The form has a field twice")
    return fields
