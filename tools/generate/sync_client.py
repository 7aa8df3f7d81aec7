"""Builds the synchronous client, `skyshelf/client/sync_client.py`, from the asynchronous one.

Every public method of AsyncClient and its groups becomes a method of Client and its groups that runs in the client's
event loop and waits; asynchronous iterators become plain ones.

`./dev setup`, the build of packages and a test run call this, each before the module exists. So it parses the sources
instead of importing them, needs nothing but the standard library, and does nothing if the module is up to date.
"""

import ast
import os
import re
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

CLIENT: Final = Path(__file__).parents[2] / "src" / "skyshelf" / "client"
SOURCE: Final = CLIENT / "async_client.py"
TARGET: Final = CLIENT / "sync_client.py"
WIDTH: Final = 120
ASYNC_ONLY: Final = {"__aenter__", "__aexit__", "close", "__repr__", "__init__"}
Function = ast.FunctionDef | ast.AsyncFunctionDef

HEAD: Final = '''"""The client for code that is not asynchronous.

Built by `./dev setup`; edit async_client.py and api/ instead.
"""
# Sources: {fingerprint}

{imports}
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.loop_thread import LoopThread

'''
CLIENT_HEAD: Final = '''
class Client:
    {docstring}

    {init}
        self._client = AsyncClient({arguments})
        self._loop = LoopThread(ending=self._client.close)
{groups}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._client).removeprefix("Async")

    def close(self) -> None:
        """Close all connections and end the client's thread. Closing twice does no harm."""
        self._loop.close()
'''
GROUP_HEAD: Final = """
class {name}:
    {docstring}

    def __init__(self, group: Async{name}, loop: LoopThread) -> None:
        self._group = group
        self._loop = loop
"""


class ApiClass(NamedTuple):
    """A class with public methods, and where it is defined."""

    tree: ast.Module
    module: str
    node: ast.ClassDef

    @property
    def bases(self) -> "list[ApiClass]":
        """Return the classes of api/ that it inherits methods from."""
        names = [base.id for base in self.node.bases if isinstance(base, ast.Name) and base.id != "Calls"]
        return [imported(self.tree, name) for name in names]

    @property
    def made(self) -> "dict[str, ApiClass]":
        """Return the groups that plain methods of this class make, by method."""
        return {
            node.name: ApiClass(self.tree, self.module, class_named(self.tree, _returns(node)))
            for node in self.methods
            if _makes_group(node)
        }

    @property
    def methods(self) -> list[Function]:
        """Return the public methods, inherited ones first, since `list` hides the built-in from then on."""
        own = [node for node in functions(self.node) if node.name not in ASYNC_ONLY and not node.name.startswith("_")]
        return [*(node for base in self.bases for node in base.methods), *own]


class AsyncApi:
    """The source of AsyncClient: its class, the classes that it inherits, and its groups by attribute."""

    def __init__(self) -> None:
        self.tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
        self.client = ApiClass(self.tree, "async_client", class_named(self.tree, "AsyncClient"))
        self.init = next(node for node in functions(self.client.node) if node.name == "__init__")
        self.groups: dict[str, ApiClass] = {}
        for statement in self.init.body:
            match statement:
                case ast.Assign(targets=[ast.Attribute(attr=attribute)], value=ast.Call(func=ast.Name(id=name))) if (
                    name.startswith("Async")
                ):
                    self.groups[attribute] = imported(self.tree, name)

    @property
    def made(self) -> dict[str, ApiClass]:
        """Return the groups that a method of the client makes, by method."""
        return {method: group for base in self.client.bases for method, group in base.made.items()}

    @property
    def classes(self) -> list[ApiClass]:
        """Return every class that has methods."""
        own = [self.client, *self.groups.values(), *self.made.values()]
        return [*own, *(base for one in own for base in one.bases)]


def imported(tree: ast.Module, name: str) -> ApiClass:
    """Return a class that a module imports from api/."""
    (source,) = (
        node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}
    )
    noun = source.rpartition(".")[2]
    tree = ast.parse((CLIENT / "api" / f"{noun}.py").read_text(encoding="utf-8"))
    return ApiClass(tree, f"api.{noun}", class_named(tree, name))


def class_named(tree: ast.Module, name: str) -> ast.ClassDef:
    """Return a class of a module."""
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


def functions(owner: ast.ClassDef) -> list[Function]:
    """Return the methods of a class, private ones included."""
    return [node for node in owner.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def write() -> None:
    """Write the module if it is missing or its sources have changed."""
    mark = f"# Sources: {fingerprint()}\n"
    if TARGET.is_file() and mark in TARGET.read_text(encoding="utf-8")[:1000]:
        return
    # Another process may import the module, or write it, at the same time.
    unfinished = TARGET.with_suffix(f".{os.getpid()}")
    unfinished.write_text(sync_client_source(), encoding="utf-8", newline="\n")
    unfinished.replace(TARGET)


def fingerprint() -> str:
    """Return a digest of everything that the module is built from, this generator included."""
    digest = sha256()
    for path in (Path(__file__), SOURCE, *sorted((CLIENT / "api").glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sync_client_source() -> str:
    """Render the whole module."""
    api = AsyncApi()
    parts = [HEAD.format(fingerprint=fingerprint(), imports=_imports(api))]
    for group in (*api.groups.values(), *api.made.values()):
        name = group.node.name.removeprefix("Async")
        parts.append(GROUP_HEAD.format(name=name, docstring=_docstring(group.node, 4)))
        parts += [_method(node, "self._group") for node in group.methods]
    groups = [
        f"        self.{attribute} = {group.node.name.removeprefix('Async')}(self._client.{attribute}, self._loop)"
        for attribute, group in api.groups.items()
    ]
    parts.append(
        CLIENT_HEAD.format(
            docstring=_docstring(api.client.node, 4),
            init=_signature(api.init),
            arguments=_passed_on(api.init),
            groups="\n".join(groups),
        )
    )
    parts += [_method(node, "self._client") for node in api.client.methods]
    return "\n".join(parts)


def _imports(api: AsyncApi) -> str:
    """Import every name of the signatures from where it is defined, one name per line."""
    lines = {"Iterator": "from collections.abc import Iterator"}
    signatures = [api.init, *(node for owner in api.classes for node in owner.methods)]
    used = {"TracebackType", "Self", *(group.node.name for group in (*api.groups.values(), *api.made.values()))}
    for method in signatures:
        for part in (method.args, method.returns):
            used |= {found.id for found in ast.walk(part or ast.Pass()) if isinstance(found, ast.Name)}

    def add(name: str, line: str) -> None:
        if name in used - {"AsyncIterator"}:
            assert lines.setdefault(name, line) == line, f"{name} means different things in two modules of api/"

    for owner in api.classes:
        for node in owner.tree.body:
            match node:
                case ast.ImportFrom(module=module, names=names):
                    for alias in names:
                        renamed = f" as {alias.asname}" if alias.asname else ""
                        add(alias.asname or alias.name, f"from {module} import {alias.name}{renamed}")
                case ast.ClassDef(name=name):
                    add(name, f"from skyshelf.client.{owner.module} import {name}")
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    add(name, f"from skyshelf.client.{owner.module} import {name}")
    return "\n".join(sorted(lines.values()))


def _docstring(node: ast.ClassDef | Function, indent: int) -> str:
    text = ast.get_docstring(node)
    assert text, f"{node.name} has no docstring"
    end = "\n" if "\n" in text else ""
    return re.sub(r"\n(?=.)", "\n" + " " * indent, f'"""{text}{end}"""')


def _returns(node: Function) -> str:
    return ast.unparse(node.returns) if node.returns else "None"


def _signature(node: Function) -> str:
    """Write the head of the synchronous method, on several lines if it is long."""
    returns = _returns(node).replace("AsyncIterator[", "Iterator[")
    if _makes_group(node):
        returns = returns.removeprefix("Async")
    line = f"def {node.name}({ast.unparse(node.args)}) -> {returns}:"
    if len(line) <= WIDTH - 4:
        return line
    parameters = "".join(f"        {one},\n" for one in _parameters(node.args))
    return f"def {node.name}(\n{parameters}    ) -> {returns}:"


def _parameters(arguments: ast.arguments) -> list[str]:
    missing = [None] * (len(arguments.args) - len(arguments.defaults))
    positional = zip(arguments.args, [*missing, *arguments.defaults], strict=True)
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [
        *(_parameter(argument, default) for argument, default in positional),
        *(["*"] if arguments.kwonlyargs else []),
        *(_parameter(argument, default) for argument, default in named),
    ]


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return ast.unparse(argument) + (f" = {ast.unparse(default)}" if default else "")


def _makes_group(node: Function) -> bool:
    """Whether the method returns a group of methods, such as `Async…` of the same module."""
    returned = _returns(node)
    return isinstance(node, ast.FunctionDef) and returned.startswith("Async") and returned.isidentifier()


def _passed_on(node: Function) -> str:
    arguments = node.args
    assert arguments.vararg is arguments.kwarg is None, f"{node.name}: star arguments are not passed on"
    positional = [_passed(argument) for argument in (*arguments.posonlyargs, *arguments.args) if argument.arg != "self"]
    return ", ".join([*positional, *(f"{argument.arg}={_passed(argument)}" for argument in arguments.kwonlyargs)])


def _passed(argument: ast.arg) -> str:
    """Write an argument of the call. An iterable is read first, since it may be a listing of the same client."""
    is_iterable = argument.annotation is not None and ast.unparse(argument.annotation).startswith("Iterable[")
    return f"list({argument.arg})" if is_iterable else argument.arg


def _method(node: Function, target: str) -> str:
    """Write the synchronous twin of a method."""
    head, call = "    ", f"{target}.{node.name}({_passed_on(node)})"
    if any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list):
        head, call = "    @property\n    ", f"{target}.{node.name}"
    elif _makes_group(node):
        call = f"{_returns(node).removeprefix('Async')}({call}, self._loop)"
    elif _returns(node).startswith("AsyncIterator["):
        call = f"self._loop.iterate({call})"
    else:
        call = f"self._loop.run({call})"
    statement = call if _returns(node) == "None" else f"return {call}"
    return head + "\n        ".join([_signature(node), _docstring(node, 8), statement]) + "\n"


if __name__ == "__main__":
    write()
