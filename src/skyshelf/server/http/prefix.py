"""The path of the public URL in requests: removed before anything looks at it, and known to every answer."""

from typing import Final

from starlette.requests import Request
from starlette.types import Scope

from skyshelf.wire.public_url import without_prefix

_PREFIX: Final = "skyshelf.prefix"
_AFTER: Final = {b"", b"/", b"?"}


class PathPrefix:
    """Removes the prefix, which is not empty."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        # A client that appends such a path to the server's address, instead of resolving it, sends the prefix twice.
        self._removed = (2 * prefix, prefix)

    def remove(self, scope: Scope) -> None:
        """Make the path one of this server's own, whether the proxy has done so or not; safe to call again."""
        if _PREFIX in scope:
            return
        scope[_PREFIX] = self._prefix
        path: str = scope["path"]
        if not path.startswith(self._prefix):
            return
        for_a_person = _asks_for_page(scope)
        for prefix in self._removed:
            rest = without_prefix(path, prefix, for_a_person=for_a_person)
            if rest is not None:
                self._put(scope, prefix.encode("ascii"), rest)
                return

    def _put(self, scope: Scope, prefix: bytes, path: str) -> None:
        raw: bytes | None = scope.get("raw_path")
        if raw is not None:
            left = raw[len(prefix) :]
            if not raw.startswith(prefix) or left[:1] not in _AFTER:
                return  # percent-encoded where nobody needs it: no address of this server
            scope["raw_path"] = left if left.startswith(b"/") else b"/" + left
        scope["path"] = path


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
