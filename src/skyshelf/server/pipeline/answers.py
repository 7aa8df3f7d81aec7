"""The answers that a process remembers, for every protocol, each for a minute at most.

An answer is valid while nothing is committed. Every change of a file is a numbered change of its account, so
an answer that depends only on one of an account's own files also stays valid while that account has no newer change,
whatever others or background jobs commit. One small query checks that for all answers of an account.

The answer with a small file is a `PreparedFile`: its headers are ready, and only the bytes are left to read.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from skyshelf.server.http.offload import note_offloaded, offload_of, offloaded_response
from skyshelf.server.pipeline.operation import NotAtOnce
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import reading
from skyshelf.storage.metadata.store import StoreVersion
from skyshelf.wire.limits import KIB, MIB

_CONDITIONS: Final = ("range", "if-none-match", "if-modified-since", "if-range")


def bytes_at_once(ctx: ServiceContext, sha256: str, location: str, size: int, *, start: int, length: int) -> bytes:
    """Return the bytes; raise NotAtOnce if they would have to be awaited, or may be damaged."""
    data = reading.read_at_once(ctx, sha256, location, size, start=start, length=length)
    if data is None:
        raise NotAtOnce
    return data


class PreparedFile:
    """A whole file with its headers. Ranges and conditions are left to the function that prepared it."""

    def __init__(
        self,
        ctx: ServiceContext,
        *,
        sha256: str,
        location: str,
        size: int,
        headers: Mapping[str, str],
        is_derived: bool = False,
        account_id: int | None = None,
    ) -> None:
        if size > reading.AT_ONCE_MAX:
            raise NotAtOnce
        self._ctx = ctx
        self._sha256 = sha256
        self._location = location
        self.size = size
        self.is_derived = is_derived
        """Whether it derives from a user's file, and may be sent from memory; damage to an original shows at once."""
        self.account_id = account_id
        """The account whose own rows it depends on exclusively, if there is one."""
        self._given = headers
        self._offloaded: list[tuple[bytes, bytes]] | None = None
        self.headers = Response(headers={**headers, "content-length": str(size)}).raw_headers

    @staticmethod
    def is_plain(headers: Headers) -> bool:
        """Return whether a request wants the whole file unconditionally."""
        return not any(name in headers for name in _CONDITIONS)

    def offloaded(self, request: Request) -> list[tuple[bytes, bytes]] | None:
        """Return the headers for the proxy to send the file. None if this server sends it, as it does if the file was
        not verified recently, or while damage is known, which takes longer to check."""
        offload = offload_of(request.scope, request.headers, self.size, is_part=False)
        if offload is None or self._ctx.integrity.has_damage():
            return None
        if not reading.is_verified(self._ctx, self._sha256, self._location):
            return None
        if self._offloaded is None:
            path = self._ctx.blobs.local_path(self._location)
            if path is None:
                return None
            response = offloaded_response(request.scope, offload.pointer(path), self._given, self.size)
            self._offloaded = response.raw_headers
        note_offloaded(request.scope, self.size)
        return self._offloaded

    def is_undamaged(self) -> bool:
        return not self._ctx.integrity.has_damage()

    def is_local(self) -> bool:
        """Return whether its bytes are in a file on this machine."""
        return self._ctx.blobs.local_path(self._location) is not None

    def open(self) -> int | None:
        """Return a descriptor of the file if its bytes are in memory and were recently verified."""
        return reading.open_at_once(self._ctx, self._location, self.size)

    def read(self) -> bytes:
        return bytes_at_once(self._ctx, self._sha256, self._location, self.size, start=0, length=self.size)


Raw = list[tuple[bytes, bytes]]
"""The headers of a response, as they are sent."""


def header_lines(headers: Raw) -> bytes:
    """Return a line for each header; raise ValueError if one would break into two."""
    lines: list[bytes] = []
    for name, value in headers:
        lines += (name, b": ", value, b"\r\n")
    written = b"".join(lines)
    if written.count(b"\n") != len(headers):
        raise ValueError("a header of the response contains a line break")
    return written


ANSWERS_REMEMBERED: Final = 4096
ACCOUNTS_REMEMBERED: Final = 1024
QUESTION_BYTES_MAX: Final = 512
CONTENT_BYTES_MAX: Final = 64 * KIB
"""Contents up to this size are remembered with their headers: thumbnails, mostly."""
CONTENTS_BYTES_MAX: Final = 16 * MIB
"""The total size of remembered contents."""
ANSWERS: Final = "skyshelf.answer"
"""The extension of an HTTP server that accepts a whole answer, with or without a file, and its message type."""


class Answer(NamedTuple):
    """A response, ready to be sent."""

    status: int
    headers: Raw
    body: bytes
    file: int | None = None
    """The descriptor of a file that is the body instead."""
    file_bytes: int = 0
    lines: bytes | None = None
    """The encoded headers, if they were encoded before."""

    def close(self) -> None:
        """Close the file; called once, after the response was sent."""
        if self.file is not None:
            os.close(self.file)


class AccountChange(NamedTuple):
    """The newest change of an account; while it is the same, so are the account's files."""

    server: object
    """The database server, if there is one: after a restore it reuses numbers."""
    account_id: int
    number: int


@dataclass(slots=True, eq=False)
class RememberedAnswer:
    """An answer, and what its validity depends on."""

    answer: Answer | PreparedFile
    version: object
    headers: Raw
    """The headers, with those that every response has except its id."""
    change: AccountChange | None = None
    """The newest change of the account whose files the answer depends on, if it depends on just one account's."""
    content: bytes | None = None
    at: int | None = None
    """When it was remembered; None if it was not."""
    _lines: bytes | None = field(default=None, init=False)

    @property
    def lines(self) -> bytes:
        if self._lines is None:
            self._lines = header_lines(self.headers)
        return self._lines


class RememberedAnswers:
    """The remembered answers of a process by question; the oldest are forgotten first."""

    def __init__(self, ctx: ServiceContext) -> None:
        self._ctx = ctx
        self._answers: dict[object, RememberedAnswer] = {}
        self._content_bytes = 0
        self._changes: dict[int, tuple[object, AccountChange]] = {}

    def __len__(self) -> int:
        return len(self._answers)

    @property
    def accounts(self) -> int:
        """The number of accounts whose newest change is known."""
        return len(self._changes)

    def question(self, request: ServerRequest) -> object | None:
        """Return everything that the answer depends on besides the rows; None if its answer is not remembered."""
        scope, about = request.scope, request.head.about
        if about is None or not request.operation.remembered_ms or scope["method"] != "GET":
            return None
        path = scope.get("raw_path") or scope["path"]
        if len(path) + len(scope["query_string"]) > QUESTION_BYTES_MAX:
            return None
        caller = request.identity.caller if request.identity else None
        whose = (caller.account_id, caller.root_key) if caller else None
        return path, scope["query_string"], whose, about

    def find(self, request: ServerRequest, version: object, *, look_only: bool = False) -> RememberedAnswer | None:
        """Return a valid answer to the same question; `look_only` reads no row to check its validity."""
        question = self.question(request)
        known = None if question is None else self._answers.get(question)
        if known is None or known.at is None:
            return None
        if not 0 <= self._ctx.clock.now() - known.at < request.operation.remembered_ms:
            return None
        if known.version == version:
            return known
        identity = request.identity
        if look_only or known.change is None or identity is None:
            return None
        if known.change != self.newest_change(identity.caller.account_id, version):
            return None
        known.version = version
        return known

    def newest_change(self, account_id: int, version: object) -> AccountChange:
        """Return the newest change of an account, read after the version; rows read later are at least as new."""
        known = self._changes.get(account_id)
        if known is not None and known[0] == version:
            return known[1]
        with self._ctx.metadata.read() as unit:
            number = unit.changes.newest(account_id)
        change = AccountChange(version.server if isinstance(version, StoreVersion) else None, account_id, number)
        self._changes.pop(account_id, None)
        self._changes[account_id] = version, change
        if len(self._changes) > ACCOUNTS_REMEMBERED:
            self._changes.pop(next(iter(self._changes)), None)
        return change

    def keep(self, request: ServerRequest, found: RememberedAnswer) -> None:
        """Remember an answer, if answers to that question are remembered."""
        question = self.question(request)
        if question is None:
            return
        found.at = self._ctx.clock.now()
        self._forget(question)
        self._answers[question] = found
        if len(self._answers) > ANSWERS_REMEMBERED:
            self._forget(next(iter(self._answers)))

    def content_of(self, found: RememberedAnswer, file: PreparedFile) -> bytes:
        """Return the bytes of a file; small ones derived from a user's file are kept."""
        if found.content is not None and file.is_undamaged():
            return found.content
        content = file.read()
        is_kept = file.is_derived and found.at is not None and found.content is None
        if is_kept and len(content) <= CONTENT_BYTES_MAX:
            found.content = content
            self._content_bytes += len(content)
            while self._content_bytes > CONTENTS_BYTES_MAX:
                self._forget(next(iter(self._answers)))
        return content

    def _forget(self, question: object) -> None:
        known = self._answers.pop(question, None)
        if known is not None:
            known.at = None
            if known.content is not None:
                self._content_bytes -= len(known.content)
                known.content = None
