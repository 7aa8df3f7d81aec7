"""Questions that wait for the user: each belongs to one call, is answered once, and does not wait for ever."""

import json
import secrets
import time
from collections import OrderedDict
from typing import Final

from skyshelf.agent.dispatcher import Envelope

WAITING_MAX: Final = 1000
PATIENCE_SECONDS: Final = 600.0


class OpenQuestions:
    """Remembers what was asked. Hosts of the newer protocol make the call again with the answer, and name the question:
    what they send back proves nothing unless we have asked just that."""

    def __init__(self, patience: float = PATIENCE_SECONDS) -> None:
        self._patience = patience
        self._waiting: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def begin(self, request: Envelope) -> str:
        """Note that the user is asked about a call; the name of the question, which nobody can guess."""
        name = secrets.token_urlsafe(24)
        self._waiting[name] = (_spelled(request), time.monotonic() + self._patience)
        if len(self._waiting) > WAITING_MAX:
            self._waiting.popitem(last=False)
        return name

    def settle(self, name: str, request: Envelope) -> bool:
        """Whether the question is open and was about exactly this call; it is closed from now on."""
        asked, until = self._waiting.pop(name, ("", 0.0))
        return asked == _spelled(request) and time.monotonic() < until


def _spelled(request: Envelope) -> str:
    """The call as one text; a host may have put its arguments into another order."""
    return json.dumps(request, sort_keys=True)
