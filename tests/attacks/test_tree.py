"""Long texts, long batches, deep folders and the worst searches of one account: others are served, nothing grows."""

import io
import random
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from msgspec.structs import replace
from tests.attacks.attacked import Attacked
from tests.conformance.metadata.making import insert_chain, new_file
from tests.server.api import Api, error_of
from tests.server.echoes import entry

from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.postgres.store import PostgresStore
from skyshelf.storage.metadata.sql.tree.objects import new_folder
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import FOLDER_DEPTH_MAX

MIB = 1024 * 1024
FILES = 480
ROUNDS = 2
SEARCHED = 1000
PROBES = 30


def text(seed: int, characters: int) -> str:
    """So many characters of which hardly any three come twice."""
    chosen = random.Random(seed)
    return "".join(chr(chosen.randint(0x4E00, 0x9FFF)) for _ in range(characters))


def put_files(attacker: Api, files: list[NewFile]) -> list[str]:
    """Straight into the store; all have the same bytes."""
    ctx = attacker.ctx
    data = ctx.blobs.put([b"some bytes"])
    located = [replace(new, sha256=data.sha256, location=data.location) for new in files]
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.files.put_many(attacker.account.account_id, located, now, keep_versions=1))
    return [new.object_key for new in files]


def database_bytes(ctx: ServiceContext) -> int:
    with ctx.metadata.read() as unit:
        assert isinstance(unit, Unit)
        if isinstance(ctx.metadata, PostgresStore):
            row = unit.sql.one("SELECT pg_database_size(current_database())")
        else:
            row = unit.sql.one("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    assert row is not None
    return int(row[0])


def batch(attacker: Api, operation: str, keys: list[str], changes: Iterator[dict[str, str]]) -> None:
    echo = {"objectName": "a.txt", "sourceName": "DRIVE"}
    entries = [
        entry(operation, {"objectKey": key} | echo, **change) for key, change in zip(keys, changes, strict=False)
    ]
    response = attacker.put("/nms/metadata/1.0", json={"objects": entries})
    assert response.status_code == 200, response.text
    assert response.json()["unprocessed"] == []


def unchanged() -> Iterator[dict[str, str]]:
    while True:
        yield {}


def new_names(seed: int) -> Iterator[dict[str, str]]:
    while True:
        seed += 1
        yield {"objectName": text(1_000_000 + seed, 84)}


def test_favourites_with_the_longest_source_folders(attacked: Attacked) -> None:
    attacker = attacked.account()
    before = database_bytes(attacked.ctx)
    keys = put_files(
        attacker,
        [new_file(attacker.root_key, f"{number}.txt", source_folder=text(number, 4096)) for number in range(FILES)],
    )
    # The texts themselves are 12 KiB each, and there are two copies of them.
    assert database_bytes(attacked.ctx) - before < FILES * 2 * 12288 + 12 * MIB
    with attacked.while_others_work(probes=PROBES):
        before = database_bytes(attacked.ctx)
        for _ in range(ROUNDS):
            batch(attacker, "SETFAV", keys, unchanged())
            batch(attacker, "UNSETFAV", keys, unchanged())
        grown = database_bytes(attacked.ctx) - before
    # In PostgreSQL a changed row is a new row, until the old one is vacuumed: here with its text, and its JSON with it.
    per_call = FILES * 2 * 12288 if isinstance(attacked.ctx.metadata, PostgresStore) else 0
    assert grown < 2 * ROUNDS * (per_call + MIB)


@pytest.mark.parametrize("operation", ["RENAME", "TRASH"])
def test_batches_that_bring_new_words_to_the_index(attacked: Attacked, operation: str) -> None:
    attacker = attacked.account()
    keys = put_files(attacker, [new_file(attacker.root_key, text(number, 84)) for number in range(FILES)])
    with attacked.while_others_work(probes=PROBES):
        before = database_bytes(attacked.ctx)
        for number in range(ROUNDS):
            if operation == "RENAME":
                batch(attacker, "RENAME", keys, new_names(number * FILES))
            else:
                batch(attacker, "TRASH", keys, iter([{"status": "T"}] * FILES))
                restored = attacker.put("/nms/metadata/restore", json={"objectKeys": keys})
                assert restored.json()["unprocessed"] == []
        grown = database_bytes(attacked.ctx) - before
    assert grown < ROUNDS * 16 * MIB


def test_many_long_batches_at_once(attacked: Attacked) -> None:
    attacker = attacked.account()
    keys = put_files(attacker, [new_file(attacker.root_key, f"{number}.txt") for number in range(FILES)])
    with attacked.while_others_work(probes=PROBES), ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: batch(attacker, "RENAME", keys, new_names(number * FILES)), range(6)))


def chain_from_before(attacker: Api, levels: int, name: str) -> list[str]:
    """Folders in each other, put straight into the store, as one from before there were limits may have them."""
    keys = [attacker.root_key, *(attacker.ctx.new_key() for _ in range(levels))]
    account_id, now = attacker.account.account_id, attacker.ctx.clock.now()
    rows = [new_folder(account_id, key, above, name, now) for above, key in pairwise(keys)]

    def work(unit: Unit) -> None:
        assert isinstance(unit, Unit)
        insert_chain(unit.sql, rows)
        unit.sql.run(
            "UPDATE account_counters SET objects = objects + :more WHERE account_id = :account",
            {"more": levels, "account": account_id},
        )

    attacker.ctx.metadata.write(work)
    return keys[1:]


def zip_path(attacker: Api, object_key: str) -> str:
    body = {"objects": [{"objectKey": object_key}], "shareName": "deep", "shareType": "L"}
    url: str = attacker.post("/share/ulinks", json=body).json()["shareURL"]
    return f"/l/zip?u={url.rpartition('u=')[2]}"


def test_archives_of_deep_folders(attacked: Attacked) -> None:
    attacker = attacked.account()
    above = attacker.root_key
    for _ in range(FOLDER_DEPTH_MAX):
        body = {"objectName": "n" * 30, "parentObjectKey": above, "sourceName": "DRIVE"}
        above = attacker.post("/nms/folders", json=body).json()["objectKey"]
    body = {"objectName": "too deep", "parentObjectKey": above, "sourceName": "DRIVE"}
    assert error_of(attacker.post("/nms/folders", json=body)) == (400, "SKY3026")
    outermost = attacker.get("/nms/metadata", params={"folderKey": attacker.root_key}).json()["objects"][0]["objectKey"]
    allowed = zip_path(attacker, outermost)
    longer = zip_path(attacker, chain_from_before(attacker, 2200, "m" * 254)[0])
    visitor = attacked.client()
    with attacked.while_others_work(probes=PROBES):
        for _ in range(3):
            assert visitor.head(longer).status_code == 409
            assert visitor.head(allowed).status_code == 200
        with zipfile.ZipFile(io.BytesIO(visitor.get(allowed).content)) as archive:
            assert len(archive.namelist()) == FOLDER_DEPTH_MAX
        assert visitor.get(longer).status_code == 409


def test_the_worst_searches(attacked: Attacked) -> None:
    attacker = attacked.account()
    spaced = "a " * 120
    files = [
        new_file(attacker.root_key, f"{spaced}{number:04}", source_folder=text(number, 200))
        for number in range(SEARCHED)
    ]
    for first in range(0, SEARCHED, 500):
        put_files(attacker, files[first : first + 500])
    queries = ["a", "a 0", "aa", " ".join("a0123456789"), "zz", "a" * 900, " ".join(map(chr, range(97, 123))), "%", '"']

    def search(query: str) -> None:
        response = attacker.get("/x/v1/search", params={"query": query, "limit": 1000})
        assert response.status_code == 200, response.text

    with attacked.while_others_work(probes=PROBES), ThreadPoolExecutor(4) as pool:
        list(pool.map(search, queries * 2))
