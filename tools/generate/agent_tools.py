"""Generates the reference page of the agent's tools from the registry."""

import inspect
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from msgspec import Struct, json
from msgspec.structs import fields

from skyshelf.agent import errors
from skyshelf.agent.registry import EXTENDED, TOOLS
from skyshelf.agent.schemas import arguments_schema
from skyshelf.agent.tool import Tool
from tools.generate.markdown import page, table


def agent_tools_page() -> str:
    """Render every tool with its description, arguments and result."""
    return page(
        "src/skyshelf/agent/tools",
        "# Agent tools",
        'A call is `{"tool": name, "arguments": {...}}`; the answer is `{"ok": true, "result": ..., "count": n}` or '
        '`{"ok": false, "error": {"type": ..., "message": ...}}`. [The agent bridge](../agent.md) explains the rest.',
        *(part for tool in EXTENDED.values() for part in _tool_parts(tool)),
        "## Results",
        *(part for model in _models() for part in _model_parts(model)),
        "## Error types",
        "Client errors keep the names of the [error table](errors.md). The bridge adds these:",
        "```\n" + (inspect.getdoc(errors) or "").partition("The bridge adds these:\n\n")[2] + "\n```",
    )


def _tool_parts(tool: Tool) -> Iterator[str]:
    yield f"## {tool.name}"
    yield tool.description
    notes = [] if tool.name in TOOLS else ["only with `--tools extended`"]
    notes += ["needs `confirm: true`"] if tool.guarded else []
    notes += (
        ["changes nothing"] if tool.read_only else ["writes to this machine"] if tool.local else ["changes the account"]
    )
    yield "; ".join(notes).capitalize() + f". Result: {_type(tool.result)}."
    schema = arguments_schema(tool)
    rows = [_row(name, inner, name in schema["required"]) for name, inner in schema["properties"].items()]
    yield table(("Argument", "Type", "Default", "Meaning"), rows) if rows else "No arguments."


def _row(name: str, schema: dict[str, Any], required: bool) -> tuple[str, ...]:
    kind = schema.get("type", "string")
    if kind == "array":
        kind = f"array of {schema['items']['type']}, {schema['minItems']} to {schema['maxItems']:,}"
    if "maximum" in schema:
        kind += f", {schema['minimum']} to {schema['maximum']:,}"
    default = "required" if required else f"`{json.encode(schema['default']).decode()}`" if "default" in schema else ""
    meaning = str(schema["description"])
    if "enum" in schema:
        meaning += " One of " + ", ".join(f"`{each}`" for each in schema["enum"]) + "."
    return f"`{name}`", kind, default, meaning


def _models() -> Iterator[type[Struct]]:
    found: dict[type[Struct], None] = {}

    def collect(annotation: object) -> None:
        if isinstance(annotation, type) and issubclass(annotation, Struct):
            found.setdefault(annotation)
            for field in fields(annotation):
                collect(field.type)
        for inner in get_args(annotation):
            collect(inner)

    for tool in EXTENDED.values():
        collect(tool.result)
    yield from found


def _model_parts(model: type[Struct]) -> Iterator[str]:
    yield f"### {model.__name__}"
    yield inspect.getdoc(model) or ""
    yield table(("Field", "Type"), [(f"`{field.name}`", _type(field.type)) for field in fields(model)])


def _type(annotation: object) -> str:
    names = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return f"[{annotation.__name__}](#{annotation.__name__.lower()})"
    if get_origin(annotation) is list:
        return f"array of {_type(get_args(annotation)[0])}"
    if annotation in names:
        return names[annotation]
    return " or ".join(f"`{each}`" if isinstance(each, str) else _type(each) for each in get_args(annotation))
