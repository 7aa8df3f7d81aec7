"""The drive as resources: the user browses it in the host, and attaches files to a conversation."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    Annotations,
    BlobResourceContents,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    PromptReference,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.agent.mcp.calls import cancel_once
from skyshelf.agent.mcp.prompts import FOLDER, is_argument
from skyshelf.agent.tools.attaching import ENTRIES_MAX

SCHEME: Final = "skyshelf"
BY_KEY: Final = "skyshelf://object/{object_key}{?start}"
BY_PATH: Final = "skyshelf:///{+path}{?start}"
FOLDER_TYPE: Final = "inode/directory"
_JSON: Final = "application/json"
_KEY_HOST: Final = "object"
_START_DIGITS_MAX: Final = 16
_NOT_FOUND: Final = frozenset({"ObjectNotFoundError", "InvalidArguments"})

Context = ServerRequestContext[Any, Any]
Shown = Mapping[str, Any]


class Resources:
    """The handlers of the protocol's requests about resources, and of completions."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def list(self, _context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """List the root folder, page by page; each folder in it is a resource that lists its own."""
        start = _start(params.cursor) if params is not None and params.cursor is not None else 0
        found = await self._call("attach", path="/", start=start)
        following = found["next_start"]
        return ListResourcesResult(
            resources=[_resource(one) for one in found["entries"]],
            next_cursor=None if following is None else str(following),
        )

    async def list_templates(
        self, _context: Context, _params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """List the two ways to name a file or folder."""
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    name="path",
                    title="File or folder by path",
                    uri_template=BY_PATH,
                    description="Such as skyshelf:///Photos/2026. `start` is where the next part begins.",
                ),
                ResourceTemplate(
                    name="object",
                    title="File or folder by key",
                    uri_template=BY_KEY,
                    description="The key is the one that the tools return.",
                ),
            ]
        )

    async def read(self, _context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Read a file as text or bytes, or list a folder."""
        uri = str(params.uri)
        found = await self._call("attach", uri, **_target(uri))
        shown, following = found["object"], found["next_start"]
        if found["entries"] is not None:
            listing: dict[str, Any] = {
                "entries": [_resource(one).model_dump(by_alias=True, exclude_none=True) for one in found["entries"]]
            }
            if following is not None:
                listing["next"] = _uri(shown["object_key"], following)
            return _result(TextResourceContents(uri=uri, mime_type=_JSON, text=json.dumps(listing, ensure_ascii=False)))
        mime = shown["mime"]
        if found["base64"] is not None:
            return _result(BlobResourceContents(uri=uri, mime_type=mime, blob=found["base64"]))
        part = TextResourceContents(uri=uri, mime_type=mime or "text/plain", text=found["text"])
        if following is None:
            return _result(part)
        more = _uri(shown["object_key"], following)
        note = f"This is a part of the file. The next part is the resource {more}"
        return _result(part, TextResourceContents(uri=more, mime_type="text/plain", text=note))

    async def complete(self, _context: Context, params: CompleteRequestParams) -> CompleteResult:
        """Complete a path: of a resource, or of a prompt's folder."""
        name, typed = params.argument.name, params.argument.value
        if isinstance(params.ref, PromptReference):
            if not is_argument(self._dispatcher, params.ref.name, name):
                raise MCPError(INVALID_PARAMS, "there is no such prompt or argument; prompts/list has them")
            return await self._completed(typed, folders_only=True) if name == FOLDER else _completion([], 0)
        if params.ref.uri not in {BY_PATH, BY_KEY}:
            raise MCPError(INVALID_PARAMS, "there is no such template; resources/templates/list has them")
        if params.ref.uri != BY_PATH or name != "path":
            return _completion([], 0)
        return await self._completed(unquote(typed), in_uri=True)

    async def _completed(self, typed: str, *, folders_only: bool = False, in_uri: bool = False) -> CompleteResult:
        try:
            found, count = await self._counted("complete_path", path=typed, folders_only=folders_only)
        except MCPError as error:
            if error.code == INVALID_PARAMS:
                return _completion([], 0)
            raise
        # Reserved expansion leaves these three alone, and would end the path at the last two.
        safe = {ord(one): quote(one) for one in "%?#"} if in_uri else {}
        return _completion([path.translate(safe) for path in found], count)

    async def _call(self, tool: str, uri: str = "", **arguments: object) -> Any:
        return (await self._counted(tool, uri, **arguments))[0]

    async def _counted(self, tool: str, uri: str = "", **arguments: object) -> tuple[Any, int]:
        envelope: Any = await cancel_once(self._dispatcher.attach({"tool": tool, "arguments": arguments}))
        if envelope["ok"] is True:
            return envelope["result"], envelope.get("count", 0)
        error = envelope["error"]
        code = INVALID_PARAMS if error["type"] in _NOT_FOUND else INTERNAL_ERROR
        raise MCPError(code, error["message"], {"type": error["type"], **({"uri": uri} if uri else {})})


def _completion(values: list[str], count: int) -> CompleteResult:
    return CompleteResult(completion=Completion(values=values, total=count, has_more=count > len(values)))


def _result(*contents: TextResourceContents | BlobResourceContents) -> ReadResourceResult:
    return ReadResourceResult(contents=list(contents))


def _uri(key: str, start: int = 0) -> str:
    return f"{SCHEME}://{_KEY_HOST}/{key}" + (f"?start={start}" if start else "")


def _resource(shown: Shown) -> Resource:
    is_folder = shown["type"] == "folder"
    return Resource(
        uri=_uri(shown["object_key"]),
        name=shown["name"],
        title=shown["name"],
        mime_type=FOLDER_TYPE if is_folder else shown["mime"],
        size=None if is_folder else shown["size_bytes"],
        annotations=Annotations(last_modified=shown["modified"]) if shown["modified"] else None,
    )


def _target(uri: str) -> dict[str, object]:
    """What a URI names; MCPError if it names nothing of this server."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        raise _unknown(uri) from None
    name, _, start = parts.query.partition("=")
    if parts.scheme != SCHEME or parts.fragment or (parts.query and name != "start"):
        raise _unknown(uri)
    begin = {"start": _start(start)} if parts.query else {}
    if parts.netloc == _KEY_HOST:
        return {"object_key": path.removeprefix("/"), **begin}
    if parts.netloc:
        raise _unknown(uri)
    return {"path": path, **begin}


def _start(given: str) -> int:
    if not given.isascii() or not given.isdigit() or len(given) > _START_DIGITS_MAX:
        raise MCPError(INVALID_PARAMS, f"not a place to continue at; entries come in pages of {ENTRIES_MAX}")
    return int(given)


def _unknown(uri: str) -> MCPError:
    return MCPError(INVALID_PARAMS, f"not a resource of this server: use {BY_PATH} or {BY_KEY}", {"uri": uri})
