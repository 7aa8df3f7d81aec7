"""An unreadable response counts as lost: retried where that is safe, and an error after all retries."""

import gzip
from collections.abc import Awaitable, Callable

import pytest
from tests.client.foreign import Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.engine import requests
from skyshelf.client.errors import AnswerTooLargeError, ForbiddenError, UnexpectedAnswerError

KEY = "0" * 31 + "1"


def client_of(foreign: Foreign) -> AsyncClient:
    return AsyncClient(foreign.url, auth_token="a", user_id="b", device_key="c", retries=2, retry_wait=0.001)


Ask = Callable[[AsyncClient], Awaitable[object]]


async def profile(client: AsyncClient) -> object:
    return (await client.account.profile()).user_id


async def folder(client: AsyncClient) -> object:
    return [each.key async for each in client.list_folder(KEY, kind="f")]


async def one_page(client: AsyncClient) -> object:
    return [each.key for each in (await client.page(KEY, kind="f")).objects]


async def trash(client: AsyncClient) -> object:
    return [each.key async for each in client.trash.list()]


async def spotlights(client: AsyncClient) -> object:
    return [each.title async for each in client.memories()]


ANSWER = {"userId": "U", "objects": [{"objectKey": KEY}], "spotLights": [{"title": "sea"}]}
END: dict[str, object] = {"objects": [], "spotLights": []}


@pytest.mark.parametrize(
    ("ask", "expected"),
    [(profile, "U"), (folder, [KEY]), (one_page, [KEY]), (trash, [KEY]), (spotlights, ["sea"])],
    ids=["profile", "folder", "one page", "trash", "spotlights"],
)
@pytest.mark.parametrize(
    "damaged", [b'{"userId":"U","obj', b"", b"\xff\xfe", b"<html>"], ids=["cut", "empty", "no text", "html"]
)
async def test_a_get_whose_answer_is_damaged_is_repeated(ask: Ask, expected: object, damaged: bytes) -> None:
    answers = iter([Reply(200, damaged), Reply(200, damaged), Reply(200, ANSWER)])
    with foreign_server(lambda _: next(answers, Reply(200, END))) as foreign:
        async with client_of(foreign) as client:
            assert await ask(client) == expected


async def test_an_answer_that_stays_unreadable_is_an_error_that_says_so() -> None:
    with foreign_server(lambda _: Reply(200, b"<html>a page of somebody else</html>")) as foreign:
        async with client_of(foreign) as client:
            with pytest.raises(UnexpectedAnswerError, match="unexpected form") as caught:
                await client.account.profile()
    assert len(foreign.asked) == 3
    assert caught.value.path == foreign.asked[0].path


async def test_what_must_not_happen_twice_is_not_repeated_for_a_damaged_answer() -> None:
    with foreign_server(lambda _: Reply(201, b'{"shareURL":"https:/')) as foreign:
        async with client_of(foreign) as client:
            with pytest.raises(UnexpectedAnswerError):
                await client.shares.create([KEY])
    assert len([one for one in foreign.asked if one.method == "POST"]) == 1


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "compressed"])
async def test_an_answer_without_end_is_not_read_into_memory(packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that announces its length, nor one that is only large after decompression."""
    monkeypatch.setattr(requests, "ANSWER_BYTES_MAX", 1024 * 1024)
    body = b'{"userId":"U","firstName":"' + b"x" * 20_000_000 + b'"}'
    headers = {"Content-Encoding": "gzip"} if packed else {}
    sent = gzip.compress(body, 1) if packed else body
    with foreign_server(lambda _: Reply(200, sent, headers)) as foreign:
        async with client_of(foreign) as client:
            with pytest.raises(AnswerTooLargeError, match="larger than the 1 MiB") as caught:
                await client.account.profile()
    assert len(foreign.asked) == 1, "asking again would bring the same"
    assert caught.value.path == "/security/users"


async def test_pages_of_listings_may_be_larger_than_other_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "ANSWER_BYTES_MAX", 1000)
    shown = [{"objectKey": f"{number:032x}", "objectName": "x" * 100} for number in range(100)]
    with foreign_server(lambda asked: Reply(200, {"objects": shown if asked.query["page"] == "0" else []})) as foreign:
        async with client_of(foreign) as client:
            assert len([each async for each in client.list_folder(KEY, kind="f")]) == 100
            monkeypatch.setattr(requests, "PAGE_BYTES_MAX", 1000)
            with pytest.raises(AnswerTooLargeError):
                [each async for each in client.list_folder(KEY, kind="f")]


async def test_of_an_error_only_the_beginning_is_read() -> None:
    body = b'{"code":"E","message":"no"}' + b" " * 20_000_000
    with foreign_server(lambda _: Reply(403, body)) as foreign:
        async with client_of(foreign) as client:
            with pytest.raises(ForbiddenError) as caught:
                await client.account.profile()
    assert len(caught.value.body) < 1_000_000
