"""Commands on a server that lists a new folder only after a while: its name is no new name."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.client.serving import PASSWORD
from tests.foreign.commands import Shell
from tests.foreign.drive import FOREVER
from tests.foreign.messages import Asked, Reply
from tests.foreign.quirk import NO_QUIRK, Quirk
from tests.foreign.server import ForeignServer
from tests.foreign.worlds import ForeignWorld
from tests.real_parts.servers import embedded

from skyshelf.cli.main import main
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.sync_client import Client
from skyshelf.service.accounts import accounts


class Late(Quirk):
    """Listings show what has changed after a number of requests, whatever the time."""

    def __init__(self, server: ForeignServer, after: int) -> None:
        self._drive = server.drive
        self._left = after
        self._drive.lag = FOREVER

    def instead(self, asked: Asked) -> Reply | None:
        self._left -= asked.path == "/nms/metadata"
        if not self._left:
            self._drive.settle()
        return None


@pytest.fixture
async def shell(foreign: ForeignServer, tmp_path: Path) -> Shell:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        return Shell(ForeignWorld(foreign, client, tmp_path))


@pytest.mark.parametrize("after", [4, 6, 7, 10])
async def test_a_file_is_moved_into_a_folder_that_another_command_has_just_created(
    foreign: ForeignServer, shell: Shell, after: int
) -> None:
    foreign.drive.lag = FOREVER
    await shell("mkdir", "/New")
    foreign.quirk = Late(foreign, after)
    await shell("mv", "/hello.txt", "/New")
    assert await shell.world.names("/New") == {"hello.txt"}
    assert await shell.world.names() == {"Documents", "Photos", "New", "big.bin"}


async def test_a_file_is_moved_to_a_new_name_in_such_a_folder(foreign: ForeignServer, shell: Shell) -> None:
    foreign.drive.lag = FOREVER
    await shell("mkdir", "/New")
    foreign.quirk = Late(foreign, 6)
    shell.world.environment["SKYSHELF_LAG"] = "0.5"
    await Shell(shell.world)("mv", "/hello.txt", "/New/bye.txt")
    assert await shell.world.names("/New") == {"bye.txt"}


async def test_what_listings_never_show_is_a_new_name_and_with_a_slash_a_missing_folder(shell: Shell) -> None:
    shell.world.environment["SKYSHELF_LAG"] = "0.02"
    patient = Shell(shell.world)
    with pytest.raises(Exception, match="there is no /New"):
        await patient("mv", "/hello.txt", "/New/")
    await patient("mv", "/hello.txt", "/New")
    assert "New" in await shell.world.names()


@pytest.mark.whole
def test_a_late_folder_of_our_own_server_is_a_folder_too(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(name)
    with embedded(tmp_path / "server", "--simulate", "lag=3s") as stack:
        accounts.add_account(stack.ctx, "ada@example.org", "Ada", "Byron", PASSWORD)
        with Client(stack.urls[0], lag=60) as client:
            session = client.login("ada@example.org", PASSWORD)
            environment = {
                "SKYSHELF_SERVER": stack.urls[0],
                "SKYSHELF_AUTH_TOKEN": session.auth_token,
                "SKYSHELF_USER_ID": session.user_id,
                "SKYSHELF_DEVICE_KEY": session.device_key,
                "SKYSHELF_LAG": "60",
                "XDG_CONFIG_HOME": str(tmp_path),
                "XDG_CACHE_HOME": str(tmp_path),
            }

            def run(*command: str) -> None:
                ended = CliRunner().invoke(main, command, env=environment)
                assert ended.exit_code == 0, ended.output

            client.upload(tmp_path / "a.txt")
            run("mkdir", "/New")
            # It ends when the folder is listed, and so is then what was uploaded before.
            run("put", str(tmp_path / "b.txt"), "/New")
            run("mkdir", "/Newer")
            run("mv", "/a.txt", "/Newer")
            assert client.find("/New/b.txt", expected=True) is not None
            assert client.find("/Newer/a.txt", expected=True) is not None
