"""An authenticator, and an account that asks for its codes."""

import base64
from typing import Any

import httpx2
from tests.server.answers import answer_of
from tests.server.api import PASSWORD, Api

from skyshelf.service.accounts.login_codes import code_of, step_at

PATH = "/x/v1/account/second-factor"


class Authenticator:
    """What a phone does: it knows the secret and the time."""

    def __init__(self, api: Api, secret: str) -> None:
        self._api = api
        self._key = base64.b32decode(secret)

    def code(self, steps: int = 0) -> str:
        """The code of this moment, or of so many half minutes later."""
        return code_of(self._key, step_at(self._api.ctx.clock.now()) + steps)


def begin(api: Api, password: str = PASSWORD) -> httpx2.Response:
    return api.post(f"{PATH}/begin", json={"password": password})


def begun(api: Api) -> Authenticator:
    return Authenticator(api, answer_of(begin(api), "begin_second_factor")["secret"])


def confirm(api: Api, code: str) -> httpx2.Response:
    return api.post(f"{PATH}/confirm", json={"code": code})


def turned_on(api: Api, steps: int = -1) -> tuple[Authenticator, list[str]]:
    """The authenticator and the recovery codes; the code of the step before this one has been used.

    Where the clock does not stand still, that code may be too old on arrival: there, use the one of this moment (0) and
    go on with the next (+1).
    """
    phone = begun(api)
    codes: list[str] = answer_of(confirm(api, phone.code(steps)), "confirm_second_factor")["recoveryCodes"]
    return phone, codes


def turn_off(api: Api, code: str, password: str = PASSWORD) -> httpx2.Response:
    return api.post(f"{PATH}/off", json={"password": password, "code": code})


def renew(api: Api, code: str, password: str = PASSWORD) -> httpx2.Response:
    return api.post(f"{PATH}/codes", json={"password": password, "code": code})


def status(api: Api) -> dict[str, Any]:
    reported: dict[str, Any] = answer_of(api.get(PATH), "second_factor")
    return reported
