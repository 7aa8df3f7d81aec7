"""The two stacks that the web client is tried on, and which flow meets which of them.

Every flow on both would cost a run some minutes more. So in a plain run the flows of a file take turns, and each kind
of flow meets both stacks. Those that everybody needs, and one that is alone in its file, run on both; `--web-stack` may
say otherwise.
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
"""The mark of a flow that everybody needs."""


class Stacks:
    """Each is started when the first test asks for it, and stays: tests of both take turns."""

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
    """Where a test runs, by what the run was told and where the test stands in its file."""
    told: str = flow.config.getoption("--web-stack")
    if told != IN_TURNS:
        return CHOICES[told]
    flows = _flows(flow.module)
    if len(flows) == 1 or flow.definition.get_closest_marker(EVERY_STACK):
        return BOTH
    return [BOTH[flows.index(flow.function.__name__) % len(BOTH)]]


def _flows(module: ModuleType) -> list[str]:
    """The tests of a file, in the order in which they are written."""
    return [name for name in vars(module) if name.startswith("test_")]
