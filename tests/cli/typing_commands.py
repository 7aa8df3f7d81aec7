"""Somebody at a terminal: commands as processes, in a pipe or in a pseudo-terminal, against a real server."""

import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from tests.client.serving import PASSWORD, Person
from tests.real_parts import commands
from tests.real_parts.commands import SKYSHELF
from tests.real_parts.readable import is_readable

from skyshelf.testing.server import TestAccount, TestSession

__all__ = ["SKYSHELF", "Typist", "without_colors"]

Record = TypeVar("Record")


class Typist:
    """A person with a home folder of their own."""

    def __init__(self, person: Person, home: Path) -> None:
        self.person = person
        self.installed = False
        """Whether every command starts the installed program, which takes its time, or has its modules already."""
        self.home = home
        self.desk = home / "desk"
        self.desk.mkdir(parents=True)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("SKYSHELF_", "NO_COLOR"))
        } | {
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "SKYSHELF_RETRY_WAIT": "0.01",
            "SKYSHELF_RETRY_AFTER_MAX": "0.01",
            "TZ": "UTC",
            "TERM": "xterm",
        }

    @property
    def server(self) -> str:
        return self.person.server.url

    @property
    def config(self) -> Path:
        return self.home / "config" / "skyshelf" / "config.json"

    @property
    def drive(self) -> TestAccount:
        """The account, to be filled past the interface."""
        session = TestSession(**self.person.settings)
        return TestAccount(self.person.server.ctx, self.person.account, session)

    def login(self) -> "Typist":
        self.done("login", "--server", self.server, self.person.account.email, "--password-stdin", stdin=PASSWORD)
        return self

    def move_session(self, server: str) -> None:
        """Let the login be one of another address, such as a proxy in front of the server."""
        self.config.write_text(self.config.read_text().replace(self.server, server))

    def run(self, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        """The command in a pipe."""
        return commands.run(
            arguments,
            stdin=stdin,
            environment=self.environment | environment,
            folder=self.desk,
            installed=self.installed,
        )

    def done(self, *arguments: str, stdin: str = "", **environment: str) -> str:
        """What a command that succeeds prints on stdout."""
        ended = self.run(*arguments, stdin=stdin, **environment)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def refused(self, *arguments: str, stdin: str = "") -> tuple[int, str]:
        """The exit code of a command that fails, and what it says; never a traceback, and no data."""
        ended = self.run(*arguments, stdin=stdin)
        assert ended.returncode != 0
        assert "Traceback" not in ended.stderr
        return ended.returncode, ended.stderr

    def records(self, kind: type[Record], *arguments: str, stdin: str = "") -> list[Record]:
        """What --json prints, held strictly to its form; --jsonl has to say the same."""
        document = self.done(*arguments, "--json", stdin=stdin)
        found = msgspec.json.decode(document, type=list[kind])  # type: ignore[valid-type]
        assert msgspec.to_builtins(found) == msgspec.json.decode(document)
        return found

    def record(self, kind: type[Record], *arguments: str, stdin: str = "", **environment: str) -> Record:
        """What --json prints of one thing."""
        document = self.done(*arguments, "--json", stdin=stdin, **environment)
        found = msgspec.json.decode(document, type=kind)
        assert msgspec.to_builtins(found) == msgspec.json.decode(document)
        return found

    def in_terminal(
        self, *arguments: str, answers: tuple[tuple[str, str | Callable[[str], str]], ...] = ()
    ) -> tuple[int, str]:
        """Exit code and everything shown in a pseudo-terminal; each answer is typed when its question is there.

        An answer that depends on what is shown is a function of it.
        """
        terminal, theirs = os.openpty()
        try:
            command = commands.start(
                arguments,
                (theirs, theirs, theirs),
                self.environment,
                self.desk,
                has_terminal=True,
                installed=self.installed,
            )
        finally:
            os.close(theirs)
        shown = b""
        waiting = list(answers)
        deadline = time.monotonic() + 60
        try:
            while time.monotonic() < deadline:
                if not is_readable(terminal, 1):
                    continue
                try:
                    piece = os.read(terminal, 65536)
                except OSError:
                    break
                if not piece:
                    break
                shown += piece
                if waiting and waiting[0][0].encode() in shown:
                    answer = waiting.pop(0)[1]
                    os.write(terminal, (answer if isinstance(answer, str) else answer(shown.decode())).encode())
        finally:
            os.close(terminal)
            code = command.wait()
        return code, shown.decode()

    def write(self, name: str, content: str | bytes = "hello") -> Path:
        """A file on the desk."""
        path = self.desk / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path


def without_colors(text: str) -> str:
    """The text that a terminal shows."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
