"""How a request begins on the wire."""

import re
from collections.abc import Mapping
from typing import Final

_CONTROL: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_TARGET: Final = re.compile("[!-~]+")
_WITH_A_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


def request_head(method: str, target: str, host: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """The first line and the headers; ValueError where one of them could be taken for something else.

    The reason is left out of it: it would quote the value, and the value can be the session.
    """
    fields = "".join([f"{name}: {value}\r" for name, value in headers.items()])
    if not _TARGET.fullmatch(target) or fields.count("\r") != len(headers) or _CONTROL.search(fields.replace("\r", "")):
        raise ValueError("a header or the target is not valid")
    length = f"Content-Length: {len(body or b'')}\r\n" if body is not None or method in _WITH_A_BODY else ""
    fields = fields.replace("\r", "\r\n")
    return f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}\r\n".encode("utf-8", "surrogateescape")
