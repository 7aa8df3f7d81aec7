"""Cookies full of backslashes, which Python's own reader takes quadratic time for."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.attacks.attacked import Attacked

pytestmark = pytest.mark.plain

COOKIE = 'a="' + "\\" * 15_000 + '"'


def test_cookies_of_backslashes_stop_nobody(attacked: Attacked) -> None:
    client = attacked.client()

    def ask(path: str) -> int:
        return client.get(path, headers={"Cookie": COOKIE}).status_code

    with attacked.while_others_work(), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, ["/nms/metadata", "/drive/files", "/l/?u=none", "/nms/trash"] * 10))
    assert {answer // 100 for answer in answers} <= {2, 4}
