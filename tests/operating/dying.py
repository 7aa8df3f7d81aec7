"""Processes that are killed at a chosen moment, with no chance to clean up."""

import os
import signal
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.real_parts import commands


def die() -> None:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_after(kind: type[Any] | ModuleType, method: str, *, times: int) -> None:
    """Kill this process once a method has returned that many times."""
    calls, original = count(1), getattr(kind, method)

    def dying(self: Any, *arguments: Any, **options: Any) -> Any:
        result = original(self, *arguments, **options)
        if next(calls) == times:
            die()
        return result

    setattr(kind, method, dying)


def run_until_killed(work: str, *arguments: str) -> None:
    """Run one of the modules `dying_…` in a process of its own, which must not end otherwise."""
    module = f"tests.operating.dying_{work}"
    ended = commands.run(arguments, stdin="", environment=os.environ, folder=Path.cwd(), module=module, timeout=120)
    assert ended.returncode == -signal.SIGKILL, (arguments, ended.stdout, ended.stderr)
