"""The account of a test, filled and inspected without the bridge."""

from pathlib import Path

from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client


class Shelf:
    """The account."""

    def __init__(self, client: Client, scratch: Path) -> None:
        self.client = client
        self._local = scratch / "to upload"

    def file(self, name: str, content: bytes = b"content", folder: str | None = None) -> RemoteObject:
        """Upload a file."""
        self._local.write_bytes(content)
        return self.client.upload(self._local, folder, name=name)

    def folder(self, path: str) -> RemoteObject:
        """Create a folder."""
        return self.client.create_path(path)

    def names(self, folder: str | None = None) -> list[str]:
        """The names in a folder."""
        return [each.name for each in self.client.list_folder(folder)]
