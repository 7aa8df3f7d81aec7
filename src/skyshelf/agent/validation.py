"""From JSON values to the typed arguments of a tool. No message repeats what was given: it could hold anything."""

import re
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from skyshelf.agent.faults import INVALID_ARGUMENTS, Refusal
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
