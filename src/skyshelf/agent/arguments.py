"""From JSON values to the typed arguments of a tool. No message repeats what was given: it could hold anything."""

import json
import re
from collections.abc import Mapping
from typing import Final, NoReturn

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from skyshelf.agent.errors import INVALID_ARGUMENTS, INVALID_JSON, Refusal
from skyshelf.agent.tool import Arguments, Tool

CONFIRM: Final = "confirm"

_PLACE: Final = re.compile(r" - at `\$\.([a-z_]+)")


def is_optional(field: FieldInfo) -> bool:
    """Whether an argument has a default."""
    return field.default is not NODEFAULT or field.default_factory is not NODEFAULT


def is_confirmed(arguments: object) -> bool:
    """Whether the user has agreed: JSON `true`, and nothing that only looks like it."""
    return isinstance(arguments, Mapping) and arguments.get(CONFIRM) is True


def read_arguments(tool: Tool, given: object) -> Arguments:
    """The arguments of a call. Null stands for the default of an optional one, because strict callers must send all."""
    if not isinstance(given, dict):
        raise Refusal(INVALID_ARGUMENTS, "`arguments` must be an object")
    known = {field.name: field for field in fields(tool.arguments)}
    if any(name not in known for name in given):
        takes = ", ".join(known) or "no arguments"
        raise Refusal(INVALID_ARGUMENTS, f"an argument is unknown; {tool.name} takes: {takes}")
    told = {name: value for name, value in given.items() if value is not None or not is_optional(known[name])}
    try:
        return msgspec.convert(told, tool.arguments)
    except msgspec.ValidationError as wrong:
        raise Refusal(INVALID_ARGUMENTS, _explained(tool, str(wrong))) from None
    except Exception:  # noqa: BLE001 - numbers and texts that the converter itself cannot hold
        raise Refusal(INVALID_ARGUMENTS, f"the arguments of {tool.name} cannot be read") from None


def _explained(tool: Tool, reason: str) -> str:
    missing = re.fullmatch(r"Object missing required field `([a-z_]+)`", reason)
    if missing:
        return f"`{missing[1]}` is missing"
    place = _PLACE.search(reason)
    name = place[1] if place else None
    said = reason.partition(" - at `")[0]
    if said.startswith("Invalid enum value"):
        said = "not one of the values that the schema lists"
    return f"`{name}`: {said}" if name else f"the arguments of {tool.name} are not those of its schema"


# JSON read strictly: no NaN, no name twice in one object, no lone surrogates, nothing too long or too deep.

LINE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The longest call; the largest that means anything (2,000 keys) has some 70 kB."""

_DEPTH_MAX: Final = 64


def _no_constant(_word: str) -> NoReturn:
    raise Refusal(INVALID_JSON, "NaN and Infinity are not JSON")


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Which of the two counts would be a guess, and one of them may be `confirm`.
        raise Refusal(INVALID_JSON, "an object has the same name twice")
    return found


def read_json(text: str | bytes) -> object:
    """The value, or a Refusal that does not repeat any of the text."""
    if len(text) > LINE_BYTES_MAX:
        raise Refusal(INVALID_JSON, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        spelled = text.decode("utf-8") if isinstance(text, bytes) else text
        value: object = json.loads(spelled, parse_constant=_no_constant, object_pairs_hook=_pairs)
    except RecursionError:
        raise Refusal(INVALID_JSON, "nested too deeply") from None
    except UnicodeError:
        raise Refusal(INVALID_JSON, "not UTF-8") from None
    except ValueError as wrong:
        place = f" (at character {wrong.pos})" if isinstance(wrong, json.JSONDecodeError) else ""
        raise Refusal(INVALID_JSON, f"not one JSON document{place}") from None
    _check(value, _DEPTH_MAX)
    return value


def _check(value: object, depth: int) -> None:
    if depth == 0:
        raise Refusal(INVALID_JSON, "nested too deeply")
    if isinstance(value, dict):
        for name, inner in value.items():
            _check(name, depth)
            _check(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth - 1)
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Refusal(INVALID_JSON, "a text holds half of a character") from None
