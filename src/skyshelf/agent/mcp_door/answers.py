"""From an envelope to the answer of the protocol: the envelope as it is, its text, and a note where it was cut."""

from typing import Final

from mcp_types import CallToolResult, TextContent

from skyshelf.agent.bridge import encoded
from skyshelf.agent.dispatcher import Envelope

ENVELOPE_BYTES_MAX: Final = 350_000
"""An answer holds its envelope twice, and hosts take messages of up to a mebibyte."""


def shortened(envelope: Envelope) -> Envelope:
    """The envelope with as many entries of its result as a message can hold; `count` still tells of all."""
    result = envelope.get("result")
    size = len(encoded(envelope))
    while isinstance(result, list) and size > ENVELOPE_BYTES_MAX:
        # Entries differ in length: a bit less than what should fit, until it does.
        result = result[: len(result) * ENVELOPE_BYTES_MAX * 9 // (size * 10)]
        envelope = {**envelope, "result": result}
        size = len(encoded(envelope))
    return envelope


def cut_note(envelope: Envelope) -> str | None:
    """A sentence for a model that would take a part for the whole."""
    result, count = envelope.get("result"), envelope.get("count")
    if not isinstance(result, list) or not isinstance(count, int) or count <= len(result):
        return None
    return (
        f"This result was cut: it shows {len(result)} of {count}. For the others, narrow the call, or call again "
        "with a larger `limit` if there is room for one."
    )


def answered(envelope: Envelope) -> CallToolResult:
    """The answer. A failure is an error of the tool, which the model can read, and never one of the protocol."""
    envelope = shortened(envelope)
    texts = [encoded(envelope).decode(), cut_note(envelope)]
    return CallToolResult(
        content=[TextContent(text=text) for text in texts if text is not None],
        structured_content=envelope,
        is_error=envelope.get("ok") is not True,
    )
