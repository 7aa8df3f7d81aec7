"""Earlier contents of a file."""

from functools import partial

from skyshelf.client.api import Calls
from skyshelf.client.engine.capabilities import beyond
from skyshelf.client.engine.requests import build_request_model
from skyshelf.client.objects import lookup
from skyshelf.client.objects.remote_object import RemoteObject, Target, remote_object
from skyshelf.wire.endpoints.objects import RESTORE_VERSION, VERSIONS
from skyshelf.wire.resources.versions import FileVersions, VersionRestoreRequest


class VersionCalls(Calls):
    """Earlier contents of a file."""

    async def versions(self, target: Target) -> FileVersions:
        """The versions of a file, newest first."""
        key = await lookup.PathResolver(self._engine).key(target)
        return await self._engine.call(VERSIONS, FileVersions, keys={"object_key": key})

    async def restore_version(self, target: Target, version: int) -> RemoteObject:
        """Make the content of an earlier version the newest one; what is newest now stays as a version."""
        key = await lookup.PathResolver(self._engine).key(target)
        body = build_request_model(partial(VersionRestoreRequest, object_key=key, version=version), object_key=key)
        with beyond("bringing back a version: download it and upload it again"):
            answer = await self._engine.send(self._engine.plan(RESTORE_VERSION, body=body))
        return remote_object(answer.body)
