"""Small files that come many at a time, from servers that can do so, that cannot, and that have it wrong."""

import hashlib
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import json
from tests.client.downloading import files_below
from tests.client.foreign import Asked, Foreign, Reply, foreign_server
from tests.client.serving import Person
from tests.client.test_foreign_servers import ROOT, key, listing, shown

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine.pacer import RateLimit
from skyshelf.client.transfers import TransferEvent
from skyshelf.testing.faults import Fault, FaultPlan
from skyshelf.testing.proxy import FaultProxy
from skyshelf.wire.limits import CONTENTS_KEYS_MAX, MIB

COUNT = 300
CONTENTS = {key(number): random.Random(number).randbytes(number * 7) for number in range(COUNT)}
FILES = [
    shown(number, f"{number}.bin", sizeInBytes=len(content), hash=hashlib.md5(content).hexdigest())
    for number, content in enumerate(CONTENTS.values())
]
RIGHT = {f"{number}.bin": content for number, content in enumerate(CONTENTS.values())}

UploadBatcher = Callable[[list[str]], Reply]


def framed(keys: list[str], contents: dict[str, bytes] = CONTENTS) -> bytes:
    heads = {
        one: {"objectKey": one, "sizeInBytes": len(contents[one]), "hash": hashlib.md5(contents[one]).hexdigest()}
        for one in keys
    }
    return b"".join(json.encode(heads[one]) + b"\n" + contents[one] for one in keys)


def drive(together: UploadBatcher) -> Callable[[Asked], Reply]:
    """A server of somebody else with these files, and its own idea of the call."""
    listed = listing(FILES)

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if asked.path.startswith("/download/files/"):
            return Reply(200, CONTENTS[asked.path.rsplit("/", 1)[-1]])
        if asked.path == "/x/v1/contents":
            return together(asked.query["objectKeys"].split(","))
        return listed(asked) if asked.path == "/nms/metadata" else Reply(404)

    return answering


async def downloaded(foreign: Foreign, destination: Path) -> None:
    """Everything, checked against what is right."""
    client = AsyncClient(foreign.url, auth_token="T", user_id="U", device_key="D", retry_wait=0.001, retries=3)
    async with client:
        summary = await client.download_all(destination, workers=2)
    assert (summary.failed, summary.stopped_by, summary.done) == ([], None, COUNT)
    assert files_below(destination) == RIGHT


def asked_together(foreign: Foreign) -> list[list[str]]:
    return [one.query["objectKeys"].split(",") for one in foreign.asked if one.path == "/x/v1/contents"]


def asked_alone(foreign: Foreign) -> list[str]:
    return [one.path.rsplit("/", 1)[-1] for one in foreign.asked if one.path.startswith("/download/files/")]


async def test_a_server_that_can_sends_nearly_all_of_them_together(tmp_path: Path) -> None:
    answered = threading.Event()

    def together_first(asked: Asked) -> Reply:
        # Until the first response, the server may not support batches: other files are requested one by one.
        if asked.path.startswith("/download/files/"):
            answered.wait(30)
        reply = drive(lambda keys: Reply(200, framed(keys)))(asked)
        if asked.path == "/x/v1/contents":
            answered.set()
        return reply

    with foreign_server(together_first) as foreign:
        await downloaded(foreign, tmp_path)
    alone, together = asked_alone(foreign), asked_together(foreign)
    assert len(alone) < COUNT / 10, "some while the first answer was on its way, and the last ones"
    assert sorted([*alone, *(one for keys in together for one in keys)]) == sorted(CONTENTS)
    assert max(map(len, together)) <= CONTENTS_KEYS_MAX


@pytest.mark.parametrize(
    ("reply", "most"),
    [
        (Reply(404, b"<html>"), 1),
        (Reply(401, {"code": "X"}), 1),
        (Reply(403), 1),
        (Reply(400), 1),
        (Reply(405), 1),
        (Reply(302, b"", {"Location": "http://127.0.0.1:9/"}), 3),
        (Reply(200, b"<html>welcome</html>"), 3),
        (Reply(200, b""), 3),
        (Reply(204), 3),
        (Reply(500), 3),
        (Reply(501), 3),
        (Reply(None), 3),
    ],
    ids=lambda value: f"{value.status}-{len(value.body)}" if isinstance(value, Reply) else None,
)
async def test_a_server_that_cannot_is_soon_left_alone_with_it(tmp_path: Path, reply: Reply, most: int) -> None:
    with foreign_server(drive(lambda _: reply)) as foreign:
        await downloaded(foreign, tmp_path)
    assert 1 <= len(asked_together(foreign)) <= most
    assert sorted(asked_alone(foreign)) == sorted(CONTENTS)


def _other_bytes(keys: list[str]) -> Reply:
    return Reply(200, framed(keys, {one: bytes(len(CONTENTS[one])) for one in keys}))


def _another_length(keys: list[str]) -> Reply:
    return Reply(200, framed(keys, {one: CONTENTS[one] + b"!" for one in keys}))


def _in_another_order(keys: list[str]) -> Reply:
    return Reply(200, framed(keys[::-1]))


def _of_others(keys: list[str]) -> Reply:
    return Reply(200, framed([key(299 - int(one, 16)) for one in keys]))


def _too_few(keys: list[str]) -> Reply:
    return Reply(200, framed(keys[:-1]))


def _too_many(keys: list[str]) -> Reply:
    return Reply(200, framed([*keys, keys[0]]))


def _cut(keys: list[str]) -> Reply:
    return Reply(200, framed(keys)[:-1])


def _all_refused(keys: list[str]) -> Reply:
    return Reply(200, b"".join(json.encode({"objectKey": one, "errorCode": "E"}) + b"\n" for one in keys))


def _endless(_: list[str]) -> Reply:
    return Reply(200, b" " * MIB)


def _huge(keys: list[str]) -> Reply:
    return Reply(200, json.encode({"objectKey": keys[0], "sizeInBytes": 10**15}) + b"\n" + bytes(MIB))


@pytest.mark.parametrize(
    "together",
    [
        _in_another_order,
        _of_others,
        _too_few,
        _too_many,
        _cut,
        _endless,
        _huge,
    ],
)
async def test_a_server_that_has_it_wrong_does_no_harm(tmp_path: Path, together: UploadBatcher) -> None:
    with foreign_server(drive(together)) as foreign:
        await downloaded(foreign, tmp_path)
    assert asked_together(foreign)


@pytest.mark.parametrize("together", [_other_bytes, _another_length, _all_refused])
async def test_a_server_that_never_has_it_right_is_not_asked_again(tmp_path: Path, together: UploadBatcher) -> None:
    with foreign_server(drive(together)) as foreign:
        await downloaded(foreign, tmp_path)
    # The one content of no bytes is right however it comes, and both workers may be at it.
    assert len(asked_together(foreign)) <= 5


async def test_files_that_cannot_be_batched_or_verified_are_downloaded_separately(tmp_path: Path) -> None:
    files = [
        shown(1, "no hash", sizeInBytes=7),
        shown(2, "no size", hash=hashlib.md5(CONTENTS[key(2)]).hexdigest()),
        *({**shown(3), "objectKey": f"id {number}", "objectName": f"{number}"} for number in range(20)),
    ]

    def answering(asked: Asked) -> Reply:
        if asked.path.startswith("/download/files/"):
            return Reply(200, b"7 bytes" if asked.path.endswith(key(1)) else CONTENTS[key(2)])
        return (
            listing(files)(asked)
            if asked.path == "/nms/metadata"
            else Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        )

    with foreign_server(answering) as foreign:
        async with AsyncClient(foreign.url, auth_token="T", user_id="U", device_key="D") as client:
            summary = await client.download_all(tmp_path, workers=1, allow_unverified=True)
    assert summary.ok
    assert not asked_together(foreign)
    assert len(asked_alone(foreign)) == len(files)


async def test_our_server_sends_them_together_and_every_event_is_reported(person: Person, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    wanted = {f"{number:03d}.bin": random.Random(number).randbytes(number * 100) for number in range(200)}
    for name, content in wanted.items():
        (source / name).write_bytes(content)
    events: list[TransferEvent] = []
    with FaultProxy(person.server.url) as proxy:
        settings = person.settings
        settings["server"] = proxy.url
        async with AsyncClient(**settings) as client:
            top = await client.create_folder("many")
            await client.upload_all(source, top)
            before = proxy.requests
            summary = await client.download_all(tmp_path / "got", top, workers=4, progress=events.append)
            asked = proxy.requests - before
            assert summary.ok
            assert files_below(tmp_path / "got") == wanted
            assert asked < len(wanted), "fewer than there are files"
            for kind in ("queued", "started", "done"):
                assert sorted(one.path for one in events if one.kind == kind) == sorted(wanted)
            # A slower line, in pieces of any size, and one on which every such answer breaks.
            limited = await client.download_all(tmp_path / "slow", top, rate_limit=RateLimit(20 * MIB))
            assert limited.ok
            proxy.plan = FaultPlan(rates={Fault.CUT: 1.0}, only="/x/v1/contents")
            assert (await client.download_all(tmp_path / "cut", top, workers=2)).ok
            assert 3 <= proxy.counts()[Fault.CUT] <= 4, "and then no more"
            assert files_below(tmp_path / "slow") == files_below(tmp_path / "cut") == wanted
