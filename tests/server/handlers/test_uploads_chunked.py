"""Uploads in chunks: begin, send, resume, finish."""

import msgspec
import pytest
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.uploading import (
    begun,
    content_of,
    described,
    initiate,
    md5,
    names_in,
    send,
    stored_bytes,
    upload,
    used_and_reserved,
)
from tests.service.pictures import jpeg_taken

from skyshelf.server.app import ServerSettings, app_for, open_context
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.storage.metadata.contracts.tree import Trash
from skyshelf.wire.limits import CHUNK_BYTES_MAX

DATA = bytes(range(256)) * 400
HALF = len(DATA) // 2


def test_initiate_answers_a_transaction_at_its_beginning(api: Api, ctx: ServiceContext) -> None:
    answer = initiate(api, "a.bin", DATA)
    assert answer.status_code == 201
    assert answer.json().keys() == {"transactionId", "offset"}
    assert answer.json()["offset"] == 0
    assert names_in(api) == []
    assert used_and_reserved(api) == (0, len(DATA))
    assert stored_bytes(ctx) == (0, 0)


def test_the_last_chunk_answers_the_object(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.jpg", DATA, lastModifiedDate=5000, sourceFolder="/DCIM")
    first = send(api, transaction, 0, DATA[:HALF])
    assert (first.status_code, first.json()) == (200, {"transactionId": transaction, "offset": HALF})
    assert names_in(api) == []
    last = send(api, transaction, HALF, DATA[HALF:])
    assert last.status_code == 201
    stored = last.json()
    assert (stored["objectName"], stored["hash"], stored["sizeInBytes"]) == ("a.jpg", md5(DATA), len(DATA))
    assert (stored["lastModifiedDate"], stored["sourceFolder"], stored["version"]) == (5000, "/DCIM", 1)
    assert content_of(api, stored["objectKey"]) == DATA
    assert used_and_reserved(api) == (len(DATA), 0)
    assert stored_bytes(ctx) == (1, 0)


def test_many_chunks_of_any_size_join_up(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    at, sizes = 0, [1, 2, 3, 1000, 0, 40_000, 7]
    for size in sizes:
        assert send(api, transaction, at, DATA[at : at + size]).json()["offset"] == at + size
        at += size
    answer = send(api, transaction, at, DATA[at:])
    assert content_of(api, answer.json()["objectKey"]) == DATA


def test_the_same_call_again_is_the_same_transaction_and_shows_how_far_it_came(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    again = initiate(api, "a.bin", DATA)
    assert (again.status_code, again.json()) == (201, {"transactionId": transaction, "offset": HALF})
    assert used_and_reserved(api) == (0, len(DATA))


def test_another_folder_name_size_hash_or_account_is_another_transaction(api: Api, other_api: Api) -> None:
    folder = api.folder("f")
    begins = [
        begun(api, "a", DATA),
        begun(api, "b", DATA),
        begun(api, "a", DATA, folderKey=folder.object_key),
        begun(api, "a", DATA, size=1),
        begun(api, "a", DATA, hash="1" * 32),
        begun(other_api, "a", DATA),
    ]
    assert len(set(begins)) == len(begins)


def test_content_that_the_account_owns_is_finished_at_once(api: Api, ctx: ServiceContext) -> None:
    original = upload(api, "a.txt", DATA).json()
    folder = api.folder("f")
    answer = initiate(api, "copy.jpg", DATA, folderKey=folder.object_key, lastModifiedDate=7)
    assert answer.status_code == 201
    copy = answer.json()
    assert copy["objectKey"] != original["objectKey"]
    assert (copy["objectName"], copy["hash"], copy["mimeType"]) == ("copy.jpg", md5(DATA), "image")
    assert (copy["parentObjectKey"], copy["lastModifiedDate"]) == (folder.object_key, 7)
    assert content_of(api, copy["objectKey"]) == DATA
    assert used_and_reserved(api) == (2 * len(DATA), 0)
    assert stored_bytes(ctx) == (1, 0)


def test_a_known_hash_never_opens_somebody_elses_content(api: Api, other_api: Api) -> None:
    upload(api, "secret.txt", DATA)
    answer = initiate(other_api, "mine.txt", DATA)
    assert answer.json().keys() == {"transactionId", "offset"}
    assert names_in(other_api) == []


def test_a_hash_with_another_size_is_not_the_same_content(api: Api) -> None:
    upload(api, "a.txt", DATA)
    assert "transactionId" in initiate(api, "b.txt", DATA, size=len(DATA) + 1).json()


def test_initiating_a_file_that_already_exists_creates_no_version(api: Api) -> None:
    """The answer to the last chunk may have been lost: whoever asks again gets what it would have said."""
    transaction = begun(api, "a.bin", DATA)
    finished = send(api, transaction, 0, DATA).json()
    again = initiate(api, "a.bin", DATA)
    assert again.status_code == 201
    assert again.json() == finished
    assert used_and_reserved(api) == (len(DATA), 0)


def test_owned_content_ends_an_upload_of_it_that_had_begun(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    upload(api, "b.bin", DATA)
    assert initiate(api, "a.bin", DATA).json()["objectName"] == "a.bin"
    assert used_and_reserved(api) == (2 * len(DATA), 0)
    assert error_of(send(api, transaction, HALF, DATA[HALF:])) == (404, "SKY4000")
    assert stored_bytes(ctx) == (1, 0)


def test_owned_content_needs_the_space_of_one_file_and_not_of_two(client: TestClient, ctx: ServiceContext) -> None:
    api = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=20))
    upload(api, "a", b"x" * 10)
    assert initiate(api, "b", b"x" * 10).json()["objectName"] == "b"
    assert error_of(initiate(api, "c", b"x" * 10)) == (413, "SKY4007")
    assert used_and_reserved(api) == (20, 0)


def test_an_empty_file_needs_no_chunk(api: Api) -> None:
    answer = initiate(api, "empty", b"")
    assert answer.status_code == 201
    assert answer.json()["sizeInBytes"] == 0
    assert content_of(api, answer.json()["objectKey"]) == b""


def test_an_empty_file_with_a_wrong_hash_is_refused(api: Api, ctx: ServiceContext) -> None:
    assert error_of(initiate(api, "empty", b"", hash="0" * 32)) == (400, "SKY4004")
    assert names_in(api) == []
    assert stored_bytes(ctx) == (0, 0)


@pytest.mark.parametrize("offset", [0, HALF - 1, HALF + 1, len(DATA)])
def test_a_wrong_offset_gets_the_right_one(api: Api, offset: int) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    answer = send(api, transaction, offset, DATA[HALF:][::-1])
    assert answer.status_code == 409
    body = answer.json()
    assert body.pop("message") == body.pop("error")
    assert body == {"code": "SKY4001", "transactionId": transaction, "offset": HALF}
    assert send(api, transaction, HALF, DATA[HALF:]).status_code == 201


def test_a_chunk_with_a_wrong_md5_is_not_kept(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    answer = send(api, transaction, HALF, DATA[HALF:], content_md5="0" * 32)
    assert error_of(answer) == (400, "SKY4003")
    assert initiate(api, "a.bin", DATA).json()["offset"] == HALF
    assert content_of(api, send(api, transaction, HALF, DATA[HALF:]).json()["objectKey"]) == DATA


def test_an_md5_may_be_written_in_upper_case(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA, hash=md5(DATA).upper())
    answer = send(api, transaction.lower(), 0, DATA, content_md5=md5(DATA).upper())
    assert answer.status_code == 201


def test_a_wrong_final_hash_discards_the_upload(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", DATA, hash="1" * 32)
    send(api, transaction, 0, DATA[:HALF])
    assert error_of(send(api, transaction, HALF, DATA[HALF:])) == (400, "SKY4004")
    assert names_in(api) == []
    assert used_and_reserved(api) == (0, 0)
    assert stored_bytes(ctx) == (0, 0)
    assert error_of(send(api, transaction, 0, DATA)) == (404, "SKY4000")
    assert begun(api, "a.bin", DATA, hash="1" * 32) != transaction


def test_a_chunk_that_is_longer_than_the_rest_is_refused_and_not_kept(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    assert error_of(send(api, transaction, HALF, DATA[HALF:] + b"!")) == (400, "SKY4005")
    assert initiate(api, "a.bin", DATA).json()["offset"] == HALF


def test_a_chunk_without_a_length_is_measured_as_it_comes(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    headers = {"content-type": "application/octet-stream", "x-offset": "0", "content-md5": md5(DATA + b"!")}
    for data, expected in ((DATA + b"!", 400), (DATA, 201)):
        headers["content-md5"] = md5(data)
        answer = api.put(
            "/upload/files/chunked", params={"uploadId": transaction}, content=iter([data]), headers=headers
        )
        assert "content-length" not in answer.request.headers
        assert answer.status_code == expected


def test_a_chunk_over_the_limit_is_too_large(api: Api) -> None:
    transaction = begun(api, "a.bin", b"", size=2 * CHUNK_BYTES_MAX, hash="1" * 32)
    chunk = bytes(CHUNK_BYTES_MAX + 1)
    assert error_of(send(api, transaction, 0, chunk)) == (413, "SKY1005")
    assert send(api, transaction, 0, chunk[1:]).json()["offset"] == CHUNK_BYTES_MAX


def test_an_empty_chunk_changes_nothing(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    for at in (0, 0):
        answer = send(api, transaction, at, b"")
        assert (answer.status_code, answer.json()["offset"]) == (200, 0)
    send(api, transaction, 0, DATA[:HALF])
    assert send(api, transaction, HALF, b"").json()["offset"] == HALF
    assert error_of(send(api, transaction, HALF, b"", content_md5="0" * 32)) == (400, "SKY4003")
    assert send(api, transaction, HALF, DATA[HALF:]).status_code == 201


def test_an_upload_that_somebody_else_is_writing_is_busy(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", DATA)
    with ctx.blobs.uploading(transaction):
        assert error_of(send(api, transaction, 0, DATA)) == (409, "SKY4002")
    assert send(api, transaction, 0, DATA).status_code == 201


def test_another_accounts_upload_is_not_there(api: Api, other_api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", DATA)
    unknown = send(other_api, "0" * 32, 0, DATA)
    foreign = send(other_api, transaction, 0, DATA)
    assert error_of(foreign) == error_of(unknown) == (404, "SKY4000")
    assert foreign.content == unknown.content
    assert error_of(send(api, "../../etc/passwd", 0, DATA)) == (404, "SKY4000")
    assert stored_bytes(ctx) == (0, 0)


def test_a_finished_upload_no_longer_exists(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA)
    assert error_of(send(api, transaction, 0, DATA)) == (404, "SKY4000")


def test_a_finished_upload_makes_the_next_version(api: Api) -> None:
    first = upload(api, "a.bin", b"old").json()
    second = send(api, begun(api, "a.bin", DATA), 0, DATA).json()
    assert (second["objectKey"], second["version"]) == (first["objectKey"], 2)


def test_a_version_that_somebody_else_stored_since_refuses_the_last_chunk_and_ends_the_upload(
    api: Api, ctx: ServiceContext
) -> None:
    upload(api, "a", b"first")
    transaction = begun(api, "a", b"mine", expectedVersion=1)
    send(api, transaction, 0, b"mi")
    theirs = upload(api, "a", b"theirs").json()
    assert error_of(send(api, transaction, 2, b"ne")) == (409, "SKY4009")
    assert content_of(api, theirs["objectKey"]) == b"theirs"
    assert (stored_bytes(ctx)[1], used_and_reserved(api)[1]) == (0, 0)
    assert error_of(initiate(api, "a", b"mine", expectedVersion=1)) == (409, "SKY4009")
    assert initiate(api, "a", b"mine", expectedVersion=2).status_code == 201


def test_a_name_that_a_folder_took_since_is_a_conflict_and_the_bytes_wait(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    folder = api.folder("a.bin")
    assert error_of(send(api, transaction, HALF, DATA[HALF:])) == (409, "SKY3010")
    assert error_of(initiate(api, "a.bin", DATA)) == (409, "SKY3010")
    api.trash(folder.object_key)
    finished = initiate(api, "a.bin", DATA)
    assert finished.status_code == 201
    assert content_of(api, finished.json()["objectKey"]) == DATA


def test_a_folder_that_was_trashed_since_is_not_found_and_the_bytes_wait(api: Api, ctx: ServiceContext) -> None:
    folder = api.folder("f")
    transaction = begun(api, "a.bin", DATA, folderKey=folder.object_key)
    api.trash(folder.object_key)
    assert error_of(send(api, transaction, 0, DATA)) == (404, "SKY3000")
    assert stored_bytes(ctx) == (0, 1)
    assert used_and_reserved(api) == (0, len(DATA))
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.tree.restore(api.account.account_id, [folder.object_key], now))
    finished = initiate(api, "a.bin", DATA, folderKey=folder.object_key)
    assert finished.json()["parentObjectKey"] == folder.object_key
    assert used_and_reserved(api) == (len(DATA), 0)
    assert stored_bytes(ctx) == (1, 0)


def test_an_empty_chunk_at_the_end_finishes_what_waits(api: Api, ctx: ServiceContext) -> None:
    folder = api.folder("f")
    transaction = begun(api, "a.bin", DATA, folderKey=folder.object_key)
    api.trash(folder.object_key)
    send(api, transaction, 0, DATA)
    now = ctx.clock.now()
    ctx.metadata.write(lambda unit: unit.tree.restore(api.account.account_id, [folder.object_key], now))
    assert send(api, transaction, len(DATA), b"").status_code == 201


def test_room_is_kept_from_the_beginning_of_an_upload(client: TestClient, ctx: ServiceContext) -> None:
    api = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=100))
    transaction = begun(api, "a", b"x" * 60)
    assert error_of(initiate(api, "b", b"y" * 41)) == (413, "SKY4007")
    assert error_of(upload(api, "b", b"y" * 41)) == (413, "SKY4007")
    assert upload(api, "b", b"y" * 40).status_code == 201
    assert send(api, transaction, 0, b"x" * 60).status_code == 201
    assert used_and_reserved(api) == (100, 0)


def test_initiate_refuses_what_cannot_end_well(api: Api, ctx: ServiceContext, settings: ServerSettings) -> None:
    file, trashed = api.file("file"), api.folder("trashed")
    api.trash(trashed.object_key)
    api.folder("taken")
    refused: list[tuple[dict[str, object], tuple[int, str]]] = [
        ({"folderKey": "0" * 32}, (404, "SKY3000")),
        ({"folderKey": trashed.object_key}, (404, "SKY3000")),
        ({"folderKey": file.object_key}, (400, "SKY3020")),
        ({"folderKey": "x"}, (400, "SKY1003")),
        ({"name": "taken"}, (409, "SKY3010")),
        ({"name": "a/b"}, (400, "SKY1002")),
        ({"size": 2**41}, (413, "SKY4006")),
        ({"size": 2**38}, (413, "SKY4007")),
        ({"hash": "0" * 31}, (400, "SKY1000")),
        ({"size": None}, (400, "SKY1000")),
    ]
    for fields, expected in refused:
        assert error_of(initiate(api, "a.bin", DATA, **fields)) == expected, fields
    assert used_and_reserved(api)[1] == 0
    small = msgspec.structs.replace(ctx, rules=Rules(max_file_size=10))
    with TestClient(app_for(small, settings)) as client:
        assert error_of(initiate(Api(client, small, api.account, api.login), "a", DATA)) == (413, "SKY4006")


def test_initiate_takes_json_and_chunks_are_octets(api: Api) -> None:
    body = msgspec.json.encode(described(api, "a.bin", DATA))
    answer = api.post("/upload/files/chunked/initiate", content=body, headers={"content-type": "text/plain"})
    assert error_of(answer) == (415, "SKY1008")
    assert error_of(api.post("/upload/files/chunked/initiate", content=b"{")) == (400, "SKY1001")
    transaction = begun(api, "a.bin", DATA)
    assert error_of(send(api, transaction, 0, DATA, content_type="application/json")) == (415, "SKY1008")


def test_a_chunk_needs_its_upload_its_offset_and_its_md5(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    for name in ("x-offset", "content-md5"):
        answer = api.put(
            "/upload/files/chunked",
            params={"uploadId": transaction},
            content=DATA,
            headers={"content-type": "application/octet-stream", "x-offset": "0", "content-md5": md5(DATA)},
            without=(name,),
        )
        assert error_of(answer) == (400, "SKY1000"), name
    assert error_of(send(api, transaction, 0, DATA, x_offset="-1")) == (400, "SKY1000")
    assert error_of(send(api, transaction, 0, DATA, content_md5="abc")) == (400, "SKY1000")
    assert error_of(send(api, "", 0, DATA)) == (400, "SKY1000")


def test_a_session_is_needed_before_anything_is_said_about_an_upload(anonymous: TestClient) -> None:
    assert error_of(anonymous.post("/upload/files/chunked/initiate", content=b"{")) == (401, "TEJGA0401")
    assert error_of(anonymous.put("/upload/files/chunked", content=b"x")) == (401, "TEJGA0401")


def test_bytes_that_the_store_has_lost_make_the_client_start_over(api: Api, ctx: ServiceContext) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    ctx.blobs.discard(transaction)
    assert error_of(send(api, transaction, HALF, DATA[HALF:])) == (404, "SKY4000")
    assert used_and_reserved(api) == (0, 0)
    again = begun(api, "a.bin", DATA)
    assert again != transaction
    assert send(api, again, 0, DATA).status_code == 201


def test_the_date_of_a_finished_upload_is_that_of_its_end(api: Api, clock: HeldClock) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    clock.advance(days=2)
    stored = send(api, transaction, HALF, DATA[HALF:]).json()
    assert stored["createdDate"] == stored["lastModifiedDate"] == clock.now()


def test_an_upload_survives_the_end_of_the_process_that_took_its_chunks(
    api: Api, ctx: ServiceContext, settings: ServerSettings
) -> None:
    """A second context over the same stores knows only what is in them."""
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    reopened = msgspec.structs.replace(open_context(settings), clock=ctx.clock)
    with TestClient(app_for(reopened, settings)) as client:
        elsewhere = Api(client, reopened, api.account, api.login)
        assert initiate(elsewhere, "a.bin", DATA).json() == {"transactionId": transaction, "offset": HALF}
        assert send(elsewhere, transaction, HALF, DATA[HALF:]).status_code == 201


def test_trashing_a_file_while_its_next_version_comes_makes_a_new_file(api: Api, ctx: ServiceContext) -> None:
    old = upload(api, "a.bin", b"old").json()
    transaction = begun(api, "a.bin", DATA)
    now, trash = ctx.clock.now(), [Trash(old["objectKey"])]
    ctx.metadata.write(lambda unit: unit.tree.apply(api.account.account_id, trash, now))
    new = send(api, transaction, 0, DATA).json()
    assert new["objectKey"] != old["objectKey"]
    assert new["version"] == 1


def test_the_day_on_which_a_picture_was_taken_is_read_however_it_arrives(api: Api, ctx: ServiceContext) -> None:
    data = jpeg_taken("2019:12:31 10:00:00", offset="+00:00")
    answers = [
        upload(api, "whole.jpg", data),
        initiate(api, "owned.jpg", data),
        send(api, begun(api, "chunked.jpg", data + b" "), 0, data + b" "),
        upload(api, "not a picture.txt", data),
    ]
    with ctx.metadata.read() as unit:
        days = [unit.tree.get(api.account.account_id, one.json()["objectKey"]).taken_day for one in answers]
    assert days == [1231, 1231, 1231, None]
