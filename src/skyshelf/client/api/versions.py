"""A file's versions."""

from functools import partial

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import RemoteObject, Target, remote_object
from skyshelf.wire.endpoints.objects import RESTORE_VERSION, VERSIONS
from skyshelf.wire.resources.versions import FileVersions, VersionRestoreRequest


class AsyncVersions(Calls):
    """Earlier contents of files. `download(target, destination, version=...)` downloads one.

    Example:
        ```python
        for version in client.versions.list("/notes.txt").obj_versions:
            print(version.version, version.size_in_bytes)
        ```
    """

    async def restore(self, target: Target, version: int) -> RemoteObject:
        """Make an earlier version the current one; the current content stays as a version.

        Args:
            target: The file: an object, a key or a path.
            version: The number of the version, as `list` gives it.

        Returns:
            The file as it is now.

        Raises:
            NotOfferedError: The server cannot restore versions; download the version and upload it again.
        """
        key = await PathResolver(self._engine).key(target)
        body = build_request_model(partial(VersionRestoreRequest, object_key=key, version=version), object_key=key)
        feature = "restore a version; download it and upload it again"
        return remote_object((await self._send(RESTORE_VERSION, feature=feature, body=body)).body)

    async def list(self, target: Target) -> FileVersions:
        """List a file's versions, newest first.

        Args:
            target: The file: an object, a key or a path.
        """
        key = await PathResolver(self._engine).key(target)
        return await self._call(VERSIONS, FileVersions, keys={"object_key": key})
