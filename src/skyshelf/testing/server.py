"""A real server for tests, in its own process with its own data folder, and helpers that fill accounts quickly."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.retention import retention
from skyshelf.storage.blobs.protocols import StoredBlob
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata
from skyshelf.wire.names import category, split_mime

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 20.0
PASSWORD: Final = "correct horse battery staple"  # noqa: S105 - for test accounts only
_COMMAND: Final = "from skyshelf.cli.main import main; main()"


class TestSession(Struct, frozen=True, kw_only=True):
    """The credentials of a logged-in account; the fields are named like the arguments of `Client`."""

    __test__ = False

    server: str
    auth_token: str
    user_id: str
    device_key: str

    def via(self, server: str) -> "TestSession":
        """Return the session at another base URL, such as a `FaultProxy`'s."""
        return replace(self, server=server)

    def settings(self) -> dict[str, str]:
        """Keyword arguments for a client: `Client(**session.settings())`."""
        return asdict(self)


class TestAccount:
    """An account on a `TestServer`. Files and folders are written directly to the store, without requests.

    `session` holds its credentials.
    """

    __test__ = False

    def __init__(self, ctx: ServiceContext, account: Account, session: TestSession) -> None:
        self._ctx = ctx
        self._account = account
        self._stored: dict[str, StoredBlob] = {}
        self.session = session

    @property
    def root_key(self) -> str:
        """The key of the root folder."""
        return self._account.root_key

    def add_folder(self, name: str, parent_key: str | None = None) -> str:
        """Create a folder, by default in the root folder; returns its key."""
        return self.add_folders([name], parent_key)[0]

    def add_folders(self, names: Iterable[str], parent_key: str | None = None) -> list[str]:
        """Create several folders in one transaction; returns their keys."""
        new = [
            NewFolder(object_key=self._ctx.new_key(), parent_key=parent_key or self.root_key, name=name)
            for name in names
        ]
        now = self._ctx.clock.now()

        def work(unit: Unit) -> list[str]:
            return [unit.tree.add_folder(self._account.account_id, folder, now).object_key for folder in new]

        return self._ctx.metadata.write(work)

    def add_file(self, name: str, content: bytes, parent_key: str | None = None) -> str:
        """Create a file, by default in the root folder; returns its key."""
        return self.add_files([(name, content)], parent_key)[0]

    def add_files(self, files: Iterable[tuple[str, bytes]], parent_key: str | None = None) -> list[str]:
        """Create several files, given as (name, content), in one transaction; returns their keys."""
        new = [self._new_file(name, content, parent_key or self.root_key) for name, content in files]
        now, kept = self._ctx.clock.now(), retention(self._ctx).versions_kept

        def work(unit: Unit) -> list[str]:
            puts = [unit.files.put(self._account.account_id, file, now, keep_versions=kept) for file in new]
            return [put.object.object_key for put in puts]

        return self._ctx.metadata.write(work)

    def _new_file(self, name: str, content: bytes, parent_key: str) -> NewFile:
        md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
        # Content that exists is not stored again, as in the service.
        stored = self._stored.get(md5)
        if stored is None:
            stored = self._stored[md5] = self._ctx.blobs.put([content])
        mime_type, mime_subtype = split_mime(name)
        now = self._ctx.clock.now()
        return NewFile(
            object_key=self._ctx.new_key(),
            parent_key=parent_key,
            name=name,
            sha256=stored.sha256,
            md5=md5,
            size=len(content),
            location=stored.location,
            category=category(mime_type),
            mime_type=mime_type,
            mime_subtype=mime_subtype,
            file_created_at=now,
            last_modified_at=now - 86_400_000,
            created_by="Test",
        )


class TestServer:
    """`skyshelf serve` with its own data folder; `options` are passed on to it. Use it as a context manager.

    with TestServer(tmp_path / "data") as server:
        account = server.add_account("ada@example.org")
    """

    __test__ = False

    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self._options = options
        self._log = data.with_name(data.name + ".log")
        self._process: subprocess.Popen[bytes] | None = None
        self._ctx: ServiceContext | None = None
        self.url = ""

    def __enter__(self) -> "TestServer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, port: int = 0) -> None:
        """Start the process and wait until it responds; port 0 picks a free port."""
        self.data.mkdir(parents=True, exist_ok=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("SKYSHELF_")}
        command = [sys.executable, "-c", _COMMAND, "serve", "--data", str(self.data), "--port", str(port)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [*command, *self._options], stdout=log, stderr=log, env=environment, start_new_session=True
            )
        self.url = self._wait_for(self._announced_url)
        self._wait_for(self._responding_url)

    def stop(self) -> None:
        """Stop it gracefully."""
        if self._ctx is not None:
            self._ctx.metadata.close()
            self._ctx.blobs.close()
            self._ctx = None
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """Kill it without warning."""
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(STOP_SECONDS)

    def add_account(self, email: str) -> TestAccount:
        """Create an account and log in to it."""
        ctx = self._open_stores()
        account = accounts.add_account(ctx, email, "Test", "Account", PASSWORD)
        return TestAccount(ctx, account, self.log_in(email))

    def log_in(self, email: str) -> TestSession:
        """Log in to an account created by `add_account`."""
        body = json.dumps({"emailId": email, "password": PASSWORD}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/x/v1/login", body, headers)  # noqa: S310 - our own server
        with urllib.request.urlopen(request, timeout=START_SECONDS) as reply:  # noqa: S310
            login = json.load(reply)
        return TestSession(
            server=self.url, auth_token=login["authToken"], user_id=login["userId"], device_key=login["deviceKey"]
        )

    def _open_stores(self) -> ServiceContext:
        if self._ctx is None:
            metadata, blobs = embedded_urls(self.data)
            self._ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
        return self._ctx

    def _announced_url(self) -> str | None:
        found = re.search(r"listening on +(\S+)", self._log.read_text())
        return found[1] if found else None

    def _responding_url(self) -> str | None:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=START_SECONDS):  # noqa: S310
                return self.url
        except urllib.error.HTTPError:
            return self.url
        except OSError:
            return None

    def _wait_for(self, probe: Callable[[], str | None]) -> str:
        deadline = time.monotonic() + START_SECONDS
        while (found := probe()) is None:
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start; its log: {self._log.read_text()}")
            time.sleep(0.02)
        return found
