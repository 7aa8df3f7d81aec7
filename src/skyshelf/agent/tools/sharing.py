"""Public links."""

from typing import Final

from skyshelf.agent.call import Arguments, Confirm, Keys, ToolResult
from skyshelf.agent.context import ToolContext
from skyshelf.agent.redaction import quote_names
from skyshelf.agent.results import LinkSummary
from skyshelf.agent.tool import Tool
from skyshelf.agent.tools.undo_only import revoke_calls


class ShareLinkArguments(Arguments, frozen=True, kw_only=True):
    """The objects behind the link, and the user's consent."""

    object_keys: Keys
    confirm: Confirm


async def _share_link(ctx: ToolContext, given: ShareLinkArguments) -> ToolResult:
    link = await ctx.client.shares.create(given.object_keys)
    summary = LinkSummary(url=link.url, share_name=link.share_name, object_keys=link.object_keys)
    return ToolResult(result=summary, undo=revoke_calls(link.token))


async def _ask_to_share(ctx: ToolContext, given: ShareLinkArguments) -> str:
    found = await ctx.parents.resolve(ctx.client, given.object_keys)
    names = quote_names([remote.name for remote in found])
    return f"Create a public link to {names}? Anyone who has the link can view and download everything it contains."


SHARE_LINK: Final = Tool(
    name="share_link",
    summary="Create one public link to files or folders. Anyone who has the link can view and download them until "
    "the user revokes it. Ask the user first.",
    arguments=ShareLinkArguments,
    result=LinkSummary,
    run=_share_link,
    ask=_ask_to_share,
    guarded=True,
    destructive=True,
    open_world=True,
)
