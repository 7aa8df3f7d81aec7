"""What a running tool has at hand."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from skyshelf.agent.caches import SearchMemory, SeenObjects
from skyshelf.agent.download_root import DownloadRoot
from skyshelf.client.async_client import AsyncClient

ReportProgress: TypeAlias = Callable[[int, int | None, str], None]
"""Hears how far a long call is: done, of how many where that is known, and a few words."""


def ignore_progress(_done: int, _total: int | None, _words: str) -> None:
    """For callers who do not want to know."""


class ToolContext(Struct, frozen=True, kw_only=True):
    """The account, what was seen and found in it, the one place on this machine where files may go.

    `tell` hears of progress.
    """

    client: AsyncClient
    seen: SeenObjects
    searches: SearchMemory
    downloads: DownloadRoot
    report_progress: ReportProgress = ignore_progress
