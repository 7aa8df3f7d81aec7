"""Asking the user before a guarded tool runs, where the host can ask.

Hosts that shook hands (protocol versions up to 2025-11-25) are asked in the middle of the call. Newer ones get the
question as the answer, and make the call again with what the user said.
"""

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

from skyshelf.agent.catalogue import TOOLS
from skyshelf.agent.dispatcher import Dispatcher, Envelope, failure
from skyshelf.agent.faults import CONFIRMATION_REQUIRED
from skyshelf.agent.mcp_door.open_questions import OpenQuestions
from skyshelf.agent.validation import is_confirmed

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
