"""Public links."""

import time
from collections.abc import Sequence
from functools import partial

from msgspec import Struct

from skyshelf.client.engine import Engine
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.client.requests import built
from skyshelf.wire.endpoints.sharing import CREATE_SHARE
from skyshelf.wire.sharing import SharedObject, ShareLink, ShareRequest
from skyshelf.wire.times import share_name


class PublicLink(Struct, frozen=True, kw_only=True):
    """A link that was made: the record that a client keeps of it."""

    url: str
    token: str | None
    share_name: str
    object_keys: str

    def __repr__(self) -> str:
        # Whoever has the link has what it shows.
        return f"PublicLink(share_name={self.share_name!r})"


async def create_link(engine: Engine, keys: Sequence[str], name: str | None = None) -> PublicLink:
    """Make one link to all of the objects. It is never repeated: a link that nobody knows of is a leak."""
    unique = list(dict.fromkeys(keys))
    called = name or share_name(time.time_ns() // 1_000_000)
    shared = [built(partial(SharedObject, object_key=key), object_key=key) for key in unique]
    body = ShareRequest(objects=shared, share_name=called)
    link = await engine.call(CREATE_SHARE, ShareLink, body=body)
    if not link.share_url:
        raise UnexpectedAnswerError("the server made a link and did not tell its address")
    return PublicLink(url=link.share_url, token=link.token, share_name=called, object_keys=",".join(unique))
