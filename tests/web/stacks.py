"""The two stacks that the web client is tested on, and which test runs on which.

Running every test on both would take some minutes more. So by default the tests of a file alternate between the stacks;
important flows, and the only test of a file, run on both. `--web-stack` overrides this.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import ModuleType

import pytest
from tests.real_parts.servers import Stack, embedded, scaled_out

EMBEDDED, SCALED_OUT = "sqlite+disk", "postgres+s3"
BOTH = [EMBEDDED, SCALED_OUT]
CHOICES: dict[str, list[str]] = {"both": BOTH, "embedded": [EMBEDDED], "scaled": [SCALED_OUT]}
IN_TURNS = "turns"
EVERY_STACK = "every_stack"
"""Marks an important flow, which runs on both stacks."""


class Stacks:
    """Each stack is started for its first test and stays, because tests alternate between them."""

    def __init__(self, new_folder: Callable[[str], Path], until: ExitStack) -> None:
        self._new_folder = new_folder
        self._until = until
        self._started: dict[str, Stack] = {}

    def __getitem__(self, name: str) -> Stack:
        if name not in self._started:
            self._started[name] = self._until.enter_context(self._starting(name))
        return self._started[name]

    def _starting(self, name: str) -> AbstractContextManager[Stack]:
        folder = self._new_folder("stack")
        return embedded(folder) if name == EMBEDDED else scaled_out(folder, instances=1)


def stacks_of(flow: pytest.Metafunc) -> list[str]:
    """The stacks of a test, by the option and its position in the file."""
    told: str = flow.config.getoption("--web-stack")
    if told != IN_TURNS:
        return CHOICES[told]
    flows = _flows(flow.module)
    if len(flows) == 1 or flow.definition.get_closest_marker(EVERY_STACK):
        return BOTH
    return [BOTH[flows.index(flow.function.__name__) % len(BOTH)]]


def _flows(module: ModuleType) -> list[str]:
    """The tests of a file, in source order."""
    return [name for name in vars(module) if name.startswith("test_")]
