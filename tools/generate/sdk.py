"""Writes the SDK's reference from the signatures and docstrings of the synchronous client."""

import ast
import inspect
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

import skyshelf.client
from skyshelf.client import errors, sync_client
from tools.generate.client_exports import exported_names
from tools.generate.markdown import page, table
from tools.generate.sync_client import AsyncApi, Function, class_named, functions, sync_client_source

WIDTH: Final = 100
SECTIONS: Final = ("Args", "Returns", "Raises", "Example")
INTRO: Final = """\
Every public method of `Client`. `AsyncClient` has the same ones with the same parameters: await them, and iterate
over lists with `async for`. [The guide](../client.md) comes first.

- A `Target` is an object that a listing returned, a key (32 hexadecimal digits), or a path that begins with a slash.
- Times are epoch milliseconds, sizes are bytes. A `Moment` is a `datetime` or epoch milliseconds.
- Every method can raise the [errors](#errors) of a request: `AuthenticationError`, `NetworkError`, `RateLimitError`,
  `ServerError` and so on. `Raises` lists only those that need a word.
- An extension is not part of the base interface; a server that does not have it raises `NotOfferedError`.
- Types without a link here are the JSON objects of the interface, in [objects](objects.md)."""
TYPES: Final = (
    *("TransferSummary", "TransferFailure", "TransferEvent", "BatchResult", "Outcome", "RemoteObject", "FoundObject"),
    *("ChangeSet", "Downloaded", "PublicLink", "UploadOptions", "RateLimit"),
)
OPAQUE: Final = {"RateLimit"}
"""Types whose members only the client uses."""


class Docstring(NamedTuple):
    """A docstring split into the text before the first section, and the sections."""

    text: str
    sections: dict[str, str]

    def entries(self, section: str) -> dict[str, str]:
        """Return the entries of `Args` or `Raises`, by name."""
        found: dict[str, str] = {}
        for entry in re.split(r"\n(?=\S)", self.sections.get(section, "")):
            name, _, text = entry.partition(": ")
            if name:
                found[name] = " ".join(text.split())
        return found


def parse(text: str) -> Docstring:
    """Split a docstring into its sections, such as `Args:`."""
    first, *rest = re.split(rf"^({'|'.join(SECTIONS)}):\n", text, flags=re.MULTILINE)
    sections = {name: inspect.cleandoc(body) for name, body in zip(rest[::2], rest[1::2], strict=True)}
    return Docstring(first.strip(), sections)


def sdk_page() -> str:
    """Render the client, its groups, the types of their methods, and the errors."""
    tree = ast.parse(sync_client_source())
    api = AsyncApi()
    groups = {name: group.node.name.removeprefix("Async") for name, group in api.groups.items()}
    groups |= {f"{method}(...)": group.node.name.removeprefix("Async") for method, group in api.made.items()}
    parts = ["# SDK reference", INTRO, "## Contents", _contents(tree, groups), "## Client"]
    parts += _class_parts(tree, "Client", "client")
    for attribute, name in groups.items():
        parts.append(f"## client.{attribute}")
        parts += _class_parts(tree, name, f"client.{attribute}")
    parts += ["## Types", *(part for name in TYPES for part in _type_parts(getattr(skyshelf.client, name)))]
    parts += ["## Errors", "Every error is a `SkyshelfError`. [Error codes](errors.md) lists the codes of a server."]
    parts.append(table(("Error", "Is a", "Meaning"), _error_rows()))
    return page("src/skyshelf/client", *parts)


def _contents(tree: ast.Module, groups: dict[str, str]) -> str:
    lines = []
    for prefix, name in (("client", "Client"), *((f"client.{attribute}", name) for attribute, name in groups.items())):
        names = (node.name for node in public_methods(class_named(tree, name)))
        links = ", ".join(f"[{method}](#{re.sub(r'[.()]', '', f'{prefix}.{method}')})" for method in names)
        lines.append(f"- `{prefix}`: {links}")
    return "\n".join(lines)


def public_methods(owner: ast.ClassDef) -> list[Function]:
    """Return the public methods of a class, `list` first; in the code it is last, since it hides the built-in."""
    found = [node for node in functions(owner) if not node.name.startswith("_")]
    return sorted(found, key=lambda node: node.name != "list")


def _class_parts(tree: ast.Module, name: str, prefix: str) -> Iterator[str]:
    owner = class_named(tree, name)
    yield from _docstring_parts(parse(ast.get_docstring(owner) or ""))
    for node in public_methods(owner):
        yield f"### {prefix}.{node.name}"
        if any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list):
            yield f"```python\n{prefix}.{node.name}: {ast.unparse(node.returns or ast.Constant(None))}\n```"
        else:
            yield f"```python\n{_signature(node, getattr(getattr(sync_client, name), node.name))}\n```"
        yield from _docstring_parts(parse(ast.get_docstring(node) or ""))


def _signature(node: Function, method: object) -> str:
    """Render the signature as written, with the values of constants."""
    assert callable(method)
    given = inspect.signature(method).parameters
    arguments = [argument for argument in node.args.args if argument.arg != "self"]
    written = [_parameter(argument, given[argument.arg].default) for argument in arguments]
    if node.args.kwonlyargs:
        written += ["*", *(_parameter(argument, given[argument.arg].default) for argument in node.args.kwonlyargs)]
    returns = ast.unparse(node.returns) if node.returns else "None"
    whole = f"{node.name}({', '.join(written)}) -> {returns}"
    if len(whole) <= WIDTH:
        return whole
    return f"{node.name}(\n" + "".join(f"    {one},\n" for one in written) + f") -> {returns}"


def _parameter(argument: ast.arg, default: object) -> str:
    annotation = ast.unparse(argument.annotation) if argument.annotation else "object"
    return f"{argument.arg}: {annotation}" + ("" if default is inspect.Parameter.empty else f" = {default!r}")


def _docstring_parts(docstring: Docstring) -> Iterator[str]:
    yield docstring.text
    for section in ("Args", "Raises"):
        if section == "Raises" and "Returns" in docstring.sections:
            yield f"Returns: {' '.join(docstring.sections['Returns'].split())}"
        if entries := docstring.entries(section):
            title = "Parameters" if section == "Args" else section
            yield f"{title}:\n\n" + "\n".join(f"- `{name}`: {text}" for name, text in entries.items())
    if example := docstring.sections.get("Example"):
        yield example


def _type_parts(kind: type) -> Iterator[str]:
    yield f"### {kind.__name__}"
    yield from _docstring_parts(parse(inspect.getdoc(kind) or ""))
    rows = [*_field_rows(kind), *_member_rows(kind)]
    if kind.__name__ not in OPAQUE:
        yield table(("Member", "Meaning"), rows)


def _field_rows(kind: type) -> Iterator[list[str]]:
    if issubclass(kind, Struct):
        for field in fields(kind):
            default = "" if field.default is NODEFAULT else f", by default `{field.default!r}`"
            yield _row(f"`{field.name}`", f"`{_type_name(field.type)}`{default}")
    else:
        for name, annotation in inspect.get_annotations(kind, eval_str=True).items():
            if not name.startswith("_"):
                yield _row(f"`{name}`", f"`{_type_name(annotation)}`")


def _member_rows(kind: type) -> Iterator[list[str]]:
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield _row(f"`{name}`", parse(inspect.getdoc(member) or "").text)
        elif inspect.isfunction(member):
            yield _row(f"`{name}(...)`", parse(inspect.getdoc(member) or "").text)


def _row(*cells: str) -> list[str]:
    return [" ".join(cell.split()) for cell in cells]


def _type_name(annotation: object) -> str:
    is_plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    text = getattr(annotation, "__name__", "") if is_plain else str(annotation)
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", text)


def _error_rows() -> Iterator[list[str]]:
    for error in exported_errors():
        base = error.__base__.__name__ if error.__base__ else ""
        yield _row(f"`{error.__name__}`", f"`{base}`", parse(inspect.getdoc(error) or "").text)


def exported_errors() -> list[type[Exception]]:
    """Return every error that `skyshelf.client` exports, starting with errors.py."""
    exported = [getattr(skyshelf.client, name) for name in exported_names()]
    found = [kind for kind in (*vars(errors).values(), *exported) if inspect.isclass(kind)]
    return list(dict.fromkeys(kind for kind in found if issubclass(kind, errors.SkyshelfError)))
