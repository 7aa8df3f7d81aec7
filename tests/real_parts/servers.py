"""Stacks: real server processes over real stores, which can be killed and started again on the way."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex

import pytest
from tests.real_parts import shared
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.server.running import RunningServer

from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

BUCKET = "drive"


class Stack:
    """The instances of one service. Whatever a test has killed, `restart` starts again."""

    def __init__(self, servers: list[RunningServer], ctx: ServiceContext) -> None:
        self.servers = servers
        self.ctx = ctx
        self._dead: list[RunningServer] = []
        self._strikes = 0

    @property
    def urls(self) -> list[str]:
        return [server.url for server in self.servers]

    def strike(self, url: str | None = None) -> None:
        """SIGKILL one instance, the one at the URL or the next in turn.

        Where others are left they carry on alone; where it was the only one, it is there again when this returns.
        """
        struck = self.servers[self._strikes % len(self.servers)]
        if url is not None:
            struck = next(server for server in self.servers if server.url == url)
        self._strikes += 1
        if struck not in self._dead:
            struck.kill()
            self._dead.append(struck)
        if len(self._dead) == len(self.servers):
            self.restart()

    def stop(self, server: RunningServer) -> int:
        """Ask one instance to end, as an operator does; its exit code."""
        code = server.stop()
        self._dead.append(server)
        return code

    def crash(self) -> None:
        """SIGKILL everything at once, and start it again."""
        self.kill()
        self.restart()

    def kill(self) -> None:
        """SIGKILL everything at once; it stays dead until `restart`."""
        for server in self.servers:
            if server not in self._dead:
                server.kill()
        self._dead = list(self.servers)

    def restart(self) -> None:
        dead, self._dead, self._strikes = self._dead, [], 0
        _start(dead)


@contextmanager
def embedded(folder: Path, *options: str) -> Iterator[Stack]:
    """One instance with everything in a folder."""
    with _running([RunningServer(folder / "data", *options)], lambda: embedded_urls(folder / "data")) as stack:
        yield stack


@contextmanager
def scaled_out(folder: Path, *options: str, instances: int = 2) -> Iterator[Stack]:
    """Several instances on one PostgreSQL and one bucket."""
    with pytest.MonkeyPatch.context() as environment, shared.postgres().large_database() as metadata:
        environment.setenv("AWS_ACCESS_KEY_ID", ACCESS_KEY)
        environment.setenv("AWS_SECRET_ACCESS_KEY", SECRET_KEY)
        s3 = shared.seaweedfs()
        s3.make_bucket(BUCKET)
        urls = metadata, f"s3://{BUCKET}/{token_hex(8)}?endpoint={s3.endpoint}"
        stores = ("--metadata", urls[0], "--blobs", urls[1])
        servers = [RunningServer(folder / f"instance-{number}", *stores, *options) for number in range(instances)]
        with _running(servers, lambda: urls) as stack:
            yield stack


@contextmanager
def _running(servers: list[RunningServer], stores: Callable[[], tuple[str, str]]) -> Iterator[Stack]:
    with ExitStack() as ending:
        for server in servers:
            ending.callback(server.close)
        _start(servers)
        metadata, blobs = stores()
        ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
        ending.callback(ctx.blobs.close)
        ending.callback(ctx.metadata.close)
        yield Stack(servers, ctx)


def _start(servers: list[RunningServer]) -> None:
    """All at once: each waits for its own first answer."""
    if servers:
        with ThreadPoolExecutor(len(servers)) as pool:
            list(pool.map(RunningServer.start, servers))
