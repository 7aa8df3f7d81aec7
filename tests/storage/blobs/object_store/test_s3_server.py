"""A real S3 server that refuses us, that dies in the middle of a request, and that comes back."""

import traceback
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from tests.real_parts.seaweedfs import ACCESS_KEY, SECRET_KEY, SeaweedFS, running_seaweedfs

from skyshelf.storage.blobs.object_store import ObjectBlobs, s3_store
from skyshelf.storage.errors import StoreUnavailable

MIB = 1024 * 1024
BUCKET = "killed"


@pytest.fixture(scope="module")
def server() -> Iterator[SeaweedFS]:
    """A server of our own: nobody else may see it die."""
    with running_seaweedfs() as started:
        started.make_bucket(BUCKET)
        yield started


def open_store(server: SeaweedFS, secret: str = SECRET_KEY, prefix: str | None = None) -> ObjectBlobs:
    return ObjectBlobs(
        s3_store(
            BUCKET,
            prefix=prefix or uuid4().hex,
            endpoint=server.endpoint,
            access_key_id=ACCESS_KEY,
            secret_access_key=secret,
            patience=timedelta(seconds=20),  # a dead server refuses at once; a busy one may take long
        )
    )


@pytest.mark.whole
def test_a_wrong_secret_is_refused_with_a_sentence_and_without_the_secret(server: SeaweedFS) -> None:
    secret = "a-secret-that-nobody-must-read"
    location = f"{'a' * 64}-{'b' * 16}.5"
    with open_store(server, secret) as store:
        for attempt in (
            store.check,
            lambda: store.put([b"bytes"]),
            lambda: store.put([bytes(9 * MIB)]),
            lambda: store.read(location),
            lambda: store.size(location),
            lambda: store.delete(location),
            lambda: list(store.list()),
            lambda: list(store.list_uploads()),
        ):
            with pytest.raises(StoreUnavailable, match="refuses our credentials") as raised:
                attempt()
            assert secret not in "".join(traceback.format_exception(raised.value))


def test_a_server_that_is_not_there_is_unavailable_within_our_patience() -> None:
    with ObjectBlobs(
        s3_store(
            BUCKET,
            endpoint="http://127.0.0.1:9",
            access_key_id=ACCESS_KEY,
            secret_access_key=SECRET_KEY,
            patience=timedelta(milliseconds=300),
        )
    ) as store:
        with pytest.raises(StoreUnavailable, match="no response"):
            store.check()
        with pytest.raises(StoreUnavailable, match="no response"):
            store.put([b"bytes"])


def test_plain_http_is_spoken_only_where_the_endpoint_says_so(server: SeaweedFS) -> None:
    with (
        ObjectBlobs(
            s3_store(
                BUCKET,
                endpoint=server.endpoint.replace("http://", "https://"),
                access_key_id=ACCESS_KEY,
                secret_access_key=SECRET_KEY,
                patience=timedelta(milliseconds=300),
            )
        ) as store,
        pytest.raises(StoreUnavailable),
    ):
        store.check()


@pytest.mark.whole
def test_a_server_that_dies_during_a_put_leaves_no_blob_and_keeps_the_others(server: SeaweedFS) -> None:
    prefix = uuid4().hex
    with open_store(server, prefix=prefix) as store:
        small, large = store.put([b"kept"]), store.put([b"kept" * 3 * MIB])

        def dying() -> Iterator[bytes]:
            for number in range(40):
                if number == 20:
                    server.kill()
                yield bytes(MIB)

        with pytest.raises(StoreUnavailable):
            store.put(dying())
        with pytest.raises(StoreUnavailable):
            store.check()
    server.start()
    with open_store(server, prefix=prefix) as store:
        store.check()
        assert {blob.location for blob in store.list()} == {small.location, large.location}
        assert b"".join(store.read(small.location)) == b"kept"
        assert b"".join(store.read(large.location)) == b"kept" * 3 * MIB
        for left in store.list_uploads():
            store.discard(left.upload_id)
        assert list(store.list_uploads()) == []


@pytest.mark.whole
def test_a_server_that_dies_during_an_append_keeps_the_acknowledged_parts(server: SeaweedFS) -> None:
    prefix, upload_id = uuid4().hex, uuid4().hex

    def dying() -> Iterator[bytes]:
        yield b"b" * (9 * MIB)
        server.kill()
        yield b"b" * (9 * MIB)

    with open_store(server, prefix=prefix) as store, store.uploading(upload_id) as upload:
        first = upload.append([b"a" * (9 * MIB)], after=None)
        with pytest.raises(StoreUnavailable):
            upload.append(dying(), after=first)
    server.start()
    with open_store(server, prefix=prefix) as store, store.uploading(upload_id) as upload:
        second = upload.append([b"c"], after=first)
        stored = upload.finish([first, second], 9 * MIB + 1)
        upload.discard()
        assert b"".join(store.read(stored.location)) == b"a" * (9 * MIB) + b"c"
        store.delete(stored.location)
        assert list(store.list()) == []
        assert list(store.list_uploads()) == []


@pytest.mark.whole
def test_a_server_that_dies_during_a_read_is_an_error_and_not_an_end(server: SeaweedFS) -> None:
    prefix = uuid4().hex
    data = b"0123456789abcdef" * (3 * MIB)
    with open_store(server, prefix=prefix) as store:
        location = store.put([data]).location
        stream = store.read(location)
        read = [next(stream)]
        server.kill()
        with pytest.raises(StoreUnavailable):
            read.extend(stream)
        assert len(b"".join(read)) < len(data)
        assert list(stream) == []
    server.start()
    with open_store(server, prefix=prefix) as store:
        assert b"".join(store.read(location)) == data
