"""The dependencies of a running tool."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from skyshelf.agent.caches import ParentCache, SearchCache
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.client.async_client import AsyncClient

ReportProgress: TypeAlias = Callable[[int, int | None, str], None]
"""Called with the amount done, the total if known, and the unit."""


def ignore_progress(_done: int, _total: int | None, _unit: str) -> None:
    """For callers that do not show progress."""


class ToolContext(Struct, frozen=True, kw_only=True):
    """What a tool works with: the client, the caches, the download folder and a progress callback."""

    client: AsyncClient
    parents: ParentCache
    searches: SearchCache
    downloads: DownloadRoot
    report_progress: ReportProgress = ignore_progress
