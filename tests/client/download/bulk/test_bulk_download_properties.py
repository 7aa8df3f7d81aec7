"""Any tree, with any names that a server may come up with, arrives whole: every file once, and inside."""

import asyncio
import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.client.downloading import client_of, engine_of, files_below
from tests.examples import examples

from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.transfers import TransferSummary
from skyshelf.testing.faults import HOSTILE_NAMES
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestServer

pytest_plugins = ["skyshelf.testing.fixtures"]

names = st.one_of(st.sampled_from(HOSTILE_NAMES), st.text(max_size=40), st.sampled_from(["a", "A", "a.", "b", "B "]))
NUMBERS = itertools.count()
# Each object goes into the root (0) or into one of the folders before it.
trees = st.lists(st.tuples(st.integers(0, 3), st.booleans(), names), min_size=1, max_size=10)


@pytest.fixture(scope="module")
def shared(skyshelf_server: TestServer) -> TestAccount:
    """One account for all examples, each in a separate folder."""
    return skyshelf_server.add_account("trees@example.org")


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees)
def test_every_file_is_there_once_and_inside(
    tree: list[tuple[int, bool, str]], shared: TestAccount, fault_proxy: FaultProxy
) -> None:
    """Names are given by the proxy, because our own server would refuse many of them."""
    top = shared.add_folder(f"tree {next(NUMBERS)}")
    folders, contents, renames = [top], [], {}
    for number, (place, is_folder, name) in enumerate(tree):
        parent = folders[place % len(folders)]
        if is_folder:
            key = shared.add_folder(str(number), parent)
            folders.append(key)
        else:
            contents.append(b"content %d" % number)
            key = shared.add_file(str(number), contents[-1], parent)
        renames[key] = name.encode("utf-8", "replace").decode()
    fault_proxy.renames = renames

    async def work(destination: Path) -> TransferSummary:
        async with client_of(shared.session.via(fault_proxy.url)) as client:
            return await BulkDownload(engine_of(client), top, destination).run()

    with tempfile.TemporaryDirectory() as around:
        destination = Path(around) / "middle" / "destination"
        summary = asyncio.run(work(destination))
        assert summary.ok, summary.failed
        assert sorted(files_below(destination).values()) == sorted(contents)
        assert [path.name for path in Path(around).iterdir()] == ["middle"]
        assert [path.name for path in (Path(around) / "middle").iterdir()] == ["destination"]
        first = files_below(destination)
        again = asyncio.run(work(destination))
        assert (again.ok, again.done, again.skipped) == (True, 0, len(contents))
        assert files_below(destination) == first
