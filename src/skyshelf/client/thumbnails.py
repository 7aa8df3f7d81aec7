"""Small pictures of files."""

from typing import Literal

from skyshelf.client.engine import Engine
from skyshelf.wire.endpoints.downloads import THUMBNAIL
from skyshelf.wire.resources.downloads import ThumbnailHeaders, ThumbnailQuery

ThumbnailSize = Literal[256, 512, 1080]


async def thumbnail(engine: Engine, object_key: str, size: ThumbnailSize, accept: str) -> bytes:
    """The picture; ObjectNotFoundError where there is none."""
    query, headers = ThumbnailQuery(size=size), ThumbnailHeaders(accept=accept)
    answer = await engine.send(engine.plan(THUMBNAIL, query=query, headers=headers, keys={"object_key": object_key}))
    return answer.body
