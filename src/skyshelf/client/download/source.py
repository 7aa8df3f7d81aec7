"""Which content of a file a download is about: the current one, a version, or the one that it had at a moment."""

from typing import Final, NamedTuple

from skyshelf.client.engine.engine import Engine
from skyshelf.client.http.messages import PlannedRequest
from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints.downloads import DOWNLOAD
from skyshelf.wire.endpoints.history import PAST_FILE
from skyshelf.wire.models import QueryModel
from skyshelf.wire.resources.downloads import DownloadHeaders, DownloadQuery
from skyshelf.wire.resources.history import PastFileQuery


class ContentSource(NamedTuple):
    """Where a content is requested from."""

    endpoint: Endpoint
    query: QueryModel | None = None

    @classmethod
    def of(cls, version: int | None = None, at: int | None = None) -> "ContentSource":
        """A version, or the content of a moment; with neither, the current content."""
        if at is not None:
            return cls(PAST_FILE, PastFileQuery(at=at))
        return CURRENT if version is None else cls(DOWNLOAD, DownloadQuery(version=version))

    def request(self, engine: Engine, object_key: str, headers: DownloadHeaders) -> PlannedRequest:
        """The request for the content of an object, or for a range of it."""
        return engine.plan(self.endpoint, query=self.query, headers=headers, keys={"object_key": object_key})


CURRENT: Final = ContentSource(DOWNLOAD)
