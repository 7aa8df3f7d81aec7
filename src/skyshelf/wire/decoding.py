"""Decode a request's text into models, or raise InvalidRequest with the right code, and nothing else.

The models say which code refuses which field (`RefusedWith` on a query or header field, `refused_with` on a body) and
which values are valid. This module only turns text into values.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, overload

from msgspec import NODEFAULT, DecodeError, ValidationError, convert, inspect, json
from msgspec.structs import fields

from skyshelf.wire.endpoint import DEVICE_PARAMETER, PATH_PARAMETERS, Endpoint
from skyshelf.wire.error_codes import BODY_TOO_LARGE, INVALID_REQUEST, NOT_JSON, ErrorCode
from skyshelf.wire.keys import clean_device_key, clean_key
from skyshelf.wire.limits import INTEGER_DIGITS_MAX, JSON_BODY_BYTES_DEFAULT, JSON_VALUES_MAX
from skyshelf.wire.models import ANY_CASE, PLAIN_TEXT, SIGNED, HeaderModel, ParameterModel, RefusedWith
from skyshelf.wire.refusals import BadKey, InvalidRequest, Refusal

# Larger upper bounds are not mentioned.
_ENDLESS: Final = 2**53 - 1
_GOT: Final = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "bool": "true or false",
    "str": "text",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_OTHERS: Final[dict[type[inspect.Type], str]] = {
    inspect.BoolType: "true or false",
    inspect.FloatType: "a number",
    inspect.NoneType: "null",
}
_PLACE: Final = " - at `$"
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_PART_CHARS: Final = 400
_STEP: Final = re.compile(r"\.([^.\[]+)|(\[[^\]]*\])")


def must_be(annotation: object, *, or_null: bool = True) -> str:
    """Return what a value of the type is, to follow `must be`."""
    return _words(inspect.type_info(annotation), or_null=or_null)


def explained(model: object, wrong: ValidationError) -> str:
    """Return why a JSON value does not fit the model: which field is wrong, and what it must be."""
    message = str(wrong)
    if len(message) > 2 * _PART_CHARS:
        # It quotes a long value. The field is named at the end, and these patterns are not made for long texts.
        message = f"{message[:_PART_CHARS]}…{message[-_PART_CHARS:]}"
    said, mark, path = message.rpartition(_PLACE)
    if not mark or not path.endswith("`"):
        said, path = message, ""
    path = path.removesuffix("`")
    name = path.removeprefix(".")
    if missing := _MISSING.fullmatch(said):
        return f"{name}.{missing[1]} is missing" if name else f"{missing[1]} is missing"
    wanted: inspect.Type | None = inspect.type_info(model)
    for field, _ in _STEP.findall(path):
        wanted = _below(wanted, field)
    if wanted is None:
        return said
    got = re.search(r", got `(\w+)`$", said)
    instead = f", not {_GOT[got[1]]}" if got and got[1] in _GOT else ""
    return f"{name or 'The body'} must be {_words(wanted, or_null=True)}{instead}"


def _below(found: inspect.Type | None, field: str) -> inspect.Type | None:
    """Return the type of a field, or of a list's entries if no field is named; None if it depends on the value."""
    if isinstance(found, inspect.Metadata):
        return _below(found.type, field)
    if isinstance(found, inspect.UnionType):
        fitting = [below for one in found.types if (below := _below(one, field)) is not None]
        return fitting[0] if len(fitting) == 1 else None
    if isinstance(found, inspect.StructType):
        return next((one.type for one in found.fields if one.encode_name == field), None)
    if isinstance(found, inspect.ListType | inspect.VarTupleType) and not field:
        return found.item_type
    return found.value_type if isinstance(found, inspect.DictType) else None


def _words(found: inspect.Type, *, or_null: bool) -> str:
    if isinstance(found, inspect.Metadata):
        description = (found.extra_json_schema or {}).get("description")
        words = _words(found.type, or_null=or_null)
        return f"{words} ({description})" if description else words
    if isinstance(found, inspect.UnionType):
        types = [one for one in found.types if not isinstance(one, inspect.NoneType)]
        words = " or ".join(_words(one, or_null=False) for one in types)
        return f"{words}, or null" if or_null and len(types) < len(found.types) else words
    if isinstance(found, inspect.ListType):
        counted = _counted(found.min_length, found.max_length, "entry", "entries")
        return f"a list{counted}" if found.max_length != 0 else "an empty list"
    return _plain(found)


def _plain(found: inspect.Type) -> str:
    if isinstance(found, inspect.IntType):
        return f"a whole number{_between(found.ge, found.le)}"
    if isinstance(found, inspect.StrType):
        # The description explains any other pattern.
        without = " without NUL" if found.pattern == PLAIN_TEXT else ""
        return f"text{_counted(found.min_length, found.max_length, 'character', 'characters')}{without}"
    if isinstance(found, inspect.LiteralType):
        return f"one of {', '.join(map(str, found.values))}" if len(found.values) > 1 else str(found.values[0])
    return _OTHERS.get(type(found), "an object")


def _between(least: int | None, most: int | None) -> str:
    if most is None or most >= _ENDLESS:
        return "" if least is None else f" of at least {least}"
    return f" of at most {most}" if least is None else f" from {least} to {most}"


def _counted(least: int | None, most: int | None, one: str, several: str) -> str:
    if most is None:
        return f" of at least {least} {one if least == 1 else several}" if least else ""
    if least == most:
        return f" of {most} {one if most == 1 else several}"
    return f" of {least} to {most} {several}" if least else f" of at most {most} {several}"


_Parameters = TypeVar("_Parameters", bound=ParameterModel)
_Body = TypeVar("_Body")

_UNSTORABLE: Final = re.compile("[\\0\\ud800-\\udfff]")
# A reason can quote the name of a field in the body, which can be long.
_REASON_CHARS: Final = 300
_BOOLEANS: Final = {"true": True, "false": False}
# Values that are safe to quote in an error message.
_HARMLESS: Final = re.compile(r"[\w.+-]{0,24}", re.ASCII)


class _WrongKind(Exception):
    """Raised when a text is not the number or boolean that its field holds."""


def _as_text(text: str) -> object:
    """Return text that can be stored: no lone surrogates and no NUL."""
    if _UNSTORABLE.search(text):
        raise InvalidRequest("must be valid Unicode without NUL")
    return text


def _as_integer(text: str) -> object:
    """Accept only ASCII digits: int() would accept signs, spaces, underscores and the digits of every script."""
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
    key: str
    """Its name in the request; names of headers are in lower case."""
    required: bool
    read: Callable[[str], object]
    type: object
    is_open: bool
    error: ErrorCode | None

    def refusal(self, reason: str) -> InvalidRequest:
        """Return the refusal of this parameter; a specific code comes with the message of the error table."""
        if self.error is not None:
            return InvalidRequest(error=self.error)
        return InvalidRequest(f"{self.wire_name} {reason}")

    def reason(self, text: str) -> str:
        """Return what the value must be; free text is not quoted."""
        words = f"must be {must_be(self.type, or_null=False)}"
        return words if self.is_open or not _HARMLESS.fullmatch(text) else f"{words}, not '{text}'"


def _options(annotation: object) -> list[object]:
    """Return the plain types and literals that a field can hold, without annotations and None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _options(get_args(annotation)[0])
    if origin in {Union, UnionType}:
        return [option for part in get_args(annotation) for option in _options(part)]
    return [] if annotation is type(None) else [annotation]


def _choices(annotation: object) -> tuple[object, ...]:
    """Return the values that a field allows; empty if its type is open."""
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


@cache
def _plan(model: type[ParameterModel]) -> tuple[_Field, ...]:
    """Return how to read a model."""
    plan = []
    for field in fields(model):
        marks = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
        own_error = next((mark.error for mark in marks if isinstance(mark, RefusedWith)), None)
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        reader = _reader(field.type, marks)
        is_open = reader in {_as_text, _as_signed} and not _choices(field.type)
        key = field.encode_name.lower() if issubclass(model, HeaderModel) else field.encode_name
        plan.append(_Field(field.encode_name, key, required, reader, field.type, is_open, own_error))
    return tuple(plan)


def decode_parameters(model: type[_Parameters], given: Mapping[str, str]) -> _Parameters:
    """Decode percent-decoded parameters of a query, or additional headers from a mapping with lower-case names."""
    values: dict[str, object] = {}
    for field in _plan(model):
        text = given.get(field.key)
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


def decode_path(endpoint: Endpoint, given: Mapping[str, str]) -> dict[str, str]:
    """Decode the keys in a path; an invalid key is refused like an unknown one."""
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
    """Decode the JSON body of a request."""
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
