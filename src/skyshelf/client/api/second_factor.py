"""The second factor of a login."""

from typing import Final

from skyshelf.client.api.calls import Calls
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

_FEATURE: Final = "ask for a second factor at login"


class AsyncSecondFactor(Calls):
    """Require a code from an authenticator app as well as the password. An extension: see `NotOfferedError`.

    Example:
        ```python
        setup = client.second_factor.begin(password)
        print(setup.secret)  # add it to the authenticator app
        recovery_codes = client.second_factor.confirm(input("Code: "))
        ```
    """

    async def status(self) -> SecondFactorStatus:
        """Get whether a login asks for a code, since when, and how many recovery codes are left."""
        return await self._call(SECOND_FACTOR, SecondFactorStatus, feature=_FEATURE)

    async def begin(self, password: str) -> SecondFactorSetup:
        """Get a secret for an authenticator app. Logins do not change until `confirm`.

        Args:
            password: The account's password.

        Raises:
            ForbiddenError: Wrong password.
        """
        body = SecondFactorBeginRequest(password=password)
        return await self._call(BEGIN_SECOND_FACTOR, SecondFactorSetup, feature=_FEATURE, body=body)

    async def confirm(self, code: str) -> list[str]:
        """Turn the second factor on.

        Args:
            code: The first code that the authenticator app shows.

        Returns:
            The recovery codes. They are shown only once.
        """
        body = SecondFactorConfirmRequest(code=code)
        unknown = "look at `second_factor.status()`; if it is on, get recovery codes with `renew_recovery_codes`"
        codes = await self._call(CONFIRM_SECOND_FACTOR, RecoveryCodes, feature=_FEATURE, body=body, unknown=unknown)
        return codes.recovery_codes or []

    async def turn_off(self, password: str, code: str) -> None:
        """Turn the second factor off.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.
        """
        body = SecondFactorProofRequest(password=password, code=code)

        async def attempt() -> bool:
            await self._send(TURN_OFF_SECOND_FACTOR, feature=_FEATURE, body=body)
            return True

        async def happened() -> bool | None:
            # The code counts once, so a repetition would be refused although the first request was not.
            return None if (await self.status()).is_on else True

        await self._engine.once_only(attempt, happened)

    async def renew_recovery_codes(self, password: str, code: str) -> list[str]:
        """Replace the recovery codes; the old ones stop working.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.

        Returns:
            The new recovery codes. They are shown only once.
        """
        body = SecondFactorProofRequest(password=password, code=code)
        unknown = "renew the codes again with another code; those from before may have stopped working"
        codes = await self._call(RENEW_RECOVERY_CODES, RecoveryCodes, feature=_FEATURE, body=body, unknown=unknown)
        return codes.recovery_codes or []
