"""The second factor of a login."""

from skyshelf.client.beyond import beyond
from skyshelf.client.engine import Engine
from skyshelf.wire.endpoints.second_factor import (
    BEGIN_SECOND_FACTOR,
    CONFIRM_SECOND_FACTOR,
    RENEW_RECOVERY_CODES,
    SECOND_FACTOR,
    TURN_OFF_SECOND_FACTOR,
)
from skyshelf.wire.resources.second_factor import (
    RecoveryCodes,
    SecondFactorBeginRequest,
    SecondFactorConfirmRequest,
    SecondFactorProofRequest,
    SecondFactorSetup,
    SecondFactorStatus,
)

_WHAT = "a second factor for logging in"


async def status(engine: Engine) -> SecondFactorStatus:
    with beyond(_WHAT):
        return await engine.call(SECOND_FACTOR, SecondFactorStatus)


async def begin(engine: Engine, password: str) -> SecondFactorSetup:
    with beyond(_WHAT):
        return await engine.call(
            BEGIN_SECOND_FACTOR, SecondFactorSetup, body=SecondFactorBeginRequest(password=password)
        )


async def confirm(engine: Engine, code: str) -> list[str]:
    """The recovery codes."""
    with beyond(_WHAT):
        told = await engine.call(CONFIRM_SECOND_FACTOR, RecoveryCodes, body=SecondFactorConfirmRequest(code=code))
    return told.recovery_codes or []


async def turn_off(engine: Engine, password: str, code: str) -> None:
    body = SecondFactorProofRequest(password=password, code=code)
    with beyond(_WHAT):
        await engine.send(engine.plan(TURN_OFF_SECOND_FACTOR, body=body))


async def renew_codes(engine: Engine, password: str, code: str) -> list[str]:
    """The recovery codes that count from now on."""
    body = SecondFactorProofRequest(password=password, code=code)
    with beyond(_WHAT):
        return (await engine.call(RENEW_RECOVERY_CODES, RecoveryCodes, body=body)).recovery_codes or []
