"""How many connections a process may have."""

import resource
import subprocess
import sys

import pytest

from skyshelf.server.connections import traffic

RAISING = """
import resource
from skyshelf.server.connections.traffic import raise_descriptor_limit
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
raise_descriptor_limit()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
"""


def test_the_soft_limit_is_raised_to_the_hard_one() -> None:
    subprocess.run([sys.executable, "-c", RAISING], check=True)


@pytest.mark.parametrize(("limit", "connections"), [(32, 16), (256, 48), (1024, 240), (4096, 1008), (1 << 20, 4096)])
def test_connections_leave_most_descriptors_to_files(
    monkeypatch: pytest.MonkeyPatch, limit: int, connections: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    assert traffic.connection_limit() == connections


def test_without_a_limit_there_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert traffic.connection_limit() == traffic.CONNECTIONS_MAX
