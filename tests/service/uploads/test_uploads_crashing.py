"""An upload whose server dies at any moment loses no acknowledged byte, and comes to its end by going on."""

import hashlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from tests.service.callers import caller_of
from tests.service.crashing_many import CONTENTS, upload
from tests.service.crashing_upload import CHUNK, DATA, NAME, metadata_of

from skyshelf.service.accounts import accounts
from skyshelf.service.context import Caller, ServiceContext
from skyshelf.service.uploads import chunked
from skyshelf.service.uploads.batch import UploadResult
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

PASSWORD = "correct horse battery"


@contextmanager
def opened(data: Path) -> Iterator[ServiceContext]:
    metadata, blobs = embedded_urls(data)
    ctx = ServiceContext(metadata=open_metadata(metadata), blobs=open_blobs(blobs))
    try:
        yield ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()


def prepared(data: Path) -> Caller:
    with opened(data) as ctx:
        account = accounts.add_account(ctx, "ada@example.org", "Ada", "Byron", PASSWORD)
    return caller_of(account)


def go_on(ctx: ServiceContext, caller: Caller, at_least: int) -> StoredObject:
    """What a client does that has lost its server: initiate again, and send from where that says."""
    answer = chunked.initiate(ctx, caller, metadata_of(caller))
    assert isinstance(answer, StoredObject) or (answer.offset or 0) >= at_least
    while not isinstance(answer, StoredObject):
        assert answer.offset is not None
        data = DATA[answer.offset : answer.offset + CHUNK]
        digest = hashlib.md5(data, usedforsecurity=False).hexdigest()
        chunk = chunked.Chunk(upload_key=answer.transaction_id, offset=answer.offset, md5=digest, size=len(data))
        answer = chunked.receive(ctx, caller, chunk, [data])
    return answer


def deaths_of(program: str, template: Path, caller: Caller) -> list[dict[str, int]]:
    """What a program says about each death, but for the last round, which had no step left to die at."""
    said = subprocess.run(
        [sys.executable, "-m", program, str(template), msgspec.json.encode(caller).decode()],
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
        cwd=Path(__file__).parents[3],
    ).stdout
    deaths = [json.loads(line) for line in said.splitlines()]
    assert deaths.pop()["code"] == 0
    assert {death["code"] for death in deaths} == {-signal.SIGKILL}
    return deaths


def test_an_upload_goes_on_wherever_its_server_died(tmp_path: Path) -> None:
    template = tmp_path / "template"
    caller = prepared(template)
    deaths = deaths_of("tests.service.crashing_upload", template, caller)
    # Three chunks in two halves, each with its commit; the beginning, the end, and what is tidied up.
    assert len(deaths) >= 3 * 4 + 2 + 3
    assert {death["acknowledged"] for death in deaths} >= {0, CHUNK, 2 * CHUNK}
    for death in deaths:
        with opened(tmp_path / f"died at {death['last']}") as ctx:
            check_the_end(ctx, caller, go_on(ctx, caller, death["acknowledged"]))


def check_the_end(ctx: ServiceContext, caller: Caller, stored: StoredObject) -> None:
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        assert [child.name for child in unit.tree.children(caller.account_id, caller.root_key)] == [NAME]
        versions = unit.files.versions(caller.account_id, stored.object_key)
        quota = unit.quotas.get(caller.account_id, now)
        assert quota == unit.quotas.recount(caller.account_id, now)
        assert unit.inspection.miscounted(limit=10) == []
        blobs = [blob.location for blob in ctx.blobs.list()]
        referred = unit.content.known(blobs)
    assert [version.version for version in versions] == [1]
    assert (quota.used, quota.reserved) == (len(DATA), 0)
    assert b"".join(ctx.blobs.read(versions[0].location)) == DATA
    assert referred == {versions[0].location}
    # A crash leaves at most a blob that nobody refers to, and the sweeper takes it.
    assert len(blobs) <= 2


def test_many_files_in_one_call_are_all_there_or_none_wherever_their_server_died(tmp_path: Path) -> None:
    template = tmp_path / "template"
    caller = prepared(template)
    deaths = deaths_of("tests.service.crashing_many", template, caller)
    # Each file in two halves and with its name, the disk twice, and the commit, each of them before and after.
    assert len(deaths) == 3 * len(CONTENTS) + 2 * 2 + 2
    # Nothing was acknowledged before the last step.
    assert {death["acknowledged"] for death in deaths} == {0}
    found = []
    for death in deaths:
        with opened(tmp_path / f"died at {death['last']}") as ctx:
            found.append(names_in(ctx, caller))
            arrived = upload(ctx, caller)
            assert all(isinstance(one, StoredObject) and one.version == 1 for one in arrived)
            assert names_in(ctx, caller) == sorted(CONTENTS)
            check_contents(ctx, caller, arrived)
    assert found == [[]] * (len(deaths) - 1) + [sorted(CONTENTS)]


def names_in(ctx: ServiceContext, caller: Caller) -> list[str]:
    with ctx.metadata.read() as unit:
        return sorted(child.name for child in unit.tree.children(caller.account_id, caller.root_key))


def check_contents(ctx: ServiceContext, caller: Caller, arrived: list[UploadResult]) -> None:
    now = ctx.clock.now()
    with ctx.metadata.read() as unit:
        assert unit.quotas.get(caller.account_id, now) == unit.quotas.recount(caller.account_id, now)
        assert unit.inspection.miscounted(limit=10) == []
        for one, data in zip(arrived, CONTENTS.values(), strict=True):
            assert isinstance(one, StoredObject)
            version = unit.files.version(caller.account_id, one.object_key)
            assert b"".join(ctx.blobs.read(version.location)) == data
        referred = unit.content.known([blob.location for blob in ctx.blobs.list()])
    assert len(referred) == len(CONTENTS)
