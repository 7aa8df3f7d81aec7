"""Reading cookies in linear time.

`http.cookies` unquotes values in quadratic time (CVE-2024-7592), so one request with a long quoted value could hold the
server for seconds. Our cookies hold no character that needs an escape: surrounding quotes are removed, escapes stay.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from starlette.requests import Request

_FOR_PATH: Final = "__Secure-"
_FOR_HOST: Final = "__Host-"


def secured(name: str, *, is_secure: bool, whole_host: bool = False) -> str:
    """The name of a cookie. Over TLS it has a prefix, which browsers accept from a secure origin alone.

    So nobody who can write to a plain connection, or who owns a neighbouring host, can plant a cookie that counts on
    the secure site; and a cookie of the plain site is another cookie. `__Host-` is the stronger prefix: it needs
    Path=/, so a server that shares its host with others does without.
    """
    if not is_secure:
        return name
    return f"{_FOR_HOST if whole_host else _FOR_PATH}{name}"


class Cookies(Mapping[str, str]):
    """The cookies of a request, parsed on first use; of several with one name, the first counts."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._parsed: dict[str, str] | None = None

    def __getitem__(self, name: str) -> str:
        return self._values()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def _values(self) -> dict[str, str]:
        if self._parsed is None:
            self._parsed = {}
            for header in self._request.headers.getlist("cookie"):
                for part in header.split(";"):
                    name, equals, value = part.partition("=")
                    if equals:
                        self._parsed.setdefault(name.strip(), _unquoted(value.strip()))
        return self._parsed


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value
