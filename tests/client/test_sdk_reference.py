"""The SDK's reference: docstrings that name every parameter, real errors, and examples that compile."""

import ast
import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from tools.generate.sdk import exported_errors, parse, sdk_page

import skyshelf.client
from skyshelf.client.async_client import AsyncClient

ERRORS = {error.__name__ for error in exported_errors()}


def documented() -> Iterator[tuple[str, Any]]:
    client = AsyncClient("https://drive.example.org")
    yield "AsyncClient", AsyncClient
    for name in dir(client):
        if name.startswith("_") or name in {"credentials", "logged_out_reason", "server_time"}:
            continue
        member = getattr(client, name)
        if callable(member):
            yield name, member
        else:
            yield name, type(member)
            for below in dir(member):
                if not below.startswith("_"):
                    yield f"{name}.{below}", getattr(member, below)


DOCUMENTED = dict(documented())


def parameters(documented: Any) -> set[str]:
    if inspect.isclass(documented) and documented is not AsyncClient:
        return set()
    return set(inspect.signature(documented).parameters)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_public_method_documents_its_parameters(name: str) -> None:
    text = inspect.getdoc(DOCUMENTED[name])
    assert text
    docstring = parse(text)
    summary = docstring.text.split("\n\n", maxsplit=1)[0]
    assert summary.endswith(".")
    assert docstring.entries("Args").keys() == parameters(DOCUMENTED[name])
    assert all(docstring.entries("Args").values())
    assert docstring.entries("Raises").keys() <= ERRORS
    if example := docstring.sections.get("Example"):
        assert example.startswith("```python\n")
        ast.parse(example.removeprefix("```python\n").removesuffix("```"))


def test_the_groups_and_the_top_level_are_documented() -> None:
    assert len(DOCUMENTED) > 110
    assert {"upload_all", "walk", "boards", "boards.invite", "account.sessions"} <= DOCUMENTED.keys()


def test_every_exported_error_is_in_the_reference() -> None:
    page = sdk_page()
    assert {"TransferError", "UnprocessedError", "SkyshelfError"} <= ERRORS
    for error in ERRORS:
        assert getattr(skyshelf.client, error).__name__ == error
        assert f"| `{error}` |" in page


def test_a_docstring_is_read_in_sections() -> None:
    docstring = parse(
        "Do it.\n\nMore.\n\nArgs:\n    one: First,\n        continued.\n    two: Second.\n\nReturns:\n    It."
    )
    assert docstring.text == "Do it.\n\nMore."
    assert docstring.entries("Args") == {"one": "First, continued.", "two": "Second."}
    assert docstring.sections["Returns"] == "It."
    assert docstring.entries("Raises") == {}
