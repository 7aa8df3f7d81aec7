"""Asks the user before a guarded tool runs, if the host supports it (MCP: elicitation).

Hosts with protocol versions up to 2025-11-25 are asked during the call. Newer ones receive the question as the
result, and repeat the call with the user's response.
"""

import json
import secrets
import time
from collections import OrderedDict
from typing import Any, Final, Literal, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from skyshelf.agent.arguments import is_confirmed
from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.errors import CONFIRMATION_REQUIRED

PENDING_MAX: Final = 1000
EXPIRY_SECONDS: Final = 600.0

Consent = Literal["ask", "must-ask", "trust-confirm"]
"""`ask`: ask if the host can, otherwise `confirm` is enough. `must-ask`: guarded tools do not run on hosts that cannot
ask. `trust-confirm`: `confirm` is always enough."""

Verdict: TypeAlias = Envelope | InputRequiredResult | bool
"""The response if the call may not run yet; otherwise whether the user was asked and has agreed."""

_AGREE: Final = "agree"
_FORM: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {_AGREE: {"type": "boolean", "title": "Yes, do it", "description": "Otherwise nothing is done."}},
    "required": [_AGREE],
}


class PendingQuestions:
    """The questions sent to hosts of the newer protocol, which return the question's id with the response.

    A response counts only for the call it was asked about, once, and not after the question has expired.
    """

    def __init__(self, expiry_seconds: float = EXPIRY_SECONDS) -> None:
        self._expiry_seconds = expiry_seconds
        self._pending: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def open(self, request: Envelope) -> str:
        """Record a question about a call; returns its unguessable id."""
        identifier = secrets.token_urlsafe(24)
        self._pending[identifier] = (_canonical(request), time.monotonic() + self._expiry_seconds)
        if len(self._pending) > PENDING_MAX:
            self._pending.popitem(last=False)
        return identifier

    def close(self, identifier: str, request: Envelope) -> bool:
        """Remove a question; returns whether it was pending and about exactly this call."""
        asked, expires = self._pending.pop(identifier, ("", 0.0))
        return asked == _canonical(request) and time.monotonic() < expires


def _canonical(request: Envelope) -> str:
    """The call as text, independent of the order of its arguments."""
    return json.dumps(request, sort_keys=True)


class Confirmation:
    """Decides whether a call may run, asking the user where necessary."""

    def __init__(self, dispatcher: Dispatcher, consent: Consent) -> None:
        self._dispatcher = dispatcher
        self._consent = consent
        self._questions = PendingQuestions()

    async def check(
        self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams, request: Envelope
    ) -> Verdict:
        """Whether a call may run. Other calls, and calls that are refused anyway, are left to the dispatcher."""
        tool = self._dispatcher.tools.get(params.name)
        if tool is None or not (tool.guarded or tool.renames) or self._consent == "trust-confirm":
            return False
        if not _can_ask(context):
            if self._consent == "must-ask" and tool.guarded and is_confirmed(request["arguments"]):
                return _not_run(tool.name, "this host cannot ask its user, which the operator requires")
            return False
        if params.request_state is not None:
            return self._check_response(params, request)
        question = await self._dispatcher.confirmation_question(request)
        if question == "":
            return False
        return await self._ask(context, request, question) if isinstance(question, str) else question

    async def _ask(self, context: ServerRequestContext[Any, Any], request: Envelope, question: str) -> Verdict:
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            form = ElicitRequestFormParams(message=question, requested_schema=_FORM)
            identifier = self._questions.open(request)
            return InputRequiredResult(input_requests={_AGREE: ElicitRequest(params=form)}, request_state=identifier)
        try:
            response = await context.session.elicit_form(question, _FORM, related_request_id=context.request_id)
        except (MCPError, ValidationError):
            return _not_run(str(request["tool"]), "the host could not ask the user")
        return _verdict(str(request["tool"]), response)

    def _check_response(self, params: CallToolRequestParams, request: Envelope) -> Verdict:
        assert params.request_state is not None
        if not self._questions.close(params.request_state, request):
            return _not_run(params.name, "the question is no longer pending; repeat the call without its state")
        response = (params.input_responses or {}).get(_AGREE)
        return _verdict(params.name, response if isinstance(response, ElicitResult) else ElicitResult(action="cancel"))


def _can_ask(context: ServerRequestContext[Any, Any]) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    # Older hosts that support elicitation do not name a mode, and can show a form.
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def _verdict(tool: str, response: ElicitResult) -> Verdict:
    if response.action == "accept" and (response.content or {}).get(_AGREE) is True:
        return True
    outcome = {"accept": "did not agree", "decline": "declined", "cancel": "did not answer"}[response.action]
    return _not_run(tool, f"the user was asked and {outcome}")


def _not_run(tool: str, reason: str) -> Envelope:
    return failure(CONFIRMATION_REQUIRED, f"{tool} was not run: {reason}. Nothing was done.")
