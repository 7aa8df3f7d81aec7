"""The tools as function-calling schemas in each vendor's format, derived from the typed arguments."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import fields

from skyshelf.agent.arguments import is_optional
from skyshelf.agent.registry import TOOLS
from skyshelf.agent.tool import Tool

Schema: TypeAlias = dict[str, Any]
SchemaFormat = Literal["openai", "anthropic"]

# Keywords that OpenAI's strict mode rejects; the dispatcher still enforces them.
_NOT_STRICT: Final = {"default", "minLength", "maxLength", "title"}


def arguments_schema(tool: Tool) -> Schema:
    """The JSON Schema of a tool's arguments, as the dispatcher validates them."""
    (schema,), components = msgspec.json.schema_components([tool.arguments])
    found: Schema = components[schema["$ref"].rpartition("/")[2]]
    properties = {name: _without_null(inner) for name, inner in found["properties"].items()}
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
    """OpenAI's format, valid in strict mode: every argument is required, optional ones may be null."""
    schema = arguments_schema(tool)
    optional = {field.name for field in fields(tool.arguments) if is_optional(field)}
    properties = {name: _strict(inner, name in optional) for name, inner in schema["properties"].items()}
    parameters = {**schema, "properties": properties, "required": list(properties)}
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "strict": True, "parameters": parameters},
    }


def anthropic_schema(tool: Tool) -> Schema:
    """Anthropic's format."""
    return {"name": tool.name, "description": tool.description, "input_schema": arguments_schema(tool)}


_FORMATTERS: Final[dict[SchemaFormat, Callable[[Tool], Schema]]] = {
    "openai": openai_schema,
    "anthropic": anthropic_schema,
}


def all_schemas(format_: SchemaFormat = "openai", tools: Iterable[Tool] = TOOLS.values()) -> list[Schema]:
    """Tools in one format; by default the sixteen."""
    return [_FORMATTERS[format_](tool) for tool in tools]


def _without_null(schema: Schema) -> Schema:
    """The schema without its null alternative; callers may always send null for an optional argument."""
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
            encoded = msgspec.json.encode(default).decode()
            kept["description"] = f"{kept.get('description', '')} Null means {encoded}.".strip()
    return kept
