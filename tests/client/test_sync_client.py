"""What only the synchronous client has: its thread, interrupts, iterators that are left early."""

import asyncio
import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any, get_origin

import pytest
from tests.client.foreign import Asked, Reply, foreign_server
from tests.client.serving import Person

import skyshelf.client
from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.loop_thread import LoopThread
from skyshelf.client.sync_client import Client

ROOT = Path(__file__).parents[2]
GENERATOR = "tools/generate/sync_client.py"
API = tuple(str(path.relative_to(ROOT)) for path in (ROOT / "src/skyshelf/client/api").glob("*.py"))
SETTINGS: dict[str, Any] = {"server": "https://drive.example.org", "auth_token": "a", "user_id": "b", "device_key": "c"}


def public(owner: object) -> dict[str, object]:
    """The members of a client and of its groups: signatures and docstrings of methods, and types of other members."""
    members: dict[str, object] = {}
    for name in dir(owner):
        if name.startswith("_"):
            continue
        member = getattr(owner, name)
        if callable(member):
            # Closing differs: the synchronous client also ends its thread.
            members[name] = (*signature(member), None if name == "close" else inspect.getdoc(member))
        elif name == "credentials" or isinstance(member, int):
            members[name] = type(member)
        else:
            members[name] = inspect.getdoc(member)
            members |= {f"{name}.{below}": found for below, found in public(member).items()}
    return members


def signature(method: Callable[..., object]) -> tuple[list[inspect.Parameter], str]:
    """The parameters of a method, and the name of what a caller gets from it."""
    found = inspect.signature(method)
    returns = found.return_annotation
    name = returns.__name__ if inspect.isclass(returns) and not get_origin(returns) else str(returns)
    return list(found.parameters.values()), name.replace("AsyncIterator[", "Iterator[").removeprefix("Async")


def test_every_public_method_has_its_twin_with_the_same_signature_and_docstring() -> None:
    asynchronous_client = AsyncClient(**SETTINGS)
    with Client(**SETTINGS) as client:
        synchronous = public(client) | {f"at().{name}": found for name, found in public(client.at(1)).items()}
    asynchronous = public(asynchronous_client)
    asynchronous |= {f"at().{name}": found for name, found in public(asynchronous_client.at(1)).items()}
    assert asynchronous == synchronous
    assert len(asynchronous) > 100
    assert {"upload_all", "boards.invite", "account.sessions", "shares.create"} <= asynchronous.keys()
    assert "at().list_folder" in asynchronous
    assert inspect.signature(AsyncClient) == inspect.signature(Client)
    assert inspect.getdoc(AsyncClient) == inspect.getdoc(Client)


def test_the_synchronous_client_is_built_without_the_package_and_only_when_its_sources_changed(tmp_path: Path) -> None:
    for name in (GENERATOR, "src/skyshelf/client/async_client.py", *API):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    built = tmp_path / "src/skyshelf/client/sync_client.py"

    def build() -> int:
        subprocess.run([sys.executable, "-I", "-S", GENERATOR], cwd=tmp_path, check=True)
        return built.stat().st_ino

    first = build()
    assert built.read_bytes() == (ROOT / "src/skyshelf/client/sync_client.py").read_bytes()
    assert build() == first, "nothing changed, so the module was not written"
    source = tmp_path / "src/skyshelf/client/api/history.py"
    source.write_text(source.read_text().replace("async def list(self", "async def every(self"))
    build()
    assert "self._group.every(" in built.read_text()
    assert not list(built.parent.glob("sync_client.[0-9]*"))


def test_everything_public_is_exported_and_nothing_else() -> None:
    for name in ("Client", "AsyncClient", "NetworkError", "RemoteObject", "BatchResult", "UploadOptions"):
        assert inspect.isclass(getattr(skyshelf.client, name))
    for name in ("NonsenseError", "nonsense"):
        with pytest.raises(AttributeError):
            getattr(skyshelf.client, name)


def test_the_thread_ends_with_the_client_and_a_closed_client_says_so(person: Person) -> None:
    before = threading.active_count()
    client = Client(**person.settings)
    client.account.profile()
    assert threading.active_count() > before
    client.close()
    client.close()
    assert not [one for one in threading.enumerate() if one.name == "skyshelf-client"]
    with pytest.raises(RuntimeError, match="closed"):
        client.account.profile()


def test_an_iterator_may_be_left_early_and_used_from_several_threads(person: Person) -> None:
    with Client(**person.settings) as client:
        for number in range(5):
            client.create_folder(str(number))
        for each in client.list_folder(page_size=1):
            assert each.name == "0"
            break
        found: list[list[str]] = []

        def walk() -> None:
            found.append([one.path for one in client.walk()])

        threads = [threading.Thread(target=walk) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [[f"/{number}" for number in range(5)]] * 4


def test_an_iterator_of_the_client_can_be_given_to_another_method(person: Person) -> None:
    with Client(**person.settings) as client:
        for name in ("a", "b"):
            client.create_folder(name)
        assert client.move_to_trash(client.list_folder())
        assert len(client.restore(client.trash.list())) == 2
        assert [found.name for found in client.list_folder()] == ["a", "b"]


def test_an_iterator_that_outlives_its_client_does_no_harm(person: Person) -> None:
    with Client(**person.settings) as client:
        client.create_folder("a")
        left = client.list_folder()
        assert next(left).name == "a"
    del left


def test_an_error_in_an_iterator_comes_after_what_was_found() -> None:
    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": "f" * 32})
        number = int(asked.query["page"])
        return Reply(200, {"objects": [{"objectKey": f"{number:032x}"}]}) if number < 3 else Reply(403)

    with (
        foreign_server(answering) as foreign,
        Client(foreign.url, auth_token="a", user_id="b", device_key="c") as client,
    ):
        items: Iterator[object] = client.list_folder(kind="f", page_size=1)
        assert len([next(items) for _ in range(3)]) == 3
        with pytest.raises(skyshelf.client.ForbiddenError):
            next(items)


INTERRUPTED = """
import sys
from skyshelf.client import Client

with Client(sys.argv[1], auth_token="a", user_id="b", device_key="c") as client:
    print("ready", flush=True)
    try:
        client.account.profile()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_an_interrupt_ends_a_call_that_waits() -> None:
    waiting = threading.Event()
    release = threading.Event()

    def answering(_: Asked) -> Reply:
        waiting.set()
        release.wait(30)
        return Reply(None)

    with foreign_server(answering) as foreign:
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED, foreign.url],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert waiting.wait(30)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=30)
        release.set()
    assert told == "ready\ninterrupted\n"
    assert process.returncode == 0


FORGETFUL = """
import sys
from skyshelf.client import Client

client = Client(sys.argv[1], auth_token="a", user_id="b", device_key="c")
print(client.account.profile().user_id)
items = client.list_folder("f" * 32)
next(items)
"""


def test_a_program_that_forgets_to_close_its_client_ends_well() -> None:
    def answering(asked: Asked) -> Reply:
        shown = [{"objectKey": f"{number:032x}"} for number in range(10_000)]
        return Reply(200, {"userId": "U", "objects": shown if asked.query.get("type") == "f" else []})

    with foreign_server(answering) as foreign:
        for _ in range(3):
            told = subprocess.run(
                [sys.executable, "-c", FORGETFUL, foreign.url], capture_output=True, text=True, check=False, timeout=60
            )
            assert (told.returncode, told.stdout, told.stderr) == (0, "U\n", "")


def test_importing_the_package_loads_neither_http_nor_asyncio() -> None:
    script = "import sys, skyshelf.client; print({'asyncio', 'httptools', 'msgspec'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "set()\n"


def test_an_interrupt_at_any_moment_ends_the_call_and_leaves_nothing_running() -> None:
    """The work itself sends the signal, so it reaches the waiting thread at every possible point."""
    thread = LoopThread()
    for _ in range(200):
        ended = threading.Event()

        async def work(ended: threading.Event = ended) -> None:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.Event().wait()
            finally:
                ended.set()

        with pytest.raises(KeyboardInterrupt):
            thread.run(work())
        assert ended.is_set()
    thread.close()


def test_a_call_that_comes_when_the_client_is_closed_does_not_wait_for_ever() -> None:
    async def nothing() -> None:
        await asyncio.sleep(0)

    for _ in range(20):
        thread = LoopThread()
        thread.run(nothing())
        outcomes: list[str] = []

        def call(thread: LoopThread = thread, outcomes: list[str] = outcomes) -> None:
            try:
                while True:
                    thread.run(nothing())
            except (RuntimeError, CancelledError) as end:
                outcomes.append(type(end).__name__)

        callers = [threading.Thread(target=call) for _ in range(3)]
        for caller in callers:
            caller.start()
        thread.close()
        for caller in callers:
            caller.join(60)
        assert len(outcomes) == 3
