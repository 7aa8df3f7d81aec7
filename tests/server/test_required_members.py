"""Every response has what its endpoint's row requires of it: a client takes one without it for no success."""

from typing import Any

from tests.server.api import Api
from tests.server.good_calls import furnish, good_call, removing_last

from skyshelf.wire.endpoint import Endpoint
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS


def lacks(endpoint: Endpoint, answered: Any) -> bool:
    return not any(answered.get(name) is not None for name in endpoint.must_have)


def test_every_good_call_is_answered_with_what_its_row_requires(api: Api) -> None:
    keys = furnish(api)
    lacking = []
    for name in removing_last(BY_NAME):
        endpoint = BY_NAME[name]
        answer = good_call(name, api, keys).send(api)
        assert answer.status_code in endpoint.answers, (name, answer.text)
        if endpoint.must_have and lacks(endpoint, answer.json()):
            lacking.append((name, answer.text))
    assert lacking == []


def test_an_empty_account_is_answered_with_empty_lists_and_not_without_them(api: Api) -> None:
    lacking = []
    for endpoint in ENDPOINTS:
        if endpoint.method != "GET" or endpoint.parameters or not endpoint.must_have:
            continue
        answer = api.get(endpoint.path)
        if answer.status_code == 200 and lacks(endpoint, answer.json()):
            lacking.append((endpoint.name, answer.text))
    assert lacking == []
