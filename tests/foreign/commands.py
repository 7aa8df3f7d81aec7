"""Commands as operations: exit code, output, and what is true afterwards."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

from click.testing import CliRunner, Result
from tests.foreign.operations import FILES, Operation, check
from tests.foreign.worlds import BIG, World

from skyshelf.cli.main import main
from skyshelf.client.errors import SkyshelfError
from skyshelf.wire.client_errors import CLIENT_ERRORS, EXIT_UNEXPECTED, EXIT_USAGE


class CommandFailed(SkyshelfError):
    """A command that ended with an exit code of its own, and a sentence."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(f"exit {code}: {said.strip()}")
        self.reported = next((one.name for one in CLIENT_ERRORS if one.exit_code == code), "")
        # What is printed has no place for a code of the server.
        self.code = "KEPT" if code == 3 else None


class Shell:
    """Runs commands with the session of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.place: Path = world.place
        self._environment: dict[str, str | None] = {
            **dict.fromkeys(name for name in os.environ if name.startswith("SKYSHELF_")),
            **world.environment,
            "SKYSHELF_RETRY_WAIT": "0.001",
            "SKYSHELF_RETRY_AFTER_MAX": "0.01",
            "XDG_CONFIG_HOME": str(world.place / "config"),
            "XDG_CACHE_HOME": str(world.place / "cache"),
            "XDG_STATE_HOME": str(world.place / "state"),
        }

    async def __call__(self, *arguments: str) -> str:
        """What a command prints; an error if it fails."""
        ended: Result = await asyncio.to_thread(CliRunner().invoke, main, arguments, env=self._environment)
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise RuntimeError("a command crashed") from ended.exception
        assert ended.exit_code != EXIT_USAGE, ended.stderr
        if ended.exit_code == EXIT_UNEXPECTED and "skyshelf:" not in ended.stderr:
            raise RuntimeError(ended.stderr)
        if ended.exit_code != 0:
            check(ended.stderr.strip(), "a command failed without a word")
            raise CommandFailed(ended.exit_code, ended.stderr)
        return ended.stdout


COMMANDS: dict[str, Operation] = {}


def command(*concerns: str) -> Callable[[Callable[[Shell], Awaitable[None]]], Callable[[Shell], Awaitable[None]]]:
    def add(run: Callable[[Shell], Awaitable[None]]) -> Callable[[Shell], Awaitable[None]]:
        async def operation(world: World) -> None:
            await run(Shell(world))

        name = f"command {run.__name__.rstrip('_')}"
        COMMANDS[name] = Operation(name, operation, frozenset(concerns))
        return run

    return add


@command()
async def whoami(shell: Shell) -> None:
    check("Ada" in await shell("whoami"))


@command()
async def ls(shell: Shell) -> None:
    found = await shell("ls", "/Photos")
    check("beach.jpg" in found and "2024" in found, found)


@command()
async def tree(shell: Shell) -> None:
    check("deep.txt" in await shell("tree"))


@command()
async def find(shell: Shell) -> None:
    check("/Photos/2024/deep.txt" in await shell("find", "deep"))


@command()
async def du(shell: Shell) -> None:
    check("Photos" in await shell("du"))


@command()
async def stat(shell: Shell) -> None:
    check(await shell.world.key("/hello.txt") in (await shell("stat", "/hello.txt")).upper())


@command()
async def recent(shell: Shell) -> None:
    check("beach.jpg" in await shell("recent"))


@command()
async def versions(shell: Shell) -> None:
    check(await shell("versions", "ls", "/hello.txt"))


@command("trash")
async def trash(shell: Shell) -> None:
    check("old.txt" in await shell("trash", "ls"))


@command()
async def boards(shell: Shell) -> None:
    check("Summer" in await shell("albums", "ls"))


@command()
async def contacts(shell: Shell) -> None:
    check("Person 34" in await shell("contacts", "ls"))


@command("writes")
async def mkdir(shell: Shell) -> None:
    await shell("mkdir", "/New")
    check("New" in await shell.world.names())


@command("writes", "batches")
async def mv(shell: Shell) -> None:
    await shell("mv", "/hello.txt", "/Photos")
    check("hello.txt" in await shell.world.names("/Photos"))


@command("writes", "batches")
async def rename(shell: Shell) -> None:
    await shell("rename", "/hello.txt", "bye.txt")
    check("bye.txt" in await shell.world.names())


@command("writes", "batches")
async def fav(shell: Shell) -> None:
    await shell("fav", "/hello.txt")
    check(await shell.world.is_favorite("/hello.txt"))


@command("writes", "batches")
async def rm(shell: Shell) -> None:
    await shell("rm", "/hello.txt")
    check("hello.txt" in await shell.world.trashed())


@command("writes", "batches")
async def restore(shell: Shell) -> None:
    await shell("restore", "old.txt")
    check("old.txt" in await shell.world.names())


@command("writes", "links")
async def share(shell: Shell) -> None:
    check("?u=" in await shell("share", "/hello.txt") and await shell.world.links() == 1)


@command("downloads")
async def cat(shell: Shell) -> None:
    check(await shell("cat", "/hello.txt") == "hello, world")


@command("downloads")
async def get(shell: Shell) -> None:
    await shell("get", "/big.bin", str(shell.place / "copy.bin"))
    check((shell.place / "copy.bin").read_bytes() == BIG)


@command("downloads")
async def backup(shell: Shell) -> None:
    await shell("backup", str(shell.place / "kept"))
    check({one.name for one in (shell.place / "kept").rglob("*")} >= FILES)


@command("downloads")
async def get_everything(shell: Shell) -> None:
    await shell("get", "/", str(shell.place / "all"))
    check({one.name for one in (shell.place / "all").rglob("*")} >= FILES)
