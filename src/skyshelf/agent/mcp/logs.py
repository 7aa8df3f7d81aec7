"""Log messages for hosts that have set a level: which tool was called, and how it ended, without its arguments."""

from collections import OrderedDict
from typing import Any, Final, get_args

from mcp.server.connection import allowed_log_levels
from mcp.server.context import ServerRequestContext
from mcp_types import (
    EmptyResult,
    LoggingLevel,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    SetLevelRequestParams,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from skyshelf.agent.dispatcher import Envelope
from skyshelf.agent.tool import Tool

SESSIONS_MAX: Final = 1000
_LEVELS: Final[tuple[LoggingLevel, ...]] = get_args(LoggingLevel)
_SESSION_HEADER: Final = "mcp-session-id"


class Logs:
    """The level of each session, and what is sent there. Newer hosts set the level with each request instead."""

    def __init__(self) -> None:
        self._levels: OrderedDict[str, LoggingLevel] = OrderedDict()

    async def set_level(self, context: ServerRequestContext[Any, Any], params: SetLevelRequestParams) -> EmptyResult:
        """Send messages of this level and above from now on."""
        session = _session(context)
        self._levels[session] = params.level
        self._levels.move_to_end(session)
        if len(self._levels) > SESSIONS_MAX:
            self._levels.popitem(last=False)
        return EmptyResult()

    async def called(self, context: ServerRequestContext[Any, Any], tool: Tool, envelope: Envelope) -> None:
        """Send how a call ended."""
        error = envelope.get("error")
        failed = error.get("type") if isinstance(error, dict) else None
        level: LoggingLevel = "warning" if failed else "debug" if tool.read_only else "info"
        if level in self._wanted(context):
            data = {"tool": tool.name, "ok": failed is None, **({"error": failed} if failed else {})}
            message = LoggingMessageNotificationParams(level=level, logger="skyshelf", data=data)
            await context.session.send_notification(
                LoggingMessageNotification(params=message), related_request_id=context.request_id
            )

    def _wanted(self, context: ServerRequestContext[Any, Any]) -> frozenset[LoggingLevel]:
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return allowed_log_levels(context.protocol_version, context.meta)
        level = self._levels.get(_session(context))
        return frozenset(_LEVELS[_LEVELS.index(level) :]) if level is not None else frozenset()


def _session(context: ServerRequestContext[Any, Any]) -> str:
    """The session's id over HTTP; on standard input there is only one."""
    return str(context.request.headers.get(_SESSION_HEADER, "")) if context.request is not None else ""
