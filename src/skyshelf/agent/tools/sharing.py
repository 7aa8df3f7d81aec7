"""Public links."""

from typing import Final

from skyshelf.agent.context import ToolContext
from skyshelf.agent.results import LinkSummary
from skyshelf.agent.tool import Answer, Arguments, Confirm, Keys, Tool
from skyshelf.agent.tools import listed
from skyshelf.agent.tools.undo_only import revoking


class ObjectsToShare(Arguments, frozen=True, kw_only=True):
    """Objects of one link, and that the user agreed."""

    object_keys: Keys
    confirm: Confirm


async def _share_link(ctx: ToolContext, given: ObjectsToShare) -> Answer:
    link = await ctx.client.share_link(given.object_keys)
    shown = LinkSummary(url=link.url, share_name=link.share_name, object_keys=link.object_keys.split(","))
    return Answer(result=shown, undo=revoking(link.token))


async def _ask_to_share(ctx: ToolContext, given: ObjectsToShare) -> str:
    found = await ctx.seen.resolve(ctx.client, given.object_keys)
    names = listed([each.name for each in found])
    return f"Make a public link to {names}? Everybody who has it can see and download what it shows."


SHARE_LINK: Final = Tool(
    name="share_link",
    words="Make one public link to files or folders. Everybody who has the link can see and download them, until "
    "the user takes the link back. Ask the user first.",
    arguments=ObjectsToShare,
    result=LinkSummary,
    run=_share_link,
    ask=_ask_to_share,
    guarded=True,
    destructive=True,
    open_world=True,
)
