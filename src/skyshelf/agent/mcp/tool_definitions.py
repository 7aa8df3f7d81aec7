"""The tools as the protocol describes them: schemas of what goes in and comes out, and hints about what they do."""

from typing import Final

from mcp_types import Tool as OfferedTool
from mcp_types import ToolAnnotations

from skyshelf.agent.registry import TOOLS
from skyshelf.agent.schemas import Schema, arguments_schema, result_schema
from skyshelf.agent.tool import Tool

_ERROR: Final[Schema] = {
    "type": "object",
    "properties": {"type": {"type": "string"}, "message": {"type": "string"}},
    "required": ["type", "message"],
    "additionalProperties": False,
}


def envelope_schema(tool: Tool) -> Schema:
    """The JSON Schema of every envelope that a tool can answer with."""
    result = result_schema(tool)
    definitions = result.pop("$defs", None)
    schema: Schema = {
        "type": "object",
        "properties": {"ok": {"type": "boolean"}, "result": result, "count": {"type": "integer"}, "error": _ERROR},
        "required": ["ok"],
        "additionalProperties": False,
        "oneOf": [
            {"properties": {"ok": {"const": True}}, "required": ["result"]},
            {"properties": {"ok": {"const": False}}, "required": ["error"]},
        ],
    }
    return {**schema, "$defs": definitions} if definitions else schema


def hints(tool: Tool) -> ToolAnnotations:
    """What a host may tell its user about the tool; the guard does not depend on anybody's reading it."""
    return ToolAnnotations(
        title=tool.name.replace("_", " ").capitalize(),
        read_only_hint=tool.read_only,
        destructive_hint=tool.destructive,
        idempotent_hint=tool.idempotent,
        open_world_hint=tool.open_world,
    )


def offered(tool: Tool) -> OfferedTool:
    """One tool."""
    return OfferedTool(
        name=tool.name,
        title=tool.name.replace("_", " ").capitalize(),
        description=tool.description,
        input_schema=arguments_schema(tool),
        output_schema=envelope_schema(tool),
        annotations=hints(tool),
    )


def all_offered() -> list[OfferedTool]:
    """Every tool, in the order of the interface."""
    return [offered(tool) for tool in TOOLS.values()]
