"""Decode a request's text into models, or raise InvalidRequest with the right code, and nothing else.

The models say which code refuses which field (`RefusedWith` on a query or header field, `refused_with` on a body) and
which values are valid. This module only turns text into values.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, overload

from msgspec import NODEFAULT, DecodeError, ValidationError, convert, json
from msgspec.structs import fields

from skyshelf.wire.endpoint import DEVICE_PARAMETER, PATH_PARAMETERS, Endpoint
from skyshelf.wire.error_codes import BODY_TOO_LARGE, INVALID_REQUEST, NOT_JSON, ErrorCode
from skyshelf.wire.field_errors import explained, must_be
from skyshelf.wire.keys import clean_device_key, clean_key
from skyshelf.wire.limits import INTEGER_DIGITS_MAX, JSON_BODY_BYTES_DEFAULT, JSON_VALUES_MAX
from skyshelf.wire.models import ANY_CASE, SIGNED, HeaderModel, ParameterModel, QueryModel, RefusedWith
from skyshelf.wire.refusals import BadKey, InvalidRequest, Refusal

__all__ = ["InvalidRequest", "decode_body", "decode_headers", "decode_path", "decode_query"]

_Parameters = TypeVar("_Parameters", bound=ParameterModel)
_Query = TypeVar("_Query", bound=QueryModel)
_Headers = TypeVar("_Headers", bound=HeaderModel)
_Body = TypeVar("_Body")

_UNSTORABLE: Final = re.compile("[\\0\\ud800-\\udfff]")
# A reason can quote the name of a field in the body, which can be long.
_REASON_CHARS: Final = 300
_BOOLEANS: Final = {"true": True, "false": False}
# Values that are safe to quote in an error message.
_HARMLESS: Final = re.compile(r"[\w.+-]{0,24}", re.ASCII)


class _WrongKind(Exception):
    """The text is not the number or boolean that its field holds."""


def _as_text(text: str) -> object:
    """Text that can be stored: no lone surrogates and no NUL."""
    if _UNSTORABLE.search(text):
        raise InvalidRequest("must be valid Unicode without NUL")
    return text


def _as_integer(text: str) -> object:
    """Only ASCII digits: int() would accept signs, spaces, underscores and the digits of every script."""
    if not (text.isascii() and text.isdigit() and len(text) <= INTEGER_DIGITS_MAX):
        raise _WrongKind
    return int(text)


def _as_boolean(text: str) -> object:
    if text not in _BOOLEANS:
        raise _WrongKind
    return _BOOLEANS[text]


def _as_signed(text: str) -> object:
    return _as_text("+" + text[1:] if text.startswith(" ") else text)


class _Field(NamedTuple):
    """How one parameter is read."""

    wire_name: str
    required: bool
    read: Callable[[str], object]
    type: object
    is_open: bool
    error: ErrorCode | None

    def refusal(self, reason: str) -> InvalidRequest:
        """The refusal of this parameter; a specific code comes with the message of the error table."""
        if self.error is not None:
            return InvalidRequest(error=self.error)
        return InvalidRequest(f"{self.wire_name} {reason}")

    def reason(self, text: str) -> str:
        """What the value must be; free text is not quoted."""
        words = f"must be {must_be(self.type, or_null=False)}"
        return words if self.is_open or not _HARMLESS.fullmatch(text) else f"{words}, not '{text}'"


def _options(annotation: object) -> list[object]:
    """The plain types and literals that a field can hold, without annotations and None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _options(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        return [option for part in get_args(annotation) for option in _options(part)]
    return [] if annotation is type(None) else [annotation]


def _choices(annotation: object) -> tuple[object, ...]:
    """The values that a field allows; empty if its type is open."""
    options = _options(annotation)
    if any(get_origin(option) is not Literal for option in options):
        return ()
    return tuple(value for option in options for value in get_args(option))


def _reader(annotation: object, marks: tuple[object, ...]) -> Callable[[str], object]:
    values: set[object] = {type(choice) for choice in _choices(annotation)}
    values = values or set(_options(annotation))
    if values == {int}:
        return _as_integer
    if values == {bool}:
        return _as_boolean
    read = _as_signed if SIGNED in marks else _as_text
    return _in_any_case(read, _choices(annotation)) if ANY_CASE in marks else read


def _in_any_case(read: Callable[[str], object], choices: tuple[object, ...]) -> Callable[[str], object]:
    spelled = {str(choice).lower(): choice for choice in choices}

    def choose(text: str) -> object:
        value = read(text)
        return spelled.get(value.lower(), value) if isinstance(value, str) else value

    return choose


_PLANS: Final[dict[type[ParameterModel], tuple[_Field, ...]]] = {}


def _plan(model: type[ParameterModel]) -> tuple[_Field, ...]:
    """How a model is read; computed once per model."""
    known = _PLANS.get(model)
    if known is not None:
        return known
    plan = []
    for field in fields(model):
        marks = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
        own_error = next((mark.error for mark in marks if isinstance(mark, RefusedWith)), None)
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        reader = _reader(field.type, marks)
        is_open = reader in {_as_text, _as_signed} and not _choices(field.type)
        plan.append(_Field(field.encode_name, required, reader, field.type, is_open, own_error))
    return _PLANS.setdefault(model, tuple(plan))


def _decode_parameters(model: type[_Parameters], given: Mapping[str, str], spell: Callable[[str], str]) -> _Parameters:
    values: dict[str, object] = {}
    plan = _plan(model)
    for field in plan:
        text = given.get(spell(field.wire_name))
        if text is None:
            if field.required:
                raise field.refusal("is missing")
            continue
        try:
            values[field.wire_name] = field.read(text)
        except _WrongKind as wrong:
            raise field.refusal(field.reason(text)) from wrong
        except InvalidRequest as wrong:
            raise field.refusal(wrong.message) from wrong
    try:
        return convert(values, model)
    except ValidationError as wrong:
        raise _blame(model, values, wrong) from wrong


def _blame(model: type[ParameterModel], values: dict[str, object], wrong: ValidationError) -> InvalidRequest:
    """Find the invalid parameter; only failed requests pay for it."""
    for field in _plan(model):
        if field.wire_name in values:
            value = values[field.wire_name]
            try:
                convert(value, field.type)
            except ValidationError:
                return field.refusal(field.reason(str(value)))
    # Each value is valid for its type: the model's own check refused one.
    return _refusal_of(model, wrong, INVALID_REQUEST)


def _refusal_of(model: object, wrong: ValidationError, otherwise: ErrorCode) -> InvalidRequest:
    cause = wrong.__cause__
    if isinstance(cause, Refusal):
        return InvalidRequest(cause.message, cause.error)
    # The interface's codes keep their exact messages.
    return InvalidRequest(None if otherwise.is_of_the_interface else explained(model, wrong)[:_REASON_CHARS], otherwise)


def decode_query(model: type[_Query], given: Mapping[str, str]) -> _Query:
    """The query of a request, from percent-decoded parameters."""
    return _decode_parameters(model, given, _same)


def decode_headers(model: type[_Headers], given: Mapping[str, str]) -> _Headers:
    """The endpoint's additional headers, from a mapping with lower-case names."""
    return _decode_parameters(model, given, str.lower)


def _same(name: str) -> str:
    return name


def decode_path(endpoint: Endpoint, given: Mapping[str, str]) -> dict[str, str]:
    """The keys in a path; an invalid key is refused like an unknown one."""
    keys = {}
    for name in endpoint.parameters:
        try:
            keys[name] = (clean_device_key if name == DEVICE_PARAMETER else clean_key)(given[name])
        except BadKey as wrong:
            raise InvalidRequest(error=PATH_PARAMETERS[name]) from wrong
    return keys


@cache
def _body_decoder(model: object) -> "json.Decoder[object]":
    return json.Decoder(model)


def _why_no_json(body: bytes, wrong: Exception) -> str:
    if not body.strip():
        return "The body is empty, but this call needs one"
    if isinstance(wrong, UnicodeDecodeError):
        return f"The body is not UTF-8 (byte {wrong.start})"
    return str(wrong)


@overload
def decode_body(model: type[_Body], body: bytes) -> _Body: ...


@overload
def decode_body(model: object, body: bytes) -> object: ...


def decode_body(model: object, body: bytes) -> object:
    """The JSON body of a request."""
    refused_with: ErrorCode = getattr(model, "refused_with", INVALID_REQUEST)
    not_json_with: ErrorCode = getattr(model, "not_json_with", NOT_JSON)
    max_bytes: int = getattr(model, "max_bytes", JSON_BODY_BYTES_DEFAULT)
    if not body and getattr(model, "may_be_absent", False):
        return convert({}, model)
    if len(body) > max_bytes:
        raise InvalidRequest(f"The body has more than {max_bytes} bytes", BODY_TOO_LARGE)
    # Decoding holds the interpreter, and millions of tiny values take a second and ten times the memory of their text.
    if len(body) > JSON_VALUES_MAX and body.count(b",") > JSON_VALUES_MAX:
        raise InvalidRequest(f"The body has more than {JSON_VALUES_MAX} values", BODY_TOO_LARGE)
    try:
        # The decoder does not check fields that it skips, but they must be UTF-8 as well.
        body.decode()
        return _body_decoder(model).decode(body)
    except ValidationError as wrong:
        raise _refusal_of(model, wrong, refused_with) from wrong
    except (DecodeError, UnicodeDecodeError) as wrong:
        # The interface's codes keep their exact messages.
        sentence = None if not_json_with.is_of_the_interface else _why_no_json(body, wrong)
        raise InvalidRequest(sentence, not_json_with) from wrong
    except RecursionError as wrong:
        # The interpreter's guard against exhausting the stack; no real body comes near it.
        raise InvalidRequest("The body nests too deeply", not_json_with) from wrong
