"""The server is what its OpenAPI description says, for requests that nobody thought of.

Schemathesis makes requests from the description, good ones and bad ones. Keys in them are exchanged for keys that
the account really has, now and then, so that not everything ends at "there is no such file".
"""

import copy
import re
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok
from tests.server.api import Api, logged_in
from tests.server.furnished import Furnished
from tests.server.good_calls import good_call
from tests.wire.answer_models import ANSWER_MODELS

from skyshelf.server.openapi.document import document
from skyshelf.wire.endpoints import BY_NAME
from skyshelf.wire.models import AnswerModel


def strict_document() -> dict[str, Any]:
    """The description, with nothing allowed in an answer that it does not name."""
    strict = copy.deepcopy(document())
    for name, schema in strict["components"]["schemas"].items():
        if name in ANSWERS:
            schema["additionalProperties"] = False
    return strict


ANSWERS = {model.__name__ for model in ANSWER_MODELS if issubclass(model, AnswerModel)}
SCHEMA = schemathesis.openapi.from_dict(strict_document())
OPERATIONS = [result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)]
BASE = "http://testserver"
_KEY = re.compile(r"[0-9A-Fa-f]{32}")


def checks() -> list[Any]:
    """What is held for every answer: no fault, and nothing that is not in the description."""
    names = [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
    return [CHECKS.get_one(name) for name in names]


def with_keys(value: Any, draw_key: Any) -> Any:
    """A value whose keys are exchanged for keys that exist, now and then."""
    if isinstance(value, dict):
        return {name: with_keys(one, draw_key) for name, one in value.items()}
    if isinstance(value, list):
        return [with_keys(one, draw_key) for one in value]
    if isinstance(value, str) and _KEY.fullmatch(value):
        return draw_key() or value
    return value


def exchange(api: Api, case: Case[Any]) -> None:
    """Send the case and hold the answer to the description."""
    endpoint = BY_NAME[case.operation.definition.raw["operationId"].removesuffix("_head")]
    if endpoint.name == "logout":
        # One that ended the session must not make all others trivial.
        api = logged_in(api.client, api.ctx, api.account)
    if endpoint.name == "change_stream" and str((case.query or {}).get("seconds", "0")).isdigit():
        # Nobody waits for the end of a stream that lasts.
        case.query = {**(case.query or {}), "seconds": "0"}
    headers = dict(api.headers)
    if endpoint.body_kind.value not in {"", "application/json"}:
        headers.pop("Content-Type")
    given = case.as_transport_kwargs(base_url=BASE, headers=headers)
    given.pop("cookies", None)
    prepared = requests.Request(**given).prepare()
    assert prepared.url is not None
    content = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
    assert content is None or isinstance(content, bytes)
    # Header values are bytes; whatever is no ASCII is sent as it is.
    given_headers = {name: str(value) for name, value in prepared.headers.items() if name.lower() != "content-length"}
    sent = {name.encode(): value.encode("latin-1") for name, value in given_headers.items()}
    answer = api.client.request(str(prepared.method), prepared.url.removeprefix(BASE), headers=sent, content=content)
    case.validate_response(answer, checks=checks())


@pytest.mark.whole
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.definition.raw["operationId"])
def test_answers_are_what_the_description_says(
    furnished_account: Furnished, operation: Any, pytestconfig: pytest.Config
) -> None:
    api, keys = furnished_account
    good = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    bad = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    known = st.sampled_from([None, keys.root, keys.folder, keys.file, keys.trashed, keys.board, keys.upload])

    @hypothesis.seed(1)
    @hypothesis.settings(
        max_examples=pytestconfig.getoption("--calls-examples"),
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=good | bad, data=st.data())
    def holds(case: Case[Any], data: st.DataObject) -> None:
        def draw_key() -> str | None:
            return data.draw(known)

        for part in ("path_parameters", "query", "body"):
            setattr(case, part, with_keys(getattr(case, part), draw_key))
        exchange(api, case)

    holds()


@pytest.mark.parametrize("name", BY_NAME)
def test_the_answer_to_a_good_call_is_what_the_description_says(furnished_account: Furnished, name: str) -> None:
    api, keys = furnished_account
    endpoint = BY_NAME[name]
    operation = SCHEMA[endpoint.path][endpoint.method]
    answer = good_call(name, api, keys).send(api)
    assert answer.status_code in endpoint.answers
    case = operation.Case(path_parameters=dict.fromkeys(endpoint.parameters, keys.file))
    case.validate_response(answer, checks=checks())
