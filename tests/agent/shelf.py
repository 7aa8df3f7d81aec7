"""The account of a test, filled and looked at past the bridge."""

from pathlib import Path

from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.sync_client import Client


class Shelf:
    """An account."""

    def __init__(self, client: Client, scratch: Path) -> None:
        self.client = client
        self._local = scratch / "to upload"

    def file(self, name: str, content: bytes = b"content", folder: str | None = None) -> RemoteObject:
        """A file."""
        self._local.write_bytes(content)
        return self.client.upload(self._local, folder, name=name)

    def folder(self, path: str) -> RemoteObject:
        """A folder."""
        return self.client.create_path(path)

    def names(self, folder: str | None = None) -> list[str]:
        """What is in a folder."""
        return [each.name for each in self.client.list_folder(folder)]
