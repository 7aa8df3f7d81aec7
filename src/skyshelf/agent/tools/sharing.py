"""Public links: the tool that creates them, and the one that revokes them.

Only an undo may run the latter: the journal records calls of it, and no model can make one.
"""

from hashlib import sha256
from typing import Annotated

from msgspec import Meta

from skyshelf.agent.call import Keys, ToolCall, ToolResult
from skyshelf.agent.results import LinkSummary
from skyshelf.agent.tool import ToolContext, tool
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.wire.resources.shares import ShareLink


async def _ask_to_share(ctx: ToolContext, *, object_keys: Keys) -> str:
    names = (await ctx.contents(object_keys)).sentence().rstrip(",")
    return f"Create a public link to {names}? Anyone who has the link can view and download everything it contains."


@tool(
    "Create one public link to files or folders. Anyone who has the link can view and download them until "
    "the user revokes it. Ask the user first.",
    result=LinkSummary,
    ask=_ask_to_share,
    destructive=True,
    open_world=True,
)
async def share_link(ctx: ToolContext, *, object_keys: Keys) -> ToolResult:
    link = await ctx.client.shares.create(object_keys)
    return ToolResult(result=LinkSummary.of(link), undo=revoke_calls(link.token))


def link_fingerprint(token: str | None) -> str:
    """Identifies a link in the journal without letting the journal's readers open it."""
    return sha256((token or "").encode()).hexdigest()


def revoke_calls(token: str | None) -> tuple[ToolCall, ...]:
    """The call that revokes a link; none if its URL has an unknown form."""
    return (ToolCall("undo_link", {"fingerprint": link_fingerprint(token)}),) if token else ()


Fingerprint = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="The link's fingerprint.")]


@tool("Revoke a public link.", result=dict[str, str])
async def revoke_link(ctx: ToolContext, *, fingerprint: Fingerprint) -> ToolResult:
    async for share in ctx.client.shares.list():
        if share.share_url and link_fingerprint(ShareLink(share_url=share.share_url).token) == fingerprint:
            await ctx.client.shares.revoke(share)
            return ToolResult(result={"share_name": share.share_name}, undo=())
    raise ObjectNotFoundError("the link no longer exists")
