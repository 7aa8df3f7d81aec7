"""Everything below a folder: mirrored, nothing lost, nothing twice, nothing outside of the destination."""

import asyncio
import os
import random
from pathlib import Path

import pytest
from tests.client.downloading import client_of, engine_of, files_below
from tests.client.foreign import Asked, Reply, foreign_server
from tests.client.test_foreign_servers import drive, key, shown

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.download.bulk.run import BulkDownload
from skyshelf.client.download.bulk.state import DownloadState, KnownFile
from skyshelf.client.errors import DestinationExistsError, IntegrityError, LocalFileError
from skyshelf.client.local.names import STATE_FOLDER, part_name
from skyshelf.client.transfers import TransferError, TransferEvent, TransferSummary
from skyshelf.testing.faults import HOSTILE_NAMES, Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestSession

pytest_plugins = ["skyshelf.testing.fixtures"]

FAR = 12_000_000_000
"""The year 2350, in seconds."""


def download(
    session: TestSession,
    root_key: str,
    destination: Path,
    *,
    overwrite: bool = False,
    page_size: int = 2000,
    events: list[TransferEvent] | None = None,
    retries: int = 3,
) -> TransferSummary:
    async def work() -> TransferSummary:
        async with client_of(session, retries=retries) as client:
            bulk = BulkDownload(
                engine_of(client),
                root_key,
                destination,
                overwrite=overwrite,
                page_size=page_size,
                on_event=None if events is None else events.append,
            )
            return await bulk.run()

    return asyncio.run(work())


@pytest.fixture
def tree(skyshelf_account: TestAccount) -> dict[str, bytes]:
    """A small tree, and what it must look like afterwards."""
    photos = skyshelf_account.add_folder("Photos")
    year = skyshelf_account.add_folder("2024", photos)
    skyshelf_account.add_folder("empty")
    expected = {"a.txt": b"a", "Photos/b.jpg": b"b" * 100_000, "Photos/2024/c.bin": random.Random(1).randbytes(500_000)}
    skyshelf_account.add_file("a.txt", expected["a.txt"])
    skyshelf_account.add_file("b.jpg", expected["Photos/b.jpg"], photos)
    skyshelf_account.add_file("c.bin", expected["Photos/2024/c.bin"], year)
    return expected


def test_the_tree_is_mirrored(skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path) -> None:
    events: list[TransferEvent] = []
    summary = download(skyshelf_account.session, skyshelf_account.root_key, tmp_path, events=events)
    assert summary.ok
    assert (summary.done, summary.skipped, summary.folders) == (3, 0, 4)
    assert summary.bytes_done == sum(map(len, tree.values()))
    assert files_below(tmp_path) == tree
    assert (tmp_path / "empty").is_dir()
    assert {event.path for event in events if event.kind == "done"} == tree.keys()
    assert {event.path for event in events if event.kind == "listed"} == {"", "Photos", "Photos/2024", "empty"}


def test_a_second_run_fetches_nothing(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tree: dict[str, bytes], tmp_path: Path
) -> None:
    download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    fault_proxy.plan = FaultPlan()
    summary = download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, tmp_path)
    assert (summary.ok, summary.done, summary.skipped) == (True, 0, 3)
    # Two kinds for each of four folders, and a look behind each page that had anything.
    assert fault_proxy.requests == 8 + 5


def test_without_notes_the_files_themselves_are_read(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    (tmp_path / STATE_FOLDER / "state.db").write_bytes(b"no database at all, and long enough to be taken for one" * 99)
    summary = download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    assert (summary.ok, summary.done, summary.skipped) == (True, 0, 3)


def test_what_was_changed_here_is_not_replaced_unless_asked_for(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    (tmp_path / "a.txt").write_bytes(b"my own words")
    summary = download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    assert [failure.path for failure in summary.failed] == ["a.txt"]
    assert isinstance(summary.failed[0].error, DestinationExistsError)
    assert summary.exit_code != 0
    with pytest.raises(TransferError, match="1 could not be transferred"):
        summary.raise_for_failures()
    assert (tmp_path / "a.txt").read_bytes() == b"my own words"
    assert download(skyshelf_account.session, skyshelf_account.root_key, tmp_path, overwrite=True).ok
    assert files_below(tmp_path) == tree


def test_a_file_changed_on_the_server_replaces_an_unchanged_local_one(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    skyshelf_account.add_file("a.txt", b"a second version")
    summary = download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    assert (summary.ok, summary.done, summary.skipped) == (True, 1, 2)
    assert files_below(tmp_path) == tree | {"a.txt": b"a second version"}


def test_a_file_from_the_far_future_stops_nothing_and_is_fetched_once(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    """From 2262 on, its time on the disk in nanoseconds is more than a note can hold."""
    late = tmp_path / "late"
    late.write_bytes(b"late")
    os.utime(late, (FAR, FAR))

    async def upload() -> None:
        async with client_of(skyshelf_account.session) as client:
            await client.upload(late)

    asyncio.run(upload())
    copy = tmp_path / "copy"
    for done, skipped in ((4, 0), (0, 4)):
        summary = download(skyshelf_account.session, skyshelf_account.root_key, copy)
        assert (summary.ok, summary.done, summary.skipped) == (True, done, skipped)
        assert files_below(copy) == tree | {"late": b"late"}


def test_objects_that_share_a_name_are_all_kept_under_the_same_names_in_every_run(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path
) -> None:
    keys = skyshelf_account.add_files((f"{number}.txt", f"content {number}".encode()) for number in range(6))
    names = ["same.txt", "same.txt", "SAME.TXT", "caf\u00e9", "cafe\u0301", "same.txt"]
    fault_proxy.renames = dict(zip(keys, names, strict=True))
    for folder in (tmp_path / "one", tmp_path / "two"):
        assert download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, folder).ok
    one = files_below(tmp_path / "one")
    assert sorted(one.values()) == [f"content {number}".encode() for number in range(6)]
    assert one == files_below(tmp_path / "two")
    smallest = min((0, 1, 2, 5), key=lambda number: keys[number])
    assert one[names[smallest]] == f"content {smallest}".encode()


def test_hostile_names_stay_inside(skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path) -> None:
    contents = [f"content {number}".encode() for number in range(len(HOSTILE_NAMES))]
    keys = skyshelf_account.add_files((f"{number}.txt", content) for number, content in enumerate(contents))
    folders = skyshelf_account.add_folders(f"folder {number}" for number in range(len(HOSTILE_NAMES)))
    for number, folder in enumerate(folders):
        skyshelf_account.add_file("inside.txt", b"inside %d" % number, folder)
    renames = dict(zip(keys, HOSTILE_NAMES, strict=True)) | dict(zip(folders, HOSTILE_NAMES, strict=True))
    fault_proxy.renames = renames
    destination = tmp_path / "a" / "destination"
    summary = download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, destination)
    assert summary.ok, summary.failed
    expected = contents + [b"inside %d" % number for number in range(len(folders))]
    assert sorted(files_below(destination).values()) == sorted(expected)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["destination"]


def test_a_link_in_the_destination_is_not_followed_out_of_it(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    outside, destination = tmp_path / "outside", tmp_path / "destination"
    outside.mkdir()
    destination.mkdir()
    (destination / "Photos").symlink_to(outside)
    summary = download(skyshelf_account.session, skyshelf_account.root_key, destination)
    assert [(failure.path, failure.is_folder) for failure in summary.failed] == [("Photos", True)]
    assert list(outside.iterdir()) == []
    assert (destination / "a.txt").read_bytes() == tree["a.txt"]


def test_our_own_folder_is_not_followed_either(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    outside, destination = tmp_path / "outside", tmp_path / "destination"
    outside.mkdir()
    destination.mkdir()
    (destination / STATE_FOLDER).symlink_to(outside)
    with pytest.raises(LocalFileError):
        download(skyshelf_account.session, skyshelf_account.root_key, destination)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["state.db", "state.db-wal", "state.db-journal", "plan.db-journal"])
def test_the_files_of_our_notes_are_not_followed_either(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path, name: str
) -> None:
    outside, destination = tmp_path / "outside", tmp_path / "destination"
    outside.write_bytes(b"somebody's")
    (destination / STATE_FOLDER).mkdir(parents=True)
    (destination / STATE_FOLDER / name).symlink_to(outside)
    with pytest.raises(LocalFileError):
        download(skyshelf_account.session, skyshelf_account.root_key, destination)
    assert outside.read_bytes() == b"somebody's"


def test_notes_that_another_process_uses_are_not_thrown_away(tmp_path: Path) -> None:
    note = KnownFile(folder="", name="a", key="k", size=1, mtime_ns=2, md5="m", remote_modified=None)
    used = DownloadState(tmp_path / "state.db")
    used.record([note])
    with pytest.raises(LocalFileError, match="another process"):
        DownloadState(tmp_path / "state.db")
    used.close()
    again = DownloadState(tmp_path / "state.db")
    assert again.known("", ["a"]) == {"a": note}
    again.close()


def test_one_wrong_file_does_not_stop_the_others(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tree: dict[str, bytes], tmp_path: Path
) -> None:
    key = skyshelf_account.add_file("wrong.bin", b"x" * 1000)
    fault_proxy.plan = FaultPlan(rates={Fault.CORRUPT: 1.0}, only=key)
    summary = download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, tmp_path)
    assert [(failure.path, type(failure.error)) for failure in summary.failed] == [("wrong.bin", IntegrityError)]
    assert summary.done == 3
    assert files_below(tmp_path) == tree
    assert len(fault_proxy.log) == 4, "once more from the start, and once more at the end of the run"


def test_a_run_that_is_cancelled_while_the_server_is_silent_ends_within_seconds(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path
) -> None:
    """Every worker waits in the middle of a body for bytes that never come."""
    contents = {f"{number}.bin": random.Random(number).randbytes(3_000_000) for number in range(12)}
    skyshelf_account.add_files(contents.items())
    fault_proxy.plan = FaultPlan(rates={Fault.STALL: 1.0}, stall_seconds=600, only="/download/")

    async def work() -> float:
        async with client_of(skyshelf_account.session.via(fault_proxy.url), read_timeout=600) as client:
            bulk = BulkDownload(engine_of(client), skyshelf_account.root_key, tmp_path, workers=8)
            running = asyncio.ensure_future(bulk.run())
            while len(fault_proxy.log) < 8 and not running.done():
                await asyncio.sleep(0.01)
            began = asyncio.get_running_loop().time()
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            return asyncio.get_running_loop().time() - began

    assert asyncio.run(work()) < 20
    assert all(name.endswith(".part") for name in files_below(tmp_path))
    fault_proxy.plan = FaultPlan()
    assert download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, tmp_path).ok
    assert files_below(tmp_path) == contents


def test_a_run_that_is_cancelled_is_continued_by_the_next(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path
) -> None:
    contents = {f"{number:03d}.bin": random.Random(number).randbytes(50_000) for number in range(60)}
    large = random.Random(99).randbytes(8_000_000)
    key = skyshelf_account.add_file("large.bin", large)
    skyshelf_account.add_files(contents.items())
    counted: list[str] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None

        def stop(event: TransferEvent) -> None:
            if event.kind == "done":
                counted.append(event.path)
                if len(counted) == 10:
                    task.cancel()

        async with client_of(skyshelf_account.session) as client:
            await BulkDownload(engine_of(client), skyshelf_account.root_key, tmp_path, on_event=stop).run()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(work())
    before = files_below(tmp_path)
    finished = {name for name in before if not name.endswith(".part")}
    assert len(finished) >= 10
    assert all(before[name] == (contents | {"large.bin": large})[name] for name in finished)
    summary = download(skyshelf_account.session, skyshelf_account.root_key, tmp_path)
    assert summary.ok
    assert summary.skipped == len(finished)
    assert files_below(tmp_path) == contents | {"large.bin": large}
    assert not (tmp_path / part_name("large.bin", key)).exists()


def test_two_runs_into_one_destination_are_refused(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    async def work() -> None:
        async with client_of(skyshelf_account.session) as client:

            def again(event: TransferEvent) -> None:
                if event.kind == "listed" and not event.path:
                    waiting.append(asyncio.ensure_future(second.run()))

            waiting: list[asyncio.Future[TransferSummary]] = []
            second = BulkDownload(engine_of(client), skyshelf_account.root_key, tmp_path)
            first = BulkDownload(engine_of(client), skyshelf_account.root_key, tmp_path, on_event=again)
            assert (await first.run()).ok
            with pytest.raises(LocalFileError, match="another download"):
                await waiting[0]

    asyncio.run(work())


def test_an_ended_session_stops_the_run_and_says_so(
    skyshelf_account: TestAccount, tree: dict[str, bytes], tmp_path: Path
) -> None:
    stranger = TestSession(
        server=skyshelf_account.session.server, auth_token="AAAA", user_id="A" * 32, device_key="nobody"
    )
    summary = download(stranger, skyshelf_account.root_key, tmp_path)
    assert summary.stopped_by is not None
    assert not summary.ok
    assert summary.exit_code != 0


@pytest.mark.parametrize("fault", [Fault.REPEAT_PAGE, Fault.SHORT_PAGE, Fault.DUPLICATES, Fault.CORRUPT, Fault.CUT])
def test_broken_pages_lose_nothing_or_say_so(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path, fault: Fault
) -> None:
    contents = {f"{number:03d}.txt": b"content %d" % number for number in range(100)}
    skyshelf_account.add_files(contents.items())
    for seed in range(3):
        fault_proxy.plan = FaultPlan(rates={fault: 0.3}, seed=seed)
        destination = tmp_path / str(seed)
        summary = download(
            skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, destination, page_size=10
        )
        if summary.ok:
            assert files_below(destination) == contents
        else:
            assert all(failure.reason for failure in summary.failed)


def test_a_server_with_smaller_pages_than_asked_for_is_listed_to_its_end(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path
) -> None:
    contents = {f"{number:03d}.txt": b"content %d" % number for number in range(25)}
    skyshelf_account.add_files(contents.items())
    fault_proxy.page_limit = 7
    assert download(skyshelf_account.session.via(fault_proxy.url), skyshelf_account.root_key, tmp_path).ok
    assert files_below(tmp_path) == contents


@pytest.mark.parametrize("broken", [Reply(503), Reply(200, b"<html>"), Reply(None)], ids=["busy", "page", "cut"])
async def test_a_folder_that_cannot_be_listed_is_listed_again_at_the_end(tmp_path: Path, broken: Reply) -> None:
    below = key(1)
    failed: list[str] = []

    def answering(asked: Asked) -> Reply:
        is_below = asked.query.get("folderKey") == below
        if is_below and asked.query["type"] == "f" and len(failed) < 2:
            failed.append(asked.path)
            return broken
        if asked.query.get("type") == "w":
            return Reply(200, {"objects": [] if is_below else [shown(1, "below", kind="FR")]})
        return Reply(200, {"objects": [shown(2, sizeInBytes=0, parentObjectKey=below)] if is_below else []})

    def downloading(asked: Asked) -> Reply:
        return Reply(200, b"") if asked.path.startswith("/download/") else drive(metadata=answering)(asked)

    with foreign_server(downloading) as foreign:
        client = AsyncClient(foreign.url, auth_token="T", user_id="U", device_key="D", retry_wait=0.001, retries=1)
        async with client:
            summary = await client.download_all(tmp_path)
    assert len(failed) == 2, "as often as one attempt is worth"
    assert summary.ok
    assert (tmp_path / "below" / "file00002").read_bytes() == b""
