"""Uploads that were begun: listed, and given up, which frees their room at once."""

from collections.abc import Iterator

import pytest
from tests.server.api import Api, HeldClock, error_of, logged_in, new_account
from tests.server.in_process import TestClient
from tests.server.uploading import begun, initiate, md5, names_in, send, stored_bytes, used_and_reserved
from tests.service.callers import caller_of

from skyshelf.service.context import ServiceContext
from skyshelf.service.errors import ServiceError
from skyshelf.service.uploads import chunked
from skyshelf.service.uploads.chunked import cancel_upload

DATA = bytes(range(256)) * 40
HALF = len(DATA) // 2


def test_what_was_begun_is_listed_newest_first_with_how_far_it_is(api: Api, clock: HeldClock) -> None:
    folder = api.folder("f")
    started = clock.now()
    first = begun(api, "first.bin", DATA, folderKey=folder.object_key)
    clock.advance(1000)
    send(api, first, 0, DATA[:HALF])
    second = begun(api, "second.bin", DATA)
    reported = api.get("/x/v1/uploads").json()
    assert reported.keys() == {"uploads"}
    assert [one["transactionId"] for one in reported["uploads"]] == [second, first]
    assert reported["uploads"][1] == {
        "transactionId": first,
        "name": "first.bin",
        "size": len(DATA),
        "offset": HALF,
        "hash": md5(DATA),
        "folderKey": folder.object_key,
        "createdDate": started,
        "lastUpdatedDate": clock.now(),
    }


def test_the_list_is_paged_by_cursor_also_where_many_began_at_once(api: Api) -> None:
    keys = {begun(api, f"{number}.bin", DATA) for number in range(5)}
    found: list[str] = []
    params = {"limit": "2"}
    for expected in (2, 2, 1):
        page = api.get("/x/v1/uploads", params=params).json()
        assert len(page["uploads"]) == expected
        found += [one["transactionId"] for one in page["uploads"]]
        params["cursor"] = page.get("nextCursor", "")
    assert set(found) == keys
    assert params["cursor"] == ""
    assert error_of(api.get("/x/v1/uploads", params={"cursor": "nonsense"}))[0] == 400


def test_a_finished_upload_is_listed_no_more(api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA)
    assert api.get("/x/v1/uploads").json() == {"uploads": []}
    assert error_of(api.delete(f"/x/v1/uploads/{transaction}")) == (404, "SKY4000")
    assert names_in(api) == ["a.bin"]


def test_cancelling_frees_the_space_at_once_and_leaves_no_byte(client: TestClient, ctx: ServiceContext) -> None:
    api = logged_in(client, ctx, new_account(ctx, "small@example.org", quota=len(DATA)))
    transaction = begun(api, "a.bin", DATA)
    send(api, transaction, 0, DATA[:HALF])
    assert error_of(initiate(api, "b.bin", DATA)) == (413, "SKY4007")
    answer = api.delete(f"/x/v1/uploads/{transaction.lower()}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert used_and_reserved(api) == (0, 0)
    assert stored_bytes(ctx) == (0, 0)
    assert api.get("/x/v1/uploads").json() == {"uploads": []}
    assert error_of(send(api, transaction, HALF, DATA[HALF:])) == (404, "SKY4000")
    assert error_of(api.delete(f"/x/v1/uploads/{transaction}")) == (404, "SKY4000")
    again = initiate(api, "b.bin", DATA).json()
    assert (again["offset"], again["transactionId"] != transaction) == (0, True)


def test_nobody_sees_or_cancels_somebody_elses_upload(api: Api, other_api: Api) -> None:
    transaction = begun(api, "a.bin", DATA)
    assert other_api.get("/x/v1/uploads").json() == {"uploads": []}
    foreign = other_api.delete(f"/x/v1/uploads/{transaction}")
    unknown = other_api.delete(f"/x/v1/uploads/{'0' * 32}")
    assert error_of(foreign) == error_of(unknown) == (404, "SKY4000")
    assert foreign.content == unknown.content
    assert used_and_reserved(api) == (0, len(DATA))
    assert send(api, transaction, 0, DATA).status_code == 201


@pytest.mark.parametrize("size", [HALF, len(DATA)], ids=["a middle chunk", "the last chunk"])
def test_an_upload_cancelled_during_a_chunk_leaves_nothing(api: Api, ctx: ServiceContext, size: int) -> None:
    transaction = begun(api, "a.bin", DATA)
    caller = caller_of(api.account)

    def pieces() -> Iterator[bytes]:
        yield DATA[: size // 2]
        cancel_upload(ctx, caller, transaction)
        yield DATA[size // 2 : size]

    chunk = chunked.Chunk(upload_key=transaction, offset=0, md5=md5(DATA[:size]), size=size)
    with pytest.raises(ServiceError) as refused:
        chunked.receive(ctx, caller, chunk, pieces())
    assert refused.value.error.code == "SKY4000"
    assert used_and_reserved(api) == (0, 0)
    assert stored_bytes(ctx) == (0, 0)
    assert names_in(api) == []
