"""Roots: the folders of this machine that the host works in. Without a download folder, downloads go there only."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequestParams, InputRequiredResult, ListRootsRequest, ListRootsResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from skyshelf.agent.download_root import DownloadRoot

ANSWER: Final = "roots"
ROOTS_MAX: Final = 100


def has_roots(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether the host names its roots."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.roots is not None


async def ask_for_roots(
    context: ServerRequestContext[Any, Any], params: CallToolRequestParams
) -> list[Path] | InputRequiredResult:
    """The host's roots, or the request for them that a host of the newer protocol receives as the result."""
    if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        answer = (params.input_responses or {}).get(ANSWER)
        if isinstance(answer, ListRootsResult):
            return _folders(answer)
        return InputRequiredResult(input_requests={ANSWER: ListRootsRequest()}, request_state=params.request_state)
    try:
        return _folders(await context.session.send_request(ListRootsRequest(), ListRootsResult))
    except (MCPError, ValidationError):
        return []


def with_roots(question: InputRequiredResult) -> InputRequiredResult:
    """A question for the user that also asks the host for its roots."""
    requests = {**(question.input_requests or {}), ANSWER: ListRootsRequest()}
    return InputRequiredResult(input_requests=requests, request_state=question.request_state)


def _folders(listed: ListRootsResult) -> list[Path]:
    paths = []
    for root in listed.roots[:ROOTS_MAX]:
        parts = urlsplit(str(root.uri))
        path = Path(url2pathname(parts.path))
        if parts.scheme == "file" and parts.netloc in {"", "localhost"} and path.is_absolute() and path.is_dir():
            paths.append(path)
    return paths


def root_for(roots: list[Path], arguments: Mapping[str, object]) -> DownloadRoot | None:
    """The root that a call's absolute destination lies in, otherwise the first; None without roots."""
    named = [value for name, value in arguments.items() if name in {"destination", "destination_dir"}]
    for destination in named:
        for root in roots:
            if isinstance(destination, str) and Path(destination).is_relative_to(root):
                return DownloadRoot(root)
    return DownloadRoot(roots[0]) if roots else None
