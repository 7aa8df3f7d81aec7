"""From the path and method of a request to its operation.

Paths are a tree of segments: fixed ones win over parameters, and parameters over the rest of a path.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from skyshelf.server.pipeline.operation import Operation

Parameters = dict[str, str]
_REST: Final = ":path}"


class Route(NamedTuple):
    """The operations at a path: `{name}` in it is one segment, `{name:path}` is all that is left, or nothing."""

    path: str
    methods: tuple[str, ...]
    operation: Operation


class _Node:
    __slots__ = ("fixed", "operations", "parameter", "rest")

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.parameter: tuple[str, _Node] | None = None
        self.rest: tuple[str, _Node] | None = None
        self.operations: dict[str, Operation] = {}


class Router:
    """The operations of a server by path and method; HEAD is answered wherever GET is."""

    def __init__(self, routes: Iterable[Route], unknown: Callable[[frozenset[str]], Operation]) -> None:
        """`unknown` creates the operation of any other request from the methods that its path supports."""
        self.routes = tuple(routes)
        self._unknown = unknown
        self._root = _Node()
        self._whole: dict[tuple[str, str], Operation] = {}
        """The operations at paths without parameters, which most requests use."""
        self._last: dict[tuple[str, str], tuple[str, Operation]] = {}
        """The operations at paths whose only parameter is the last segment, by the path before it; and its name."""
        for route in self.routes:
            node = self._node(route.path)
            for method in route.methods:
                node.operations.setdefault(method, route.operation)
        for route in self.routes:
            operations = self._node(route.path).operations
            if "GET" in operations:
                operations.setdefault("HEAD", operations["GET"])
            before, _, last = route.path.rpartition("/")
            if "{" not in route.path:
                self._whole |= {(route.path, method): operation for method, operation in operations.items()}
            elif "{" not in before and not last.endswith(_REST):
                self._last |= {(before, method): (last[1:-1], operation) for method, operation in operations.items()}

    def operation_of(self, method: str, path: str) -> tuple[Operation, Parameters]:
        """Return the operation of a request, and the parameters in its path."""
        whole = self._whole.get((path, method))
        if whole is not None:
            return whole, {}
        before, _, last = path.rpartition("/")
        known = self._last.get((before, method))
        if known is not None and last:
            return known[1], {known[0]: last}
        search = _Search(method, path)
        operation = search.below(self._root, 1)
        if operation is None:
            return self._unknown(frozenset(search.methods)), {}
        return operation, search.parameters

    def _node(self, path: str) -> _Node:
        node = self._root
        for segment in path.split("/")[1:]:
            if segment.endswith(_REST):
                if node.rest is None:
                    node.rest = segment[1 : -len(_REST)], _Node()
                node = node.rest[1]
            elif segment.startswith("{"):
                if node.parameter is None:
                    node.parameter = segment[1:-1], _Node()
                assert node.parameter[0] == segment[1:-1], f"{path}: another route calls this parameter otherwise"
                node = node.parameter[1]
            else:
                node = node.fixed.setdefault(segment, _Node())
        return node


class _Search:
    """The search for the operation of one request."""

    __slots__ = ("_method", "_segments", "methods", "parameters")

    def __init__(self, method: str, path: str) -> None:
        self._method = method
        self._segments = path.split("/")
        self.parameters: Parameters = {}
        """The parameters on the way to the operation."""
        self.methods: set[str] = set()
        """What the path supports, if there is no operation for this method."""

    def below(self, node: _Node, at: int) -> Operation | None:
        """Return the operation for the segments from `at` on."""
        if at == len(self._segments):
            return self._at(node)
        segment = self._segments[at]
        fixed = node.fixed.get(segment)
        if fixed is not None:
            operation = self.below(fixed, at + 1)
            if operation is not None:
                return operation
        if node.parameter is not None and segment:
            name, child = node.parameter
            operation = self.below(child, at + 1)
            if operation is not None:
                self.parameters[name] = segment
                return operation
        if node.rest is not None:
            name, child = node.rest
            operation = self._at(child)
            if operation is not None:
                self.parameters[name] = "/".join(self._segments[at:])
                return operation
        return None

    def _at(self, node: _Node) -> Operation | None:
        operation = node.operations.get(self._method)
        if operation is None:
            self.methods.update(node.operations)
        return operation
