"""Asking the user before a guarded tool runs, where the host can ask.

Hosts that shook hands (protocol versions up to 2025-11-25) are asked in the middle of the call. Newer ones get the
question as the answer, and make the call again with what the user said.
"""

import json
import secrets
import time
from collections import OrderedDict
from typing import Any, Final, Literal, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from skyshelf.agent.arguments import is_confirmed
from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.errors import CONFIRMATION_REQUIRED
from skyshelf.agent.registry import TOOLS

# Questions that wait for the user: each belongs to one call, is answered once, and does not wait for ever.

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


# Asking the user before a guarded tool runs, where the host can ask.

Consent = Literal["ask", "must-ask", "trust-confirm"]
"""`ask`: where the host can ask its user it must, and elsewhere `confirm` counts. `must-ask`: where it cannot ask,
guarded tools do not run. `trust-confirm`: `confirm` counts everywhere."""

Verdict: TypeAlias = Envelope | InputRequiredResult | None
"""Why the call does not run now; None where it may."""

_AGREE: Final = "agree"
_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {_AGREE: {"type": "boolean", "title": "Yes, do it", "description": "Nothing is done without it."}},
    "required": [_AGREE],
}


class Asking:
    """Finds out whether the user agrees to a call."""

    def __init__(self, dispatcher: Dispatcher, consent: Consent) -> None:
        self._dispatcher = dispatcher
        self._consent = consent
        self._questions = OpenQuestions()

    async def verdict(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams, request: Envelope
    ) -> Verdict:
        """Whether a call may run. One that nothing guards, or that is refused anyway, is left to the dispatcher."""
        tool = TOOLS.get(params.name)
        if tool is None or not tool.guarded or self._consent == "trust-confirm":
            return None
        if not _can_ask(context):
            unasked = self._consent == "must-ask" and is_confirmed(request["arguments"])
            return (
                _guarded(tool.name, "this host cannot ask its user, and the operator wants that") if unasked else None
            )
        if params.request_state is not None:
            return self._settled(params, request)
        question = await self._dispatcher.question(request)
        return await self._asked(context, request, question) if isinstance(question, str) else question

    async def _asked(self, context: ServerRequestContext[Any, Any], request: Envelope, question: str) -> Verdict:
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            form = ElicitRequestFormParams(message=question, requested_schema=_FORM)
            name = self._questions.begin(request)
            return InputRequiredResult(input_requests={_AGREE: ElicitRequest(params=form)}, request_state=name)
        try:
            said = await context.session.elicit_form(question, _FORM, related_request_id=context.request_id)
        except (MCPError, ValidationError):
            return _guarded(str(request["tool"]), "the host could not ask the user")
        return _heard(str(request["tool"]), said)

    def _settled(self, params: CallToolRequestParams, request: Envelope) -> Verdict:
        assert params.request_state is not None
        if not self._questions.settle(params.request_state, request):
            return _guarded(params.name, "nobody asks that question any more; make the call again without its state")
        said = (params.input_responses or {}).get(_AGREE)
        return _heard(params.name, said if isinstance(said, ElicitResult) else ElicitResult(action="cancel"))


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    capabilities = context.session.client_capabilities
    can = capabilities.elicitation if capabilities else None
    # Before there were kinds of questions, a host that could ask at all could show a form.
    return can is not None and (can.form is not None or can.url is None)


def _heard(tool: str, said: ElicitResult) -> Verdict:
    if said.action == "accept" and (said.content or {}).get(_AGREE) is True:
        return None
    told = {"accept": "did not agree", "decline": "said no", "cancel": "gave no answer"}[said.action]
    return _guarded(tool, f"the user was asked and {told}")


def _guarded(tool: str, reason: str) -> Envelope:
    return failure(CONFIRMATION_REQUIRED, f"{tool} was not run: {reason}. Nothing was done.")
