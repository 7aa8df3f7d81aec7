"""A quirk: one way in which a server differs from ours and still speaks the interface, or fails."""

import copy
from typing import Any, Literal

from tests.foreign.drive import Drive
from tests.foreign.interface import Interface
from tests.foreign.messages import Asked, Reply

Touches = Literal["everything", "reads", "writes", "batches", "downloads", "trash", "links", "extensions"]
Must = Literal["right", "error", "either"]
Certificate = Literal["unsigned", "for another name", "expired"] | None


class Quirk:
    """The base: nothing is odd.

    `must` says what a client makes of it: the right result, an error of its own family, or either of them. The
    error has the `code`, if there is one, its sentence has the `word`, and it is of the `kind`. `read_timeout` is how
    long the client waits for an answer, `lag` how long for a listing. `certificate` is what a server over TLS shows.
    """

    name = "none"
    touches: Touches = "everything"
    must: Must = "right"
    code: str | None = None
    word = ""
    kind: str | None = None
    read_timeout = 10.0
    lag = 5.0
    certificate: Certificate = None

    def begun(self) -> "Quirk":
        """The quirk with a memory of its own."""
        return copy.deepcopy(self)

    def prepare(self, drive: Drive, interface: Interface) -> None:
        """Change the account before the first request."""

    def instead(self, asked: Asked) -> Reply | None:
        """The answer in place of the interface's; nothing is done then."""
        return None

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        """The answer after the request was carried out."""
        return reply

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        """An object as it goes out."""
        return shown


NO_QUIRK = Quirk()
