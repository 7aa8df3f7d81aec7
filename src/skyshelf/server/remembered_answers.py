"""The answers that a process remembers, each for a minute at most.

They hold while nothing is committed; files of an account also while that account is not changed.
"""

import os
from typing import Final, NamedTuple

from skyshelf.server.http.header_lines import header_lines
from skyshelf.server.http.prepared_file import PreparedFile
from skyshelf.wire.limits import KIB, MIB

Raw = list[tuple[bytes, bytes]]

ANSWERS_REMEMBERED: Final = 4096
CONTENT_BYTES_MAX: Final = 64 * KIB
"""Contents up to this size are remembered with their headers: thumbnails, mostly."""
CONTENTS_BYTES_MAX: Final = 16 * MIB
"""What they may take together."""
ANSWERS: Final = "skyshelf.answer"
"""The extension of an HTTP server that takes a whole answer, also one with a file; and the type of that message."""


class Answered(NamedTuple):
    """A response, ready to be sent."""

    status: int
    headers: Raw
    body: bytes
    file: int | None = None
    """The descriptor of a file that is the body instead."""
    file_bytes: int = 0
    lines: bytes | None = None
    """The headers as they are sent, if they were written before."""

    def close(self) -> None:
        """Close the file; call it once, after the response was sent."""
        if self.file is not None:
            os.close(self.file)


class Known:
    """An answer, and what it holds for."""

    __slots__ = ("_lines", "answer", "at", "change", "content", "headers", "version")

    def __init__(self, answer: Answered | PreparedFile, version: object, headers: Raw) -> None:
        self.answer = answer
        self.version = version
        self.headers = headers
        """With those that every response has, except its id."""
        self.change: object | None = None
        """With an equal one of its account it holds also if something was committed."""
        self.content: bytes | None = None
        self.at: int | None = None
        """When it was remembered, if it was."""
        self._lines: bytes | None = None

    @property
    def lines(self) -> bytes:
        """The headers as they are sent; written once."""
        if self._lines is None:
            self._lines = header_lines(self.headers)
        return self._lines


class RememberedAnswers:
    """By question. What is oldest is forgotten first."""

    def __init__(self) -> None:
        self._answers: dict[object, Known] = {}
        self._content_bytes = 0

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, question: object, version: object) -> Known | None:
        known = self._answers.get(question)
        return known if known is not None and known.version == version else None

    def of_any_version(self, question: object) -> Known | None:
        return self._answers.get(question)

    def keep(self, question: object, known: Known, now: int) -> None:
        known.at = now
        self._forget(question)
        self._answers[question] = known
        if len(self._answers) > ANSWERS_REMEMBERED:
            self._forget(next(iter(self._answers)))

    def keep_content(self, known: Known, content: bytes) -> None:
        """With its headers, if it is small."""
        if known.at is None or known.content is not None or len(content) > CONTENT_BYTES_MAX:
            return
        known.content = content
        self._content_bytes += len(content)
        while self._content_bytes > CONTENTS_BYTES_MAX:
            self._forget(next(iter(self._answers)))

    def _forget(self, question: object) -> None:
        known = self._answers.pop(question, None)
        if known is not None:
            known.at = None
            if known.content is not None:
                self._content_bytes -= len(known.content)
                known.content = None
