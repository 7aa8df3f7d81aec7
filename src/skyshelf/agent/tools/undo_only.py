"""Tools that only an undo may run: the journal records calls of them, and no model can make one."""

from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.call import Arguments, ToolCall, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.tool import Tool
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.wire.resources.shares import ShareLink

_REVOKE: Final = "revoke_link"


def link_fingerprint(token: str | None) -> str:
    """Identifies a link in the journal without letting the journal's readers open it."""
    return sha256((token or "").encode()).hexdigest()


def revoke_calls(token: str | None) -> tuple[ToolCall, ...]:
    """The call that revokes a link; none if its URL has an unknown form."""
    return (ToolCall(_REVOKE, {"fingerprint": link_fingerprint(token)}),) if token else ()


class RevokeLinkArguments(Arguments, frozen=True, kw_only=True):
    """Which link."""

    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="The link's fingerprint.")]


async def _revoke_link(ctx: ToolContext, given: RevokeLinkArguments) -> ToolResult:
    async for share in ctx.client.shares.list():
        if share.share_url and link_fingerprint(ShareLink(share_url=share.share_url).token) == given.fingerprint:
            await ctx.client.shares.revoke(share)
            return ToolResult(result={"share_name": share.share_name}, undo=())
    raise ObjectNotFoundError("the link no longer exists")


UNDO_TOOLS: Final[dict[str, Tool]] = {
    _REVOKE: Tool(
        name=_REVOKE,
        summary="Revoke a public link.",
        arguments=RevokeLinkArguments,
        result=dict[str, str],
        run=_revoke_link,
    )
}
