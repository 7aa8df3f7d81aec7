"""A request whose headers are looked up a dozen times on its way."""

from functools import cached_property

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope


class Incoming(Request):
    """Starlette's request, with headers that are found at once instead of one after the other."""

    @cached_property
    def headers(self) -> "FoundHeaders":
        return FoundHeaders(self.scope)


class FoundHeaders(Headers):
    """The headers of a request; of those that came twice, the first."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope=scope)
        self._first = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(self._list)}

    def __getitem__(self, key: str) -> str:
        return self._first[key.lower()]

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        return self._first.get(key.lower(), default)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.lower() in self._first
