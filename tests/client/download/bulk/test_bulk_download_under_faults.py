"""What must hold on the worst network: right files, or the exact names of those that are missing.

One request in five fails, in every way that the proxy knows, objects have hostile and equal names. `--fault-runs 20`
does it twenty times with 1,000 files, each time with other faults; a plain run is content with fewer.
"""

import asyncio
import hashlib
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.client.downloading import client_of, engine_of, files_below

from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.transfers import TransferEvent, TransferSummary
from skyshelf.testing.faults import HOSTILE_NAMES, Fault, FaultPlan, every_fault
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestServer

pytestmark = pytest.mark.whole

pytest_plugins = ["skyshelf.testing.fixtures"]

FOLDERS = 10
PER_FOLDER = 100


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "fault_run" in metafunc.fixturenames:
        metafunc.parametrize("fault_run", range(1, metafunc.config.getoption("--fault-runs") + 1))


class Filled:
    """1,000 files in ten folders: the content of each by its key, and the keys in each folder."""

    def __init__(self, server: TestServer) -> None:
        self.account = server.add_account("thousand@example.org")
        self.contents: dict[str, bytes] = {}
        self.in_folder: dict[str, set[str]] = {}
        folders = self.account.add_folders(f"folder {number}" for number in range(FOLDERS))
        for number, folder in enumerate(folders):
            dice = random.Random(number)
            files = [(f"{one:03d}.bin", dice.randbytes(dice.choice([0, 1, 500, 20_000]))) for one in range(PER_FOLDER)]
            keys = self.account.add_files(files, folder)
            self.in_folder[folder] = set(keys)
            self.contents |= zip(keys, (content for _, content in files), strict=True)
        self.in_folder[self.account.root_key] = set(self.contents)


@pytest.fixture(scope="module")
def filled(skyshelf_server: TestServer) -> Filled:
    return Filled(skyshelf_server)


async def run(
    account: TestAccount, proxy: FaultProxy, destination: Path, *, retries: int = 3, read_timeout: float = 5
) -> tuple[TransferSummary, dict[str, str]]:
    """The summary, and the place of each file by its key."""
    places: dict[str, str] = {}

    def note(event: TransferEvent) -> None:
        if event.kind == "done":
            places[event.object_key or ""] = event.path

    async with client_of(account.session.via(proxy.url), retries=retries, read_timeout=read_timeout) as client:
        bulk = BulkDownload(engine_of(client), account.root_key, destination, workers=16, page_size=25, on_event=note)
        return await bulk.run(), places


def test_right_files_or_the_names_of_the_missing_ones(
    filled: Filled,
    fault_proxy: FaultProxy,
    tmp_path: Path,
    fault_run: int,
    record_property: Callable[[str, object], None],
) -> None:
    account, contents = filled.account, filled.contents
    dice = random.Random(fault_run)
    fault_proxy.renames = {key: dice.choice(HOSTILE_NAMES) for key in dice.sample(sorted(contents), 200)}
    fault_proxy.plan = every_fault(0.2, seed=fault_run)
    # Every other run is with a server that sends files one by one.
    fault_proxy.has_extensions = fault_run % 2 == 1
    summary, places = asyncio.run(run(account, fault_proxy, tmp_path / "destination"))

    found = {
        path: content
        for path, content in files_below(tmp_path / "destination").items()
        if not re.search(r"\.[a-z2-7]{12}\.part$", path)
    }
    failed = {failure.object_key for failure in summary.failed if not failure.is_folder}
    unlisted = [failure.object_key or "" for failure in summary.failed if failure.is_folder]
    named = failed.union(*(filled.in_folder[key] for key in unlisted))
    assert summary.stopped_by is None
    assert sorted(found) == sorted(places.values()), "every file that is there was told of, and the other way round"
    assert all(_same(found[path], contents[key]) for key, path in places.items())
    assert contents.keys() - places.keys() == named, "exactly what is missing is named"
    assert summary.ok == (len(places) == len(contents))
    assert (summary.exit_code == 0) == summary.ok
    assert summary.done == len(places)
    assert [path.name for path in tmp_path.iterdir()] == ["destination"]
    happened = fault_proxy.counts()
    assert len(fault_proxy.log) > fault_proxy.requests * 0.1
    assert {Fault.CUT, Fault.CORRUPT, Fault.RESET, Fault.THROTTLE, Fault.ERROR} <= happened.keys()
    record_property(
        "summary",
        f"bulk download under faults, run {fault_run}: {len(places)} of {len(contents)} right, {len(failed)} named as"
        f" missing, {len(unlisted)} folders unlisted, {len(fault_proxy.log)} of {fault_proxy.requests} requests failed",
    )

    # A second run on a quiet network completes what is missing and fetches nothing else.
    fault_proxy.plan = every_fault(0.0)
    summary, more = asyncio.run(run(account, fault_proxy, tmp_path / "destination"))
    assert summary.ok
    assert places.keys() | more.keys() == contents.keys()
    assert not places.keys() & more.keys()


def test_what_cannot_be_fetched_is_named(filled: Filled, fault_proxy: FaultProxy, tmp_path: Path) -> None:
    """So many faults that no client gets everything: the run says exactly what is missing, and does not end well.

    Throttling and stalls are among them; a client that waits little after a fault is not slowed down for long.
    """
    fault_proxy.plan = replace(every_fault(0.7, seed=7), only="/download/")
    fault_proxy.has_extensions = False
    summary, places = asyncio.run(run(filled.account, fault_proxy, tmp_path, retries=3, read_timeout=0.5))
    assert filled.contents.keys() - places.keys() == {failure.object_key for failure in summary.failed}
    assert summary.failed
    assert places
    assert {Fault.THROTTLE, Fault.STALL} <= fault_proxy.counts().keys()
    assert not summary.ok
    assert summary.exit_code != 0
    assert all((tmp_path / path).read_bytes() == filled.contents[key] for key, path in places.items())


def test_a_folder_that_cannot_be_listed_is_named(filled: Filled, fault_proxy: FaultProxy, tmp_path: Path) -> None:
    lost = next(key for key in filled.in_folder if key != filled.account.root_key)
    fault_proxy.plan = FaultPlan(rates={Fault.ERROR: 1.0}, only=lost)
    summary, places = asyncio.run(run(filled.account, fault_proxy, tmp_path, retries=1))
    assert [(failure.object_key, failure.is_folder) for failure in summary.failed] == [(lost, True)]
    assert filled.contents.keys() - places.keys() == filled.in_folder[lost]
    assert not summary.ok


def _same(found: bytes, expected: bytes) -> bool:
    return hashlib.sha256(found).digest() == hashlib.sha256(expected).digest()
