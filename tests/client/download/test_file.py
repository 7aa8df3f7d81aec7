"""One object into one file, against a real server and under faults."""

import asyncio
import os
import random
from pathlib import Path

import pytest
from tests.client.downloading import client_of, engine_of, files_below, found

from skyshelf.client.download.file import Downloaded, download_object
from skyshelf.client.errors import (
    DestinationExistsError,
    IntegrityError,
    LocalFileError,
    NetworkError,
    RequestFailedError,
)
from skyshelf.client.local.names import part_name
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.testing.server import TestAccount, TestSession

pytest_plugins = ["skyshelf.testing.fixtures"]

CONTENT = random.Random(1).randbytes(3_000_000)


def download(
    session: TestSession, path: str, destination: Path, *, retries: int = 3, overwrite: bool = False
) -> Downloaded:
    async def work() -> Downloaded:
        async with client_of(session, retries=retries) as client:
            remote = await found(client, path)
            return await download_object(engine_of(client), remote.wire, destination, overwrite=overwrite)

    return asyncio.run(work())


def through(proxy: FaultProxy, account: TestAccount, fault: Fault, destination: Path, *, retries: int = 3) -> None:
    """Download while every request for content fails in one way."""

    async def work() -> None:
        async with client_of(account.session.via(proxy.url), retries=retries) as client:
            remote = await found(client, "/a.bin")
            proxy.plan = FaultPlan(rates={fault: 1.0}, stall_seconds=0.05)
            await download_object(engine_of(client), remote.wire, destination)

    asyncio.run(work())


def test_a_file_arrives_whole_with_its_time(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    done = download(skyshelf_account.session, "/a.bin", tmp_path / "b.bin")
    assert files_below(tmp_path) == {"b.bin": CONTENT}
    assert done.size == len(CONTENT)
    assert done.verified
    assert (tmp_path / "b.bin").stat().st_mtime < skyshelf_account._ctx.clock.now() / 1000 - 80_000


def test_an_empty_file_arrives(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    skyshelf_account.add_file("empty", b"")
    download(skyshelf_account.session, "/empty", tmp_path)
    assert files_below(tmp_path) == {"empty": b""}


def test_what_is_there_is_refused_unless_overwriting_is_asked_for(
    skyshelf_account: TestAccount, tmp_path: Path
) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    (tmp_path / "a.bin").write_bytes(b"mine")
    with pytest.raises(DestinationExistsError, match=r"a\.bin already exists"):
        download(skyshelf_account.session, "/a.bin", tmp_path / "a.bin")
    assert files_below(tmp_path) == {"a.bin": b"mine"}
    download(skyshelf_account.session, "/a.bin", tmp_path / "a.bin", overwrite=True)
    assert files_below(tmp_path) == {"a.bin": CONTENT}


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.STALL])
def test_a_broken_connection_is_taken_up_where_it_broke(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path, fault: Fault
) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    with pytest.raises(NetworkError):
        through(fault_proxy, skyshelf_account, fault, tmp_path / "a.bin", retries=2)
    part = tmp_path / part_name("a.bin", key)
    kept = part.stat().st_size
    assert 0 < kept < len(CONTENT)
    assert CONTENT.startswith(part.read_bytes())
    fault_proxy.plan = FaultPlan()
    download(skyshelf_account.session.via(fault_proxy.url), "/a.bin", tmp_path / "a.bin")
    assert files_below(tmp_path) == {"a.bin": CONTENT}


@pytest.mark.parametrize("fault", [Fault.CORRUPT, Fault.SHORTEN, Fault.LENGTHEN])
def test_wrong_bytes_never_become_a_file(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path, fault: Fault
) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    with pytest.raises(IntegrityError):
        through(fault_proxy, skyshelf_account, fault, tmp_path / "a.bin")
    assert files_below(tmp_path) == {}
    assert len(fault_proxy.log) == 2, "a mismatch is tried once more, from the start"


@pytest.mark.parametrize("fault", [Fault.RESET, Fault.ERROR, Fault.THROTTLE, Fault.LOSE_RESPONSE])
def test_a_request_that_fails_is_repeated_three_times(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path, fault: Fault
) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    with pytest.raises(RequestFailedError):
        through(fault_proxy, skyshelf_account, fault, tmp_path / "a.bin")
    assert len(fault_proxy.log) == 4
    assert files_below(tmp_path).get("a.bin") is None


@pytest.mark.parametrize("fault", [Fault.IGNORE_RANGE, Fault.WRONG_RANGE])
def test_another_range_than_the_one_asked_for_is_not_mixed_in(
    skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path, fault: Fault
) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    (tmp_path / part_name("a.bin", key)).write_bytes(CONTENT[:1_000_000])
    through(fault_proxy, skyshelf_account, fault, tmp_path / "a.bin")
    assert files_below(tmp_path) == {"a.bin": CONTENT}
    assert [record.fault for record in fault_proxy.log] == [fault]


@pytest.mark.parametrize("left", [b"x" * 1000, CONTENT + b"more", b"y" * len(CONTENT)])
def test_a_part_of_something_else_is_thrown_away(skyshelf_account: TestAccount, tmp_path: Path, left: bytes) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    (tmp_path / part_name("a.bin", key)).write_bytes(left)
    download(skyshelf_account.session, "/a.bin", tmp_path / "a.bin")
    assert files_below(tmp_path) == {"a.bin": CONTENT}


def test_a_whole_part_needs_no_request(skyshelf_account: TestAccount, fault_proxy: FaultProxy, tmp_path: Path) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    (tmp_path / part_name("a.bin", key)).write_bytes(CONTENT)
    through(fault_proxy, skyshelf_account, Fault.RESET, tmp_path / "a.bin")
    assert files_below(tmp_path) == {"a.bin": CONTENT}
    assert fault_proxy.log == []


def test_a_link_under_the_name_of_the_part_is_not_followed(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / part_name("a.bin", key)).symlink_to(outside)
    with pytest.raises(LocalFileError, match="link"):
        download(skyshelf_account.session, "/a.bin", inside / "a.bin")
    assert outside.read_bytes() == b"mine"


def test_a_second_name_of_another_file_is_not_written_to(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    key = skyshelf_account.add_file("a.bin", CONTENT)
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    inside = tmp_path / "inside"
    inside.mkdir()
    os.link(outside, inside / part_name("a.bin", key))
    download(skyshelf_account.session, "/a.bin", inside / "a.bin")
    assert outside.read_bytes() == b"mine"
    assert files_below(inside) == {"a.bin": CONTENT}


def test_overwriting_replaces_a_link_and_not_what_it_leads_to(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.bin").symlink_to(outside)
    download(skyshelf_account.session, "/a.bin", inside / "a.bin", overwrite=True)
    assert outside.read_bytes() == b"mine"
    assert files_below(inside) == {"a.bin": CONTENT}


def test_a_destination_that_is_a_file_is_refused_in_a_sentence(skyshelf_account: TestAccount, tmp_path: Path) -> None:
    skyshelf_account.add_file("a.bin", CONTENT)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LocalFileError, match="cannot open the folder"):
        download(skyshelf_account.session, "/a.bin", tmp_path / "file" / "a.bin")
