"""The headers of a response as they are sent over HTTP/1.1."""

from collections.abc import Sequence

Headers = Sequence[tuple[bytes, bytes]]


def header_lines(headers: Headers) -> bytes:
    """A line for each; ValueError if one would become two."""
    lines: list[bytes] = []
    for name, value in headers:
        lines += (name, b": ", value, b"\r\n")
    written = b"".join(lines)
    if written.count(b"\n") != len(headers):
        raise ValueError("a header of the response contains a line break")
    return written
