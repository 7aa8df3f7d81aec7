"""From a call to its envelope. Whatever is given and whatever happens, there is exactly one envelope."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import msgspec

from skyshelf.agent.arguments import is_confirmed, read_arguments, read_json
from skyshelf.agent.caches import SearchMemory, SeenObjects
from skyshelf.agent.client_lease import SharedClient
from skyshelf.agent.context import ReportProgress, ToolContext, ignore_progress
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.errors import (
    CONFIRMATION_REQUIRED,
    INVALID_ENVELOPE,
    READ_ONLY,
    UNKNOWN_TOOL,
    Refusal,
    error_message,
    error_type,
)
from skyshelf.agent.journal import Journal, State, account_mark
from skyshelf.agent.redaction import Cleaner
from skyshelf.agent.registry import TOOLS
from skyshelf.agent.tool import Answer, Arguments, Call, Tool
from skyshelf.agent.tools.undo_only import UNDO_TOOLS
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.credentials import PER_USER
from skyshelf.client.errors import NetworkError, RequestFailedError, ServerError, SkyshelfError

Envelope: TypeAlias = dict[str, object]

_LOG: Final = logging.getLogger(__name__)
_MEMBERS: Final = {"tool", "arguments"}


def failure(type_: str, message: str) -> Envelope:
    """The envelope of a call that did not succeed."""
    return {"ok": False, "error": {"type": type_, "message": message}}


class Dispatcher:
    """Runs tools for a caller. The account is opened by the first call that needs it, and kept for later ones.

    A `client` that is given is used as it is, and never closed here.
    """

    def __init__(
        self,
        open_client: Callable[[], AsyncClient] = AsyncClient,
        *,
        client: AsyncClient | None = None,
        downloads: DownloadRoot | None = None,
        journal: Journal | None = None,
        read_only: bool = False,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._shared = SharedClient(open_client, lent=client)
        self._downloads = downloads
        self._journal = journal
        self._read_only = read_only
        self._environment = environment
        self._seen = SeenObjects()
        self._searches = SearchMemory()
        self._cleaner = Cleaner()

    async def call_text(self, text: str | bytes) -> Envelope:
        """The envelope for a call as JSON text."""
        try:
            request = read_json(text)
        except Exception as wrong:  # noqa: BLE001 - never raises, by its promise
            return self.failed(wrong)
        return await self.call(request)

    async def call(self, request: object, *, report_progress: ReportProgress = ignore_progress) -> Envelope:
        """The envelope for a call. Only a cancellation of the task that waits for it comes through."""
        return await self._answered(request, TOOLS, report_progress)

    async def take_back(self, call: Call) -> Envelope:
        """The envelope for a call that undoes something, which may be one that nobody else can make."""
        return await self._answered(
            {"tool": call.tool, "arguments": call.arguments}, TOOLS | UNDO_TOOLS, ignore_progress
        )

    async def _answered(self, request: object, tools: Mapping[str, Tool], report_progress: ReportProgress) -> Envelope:
        try:
            tool, arguments = self._permitted(request, tools)
            return await self._run(tool, arguments, report_progress)
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as wrong:  # noqa: BLE001 - never raises, by its promise; nor may it end the event loop
            return self.failed(wrong)

    async def question(self, request: object) -> str | Envelope:
        """What to ask the user before a guarded call; empty where nothing is to be asked.

        A call that would be refused anyway gives its envelope instead: nobody should be asked in vain.
        """
        try:
            tool, arguments = self._permitted(request, TOOLS)
            if tool.ask is None:
                return ""
            async with self._context(ignore_progress) as ctx:
                return self._cleaner.text(await tool.ask(ctx, arguments))
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as wrong:  # noqa: BLE001 - never raises, by its promise
            return self.failed(wrong)

    def keep_secret(self, secret: str) -> None:
        """No answer shows this from now on."""
        self._cleaner.learn([secret])

    def failed(self, wrong: BaseException) -> Envelope:
        """The envelope for a fault, with its words cleaned."""
        try:
            type_, message = error_type(wrong), self._cleaner.text(error_message(wrong))
            _LOG.debug("a call failed: %s", type_)
        except Exception:  # noqa: BLE001 - an error whose own words fail
            return failure("InternalError", "something went wrong that the bridge has no name for")
        return failure(type_, message)

    async def close(self) -> None:
        """Close the connections; a later call opens them again."""
        await self._shared.close()

    def _permitted(self, request: object, tools: Mapping[str, Tool]) -> tuple[Tool, Arguments]:
        """The guard, before anything else is looked at or opened; then the operator's wish, then the arguments."""
        tool, arguments = _understood(request, tools)
        if tool.guarded and not is_confirmed(arguments):
            raise Refusal(
                CONFIRMATION_REQUIRED,
                f"{tool.name} runs only with `confirm` set to true; ask the user first. Nothing was done.",
            )
        if self._read_only and not tool.read_only:
            raise Refusal(READ_ONLY, f"this bridge is read-only, and {tool.name} is not. Nothing was done.")
        return tool, read_arguments(tool, arguments)

    @asynccontextmanager
    async def _context(self, report_progress: ReportProgress) -> AsyncIterator[ToolContext]:
        self._cleaner.learn(self._environment.get(f"SKYSHELF_{name.upper()}") for name in PER_USER)
        if self._downloads is None:
            self._downloads = DownloadRoot.from_environment(self._environment)
        async with self._shared.borrowed() as client:
            self._learn_session(client)
            yield ToolContext(
                client=client,
                seen=self._seen,
                searches=self._searches,
                downloads=self._downloads,
                report_progress=report_progress,
            )

    async def _run(self, tool: Tool, arguments: Arguments, report_progress: ReportProgress) -> Envelope:
        async with self._context(report_progress) as ctx:
            answer = await self._written_down(tool, arguments, ctx)
        if answer.error is not None:
            return self.failed(answer.error)
        return self._success(answer)

    async def _written_down(self, tool: Tool, arguments: Arguments, ctx: ToolContext) -> Answer:
        """Run a tool; a change is in the journal before it is made."""
        if self._journal is None or tool.read_only or tool.local:
            return await tool.run(ctx, arguments)
        given = msgspec.to_builtins(arguments)
        entry = await asyncio.to_thread(self._journal.begin, tool.name, given, _mark(ctx.client))
        try:
            answer = await tool.run(ctx, arguments)
        except RequestFailedError as wrong:
            # An answer says that nothing was done. Without one nobody knows, and the entry stays as it began.
            if not isinstance(wrong, NetworkError | ServerError):
                await self._end(entry, "failed", None)
            raise
        except SkyshelfError:
            await self._end(entry, "failed", None)
            raise
        await self._end(entry, "failed" if answer.undo is None and answer.error else "done", answer.undo)
        return answer

    async def _end(self, entry: str, state: State, undo: tuple[Call, ...] | None) -> None:
        assert self._journal is not None
        try:
            await asyncio.to_thread(self._journal.end, entry, state, undo)
        except SkyshelfError as wrong:
            # The change is made, and calling it a failure would be a lie.
            _LOG.warning("the outcome of %s is not in the journal: %s", entry, wrong.message)

    async def account(self) -> str:
        """What tells this account apart in the journal."""
        return _mark(self._shared.current())

    def _learn_session(self, client: AsyncClient) -> None:
        known = client.credentials
        if known is not None:
            secrets = (known.auth_token, known.user_id, known.device_key, known.api_key, known.app_secret)
            self._cleaner.learn(secrets)

    def _success(self, answer: Answer) -> Envelope:
        result = self._cleaner.clean(msgspec.to_builtins(answer.result))
        envelope: Envelope = {"ok": True, "result": result}
        if answer.count is not None:
            envelope["count"] = answer.count
        return envelope


def _mark(client: AsyncClient) -> str:
    credentials = client.credentials
    return account_mark(repr(client), credentials.user_id if credentials else "")


def _understood(request: object, tools: Mapping[str, Tool]) -> tuple[Tool, object]:
    """The tool and the arguments of a request, not yet looked into."""
    if not isinstance(request, dict) or not isinstance(request.get("tool"), str):
        raise Refusal(INVALID_ENVELOPE, "a call is an object with `tool`, a text, and `arguments`, an object")
    if not request.keys() <= _MEMBERS:
        raise Refusal(INVALID_ENVELOPE, "a call has `tool` and `arguments`, and nothing else")
    tool = tools.get(request["tool"])
    if tool is None:
        raise Refusal(UNKNOWN_TOOL, f"there is no such tool; there are: {', '.join(TOOLS)}")
    arguments = request.get("arguments")
    return tool, {} if arguments is None else arguments
