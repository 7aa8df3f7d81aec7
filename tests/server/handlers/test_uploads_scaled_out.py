"""Uploads and downloads through two instances over one PostgreSQL and one bucket."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import obstore
import pytest
from obstore.store import S3Store
from tests.real_parts import shared
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY
from tests.server.api import Api, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.uploading import (
    begun,
    content_of,
    described,
    form,
    initiate,
    names_in,
    send,
    stored_bytes,
    upload,
    used_and_reserved,
)

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.storage.blobs.object_store import ObjectBlobs, s3_store
from skyshelf.storage.blobs.object_store.layout import parse_location
from skyshelf.storage.metadata.postgres.store import PostgresStore

BUCKET = "uploads"
OBJECT_SIZE = 64 * 1024
DATA = os.urandom(10 * OBJECT_SIZE + 1234)
HALF = len(DATA) // 2


class SharedStores:
    """One database and one bucket, which every instance opens for itself."""

    def __init__(self, database: str, endpoint: str) -> None:
        self._database = database
        self._endpoint = endpoint

    def open(self) -> ServiceContext:
        blobs = ObjectBlobs(
            s3_store(
                BUCKET,
                endpoint=self._endpoint,
                access_key_id=ACCESS_KEY,
                secret_access_key=SECRET_KEY,
            ),
            OBJECT_SIZE,
        )
        return ServiceContext(metadata=PostgresStore(self._database), blobs=blobs)

    def bucket(self) -> S3Store:
        """The bucket itself, to lose something in it."""
        return S3Store(
            BUCKET,
            endpoint=self._endpoint,
            access_key_id=ACCESS_KEY,
            secret_access_key=SECRET_KEY,
            client_options={"allow_http": True},
        )


@pytest.fixture(scope="module")
def stores() -> Iterator[SharedStores]:
    with shared.postgres().database() as database:
        shared.seaweedfs().make_bucket(BUCKET)
        yield SharedStores(database, shared.seaweedfs().endpoint)


@pytest.fixture
def instances(stores: SharedStores, request: pytest.FixtureRequest) -> Iterator[tuple[Api, Api]]:
    """Two instances with one session of one account."""
    with ExitStack() as running:
        contexts = [stores.open(), stores.open()]
        settings = ServerSettings(metadata="", blobs="")
        clients = [
            running.enter_context(TestClient(app_for(ctx, settings), raise_server_exceptions=False)) for ctx in contexts
        ]
        account = new_account(contexts[0], f"{request.node.name[:60]}@example.org")
        one = logged_in(clients[0], contexts[0], account)
        yield one, Api(clients[1], contexts[1], account, one.login)


@pytest.mark.whole
def test_what_one_instance_took_the_other_gives(instances: tuple[Api, Api]) -> None:
    one, other = instances
    for name, data in (("large", DATA), ("small", b"small"), ("empty", b"")):
        path = f"/download/files/{upload(one, name, data).json()['objectKey']}"
        answer = other.get(path)
        assert (answer.status_code, answer.content) == (200, data)
        assert answer.headers["content-length"] == str(len(data))
    path = f"/download/files/{upload(one, 'large', DATA).json()['objectKey']}"
    for start, end in ((0, 1), (OBJECT_SIZE - 1, OBJECT_SIZE + 1), (5, len(DATA)), (len(DATA) - 1, len(DATA))):
        answer = other.get(path, headers={"range": f"bytes={start}-{end - 1}"})
        assert (answer.status_code, answer.content) == (206, DATA[start:end])


def test_many_small_files_that_one_instance_took_the_other_gives(instances: tuple[Api, Api]) -> None:
    one, other = instances
    contents = {f"{number}.bin": os.urandom(1 + 40_000 * number) for number in range(12)}
    about = [described(one, name, data) for name, data in contents.items()]
    about[3]["hash"] = "0" * 32
    body, headers = form(
        ("metadataString", json.dumps({"files": about}).encode()), ("file", b"".join(contents.values()))
    )
    before = stored_bytes(one.ctx)[0]
    outcomes = [api.post("/x/v1/uploads/many", content=body, headers=headers).json()["files"] for api in instances]
    assert outcomes[0] == outcomes[1]
    for (name, data), outcome in zip(contents.items(), outcomes[0], strict=True):
        if name == "3.bin":
            assert outcome["errorCode"] == "SKY4004"
        else:
            assert (outcome["object"]["objectName"], outcome["object"]["version"]) == (name, 1)
            assert content_of(other, outcome["object"]["objectKey"]) == data
    assert stored_bytes(one.ctx)[0] == before + 11


def test_chunks_may_go_to_any_instance(instances: tuple[Api, Api]) -> None:
    one, other = instances
    transaction = begun(one, "a.bin", DATA)
    assert initiate(other, "a.bin", DATA).json() == {"transactionId": transaction, "offset": 0}
    third = len(DATA) // 3
    for api, start, end in ((one, 0, third), (other, third, 2 * third), (one, 2 * third, len(DATA) - 1)):
        assert send(api, transaction, start, DATA[start:end]).json()["offset"] == end
    finished = send(other, transaction, len(DATA) - 1, DATA[-1:])
    assert finished.status_code == 201
    assert content_of(one, finished.json()["objectKey"]) == DATA
    assert used_and_reserved(one) == (len(DATA), 0)
    assert error_of(send(one, transaction, 0, DATA)) == (404, "SKY4000")
    assert initiate(one, "a.bin", DATA).json() == finished.json()


def test_an_upload_is_cancelled_at_any_instance_and_leaves_no_byte(instances: tuple[Api, Api]) -> None:
    one, other = instances
    before = stored_bytes(one.ctx)
    transaction = begun(one, "a.bin", DATA)
    send(one, transaction, 0, DATA[:HALF])
    (listed,) = other.get("/x/v1/uploads").json()["uploads"]
    assert (listed["transactionId"], listed["name"], listed["offset"]) == (transaction, "a.bin", HALF)
    assert other.delete(f"/x/v1/uploads/{transaction}").status_code == 204
    assert used_and_reserved(one) == (0, 0)
    assert stored_bytes(one.ctx) == before
    assert error_of(send(one, transaction, HALF, DATA[HALF:])) == (404, "SKY4000")


def test_an_empty_file_is_finished_at_once(instances: tuple[Api, Api]) -> None:
    one, other = instances
    stored = initiate(one, "empty", b"").json()
    assert other.get(f"/download/files/{stored['objectKey']}").content == b""


def test_a_wrong_final_hash_leaves_nothing(instances: tuple[Api, Api]) -> None:
    one, other = instances
    before = stored_bytes(one.ctx)
    transaction = begun(one, "a.bin", DATA, hash="1" * 32)
    send(one, transaction, 0, DATA[:HALF])
    assert error_of(send(other, transaction, HALF, DATA[HALF:])) == (400, "SKY4004")
    assert stored_bytes(one.ctx) == before
    assert used_and_reserved(one) == (0, 0)


def test_of_two_chunks_at_one_offset_one_wins_and_the_file_is_whole(instances: tuple[Api, Api]) -> None:
    one, other = instances
    for attempt in range(3):
        name = f"race {attempt}"
        data = DATA + bytes([attempt])
        transaction = begun(one, name, data)
        with ThreadPoolExecutor(2) as pool:
            racing = [pool.submit(send, api, transaction, 0, data[:HALF]) for api in instances]
            answers = [future.result() for future in racing]
        assert {answer.status_code for answer in answers} <= {200, 409}
        assert any(answer.status_code == 200 for answer in answers)
        assert all(answer.json()["offset"] == HALF for answer in answers)
        with ThreadPoolExecutor(2) as pool:
            racing = [pool.submit(send, api, transaction, HALF, data[HALF:]) for api in instances]
            answers = [future.result() for future in racing]
        assert [answer.status_code for answer in answers].count(201) == 1
        # 200 for one that found the other's chunk stored and the file not made yet.
        assert {answer.status_code for answer in answers} <= {200, 201, 404, 409}
        assert all(answer.json()["offset"] == len(data) for answer in answers if answer.status_code == 200)
        stored = initiate(other, name, data).json()
        assert stored["version"] == 1
        assert content_of(one, stored["objectKey"]) == data


def test_the_space_is_counted_across_instances(instances: tuple[Api, Api]) -> None:
    one, other = instances
    with ThreadPoolExecutor(8) as pool:
        racing = [pool.submit(upload, instances[n % 2], f"f{n}", bytes([n]) * 1000) for n in range(16)]
        assert {future.result().status_code for future in racing} == {201}
    assert used_and_reserved(one) == used_and_reserved(other) == (16_000, 0)
    assert len(names_in(one)) == 16


def test_an_object_that_is_lost_in_the_bucket_breaks_the_download(
    instances: tuple[Api, Api], stores: SharedStores
) -> None:
    one, other = instances
    stored = upload(one, "lost.bin", os.urandom(40 * OBJECT_SIZE)).json()
    with one.ctx.metadata.read() as unit:
        location = unit.files.version(one.account.account_id, stored["objectKey"]).location
    raw = stores.bucket()
    upload_id = parse_location(location).upload_id
    assert upload_id is not None
    keys = sorted(
        found["path"]
        for page in obstore.list(raw)
        for found in page
        if upload_id in found["path"] and found["path"] != parse_location(location).key
    )
    assert len(keys) == 40
    obstore.delete(raw, keys[-5])
    path = f"/download/files/{stored['objectKey']}"
    # In process a broken answer shows as the error that broke it; over the network the connection is cut.
    with TestClient(other.client.app) as strict, pytest.raises(Exception, match="gone"):
        Api(strict, other.ctx, one.account, one.login).get(path)
