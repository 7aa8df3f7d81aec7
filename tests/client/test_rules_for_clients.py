"""What the interface asks of clients, seen by a server: how many calls, to which hosts, and how many at once."""

import hashlib
import threading
from pathlib import Path

import pytest
from tests.client.foreign import Asked, Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.hosts import SETTINGS, Hosts
from skyshelf.client.sync_client import Client
from skyshelf.wire.limits import LISTING_LIMIT_MAX

ROOT = "f" * 32
GIB = 2**30


def client_of(foreign: Foreign) -> AsyncClient:
    return AsyncClient(foreign.url, auth_token="a", user_id="b", device_key="c", retries=0)


def entry(number: int, name: str, kind: str, **fields: object) -> dict[str, object]:
    return {"objectKey": f"{number:032x}", "objectName": name, "objectType": kind, **fields}


async def test_a_search_is_a_walk_with_one_call_for_folders_and_one_for_files_in_each_folder() -> None:
    tree = {
        (ROOT, "w"): [entry(1, "Photos", "FR"), entry(2, "Notes", "FR")],
        (ROOT, "f"): [entry(3, "sea.jpg", "FE")],
        (f"{1:032x}", "f"): [entry(4, "SEA.png", "FE"), entry(5, "land.png", "FE")],
    }

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if asked.path.startswith("/x/v1/"):
            return Reply(404, {})
        if int(asked.query["limit"]) > LISTING_LIMIT_MAX:
            return Reply(400, {"code": "E", "message": "limit"})
        return Reply(200, {"objects": tree.get((asked.query["folderKey"], asked.query["type"]), [])})

    with foreign_server(answering) as foreign:
        async with client_of(foreign) as client:
            found = [walked.path async for walked in client.search("sea")]
    assert found == ["/sea.jpg", "/Photos/SEA.png"]
    listings = [
        (one.query["folderKey"], one.query["type"])
        for one in foreign.asked
        if one.path == "/nms/metadata" and int(one.query["limit"]) <= LISTING_LIMIT_MAX
    ]
    assert sorted(listings) == sorted((folder, kind) for folder in (ROOT, f"{1:032x}", f"{2:032x}") for kind in "fw")


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (
            {"totalAllocatedQuota": 4 * GIB, "totalUsedQuota": GIB, "allocatedSpace": 1, "usedSpace": 1},
            (4.0, 1.0, 25.0),
        ),
        ({"totalAllocatedQuota": 4 * GIB, "totalUsedQuota": 0, "usedSpace": GIB}, (4.0, 0.0, 0.0)),
        ({"allocatedSpace": 4 * GIB, "usedSpace": 2 * GIB}, (4.0, 2.0, 50.0)),
        ({}, (0.0, 0.0, 100.0)),
    ],
    ids=["both", "a total of nothing", "the older ones alone", "neither"],
)
async def test_the_quota_falls_back_from_the_totals_to_the_older_fields(
    told: dict[str, int], expected: tuple[float, float, float]
) -> None:
    with foreign_server(lambda _: Reply(200, {"userId": "U", "quota": told})) as foreign:
        async with client_of(foreign) as client:
            quota = await client.account.quota()
    assert (quota.allocated_gb, quota.used_gb, quota.used_percent) == expected


def test_one_server_fills_the_addresses_of_all_hosts_that_are_not_named() -> None:
    hosts = Hosts.of("https://drive.example.org/", {"download_url": "https://files.example.org"})
    expected = dict.fromkeys(SETTINGS, "https://drive.example.org") | {"download_url": "https://files.example.org"}
    assert hosts.urls == expected


def test_a_bulk_download_has_several_files_on_their_way_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(4, timeout=60)
    content = b"x" * 100
    md5 = hashlib.md5(content, usedforsecurity=False).hexdigest()
    files = [entry(number, f"{number}.bin", "FE", sizeInBytes=100, hash=md5) for number in range(8)]

    def answering(asked: Asked) -> Reply:
        if asked.path == "/security/users":
            return Reply(200, {"userId": "U", "rootFolderKey": ROOT})
        if "/download/" in asked.path:
            # No request is answered before four have arrived: a sequential client would never finish.
            together.wait()
            return Reply(200, content)
        return Reply(200, {"objects": files if (asked.query["type"], asked.query["page"]) == ("f", "0") else []})

    with (
        foreign_server(answering) as foreign,
        Client(foreign.url, auth_token="a", user_id="b", device_key="c", retries=0) as client,
    ):
        summary = client.download_all(tmp_path, workers=4)
    assert (summary.done, summary.failed) == (8, [])
