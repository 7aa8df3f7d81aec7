"""Answers, held to the models of the interface."""

from typing import Any

import httpx2
import msgspec

from skyshelf.wire.endpoints import BY_NAME


def answer_of(response: httpx2.Response, endpoint_name: str) -> Any:
    """The JSON of a success. It is what the endpoint's model says, and has no field that the model does not know."""
    endpoint = BY_NAME[endpoint_name]
    assert response.status_code == endpoint.success, (response.status_code, response.text[:500])
    assert response.headers["content-type"] == "application/json; charset=UTF-8"
    model: Any = endpoint.answers[response.status_code].model
    answer = response.json()
    assert msgspec.to_builtins(msgspec.json.decode(response.content, type=model)) == answer
    return answer
