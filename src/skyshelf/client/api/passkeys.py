"""Passkeys of the account."""

from typing import Final

from skyshelf.client.api.calls import Calls
from skyshelf.wire.endpoints.passkeys import PASSKEYS, REMOVE_PASSKEY, RENAME_PASSKEY
from skyshelf.wire.resources.passkeys import ConfirmationRequest, Passkey, PasskeyNameRequest, Passkeys

_FEATURE: Final = "let people log in with passkeys"


class AsyncPasskeys(Calls):
    """The passkeys of your account. A browser adds them, in the settings. An extension: see `NotOfferedError`.

    Example:
        ```python
        for passkey in client.passkeys.list():
            print(passkey.name, passkey.last_used_date)
        ```
    """

    async def list(self) -> list[Passkey]:
        """List the passkeys, the newest first."""
        return (await self._call(PASSKEYS, Passkeys, feature=_FEATURE)).passkeys or []

    async def rename(self, passkey_key: str, name: str) -> None:
        """Name a passkey.

        Args:
            passkey_key: Which one.
            name: What to recognise it by.

        Raises:
            ObjectNotFoundError: There is no such passkey.
        """
        body = PasskeyNameRequest(name=name)
        await self._send(RENAME_PASSKEY, feature=_FEATURE, body=body, keys={"passkey_key": passkey_key})

    async def remove(self, passkey_key: str, password: str, *, code: str | None = None) -> None:
        """Remove a passkey. No session ends.

        Args:
            passkey_key: Which one.
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ConflictError: Logins need it: it is the only second factor.
            ForbiddenError: Wrong password or code.
            ObjectNotFoundError: There is no such passkey.
        """
        body = ConfirmationRequest(password=password, code=code)

        async def attempt() -> bool:
            await self._send(REMOVE_PASSKEY, feature=_FEATURE, body=body, keys={"passkey_key": passkey_key})
            return True

        async def happened() -> bool | None:
            # A code counts once, so a repetition would be refused although the first request was not.
            return None if any(one.passkey_key == passkey_key for one in await self.list()) else True

        await self._engine.once_only(attempt, happened)
