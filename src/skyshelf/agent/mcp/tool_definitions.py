"""The tools as MCP definitions: input and output schemas, and annotations about their effects."""

from typing import Final

from mcp_types import Tool as McpTool
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
    """The JSON Schema of a tool's envelopes, success and failure."""
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


def annotations(tool: Tool) -> ToolAnnotations:
    """Hints that a host may show its user; the guard does not depend on them."""
    return ToolAnnotations(
        title=_title(tool),
        read_only_hint=tool.read_only,
        destructive_hint=tool.destructive,
        idempotent_hint=tool.idempotent,
        open_world_hint=tool.open_world,
    )


def tool_definition(tool: Tool) -> McpTool:
    """One tool."""
    return McpTool(
        name=tool.name,
        title=_title(tool),
        description=tool.description,
        input_schema=arguments_schema(tool),
        output_schema=envelope_schema(tool),
        annotations=annotations(tool),
    )


def tool_definitions() -> list[McpTool]:
    """Every tool, in the order of the registry."""
    return [tool_definition(tool) for tool in TOOLS.values()]


def _title(tool: Tool) -> str:
    return tool.name.replace("_", " ").capitalize()
