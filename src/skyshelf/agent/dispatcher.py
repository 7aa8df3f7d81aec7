"""Turns a call into its envelope. Every call gets exactly one, whatever it contains and whatever happens."""

import asyncio
import logging
import os
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Set
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import asdict, replace

from skyshelf.agent import errors
from skyshelf.agent.arguments import is_confirmed, parse_request, read_arguments, read_json
from skyshelf.agent.caches import ParentCache, SearchCache
from skyshelf.agent.call import Arguments, ToolCall, ToolResult
from skyshelf.agent.changeset import Changeset
from skyshelf.agent.client_lease import ClientLease, fingerprint_of
from skyshelf.agent.download_root import VARIABLE, DownloadRoot
from skyshelf.agent.journal import Cost, Journal, State
from skyshelf.agent.leave import Leave, leave_of
from skyshelf.agent.redaction import Redactor
from skyshelf.agent.registry import ATTACHING, EXTENDED, TOOLS
from skyshelf.agent.rewinding import rewind_session
from skyshelf.agent.tool import ReportProgress, Tool, ToolContext, ignore_progress
from skyshelf.agent.tools.undoing import UNDO_TOOLS
from skyshelf.agent.upload_root import UploadRoot
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.credentials import AUTH_TOKEN, DEVICE_KEY
from skyshelf.client.errors import NetworkError, ServerError, SkyshelfError
from skyshelf.wire.headers import NO_DEVICE

Envelope: TypeAlias = dict[str, object]

_LOG: Final = logging.getLogger(__name__)


def failure(type_: str, message: str) -> Envelope:
    """The envelope of a failed call."""
    return {"ok": False, "error": {"type": type_, "message": message}}


class Dispatcher:
    """Runs tools. The first call that needs the account opens a client, and later calls share it.

    A `client` passed in is used as it is and never closed here. With a `journal`, every change is recorded and can be
    undone. `read_only` refuses every tool that changes the account or writes to this machine. The `changeset` has the
    session's id, which a client that is opened elsewhere should send, and its budget. Uploads come from below `uploads`
    alone, and without it there are none.
    """

    def __init__(
        self,
        open_client: Callable[[], AsyncClient] | None = None,
        *,
        client: AsyncClient | None = None,
        downloads: DownloadRoot | None = None,
        uploads: UploadRoot | None = None,
        tools: Mapping[str, Tool] = TOOLS,
        journal: Journal | None = None,
        read_only: bool = False,
        changeset: Changeset | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self.changeset = changeset or Changeset()
        self.changeset.journal = journal
        opened = open_client or partial(AsyncClient, agent_session=self.changeset.id)
        self._lease = ClientLease(opened, client=client)
        self.tools = tools
        self._downloads = downloads
        self._uploads = uploads
        self._journal = journal
        self._read_only = read_only
        self._environment = environment
        self._parents = ParentCache()
        self._searches = SearchCache()
        self._redactor = Redactor()
        self._leave: Leave | None = None

    @property
    def has_download_root(self) -> bool:
        """Whether the operator has chosen where downloads may go to."""
        return self._downloads is not None or VARIABLE in self._environment

    @property
    def listed(self) -> list[Tool]:
        """The tools that hosts are shown: in read-only mode, those that read; of a delegation, those that it allows."""
        shown = [tool for tool in self.tools.values() if tool.read_only or not self._read_only]
        return [tool for tool in shown if self._leave is None or self._leave.allows(tool.name)]

    async def learn_leave(self) -> bool:
        """Ask the server what a delegation allows; returns whether other tools are shown now."""
        before = self.listed
        self._leave = await leave_of(self._lease, self._leave)
        return self.listed != before

    async def call_text(self, text: str | bytes) -> Envelope:
        """Make a call given as JSON text; returns its envelope."""
        try:
            request = read_json(text)
        except Exception as error:  # noqa: BLE001 - a call never raises
            return self.failure_for(error)
        return await self.call(request)

    async def call(
        self,
        request: object,
        *,
        report_progress: ReportProgress = ignore_progress,
        agreed: bool = False,
        downloads: DownloadRoot | None = None,
    ) -> Envelope:
        """Make a call; returns its envelope. Only the cancellation of the awaiting task is raised.

        With `agreed`, the user was asked `confirmation_question` about exactly this call, and said yes. `downloads` is
        where this call may download to, if the operator has not chosen a folder.
        """
        return await self._dispatch(
            request, self.tools, self.changeset, report_progress, agreed=agreed, downloads=downloads
        )

    async def attach(self, request: object) -> Envelope:
        """Make a call of a host for its user, who browses and attaches files; models cannot call these tools."""
        return await self._dispatch(request, ATTACHING, self.changeset)

    async def run_undo(self, call: ToolCall) -> Envelope:
        """Make a call recorded in the journal as an undo, which may use tools that models cannot call.

        Undoing spends no budget, and is no part of the session that it undoes.
        """
        return await self._dispatch(
            {"tool": call.tool, "arguments": call.arguments}, {**EXTENDED, **UNDO_TOOLS}, Changeset.unbounded()
        )

    async def confirmation_question(self, request: object) -> str | Envelope:
        """The question for the user before a guarded call, or before one of very many renames; empty if there is none.

        A call that would be refused anyway returns its envelope instead, so the user is not asked in vain.
        """
        try:
            tool, arguments = self._checked(request, self.tools)
            if tool.ask is None and not tool.renames:
                return ""
            async with self._context(ignore_progress) as ctx:
                cost, _ = await tool.cost(ctx, arguments)
                asks_to_rename = self.changeset.asks_to_rename(cost)
                self.changeset.check(replace(cost, renames=0) if asks_to_rename else cost)
                question = await tool.question(ctx, arguments) if tool.ask is not None else ""
            if asks_to_rename:
                question = self.changeset.question_to_rename(cost, question)
            return self._redactor.redact_text(question)
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a call never raises
            return self.failure_for(error)

    async def rewind_session(self, session: str, *, left: Set[str], linked: int | None) -> Envelope | None:
        """Undo on the server what a session has changed there; None if it has no history of the session."""
        try:
            async with self._context(ignore_progress) as ctx:
                done = await rewind_session(ctx.client, session, left=left, linked=linked)
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a call never raises
            return self.failure_for(error)
        if done is None:
            return None
        return {"ok": True, "result": asdict(done), "count": done.changed}

    async def account(self) -> str:
        """The account's fingerprint in the journal."""
        return fingerprint_of(self._lease.current())

    def add_secret(self, secret: str) -> None:
        """Remove this from every envelope from now on."""
        self._redactor.add_secrets([secret])

    def failure_for(self, error: BaseException) -> Envelope:
        """The envelope for an exception, with its message redacted."""
        try:
            type_, message = errors.error_type(error), self._redactor.redact_text(errors.error_message(error))
            _LOG.debug("a call failed: %s", type_)
        except Exception:  # noqa: BLE001 - an exception whose own message raises
            return failure(errors.INTERNAL_ERROR, "unexpected error")
        return failure(type_, message)

    async def close(self) -> None:
        """Close the connections; a later call opens them again."""
        await self._lease.close()

    async def _dispatch(
        self,
        request: object,
        tools: Mapping[str, Tool],
        changeset: Changeset,
        report_progress: ReportProgress = ignore_progress,
        *,
        agreed: bool = False,
        downloads: DownloadRoot | None = None,
    ) -> Envelope:
        try:
            tool, arguments = self._checked(request, tools)
            return await self._run(tool, arguments, report_progress, changeset, agreed=agreed, downloads=downloads)
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as error:  # noqa: BLE001 - a call never raises, nor may it stop the event loop
            return self.failure_for(error)

    def _checked(self, request: object, tools: Mapping[str, Tool]) -> tuple[Tool, Arguments]:
        """The tool and its arguments. The guard comes first, then read-only mode, then validation."""
        tool, arguments = parse_request(request, tools)
        if tool.guarded and not is_confirmed(arguments):
            raise errors.ToolRefusal(
                errors.CONFIRMATION_REQUIRED,
                f"{tool.name} runs only with `confirm` set to true; ask the user first. Nothing was done.",
            )
        if self._read_only and not tool.read_only:
            raise errors.ToolRefusal(
                errors.READ_ONLY, f"this bridge is read-only, so {tool.name} is not available. Nothing was done."
            )
        return tool, read_arguments(tool, arguments)

    @asynccontextmanager
    async def _context(
        self, report_progress: ReportProgress, downloads: DownloadRoot | None = None
    ) -> AsyncIterator[ToolContext]:
        self._redactor.add_secrets(
            self._environment.get(f"SKYSHELF_{name.upper()}") for name in (AUTH_TOKEN, DEVICE_KEY)
        )
        if self.has_download_root or downloads is None:
            downloads = self._downloads or DownloadRoot.from_environment(self._environment)
        async with self._lease.acquire() as client:
            if (known := client.credentials) is not None:
                # The user id is no secret: results name it, and it opens nothing.
                device = known.device_key if known.device_key != NO_DEVICE else None
                self._redactor.add_secrets((known.auth_token, device, known.api_key, known.app_secret))
            yield ToolContext(
                client=client,
                parents=self._parents,
                searches=self._searches,
                downloads=downloads,
                uploads=self._uploads,
                report_progress=report_progress,
            )

    async def _run(
        self,
        tool: Tool,
        arguments: Arguments,
        report_progress: ReportProgress,
        changeset: Changeset,
        *,
        agreed: bool,
        downloads: DownloadRoot | None,
    ) -> Envelope:
        meter = changeset.meter(report_progress)
        try:
            async with self._context(meter, downloads) as ctx:
                cost, is_whole = await tool.cost(ctx, arguments) if changeset.id else (Cost(), True)
                if agreed:
                    changeset.allow_renames(cost)
                elif not is_whole:
                    changeset.check(cost)
                    raise errors.ToolRefusal(
                        errors.CONFIRMATION_REQUIRED,
                        f"{tool.name} was not run: it is not known how much this contains, and the user was not asked. "
                        "Nothing was done. Name fewer objects, or the folders inside.",
                    )
                if changeset.dry_run and not tool.read_only:
                    await self._plan(tool, arguments, ctx, cost)
                result = await self._run_journaled(tool, arguments, ctx, changeset, cost)
        finally:
            meter.settle()
        if result.error is not None:
            return self.failure_for(result.error)
        found = msgspec.to_builtins(result.result)
        shown: Any = self._redactor.redact(found)
        if tool.keeps_lines:
            shown["text"] = self._redactor.redact_lines(found["text"])
        envelope: Envelope = {"ok": True, "result": shown}
        if result.count is not None:
            envelope["count"] = result.count
        return envelope

    async def _plan(self, tool: Tool, arguments: Arguments, ctx: ToolContext, cost: Cost) -> None:
        """Refuse a call in a dry run, and say what it would do."""
        given = msgspec.to_builtins(arguments)
        entry = await self._begin_entry(tool, arguments, ctx, self.changeset, cost)
        question = f" The user would be asked: {await tool.question(ctx, arguments)}" if tool.ask is not None else ""
        await self._end_entry(entry, "planned", None)
        shown = msgspec.json.encode({name: value for name, value in given.items() if name != "confirm"}).decode()
        raise errors.ToolRefusal(
            errors.DRY_RUN,
            self._redactor.redact_text(
                f"this is a dry run, so nothing was done: {tool.name} would run with {shown[:500]}.{question}"
            ),
        )

    async def _run_journaled(
        self, tool: Tool, arguments: Arguments, ctx: ToolContext, changeset: Changeset, cost: Cost
    ) -> ToolResult:
        """Run a tool, recording a change before and after it is made."""
        if tool.read_only or tool.local:
            return await tool.call(ctx, arguments)
        entry = await self._begin_entry(tool, arguments, ctx, changeset, cost)

        async def intend(calls: tuple[ToolCall, ...]) -> None:
            if self._journal is not None and calls:
                await asyncio.to_thread(self._journal.intend, entry, calls)

        try:
            result = await tool.call(replace(ctx, intend=intend), arguments)
        except SkyshelfError as error:
            # A refusal means nothing was done. Without an answer the outcome is unknown, and the entry stays begun.
            if not isinstance(error, NetworkError | ServerError):
                changeset.take_back(entry)
                await self._end_entry(entry, "failed", None)
            raise
        is_unchanged = result.undo is None and result.error is not None
        if is_unchanged:
            changeset.take_back(entry)
        await self._end_entry(entry, "failed" if is_unchanged else "done", result.undo)
        return result

    async def _begin_entry(
        self, tool: Tool, arguments: Arguments, ctx: ToolContext, changeset: Changeset, cost: Cost
    ) -> str:
        """Spend what a change costs, and record it; returns its id."""
        if self._journal is None:
            changeset.check(cost)
            entry = secrets.token_hex(8)
        else:
            begin = partial(
                self._journal.begin,
                tool.name,
                msgspec.to_builtins(arguments),
                fingerprint_of(ctx.client),
                session=changeset.id,
                cost=cost if changeset.id else None,
                admit=partial(changeset.admit, cost),
            )
            entry = await asyncio.to_thread(begin)
        changeset.spend(entry, cost)
        return entry

    async def _end_entry(self, entry: str, state: State, undo: tuple[ToolCall, ...] | None) -> None:
        if self._journal is None:
            return
        try:
            await asyncio.to_thread(self._journal.end, entry, state, undo)
        except SkyshelfError as error:
            # The change has been made, so the call must not be reported as failed.
            _LOG.warning("the outcome of %s is not in the journal: %s", entry, error.message)
