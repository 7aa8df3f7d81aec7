"""An answer that nobody can read counts as lost: asked for again where that is safe, an error where it stays so."""

from collections.abc import Awaitable, Callable

import pytest
from tests.client.foreign import Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import UnexpectedAnswerError

KEY = "0" * 31 + "1"


def client_of(foreign: Foreign) -> AsyncClient:
    return AsyncClient(foreign.url, auth_token="a", user_id="b", device_key="c", retries=2, retry_wait=0.001)


Ask = Callable[[AsyncClient], Awaitable[object]]


async def profile(client: AsyncClient) -> object:
    return (await client.profile()).user_id


async def folder(client: AsyncClient) -> object:
    return [each.key async for each in client.list_folder(KEY, kind="f")]


async def one_page(client: AsyncClient) -> object:
    return [each.key for each in (await client.page(KEY, kind="f")).objects]


async def trash(client: AsyncClient) -> object:
    return [each.key async for each in client.list_trash()]


async def spotlights(client: AsyncClient) -> object:
    return [each.title async for each in client.spotlights()]


ANSWER = {"userId": "U", "objects": [{"objectKey": KEY}], "spotLights": [{"title": "sea"}]}
END: dict[str, object] = {}


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
                await client.profile()
    assert len(foreign.asked) == 3
    assert caught.value.path == foreign.asked[0].path


async def test_what_must_not_happen_twice_is_not_repeated_for_a_damaged_answer() -> None:
    with foreign_server(lambda _: Reply(201, b'{"shareURL":"https:/')) as foreign:
        async with client_of(foreign) as client:
            with pytest.raises(UnexpectedAnswerError):
                await client.share_link([KEY])
    assert len([one for one in foreign.asked if one.method == "POST"]) == 1
