"""Strict JSON parsing and validation of a tool's arguments. Error messages never repeat the input."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Final, NoReturn

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from skyshelf.agent.call import Arguments
from skyshelf.agent.errors import INVALID_ARGUMENTS, INVALID_ENVELOPE, INVALID_JSON, UNKNOWN_TOOL, ToolRefusal
from skyshelf.agent.tool import Tool

LINE_BYTES_MAX: Final = 4 * 1024 * 1024
"""The longest call accepted; the largest useful one (2,000 keys) has about 70 kB."""

_REQUEST_FIELDS: Final = {"tool", "arguments"}
_DEPTH_MAX: Final = 64
_CONFIRM: Final = "confirm"
_FIELD: Final = re.compile(r" - at `\$\.([a-z_]+)")


def unknown_tool(tools: Iterable[str]) -> str:
    """The sentence about a tool that does not exist; it does not repeat the name."""
    return f"unknown tool; the tools are: {', '.join(tools)}"


def parse_request(request: object, tools: Mapping[str, Tool]) -> tuple[Tool, object]:
    """The tool and the arguments of a request, not yet validated."""
    if not isinstance(request, dict) or not isinstance(request.get("tool"), str):
        raise ToolRefusal(INVALID_ENVELOPE, "a call is an object with `tool` (string) and `arguments` (object)")
    if not request.keys() <= _REQUEST_FIELDS:
        raise ToolRefusal(INVALID_ENVELOPE, "a call has only `tool` and `arguments`")
    tool = tools.get(request["tool"])
    if tool is None:
        raise ToolRefusal(UNKNOWN_TOOL, unknown_tool(tools))
    arguments = request.get("arguments")
    return tool, {} if arguments is None else arguments


def is_optional(field: FieldInfo) -> bool:
    """Whether an argument has a default."""
    return field.default is not NODEFAULT or field.default_factory is not NODEFAULT


def is_confirmed(arguments: object) -> bool:
    """Whether `confirm` is JSON `true`; no other value counts."""
    return isinstance(arguments, Mapping) and arguments.get(_CONFIRM) is True


def read_arguments(tool: Tool, given: object) -> Arguments:
    """Validate the arguments of a call. Null stands for an optional argument's default: strict callers send all."""
    if not isinstance(given, dict):
        raise ToolRefusal(INVALID_ARGUMENTS, "`arguments` must be an object")
    known = {field.name: field for field in fields(tool.arguments)}
    if any(name not in known for name in given):
        takes = ", ".join(known) or "no arguments"
        raise ToolRefusal(INVALID_ARGUMENTS, f"unknown argument; {tool.name} takes: {takes}")
    present = {name: value for name, value in given.items() if value is not None or not is_optional(known[name])}
    try:
        return msgspec.convert(present, tool.arguments)
    except msgspec.ValidationError as error:
        raise ToolRefusal(INVALID_ARGUMENTS, _validation_message(tool, str(error))) from None
    except Exception:  # noqa: BLE001 - numbers and texts that the converter cannot represent
        raise ToolRefusal(INVALID_ARGUMENTS, f"the arguments of {tool.name} cannot be read") from None


def _validation_message(tool: Tool, reason: str) -> str:
    missing = re.fullmatch(r"Object missing required field `([a-z_]+)`", reason)
    if missing:
        return f"`{missing[1]}` is missing"
    field = _FIELD.search(reason)
    problem = reason.partition(" - at `")[0]
    if problem.startswith("Invalid enum value"):
        problem = "not one of the values listed in the schema"
    return f"`{field[1]}`: {problem}" if field else f"the arguments do not match the schema of {tool.name}"


def read_json(text: str | bytes) -> object:
    """Parse one JSON document: no NaN, no duplicate names, no lone surrogates, nothing too long or too deep."""
    if len(text) > LINE_BYTES_MAX:
        raise ToolRefusal(INVALID_JSON, f"longer than {LINE_BYTES_MAX} bytes")
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        value: object = json.loads(decoded, parse_constant=_refuse_constant, object_pairs_hook=_unique_pairs)
    except RecursionError:
        raise ToolRefusal(INVALID_JSON, "nested too deeply") from None
    except UnicodeError:
        raise ToolRefusal(INVALID_JSON, "not UTF-8") from None
    except ValueError as error:
        position = f" (at character {error.pos})" if isinstance(error, json.JSONDecodeError) else ""
        raise ToolRefusal(INVALID_JSON, f"not a single JSON document{position}") from None
    _check_value(value, _DEPTH_MAX)
    return value


def _refuse_constant(_name: str) -> NoReturn:
    raise ToolRefusal(INVALID_JSON, "NaN and Infinity are not JSON")


def _unique_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Choosing one would be a guess, and it may be `confirm`.
        raise ToolRefusal(INVALID_JSON, "an object contains the same name twice")
    return found


def _check_value(value: object, depth: int) -> None:
    if depth == 0:
        raise ToolRefusal(INVALID_JSON, "nested too deeply")
    if isinstance(value, dict):
        for name, inner in value.items():
            _check_value(name, depth)
            _check_value(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value:
            _check_value(inner, depth - 1)
    elif isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ToolRefusal(INVALID_JSON, "a text contains a lone surrogate") from None
