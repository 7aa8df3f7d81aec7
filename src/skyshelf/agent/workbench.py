"""What a running tool has at hand."""

from msgspec import Struct

from skyshelf.agent.download_root import DownloadRoot
from skyshelf.agent.seen_objects import SeenObjects
from skyshelf.client.async_client import AsyncClient


class Workbench(Struct, frozen=True, kw_only=True):
    """The account, what was seen of it, and the one place on this machine where files may go."""

    client: AsyncClient
    seen: SeenObjects
    downloads: DownloadRoot
