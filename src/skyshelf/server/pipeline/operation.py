"""Operations: what a request can ask for, and what each declares to the stages."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from starlette.responses import Response

from skyshelf.server.pipeline.admission.kinds import Kind
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.service.accounts.leave import Needs
from skyshelf.wire.endpoint import Access

if TYPE_CHECKING:
    from skyshelf.server.pipeline.answers import PreparedFile

Identify = Callable[[ServerRequest], None]
"""Identifies the caller of a request, unless that is already done; for a worker thread."""
HELD_BACK: Final = frozenset({401, 429, 503})
"""Refusals that a caller may get very often."""


class NotAtOnce(Exception):
    """Raised if the event loop would have to wait for something: the request goes on in a thread."""


class Credential(Enum):
    """How the caller of an operation proves who they are."""

    NONE = auto()
    SESSION = auto()
    APP_PASSWORD = auto()


class Operation(ABC):
    """One thing that a request can ask for: an endpoint, a method of WebDAV, a page."""

    name: str
    """Its name in the access log and the metrics."""
    credential: Credential = Credential.NONE
    access: Access = Access.PUBLIC
    """Which sessions may call it, if the credential is a session."""
    is_webdav: bool = False
    """Whether an app password limited to WebDAV is accepted."""
    writes: bool = False
    """Whether it may change something: change streams then check for changes."""
    needs_write_mode: bool = False
    """Whether read-only mode refuses it before its body is read; the commit would refuse it in any case."""
    refuses_paused: bool = False
    """Whether a device that an alarm has paused is refused before; what holds the account refuses it in any case."""
    needs: Needs | None = None
    """What a delegation or an app password has to allow; without it, every caller is refused who is limited."""
    needs_space: bool = False
    """Whether it is refused while the disk is at its reserve."""
    has_body: bool = False
    """Whether there is a body: a client that is still sending it must be able to read a refusal."""
    is_admitted: bool = True
    """Whether a caller who leaves too much unread is refused; probes of the operator never are."""
    enters: Kind | None = None
    """The kind of work that the whole request counts as, until its response is sent."""
    may_run_on_loop: bool = False
    """Whether the event loop may answer it, if nothing has to be awaited."""
    remembered_ms: int = 0
    """How long an answer of the event loop stays valid while its account does not change; 0 if not remembered."""
    has_own_rows: bool = False
    """Whether its answers depend on one object of the caller only: then changes by others do not affect them."""

    def check_head(self, request: ServerRequest) -> None:  # noqa: B027 - most operations need no headers
        """Refuse a request with missing headers; a success is remembered with the head."""

    async def prepare(self) -> None:  # noqa: B027 - most responses need nothing
        """Load what the responses need, also those of refusals, where that would hold the event loop."""

    def must_wait(self, request: ServerRequest) -> bool:  # noqa: ARG002
        """Return whether the head alone shows that the event loop cannot answer."""
        return False

    def answer_on_loop(self, request: ServerRequest) -> "Response | PreparedFile":  # noqa: ARG002
        """Return the answer, from rows and bytes in memory; raise NotAtOnce if anything has to be awaited."""
        raise NotAtOnce

    @abstractmethod
    async def answer(self, request: ServerRequest, identify: Identify) -> Response:
        """Return the answer, in a thread if necessary."""

    @abstractmethod
    def refusal(self, request: ServerRequest, problem: Exception) -> Response:
        """Return the response to an error, in the form that clients of this protocol understand."""
