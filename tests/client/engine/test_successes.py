"""A status of 2xx alone makes no success: what each endpoint's response must have stands in the endpoint table."""

from collections.abc import AsyncIterator
from typing import Any, get_args, get_origin

import pytest
from msgspec import Struct
from msgspec.structs import fields
from tests.client.foreign import Foreign, Reply, foreign_server

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import UnexpectedAnswerError
from skyshelf.wire.endpoint import AnswerKind, Endpoint, JsonEndpoint
from skyshelf.wire.endpoints import ENDPOINTS

UNDEFINED = {"restore", "create_folder", "leave_board", "decline_invitation"}
"""Responses that the interface does not show, and one of ours that is empty: they may say nothing, but no error."""

BARE = {"contacts"}
"""An account without contacts answers `{}`."""

ERRORS: list[Any] = [{"code": "X1", "message": "bad"}, {"error": "x"}, {"error": {"code": 5}}, {"code": 17}]
SAYING_NOTHING: list[Any] = [{}, [], b"", None, {"message": "bad"}]
SILENT: list[Any] = [b"", {}, {"objects": []}]
KEY = "a" * 32


def is_json(endpoint: Endpoint) -> bool:
    return any(answer.kind is AnswerKind.JSON for answer in endpoint.answers.values())


def is_list(endpoint: Endpoint) -> bool:
    return isinstance(endpoint, JsonEndpoint) and get_origin(endpoint.model) is list


def is_empty(endpoint: Endpoint) -> bool:
    return all(answer.kind is AnswerKind.EMPTY for answer in endpoint.answers.values())


class Answering:
    """A server that answers every call with the same body, and a client that calls it."""

    def __init__(self, server: Foreign, client: AsyncClient) -> None:
        self._server = server
        self._engine = client._engine

    async def takes(self, endpoint: Endpoint, body: Any, status: int = 200) -> bool:
        """Whether the client takes a response with status 2xx and that body for a success."""
        self._server.answering = lambda _: Reply(status, body)
        parts: Any = {"keys": dict.fromkeys(endpoint.parameters, KEY)}
        try:
            if isinstance(endpoint, JsonEndpoint) and endpoint.name not in UNDEFINED:
                await self._engine.call(endpoint, **parts)
            else:
                await self._engine.send(self._engine.plan(endpoint, **parts))
        except UnexpectedAnswerError:
            return False
        return True


@pytest.fixture
async def answering() -> AsyncIterator[Answering]:
    with foreign_server(lambda _: Reply(500)) as server:
        session: dict[str, Any] = {"auth_token": "T", "user_id": "U", "device_key": "D"}
        async with AsyncClient(server.url, **session, retries=0, retry_wait=0.001) as client:
            yield Answering(server, client)


async def test_no_endpoint_takes_an_error_for_a_success(answering: Answering) -> None:
    taken = [
        (endpoint.name, body)
        for endpoint in ENDPOINTS
        if is_json(endpoint) or is_empty(endpoint)
        for body in ERRORS
        if await answering.takes(endpoint, body)
    ]
    assert taken == []


async def test_no_endpoint_takes_a_response_that_says_nothing_for_a_success(answering: Answering) -> None:
    taken = []
    for endpoint in ENDPOINTS:
        if not is_json(endpoint) or endpoint.name in UNDEFINED:
            continue
        other_case: dict[str, Any] = {name.swapcase(): [] for name in endpoint.must_have}
        nulls = dict.fromkeys(endpoint.must_have)
        for body in (*SAYING_NOTHING, other_case, nulls):
            is_bare = body == {} and endpoint.name in BARE
            is_its_list = body == [] and is_list(endpoint)
            if await answering.takes(endpoint, body) is not (is_bare or is_its_list):
                taken.append((endpoint.name, body))
    assert taken == []


async def test_a_long_page_is_a_success_only_with_its_own_list(answering: Answering) -> None:
    (listing,) = [one for one in ENDPOINTS if one.name == "listing"]
    ends = {"objectName": "a" * 32_768}
    assert await answering.takes(listing, {"objects": [ends]})
    assert not await answering.takes(listing, {"folders": [ends]})
    assert not await answering.takes(listing, {"objects": None, "code": "X1", "message": "a" * 32_768})


async def test_a_part_that_was_not_requested_and_a_list_that_is_there_twice_are_no_success(
    answering: Answering,
) -> None:
    taken = []
    for endpoint in ENDPOINTS:
        for name in endpoint.must_have:
            twice = b'{"%s": [], "%s": [{"a": 1}]}' % (name.encode(), name.encode())
            if await answering.takes(endpoint, twice):
                taken.append(endpoint.name)
        if is_json(endpoint) and await answering.takes(endpoint, {"objects": []}, status=206):
            taken.append(endpoint.name)
    assert taken == []


async def test_an_endpoint_without_a_defined_response_takes_one_that_says_nothing(answering: Answering) -> None:
    refused = [
        (endpoint.name, body)
        for endpoint in ENDPOINTS
        if endpoint.name in UNDEFINED or is_empty(endpoint)
        for body in SILENT
        if not await answering.takes(endpoint, body)
    ]
    assert refused == []


def test_every_row_names_what_its_response_must_have() -> None:
    without = {one.name for one in ENDPOINTS if is_json(one) and not (one.must_have or is_list(one))}
    assert without == UNDEFINED
    assert {one.name for one in ENDPOINTS if one.may_be_bare} == BARE
    for endpoint in ENDPOINTS:
        known = {
            field.encode_name
            for answer in endpoint.answers.values()
            for model in (get_args(answer.model) or (answer.model,))
            if isinstance(model, type) and issubclass(model, Struct)
            for field in fields(model)
        }
        assert set(endpoint.must_have) <= known, endpoint.name
