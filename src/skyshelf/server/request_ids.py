"""Request ids: one per request, in the answer, in the access log and in every line that is logged meanwhile."""

import re
import secrets
from contextvars import ContextVar

_CLEAN = re.compile(r"[A-Za-z0-9._-]{8,64}")

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="")


def new_request_id() -> str:
    return secrets.token_hex(8)


def proposed_request_id(header: str | None) -> str | None:
    """The id that a proxy of ours proposes, if it can stand in a log line as it is."""
    return header if header and _CLEAN.fullmatch(header) else None
