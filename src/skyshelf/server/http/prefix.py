"""The path of the public URL in requests: removed once, before anything looks at the path, and known to every answer."""

from typing import Final

from starlette.requests import Request
from starlette.types import Scope

from skyshelf.wire.public_url import without_prefix

_PREFIX: Final = "skyshelf.prefix"
# A client that appends a path of ours to the server's address, instead of resolving it, sends the prefix twice.
_TIMES: Final = 2
_AFTER: Final = {b"", b"/", b"?"}


class PathPrefix:
    """Removes the prefix, which is not empty."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._raw = prefix.encode("ascii")

    def remove(self, scope: Scope) -> None:
        """Make the path one of this server's own, whether the proxy has done so or not; safe to call again."""
        if _PREFIX in scope:
            return
        scope[_PREFIX] = self._prefix
        for _ in range(_TIMES):
            rest = without_prefix(scope["path"], self._prefix, for_a_person=_asks_for_page(scope))
            raw: bytes | None = scope.get("raw_path")
            if rest is None or (raw is not None and not self._begins(raw)):
                return
            scope["path"] = rest
            if raw is not None:
                left = raw[len(self._raw) :]
                scope["raw_path"] = left if left.startswith(b"/") else b"/" + left

    def _begins(self, raw: bytes) -> bool:
        return raw.startswith(self._raw) and raw[len(self._raw) : len(self._raw) + 1] in _AFTER


def prefix_of(request: Request) -> str:
    """What the paths that clients use begin with: '' or, for example, /skyshelf."""
    prefix: str = request.scope.get(_PREFIX, "")
    return prefix


def public_path(request: Request) -> str:
    """The path of the request as its client has it."""
    return prefix_of(request) + request.url.path


def own_path(request: Request, path: bytes) -> bytes:
    """The path of a URL that a client has sent in a header, without the prefix."""
    prefix = prefix_of(request).encode("ascii")
    return path.removeprefix(prefix) if prefix and path.startswith(prefix + b"/") else path


def _asks_for_page(scope: Scope) -> bool:
    return scope["method"] in {"GET", "HEAD"} and any(
        name == b"accept" and value.startswith(b"text/html") for name, value in scope["headers"]
    )
