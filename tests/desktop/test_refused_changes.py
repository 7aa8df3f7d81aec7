"""A change that the server refuses fails with a sentence in whatever asked for it, and nothing is different then."""

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.client.serving import ClientServer, Person
from tests.desktop.sync.both_sides import TOP, put, remote_hashes
from tests.desktop.sync.test_refusals import pause

from skyshelf.agent.dispatcher import Dispatcher
from skyshelf.cli.main import main
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client
from skyshelf.desktop.filesystem import SkyshelfFileSystem
from skyshelf.desktop.mount.operations import UNSAVED, DriveOperations
from skyshelf.storage.metadata import read_only
from skyshelf.storage.metadata.read_only import ReadOnly

FILE, FOLDER = f"{TOP}/a.txt", f"{TOP}/deep"
LARGE = b"x" * 5000


class Refused(Exception):
    """What a person or a program gets to see."""


class Desk:
    """Somebody's ways to change a file."""

    def __init__(self, person: Person, client: Client, place: Path) -> None:
        self._person = person
        self._client = client
        self._place = place
        (place / "a.txt").write_bytes(LARGE)

    def type(self, *command: str) -> None:
        variables = {f"SKYSHELF_{name.upper()}": str(value) for name, value in self._person.settings.items()}
        ended = CliRunner().invoke(main, command, env={**variables, "SKYSHELF_RETRIES": "0"})
        if ended.exit_code:
            assert ended.exit_code != 2, ended.stderr
            raise Refused(ended.stderr)

    def ask(self, tool: str, **arguments: object) -> None:
        key = self._client.get(FILE).key

        async def call() -> None:
            async with AsyncClient(**self._person.settings, retries=0) as client:
                given = {**arguments, **({"object_keys": [key]} if tool == "move_to_trash" else {"object_key": key})}
                envelope = await Dispatcher(client=client).call({"tool": tool, "arguments": given})
            if envelope["ok"] is not True:
                raise Refused(str(envelope["error"]))

        asyncio.run(call())

    @contextmanager
    def mounted(self) -> Iterator[DriveOperations]:
        cache = self._place / "cache"
        cache.mkdir(exist_ok=True)
        with Client(**self._person.settings, retries=0) as client:
            drive = DriveOperations(client, client.root_key(), cache, cache_bytes=1 << 20)
            try:
                yield drive
            except OSError as error:
                raise Refused(str(error)) from error
            finally:
                drive.close()

    @contextmanager
    def files(self) -> Iterator[SkyshelfFileSystem]:
        files = SkyshelfFileSystem(**self._person.settings, retries=0, skip_instance_cache=True)
        try:
            yield files
        except OSError as error:
            raise Refused(str(error)) from error
        finally:
            files.close()

    def unlink(self) -> None:
        with self.mounted() as drive:
            drive.unlink(FILE)

    def rename(self) -> None:
        with self.mounted() as drive:
            drive.rename(FILE, f"{FOLDER}/b.txt")

    def save(self) -> None:
        with self.mounted() as drive:
            handle = drive.open(FILE, os.O_RDWR | os.O_TRUNC)
            drive.write(handle, LARGE, 0)
            try:
                drive.flush(handle)
            finally:
                drive.release(handle)

    def with_files(self, change: Callable[[SkyshelfFileSystem], object]) -> None:
        with self.files() as files:
            change(files)


DELETIONS: dict[str, Callable[[Desk], None]] = {
    "rm": lambda desk: desk.type("rm", FILE),
    "tool move_to_trash": lambda desk: desk.ask("move_to_trash", confirm=True),
    "mount unlink": Desk.unlink,
    "fsspec rm": lambda desk: desk.with_files(lambda files: files.rm(FILE)),
}
MOVES: dict[str, Callable[[Desk], None]] = {
    "mv": lambda desk: desk.type("mv", FILE, FOLDER),
    "tool rename_object": lambda desk: desk.ask("rename_object", new_name="b.txt"),
    "mount rename": Desk.rename,
    "fsspec mv": lambda desk: desk.with_files(lambda files: files.mv(FILE, f"{FOLDER}/b.txt")),
}
SAVES: dict[str, Callable[[Desk], None]] = {
    "put": lambda desk: desk.type("put", str(desk._place / "a.txt"), TOP),
    "mount save": Desk.save,
    "fsspec pipe": lambda desk: desk.with_files(lambda files: files.pipe(FILE, LARGE)),
}
CHANGES = DELETIONS | MOVES | SAVES


def state(client: Client) -> tuple[object, object]:
    return remote_hashes(client), sorted(one.name for one in client.trash.list())


@pytest.fixture
def desk(person: Person, client: Client, tmp_path: Path) -> Desk:
    put(client, tmp_path, "a.txt", b"mine")
    client.create_folder("deep", TOP)
    return Desk(person, client, tmp_path)


def refuses(desk: Desk, client: Client, change: str, words: str) -> None:
    before = state(client)
    with pytest.raises(Refused) as refused:
        CHANGES[change](desk)
    assert words in str(refused.value).lower()
    assert state(client) == before
    if change == "mount save":
        (kept,) = (desk._place / "cache" / UNSAVED).iterdir()
        assert kept.read_bytes() == LARGE


@pytest.mark.parametrize("change", [*DELETIONS, *MOVES])
def test_a_paused_device_deletes_and_moves_nothing(person: Person, client: Client, desk: Desk, change: str) -> None:
    pause(person, client)
    refuses(desk, client, change, "paused")


@pytest.mark.parametrize("change", CHANGES)
def test_a_read_only_server_changes_nothing(
    desktop_host: ClientServer, client: Client, desk: Desk, change: str
) -> None:
    ctx = desktop_host.ctx
    with ExitStack() as ending:
        ending.callback(read_only.switch_off, ctx.metadata, [])
        read_only.switch_on(ctx.metadata, ReadOnly("we are moving to a new disk", ctx.clock.now()), [])
        refuses(desk, client, change, "read-only" if change.startswith("tool") else "new disk")


@pytest.mark.parametrize("change", SAVES)
def test_a_full_account_keeps_what_it_has(desktop_host: ClientServer, tmp_path: Path, change: str) -> None:
    person = desktop_host.person(quota=1000)
    with Client(**person.settings, retry_wait=0.01) as client:
        put(client, tmp_path, "a.txt", b"mine")
        refuses(Desk(person, client, tmp_path), client, change, "storage is full")
