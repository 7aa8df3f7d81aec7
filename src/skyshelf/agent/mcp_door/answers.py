"""From an envelope to the answer of the protocol: the envelope as it is, its text, and a note where it was cut."""

from mcp_types import CallToolResult, TextContent

from skyshelf.agent.bridge import encoded
from skyshelf.agent.dispatcher import Envelope


def cut_note(envelope: Envelope) -> str | None:
    """A sentence for a model that would take a part for the whole."""
    result, count = envelope.get("result"), envelope.get("count")
    if not isinstance(result, list) or not isinstance(count, int) or count <= len(result):
        return None
    return (
        f"This result was cut: it shows {len(result)} of {count}. For more, call again with a larger `limit` "
        "(up to what the schema allows), or narrow the call."
    )


def answered(envelope: Envelope) -> CallToolResult:
    """The answer. A failure is an error of the tool, which the model can read, and never one of the protocol."""
    texts = [encoded(envelope).decode(), cut_note(envelope)]
    return CallToolResult(
        content=[TextContent(text=text) for text in texts if text is not None],
        structured_content=envelope,
        is_error=envelope.get("ok") is not True,
    )
