"""From a call to its envelope. Whatever is given and whatever happens, there is exactly one envelope."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

import msgspec

from skyshelf.agent.catalogue import TOOLS
from skyshelf.agent.clean_output import Cleaner
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.faults import (
    CONFIRMATION_REQUIRED,
    INVALID_ENVELOPE,
    READ_ONLY,
    UNKNOWN_TOOL,
    Refusal,
    error_message,
    error_type,
)
from skyshelf.agent.journal import Journal, State, account_mark
from skyshelf.agent.json_lines import read_json
from skyshelf.agent.seen_objects import SeenObjects
from skyshelf.agent.tool import Answer, Arguments, Call, Tool
from skyshelf.agent.validation import is_confirmed, read_arguments
from skyshelf.agent.workbench import Workbench
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.credentials import PER_USER
from skyshelf.client.errors import AuthenticationError, NetworkError, RequestFailedError, ServerError, SkyshelfError

Envelope: TypeAlias = dict[str, object]

_LOG: Final = logging.getLogger(__name__)
_MEMBERS: Final = {"tool", "arguments"}


def failure(type_: str, message: str) -> Envelope:
    """The envelope of a call that did not succeed."""
    return {"ok": False, "error": {"type": type_, "message": message}}


class Dispatcher:
    """Runs tools for a caller. The account is opened by the first call that needs it, and kept for later ones."""

    def __init__(
        self,
        open_client: Callable[[], AsyncClient] = AsyncClient,
        *,
        downloads: DownloadRoot | None = None,
        journal: Journal | None = None,
        read_only: bool = False,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self._open_client = open_client
        self._downloads = downloads
        self._journal = journal
        self._read_only = read_only
        self._environment = environment
        self._client: AsyncClient | None = None
        self._seen = SeenObjects()
        self._cleaner = Cleaner()

    async def call_text(self, text: str | bytes) -> Envelope:
        """The envelope for a call as JSON text."""
        try:
            request = read_json(text)
        except Exception as wrong:  # noqa: BLE001 - never raises, by its promise
            return self.failed(wrong)
        return await self.call(request)

    async def call(self, request: object) -> Envelope:
        """The envelope for a call. Only a cancellation of the task that waits for it comes through."""
        try:
            tool, arguments = _understood(request)
            self._permit(tool, arguments)
            return await self._run(tool, read_arguments(tool, arguments))
        except (asyncio.CancelledError, GeneratorExit):
            raise
        except BaseException as wrong:  # noqa: BLE001 - never raises, by its promise; nor may it end the event loop
            return self.failed(wrong)

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
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _permit(self, tool: Tool, arguments: object) -> None:
        """The guard, before anything else is looked at, read or opened; then the wish of the operator."""
        if tool.guarded and not is_confirmed(arguments):
            raise Refusal(
                CONFIRMATION_REQUIRED,
                f"{tool.name} runs only with `confirm` set to true; ask the user first. Nothing was done.",
            )
        if self._read_only and not tool.read_only:
            raise Refusal(READ_ONLY, f"this bridge is read-only, and {tool.name} is not. Nothing was done.")

    async def _run(self, tool: Tool, arguments: Arguments) -> Envelope:
        self._cleaner.learn(self._environment.get(f"SKYSHELF_{name.upper()}") for name in PER_USER)
        client = self._opened()
        if self._downloads is None:
            self._downloads = DownloadRoot.from_environment(self._environment)
        bench = Workbench(client=client, seen=self._seen, downloads=self._downloads)
        try:
            answer = await self._written_down(tool, arguments, bench)
        except AuthenticationError:
            # Somebody may log in anew while we run: the next call reads the session again.
            await self.close()
            raise
        if answer.error is not None:
            return self.failed(answer.error)
        return self._success(answer)

    async def _written_down(self, tool: Tool, arguments: Arguments, bench: Workbench) -> Answer:
        """Run a tool; a change is in the journal before it is made."""
        if self._journal is None or tool.read_only or tool.local:
            return await tool.run(bench, arguments)
        given = msgspec.to_builtins(arguments)
        entry = await asyncio.to_thread(self._journal.begin, tool.name, given, self._mark())
        try:
            answer = await tool.run(bench, arguments)
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
        self._opened()
        return self._mark()

    def _mark(self) -> str:
        credentials = self._client.credentials if self._client else None
        return account_mark(repr(self._client), credentials.user_id if credentials else "")

    def _opened(self) -> AsyncClient:
        if self._client is None:
            self._client = self._open_client()
        credentials = self._client.credentials
        if credentials is not None:
            self._cleaner.learn(
                (
                    credentials.auth_token,
                    credentials.user_id,
                    credentials.device_key,
                    credentials.api_key,
                    credentials.app_secret,
                )
            )
        return self._client

    def _success(self, answer: Answer) -> Envelope:
        result = self._cleaner.clean(msgspec.to_builtins(answer.result))
        envelope: Envelope = {"ok": True, "result": result}
        if answer.count is not None:
            envelope["count"] = answer.count
        return envelope


def _understood(request: object) -> tuple[Tool, object]:
    """The tool and the arguments of a request, not yet looked into."""
    if not isinstance(request, dict) or not isinstance(request.get("tool"), str):
        raise Refusal(INVALID_ENVELOPE, "a call is an object with `tool`, a text, and `arguments`, an object")
    if not request.keys() <= _MEMBERS:
        raise Refusal(INVALID_ENVELOPE, "a call has `tool` and `arguments`, and nothing else")
    tool = TOOLS.get(request["tool"])
    if tool is None:
        raise Refusal(UNKNOWN_TOOL, f"there is no such tool; there are: {', '.join(TOOLS)}")
    arguments = request.get("arguments")
    return tool, {} if arguments is None else arguments
