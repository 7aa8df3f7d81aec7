"""A real server on a small file system of its own, with an account and what it was told is stored."""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.real_parts import commands
from tests.real_parts.migrated_sqlite import put_migrated
from tests.real_parts.small_disks import MIB, SmallDisk, small_disk
from tests.server.api import Api, log_in, new_account
from tests.server.echoes import batch, echo_of, entry
from tests.server.running import RunningServer, opened, over_the_network
from tests.server.uploading import upload

from skyshelf.service.context import ServiceContext
from skyshelf.service.doctor import run_checks
from skyshelf.service.doctor.check import CheckRun

PATIENCE = 90
SIZE = 80 * MIB


class Full:
    """A server, an account and what was acknowledged, on a disk of their own."""

    def __init__(self, disk: SmallDisk, server: RunningServer, ctx: ServiceContext, api: Api) -> None:
        self.disk, self.server, self.ctx, self.api = disk, server, ctx, api
        self.kept: dict[str, bytes] = {}

    def upload(self, name: str, size: int = MIB) -> str | None:
        """Upload a file and remember it; None if it was refused for space."""
        data = os.urandom(size)
        answer = upload(self.api, name, data)
        if answer.status_code == 507:
            return None
        assert answer.status_code == 201, answer.text
        key: str = answer.json()["objectKey"]
        self.kept[key] = data
        return key

    def delete(self, *keys: str) -> None:
        """Trash files and empty the trash."""
        answer = batch(self.api, *[entry("TRASH", echo_of(self.api, key), status="T") for key in keys])
        assert answer["unprocessed"] == []
        assert self.api.post("/x/v1/trash/empty").status_code == 200
        for key in keys:
            del self.kept[key]

    def space(self) -> str:
        answer = self.api.client.get("/readyz")
        assert answer.status_code == 200, answer.text
        space: str = answer.json()["space"]
        return space

    def assert_people_can_work(self) -> None:
        """Log in and read, as is promised on a full disk; every answer says that it is full."""
        assert log_in(self.api.client, self.api.account.email).status_code == 200
        # Part of the ballast was left over, and goes to the other program.
        self.disk.fill()
        assert upload(self.api, "more.bin", b"x").json()["code"] == "SKY5002"
        assert self.space() == "at the reserve: uploads are refused"
        assert "skyshelf_uploads_accepted 0.0" in self.api.client.get("/metrics").text
        key, data = next(iter(self.kept.items()))
        assert self.api.get(f"/download/files/{key}").content == data

    def forget_the_wait(self) -> None:
        """Let contents that were deleted have been so for an hour."""
        eventually(lambda: self.referred() == len(self.kept))
        hours_ago = 2 * 3_600_000
        aged = "UPDATE blobs SET idle_since = idle_since - :ago WHERE refs = 0"
        self.ctx.metadata.write(lambda unit: unit.sql.run(aged, {"ago": hours_ago}))

    def referred(self) -> int:
        """The number of contents that files refer to: fewer once a purge has run."""
        with self.ctx.metadata.read() as unit:
            count = unit.sql.value("SELECT count(*) FROM blobs WHERE refs > 0")
        return int(count or 0)

    def assert_nothing_was_lost(self) -> None:
        for key, data in self.kept.items():
            assert self.api.get(f"/download/files/{key}").content == data
        assert [result for result in run_checks(self.ctx, CheckRun(deep=True)) if not result.passed] == []


def eventually(holds: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.2)


@contextmanager
def full_disk(place: Path) -> Iterator[Full]:
    with ExitStack() as until:
        disk = until.enter_context(small_disk(place, SIZE))
        # Its log is on this disk, too.
        server = RunningServer(place / "data")
        put_migrated(server.data)
        until.callback(server.close)
        server.start()
        ctx = until.enter_context(opened(server.data))
        api = until.enter_context(over_the_network(server, ctx, new_account(ctx, "ada@example.org")))
        eventually(ctx.metadata.ballast().is_there)  # type: ignore[union-attr]
        yield Full(disk, server, ctx, api)


def admin(full: Full, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command("admin", *arguments, "--data", str(full.server.data))


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return commands.run(arguments, stdin="", environment=os.environ, folder=Path.cwd())


@contextmanager
def over_the_network_again(full: Full) -> Iterator[None]:
    with over_the_network(full.server, full.ctx, full.api.account) as full.api:
        yield
