"""Proofs of history over HTTP: bounded answers, and walls between accounts."""

from typing import Any

import pytest
from tests.server.api import Api, error_of

from skyshelf.service.history.logs import log_now

PROOF = "/x/v1/history/proof"


def get(api: Api, name: str, **params: int) -> dict[str, Any]:
    answer = api.get(f"{PROOF}/{name}", params={key: str(value) for key, value in params.items()})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_log_that_has_not_begun_has_no_head(api: Api) -> None:
    assert get(api, "head") == {"size": 0, "newestNumber": 0, "waiting": 0, "keptFrom": 1, "days": 30}
    assert get(api, "keys") == {"keys": [], "restores": []}
    api.folder("a")
    assert get(api, "head") == {"size": 0, "newestNumber": 1, "waiting": 1, "keptFrom": 1, "days": 30}
    for name, params in (
        ("leaves", {"number": "1"}),
        ("inclusion", {"number": "1", "size": "1"}),
        ("consistency", {"oldSize": "0", "size": "0"}),
    ):
        assert error_of(api.get(f"{PROOF}/{name}", params=params)) == (404, "SKY1019")


def test_head_leaves_and_proofs_are_those_of_the_account(api: Api) -> None:
    for number in range(5):
        api.folder(f"folder {number}")
    log_now(api.ctx, api.account.account_id)
    head = get(api, "head")
    assert (head["size"], head["start"], head["waiting"]) == (5, 1, 0)
    assert head["note"].startswith("skyshelf-history/")
    leaves = get(api, "leaves", number=2, limit=3)["leaves"]
    assert [leaf["number"] for leaf in leaves] == [2, 3, 4]
    assert all(leaf["record"] and leaf["date"] for leaf in leaves)
    assert len(get(api, "inclusion", number=5, size=5)["hashes"]) == 1
    assert len(get(api, "consistency", oldSize=3, size=5)["hashes"]) == 4
    [key] = get(api, "keys")["keys"]
    assert set(key) == {"keyId", "publicKey", "createdDate"}


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("leaves", {"number": "3"}),
        ("inclusion", {"number": "3", "size": "2"}),
        ("inclusion", {"number": "1", "size": "3"}),
        ("consistency", {"oldSize": "2", "size": "1"}),
        ("consistency", {"oldSize": "1", "size": "3"}),
        ("leaves", {"number": "1", "limit": "501"}),
        ("leaves", {"number": "0"}),
        ("leaves", {}),
    ],
)
def test_what_is_not_in_the_log_is_refused(api: Api, name: str, params: dict[str, str]) -> None:
    api.folder("a")
    api.folder("b")
    log_now(api.ctx, api.account.account_id)
    assert api.get(f"{PROOF}/{name}", params=params).status_code in {400, 404}
