"""What is on the drive: folders and files with their sizes, times and hashes."""

import errno
import threading
from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from fsspec.spec import AbstractFileSystem
from fsspec.utils import stringify_path

from skyshelf.client.local.names import path_part
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.client.settings import NUMBER_SETTINGS
from skyshelf.client.sync_client import Client
from skyshelf.desktop.os_errors import as_os_errors

LISTING_SECONDS: Final = 5.0
"""How long a listing is remembered, unless `listings_expiry_time` says something else; own writes are seen at once."""

_PROTOCOL: Final = "skyshelf"
Info = dict[str, Any]


class DriveListings(AbstractFileSystem):  # type: ignore[misc]
    """Looks at a drive: its connection, its listings, and what they say about files and folders."""

    protocol: ClassVar[str] = _PROTOCOL
    root_marker = "/"
    client: Client

    def __init__(
        self,
        server: str | None = None,
        *,
        auth_token: str | None = None,
        user_id: str | None = None,
        device_key: str | None = None,
        profile: str | None = None,
        **storage_options: Any,
    ) -> None:
        storage_options.setdefault("listings_expiry_time", LISTING_SECONDS)
        numbers = {name: storage_options.pop(name) for name in NUMBER_SETTINGS & storage_options.keys()}
        super().__init__(**storage_options)
        self._settings: dict[str, Any] = {
            "server": server,
            "auth_token": auth_token,
            "user_id": user_id,
            "device_key": device_key,
            "profile": profile,
            **numbers,
        }
        self._client: Client | None = None
        self._lock = threading.Lock()

    @property
    def fsid(self) -> str:
        """What identifies the drive."""
        credentials = self.drive.credentials
        return f"{_PROTOCOL}_{credentials.user_id if credentials else ''}"

    @property
    def drive(self) -> Client:
        """The client, connected when first used."""
        with self._lock:
            if self._client is None:
                client = Client(**self._settings)
                if client.credentials is None:
                    client.close()
                    reason = client.logged_out_reason or "not logged in: run `skyshelf login --server URL EMAIL`"
                    raise PermissionError(errno.EACCES, reason)
                self._client = client
            return self._client

    def close(self) -> None:
        """Close the connections; they are opened again when needed."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        text = stringify_path(path).removeprefix(f"{_PROTOCOL}://")
        return "/" + "/".join(part for part in text.split("/") if part)

    def ls(self, path: str, detail: bool = True, refresh: bool = False, **_: Any) -> list[Any]:
        """List a folder; a file is listed alone."""
        path = self._strip_protocol(path)
        if refresh:
            self.invalidate_cache(path)
        found = self.info(path)
        listed = self._list(path, found) if found["type"] == "directory" else [found]
        return listed if detail else sorted(one["name"] for one in listed)

    def _list(self, path: str, folder: Info) -> list[Info]:
        listed: list[Info]
        try:
            listed = self.dircache[path]
        except KeyError:
            with as_os_errors(path):
                listed = [info_of(path, found) for found in self.drive.list_folder(folder["key"])]
            self.dircache[path] = listed
        return listed

    def info(self, path: str, **_: Any) -> Info:
        """Get size, type, times, MD5 and key of a file or folder."""
        path = self._strip_protocol(path)
        if path == "/":
            with as_os_errors(path):
                return {"name": "/", "size": 0, "type": "directory", "key": self.drive.root_key()}
        parent = self._parent(path)
        above = self.info(parent)
        if above["type"] == "directory":
            matches = [one for one in self._list(parent, above) if one["name"] == path]
            if len(matches) > 1:
                keys = ", ".join(one["key"] for one in matches)
                raise OSError(errno.EINVAL, f"{path} is the name of {len(matches)} items with the keys {keys}", path)
            if matches:
                return matches[0]
        raise FileNotFoundError(errno.ENOENT, "there is no such file or folder", path)

    def file_info(self, path: str) -> Info:
        """Get what `info` has about a file; IsADirectoryError for a folder."""
        found = self.info(path)
        if found["type"] == "directory":
            raise IsADirectoryError(errno.EISDIR, "it is a folder", path)
        return found

    def find(
        self, path: str, maxdepth: int | None = None, withdirs: bool = False, detail: bool = False, **options: Any
    ) -> Any:
        """List all files below a path, many folders at a time."""
        path = self._strip_protocol(path)
        if maxdepth is not None or options.get("prefix"):
            return super().find(path, maxdepth=maxdepth, withdirs=withdirs, detail=detail, **options)
        try:
            top = self.info(path)
        except FileNotFoundError:
            return {} if detail else []
        found = {path: top} if withdirs or top["type"] == "file" else {}
        if top["type"] == "directory":
            prefix = "" if path == "/" else path
            with as_os_errors(path):
                for one in self.drive.walk(top["key"]):
                    if withdirs or one.object.is_file:
                        folder = prefix + "/" + "/".join(map(path_part, one.parts[:-1]))
                        described = info_of(folder.rstrip("/") or "/", one.object)
                        found[described["name"]] = described
        names = sorted(found)
        return {name: found[name] for name in names} if detail else names

    def modified(self, path: str) -> datetime:
        """Get the time when the content was last changed."""
        return self._time(path, "mtime")

    def created(self, path: str) -> datetime:
        """Get the time when the file was created."""
        return self._time(path, "created")

    def _time(self, path: str, name: str) -> datetime:
        milliseconds = self.info(path).get(name) or 0
        return datetime.fromtimestamp(milliseconds / 1000, UTC)

    def ukey(self, path: str) -> str:
        """Return a text that changes when the content does."""
        found = self.info(path)
        return f"{found['key']}-{found.get('version')}-{found.get('md5')}"

    def checksum(self, path: str) -> int:
        """Return a number that changes when the content does."""
        return int(self.info(path).get("md5") or "0", 16)

    def invalidate_cache(self, path: str | None = None) -> None:
        """Forget the listings of a folder and of the one it is in, or all of them."""
        if path is None:
            self.dircache.clear()
        else:
            path = self._strip_protocol(path)
            for known in list(self.dircache):
                if known in {path, self._parent(path)} or known.startswith(path.rstrip("/") + "/"):
                    self.dircache.pop(known, None)
        super().invalidate_cache(path)


def info_of(folder: str, found: RemoteObject) -> Info:
    """Describe an object in a folder as fsspec does."""
    return {
        "name": f"{folder.rstrip('/')}/{path_part(found.name)}",
        "size": found.size or 0,
        "type": "directory" if found.is_folder else "file",
        "key": found.key,
        "md5": found.md5,
        "mtime": found.modified_ms,
        "created": found.created_ms,
        "version": found.version,
        "object": found.detached_copy(),
    }
