"""A program may end at any moment, over TLS as well: no crash, no noise, and children of a fork have a client too.

Each kind of end has a program of its own, which talks to a server that answers well, cuts, resets and stalls.
`--tls-rounds 50` runs each of them fifty times, with other moments each time.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.client.certificates import Authority
from tests.client.foreign import Asked, Foreign, Reply, foreign_server

pytestmark = pytest.mark.whole

BEGINNING = """
import asyncio, faulthandler, os, random, signal, sys, threading, time
from skyshelf.client import AsyncClient, Client, SkyshelfError

faulthandler.enable()
url, ca_file, dice = sys.argv[1], sys.argv[2], random.Random(int(sys.argv[3]))
settings = dict(auth_token="a", user_id="b", device_key="c", ca_file=ca_file, retries=1, retry_wait=0.01)
key = "0" * 31 + "1"

async def ask(client):
    try:
        if dice.random() < 0.5:
            await client.account.profile()
        else:
            await client.thumbnail(key)
    except SkyshelfError:
        pass

async def ask_on(client):
    while True:
        task = asyncio.ensure_future(ask(client))
        if dice.random() < 0.2:
            await asyncio.sleep(dice.random() * 0.01)
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)

async def ask_much(seconds=None, ready=lambda: None):
    async with AsyncClient(url, **settings) as client:
        await client.account.profile()
        ready()
        workers = asyncio.gather(*(ask_on(client) for _ in range(8)))
        try:
            await asyncio.wait_for(workers, seconds)
        except asyncio.TimeoutError:
            pass

moment = 0.05 + dice.random() * 0.3
"""

ENDS = {
    "with requests on their way in a daemon thread": """
ready = threading.Barrier(4)
for _ in range(3):
    threading.Thread(target=lambda: asyncio.run(ask_much(ready=ready.wait)), daemon=True).start()
ready.wait()
time.sleep(moment)
""",
    "with synchronous clients at work in daemon threads": """
ready = threading.Barrier(4)
def work():
    client = Client(url, **settings)
    client.account.profile()
    ready.wait()
    while True:
        try:
            client.account.profile()
        except Exception:
            pass  # at the very end the client is closed, and its calls are cancelled
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
ready.wait()
time.sleep(moment)
""",
    "without closing anything": """
client = Client(url, **settings)
client.account.profile()
async def main():
    await AsyncClient(url, **settings).account.profile()
asyncio.run(main())
""",
    "by Ctrl-C": """
async def main():
    later = asyncio.get_running_loop().call_later
    await ask_much(ready=lambda: later(moment, os.kill, os.getpid(), signal.SIGINT))
try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
""",
    "by sys.exit in the middle": """
async def main():
    later = asyncio.get_running_loop().call_later
    await ask_much(ready=lambda: later(moment, sys.exit, 0))
asyncio.run(main())
""",
    "after many event loops in many threads": """
threads = [threading.Thread(target=lambda: [asyncio.run(ask_much(0.1)) for _ in range(2)]) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
""",
    "with children of forks": """
client = Client(url, **settings)
assert client.account.profile().user_id == "U"
for _ in range(3):
    child = os.fork()
    if not child:
        signal.alarm(60)
        assert client.account.profile().user_id == "U"
        asyncio.run(ask_much(0.1))
        client.close()
        sys.exit(0)
    assert client.account.profile().user_id == "U"
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
client.close()
""",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tls_round" in metafunc.fixturenames:
        metafunc.parametrize("tls_round", range(1, metafunc.config.getoption("--tls-rounds") + 1))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Foreign, Authority]]:
    """Every fourth picture is cut, every fourth connection drops, and some of them take their time."""
    authority = Authority(tmp_path_factory.mktemp("authority"))

    def answering(asked: Asked) -> Reply:
        if asked.path.startswith("/security/"):
            return Reply(200, {"userId": "U"})
        number = len(foreign.asked) % 8
        if number in {0, 4}:
            return Reply(None)
        if number in {1, 5}:
            return Reply(200, b"x" * 100_000, {"Content-Length": "200000", "Connection": "close"})
        if number == 2:
            time.sleep(0.05)
        return Reply(200, b"x" * 300_000)

    with foreign_server(answering, authority.server("127.0.0.1")) as foreign:
        yield foreign, authority


@pytest.mark.parametrize("end", list(ENDS))
def test_no_end_of_a_program_is_a_crash(
    server: tuple[Foreign, Authority], end: str, tls_round: int, tmp_path: Path
) -> None:
    foreign, authority = server
    asked = len(foreign.asked)
    command = [sys.executable, "-c", BEGINNING + ENDS[end], foreign.url, authority.ca_file, str(tls_round)]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(foreign.asked) > asked


HANDSHAKING = """
import asyncio, faulthandler, sys, threading, time
from skyshelf.client import AsyncClient, SkyshelfError

faulthandler.enable()
url, ca_file, moment = sys.argv[1], sys.argv[2], float(sys.argv[3])
ready = threading.Barrier(4)

async def connect_on(client):
    while True:
        try:
            await client.account.profile()
        except SkyshelfError:
            pass

async def connect_much():
    settings = dict(auth_token="a", user_id="b", device_key="c", ca_file=ca_file, retries=0)
    async with AsyncClient(url, **settings) as client:
        await client.account.profile()
        ready.wait(60)
        await asyncio.gather(*(connect_on(client) for _ in range(8)))

for _ in range(3):
    threading.Thread(target=lambda: asyncio.run(connect_much()), daemon=True).start()
ready.wait(60)
time.sleep(moment)
"""


def test_a_program_that_ends_during_tls_handshakes_never_crashes(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The server closes every connection after one response, so some thread is always inside a handshake."""
    authority = Authority(tmp_path)
    programs = 30 * request.config.getoption("--tls-rounds")

    def answering(_: Asked) -> Reply:
        return Reply(200, {"userId": "U"}, {"Connection": "close"})

    with foreign_server(answering, authority.server("127.0.0.1")) as foreign:
        for number in range(programs):
            command = [sys.executable, "-c", HANDSHAKING, foreign.url, authority.ca_file, str(number % 10 * 0.01)]
            ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
            assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", ""), number


def test_no_daemon_thread_enters_openssl_once_the_program_is_ending(tmp_path: Path) -> None:
    """The end of the program waits for a daemon thread in OpenSSL, and keeps it from entering again."""
    program = """
import atexit, threading, time
order = []
atexit.register(lambda: print(*order))
from skyshelf.client.http import process_end
from skyshelf.client.http.process_end import in_openssl
import ssl
inside = threading.Event()
def work():
    with in_openssl():
        inside.set()
        while not process_end._is_ending:
            time.sleep(0.001)
        order.append("left")
    try:
        with in_openssl():
            order.append("entered again")
    except ssl.SSLError:
        order.append("refused")
thread = threading.Thread(target=work, daemon=True)
thread.start()
inside.wait()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout.split(), ended.stderr) == (0, ["left", "refused"], "")
