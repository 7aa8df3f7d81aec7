"""What only an undo may do: calls that the journal names and no model can make."""

from hashlib import sha256
from typing import Annotated, Final

from msgspec import Meta

from skyshelf.agent.context import ToolContext
from skyshelf.agent.tool import Answer, Arguments, Call, Tool
from skyshelf.client.errors import ObjectNotFoundError
from skyshelf.wire.resources.shares import ShareLink

_REVOKE: Final = "revoke_link"


def link_fingerprint(token: str | None) -> str:
    """What tells links apart in the journal: whoever reads it must not be able to open them."""
    return sha256((token or "").encode()).hexdigest()


def revoking(token: str | None) -> tuple[Call, ...]:
    """The call that takes a link back; nothing where its address is of a form that nobody knows."""
    return (Call(_REVOKE, {"mark": link_fingerprint(token)}),) if token else ()


class LinkToRevoke(Arguments, frozen=True, kw_only=True):
    """Which link."""

    mark: Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="The mark of the link.")]


async def _revoke_link(ctx: ToolContext, given: LinkToRevoke) -> Answer:
    async for share in ctx.client.shares():
        if share.share_url and link_fingerprint(ShareLink(share_url=share.share_url).token) == given.mark:
            await ctx.client.revoke_share(share)
            return Answer(result={"share_name": share.share_name}, undo=())
    raise ObjectNotFoundError("the link is not there any more")


UNDO_TOOLS: Final[dict[str, Tool]] = {
    _REVOKE: Tool(
        name=_REVOKE,
        words="Take a public link back.",
        arguments=LinkToRevoke,
        result=dict[str, str],
        run=_revoke_link,
    )
}
