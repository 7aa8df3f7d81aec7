"""What tests of downloads share: a client with short waits, and what lies in a folder afterwards."""

from pathlib import Path

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.engine import Engine
from skyshelf.client.local.names import STATE_FOLDER
from skyshelf.client.objects.lookup import PathResolver
from skyshelf.client.objects.remote_object import RemoteObject
from skyshelf.testing.server import TestSession


def client_of(
    session: TestSession, *, retries: int = 3, read_timeout: float = 10.0, ca_file: str | None = None
) -> AsyncClient:
    settings = session.settings()
    return AsyncClient(
        settings["server"],
        auth_token=settings["auth_token"],
        user_id=settings["user_id"],
        device_key=settings["device_key"],
        retries=retries,
        retry_wait=0.001,
        read_timeout=read_timeout,
        ca_file=ca_file,
    )


def engine_of(client: AsyncClient) -> Engine:
    return client._engine


async def found(client: AsyncClient, path: str) -> RemoteObject:
    return await PathResolver(engine_of(client)).by_path(path)


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file by its path, without our own notes; a link or anything else in there is a failure."""
    files = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if relative.parts[0] == STATE_FOLDER or path.is_dir():
            continue
        assert path.is_file(), path
        assert not path.is_symlink(), path
        files[str(relative)] = path.read_bytes()
    return files
