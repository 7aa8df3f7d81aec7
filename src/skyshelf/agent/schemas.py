"""The tools as function-calling schemas, in the form of each vendor; all derived from the typed arguments."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import fields

from skyshelf.agent.arguments import is_optional
from skyshelf.agent.registry import TOOLS
from skyshelf.agent.tool import Tool

Schema: TypeAlias = dict[str, Any]
Form = Literal["openai", "anthropic"]

# What the strict mode of OpenAI does not take; the checks behind it hold all the same.
_NOT_STRICT: Final = {"default", "minLength", "maxLength", "title"}


def arguments_schema(tool: Tool) -> Schema:
    """The JSON Schema of a tool's arguments, as they are checked."""
    (schema,), components = msgspec.json.schema_components([tool.arguments])
    found: Schema = components[schema["$ref"].rpartition("/")[2]]
    properties = {name: _flat(inner) for name, inner in found["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": found.get("required", []),
        "additionalProperties": False,
    }


def result_schema(tool: Tool) -> Schema:
    """The JSON Schema of a tool's result."""
    return msgspec.json.schema(tool.result, ref_template="#/$defs/{name}")


def openai_schema(tool: Tool) -> Schema:
    """A function as OpenAI takes it, valid in strict mode: every argument is required, optional ones may be null."""
    schema = arguments_schema(tool)
    optional = {field.name for field in fields(tool.arguments) if is_optional(field)}
    properties = {name: _strict(inner, name in optional) for name, inner in schema["properties"].items()}
    parameters = {**schema, "properties": properties, "required": list(properties)}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "strict": True, "parameters": parameters},
    }


def anthropic_schema(tool: Tool) -> Schema:
    """A tool as Anthropic takes it."""
    return {"name": tool.name, "description": tool.description, "input_schema": arguments_schema(tool)}


FORMS: Final[dict[Form, Callable[[Tool], Schema]]] = {"openai": openai_schema, "anthropic": anthropic_schema}


@cache
def all_schemas(form: Form = "openai") -> list[Schema]:
    """Every tool in one form."""
    return [FORMS[form](tool) for tool in TOOLS.values()]


def _flat(schema: Schema) -> Schema:
    """The same without the choice of null, which every caller may send for an optional argument anyway."""
    options = schema.get("anyOf")
    if options is None:
        return {name: value for name, value in schema.items() if name != "default" or value is not None}
    (only,) = [option for option in options if option != {"type": "null"}]
    own = {name: value for name, value in schema.items() if name not in {"anyOf", "default"}}
    return {**only, **own}


def _strict(schema: Schema, optional: bool) -> Schema:
    kept = {name: value for name, value in schema.items() if name not in _NOT_STRICT}
    if "items" in kept:
        kept["items"] = _strict(kept["items"], optional=False)
    if "enum" in kept:
        kept.setdefault("type", "string")
    if optional:
        kept["type"] = [kept["type"], "null"]
        if "enum" in kept:
            kept["enum"] = [*kept["enum"], None]
        default = schema.get("default")
        if default is not None:
            shown = msgspec.json.encode(default).decode()
            kept["description"] = f"{kept.get('description', '')} Null means {shown}.".strip()
    return kept
