"""The function-calling schemas match the validation, and are valid by both vendors' rules."""

import json
import re
from typing import Any

import jsonschema_rs
import pytest
from tests.agent.test_dispatcher import COMPLETE, NAMES, WRONG
from tests.agent.test_stdio import agent

from skyshelf.agent.registry import TOOLS
from skyshelf.agent.schemas import all_schemas, anthropic_schema, arguments_schema, openai_schema, result_schema
from skyshelf.agent.tool import Tool

STRICT_KEYWORDS = {
    "string": {"type", "description", "enum", "pattern"},
    "integer": {"type", "description", "minimum", "maximum"},
    "boolean": {"type", "description"},
    "array": {"type", "description", "items", "minItems", "maxItems"},
}
"""The keywords that OpenAI's strict mode accepts, by type."""

each_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=lambda tool: tool.name)


def check_strict(schema: dict[str, Any]) -> None:
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    (kind,) = [each for each in types if each != "null"]
    assert schema.keys() <= STRICT_KEYWORDS[kind], schema
    if kind == "array":
        check_strict(schema["items"])


@each_tool
def test_the_openai_format_is_valid_in_strict_mode(tool: Tool) -> None:
    form = openai_schema(tool)
    function = form["function"]
    assert form.keys() == {"type", "function"}
    assert function.keys() == {"name", "description", "strict", "parameters"}
    assert function["strict"] is True
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function["name"])
    parameters = function["parameters"]
    assert parameters["additionalProperties"] is False
    assert parameters["required"] == list(parameters["properties"])
    for schema in parameters["properties"].values():
        check_strict(schema)
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **parameters})


@each_tool
def test_the_anthropic_format_is_a_name_a_description_and_a_schema(tool: Tool) -> None:
    form = anthropic_schema(tool)
    assert form.keys() == {"name", "description", "input_schema"}
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", form["name"])
    assert form["input_schema"]["type"] == "object"
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **form["input_schema"]})


@each_tool
def test_both_formats_accept_what_the_dispatcher_accepts(tool: Tool) -> None:
    given = COMPLETE.get(tool.name, {})
    assert jsonschema_rs.is_valid(arguments_schema(tool), given)
    parameters = openai_schema(tool)["function"]["parameters"]
    everything = {**dict.fromkeys(parameters["properties"]), **given}
    assert jsonschema_rs.is_valid(parameters, everything)
    assert not jsonschema_rs.is_valid(arguments_schema(tool), {**given, "unknown": 1})


@pytest.mark.parametrize(
    ("name", "arguments"),
    # JSON has no NaN.
    [(name, arguments) for name, arguments in WRONG if arguments.get("limit") == arguments.get("limit")],
    ids=lambda value: repr(value)[:60],
)
def test_the_schema_refuses_what_the_dispatcher_refuses(name: str, arguments: dict[str, Any]) -> None:
    given = {key: value for key, value in arguments.items() if value is not None or key in {"query", "object_keys"}}
    if given != arguments and name == "account_info":
        given = {"x": 1}
    if arguments.get("limit") == 10**400:
        given = {"limit": 10**18}
    assert not jsonschema_rs.is_valid(arguments_schema(TOOLS[name]), given)


@each_tool
def test_every_tool_and_argument_has_a_description(tool: Tool) -> None:
    assert tool.summary.endswith(".")
    assert ("Ask the user first." in tool.summary) is tool.guarded
    for schema in arguments_schema(tool)["properties"].values():
        assert schema["description"].endswith((".", "names."))
    jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **result_schema(tool)})


def test_the_schemas_need_no_session() -> None:
    bare = {"PATH": "/usr/bin", "HOME": "/nonexistent"}
    for form in ("openai", "anthropic"):
        done = agent("schema", "--format", form, environment=bare)
        assert done.returncode == 0
        assert json.loads(done.stdout) == all_schemas(form)
    assert [each["name"] for each in all_schemas("anthropic")] == NAMES
    assert json.loads(agent("schema", environment=bare).stdout) == all_schemas("openai")
