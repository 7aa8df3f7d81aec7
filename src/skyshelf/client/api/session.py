"""Logging in and out, the second factor and passkeys, and what a server announces to all its clients."""

from datetime import datetime

from skyshelf.client.api.calls import Calls
from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.capabilities import ServerCapabilities
from skyshelf.client.errors import AuthenticationError, UnexpectedAnswerError
from skyshelf.client.secrets import HELD
from skyshelf.wire.endpoints import credentials as endpoints
from skyshelf.wire.endpoints.account import APP_SETTINGS, BANNERS, LOGIN, LOGOUT
from skyshelf.wire.endpoints.feeds import SUPPORTED_DOCUMENTS
from skyshelf.wire.resources import credentials as models
from skyshelf.wire.resources.account import AppSettings, AppSettingsQuery, BannerCard
from skyshelf.wire.resources.credentials import LoginAnswer, LoginRequest, SecondFactorSetup, SecondFactorStatus
from skyshelf.wire.resources.feeds import SupportedExtensions
from skyshelf.wire.resources.passkeys import ConfirmationRequest, Passkey, PasskeyNameRequest


class SessionCalls(Calls):
    """Logging in and out."""

    @property
    def credentials(self) -> Credentials | None:
        """The session that this client uses; None before a login."""
        return self._engine.credentials

    @property
    def server_time(self) -> datetime | None:
        """The time of the server by its last response; None if it has not shown any."""
        return self._engine.clock.now()

    @property
    def logged_out_reason(self) -> str | None:
        """Why the session in the settings is not used: it belongs to another server. None without such a session."""
        return None if self._engine.credentials is not None else self._engine.refusal

    async def login(
        self,
        email: str,
        password: str,
        *,
        code: str | None = None,
        device_name: str | None = None,
        platform_type: str | None = None,
        device_key: str | None = None,
    ) -> LoginAnswer:
        """Open a session, which this client uses from then on.

        Args:
            email: The account's email address.
            password: The account's password.
            code: The second factor, where the account has one: six digits from the authenticator, or a recovery code.
            device_name: A name for this device, as `account.sessions()` lists it.
            platform_type: The kind of device.
            device_key: The key of a registered device, whose earlier session ends.

        Returns:
            The session: token, user id and device key.

        Raises:
            AuthenticationError: Wrong email address or password.
            SecondFactorRequiredError: The password is right, and a `code` is needed too.
            NotOfferedError: The server has no login over the API.

        Example:
            ```python
            try:
                client.login(email, password)
            except SecondFactorRequiredError:
                client.login(email, password, code=input("Code: "))
            ```
        """
        request = LoginRequest(
            email_id=email,
            password=password,
            code=code,
            device_name=device_name,
            platform_type=platform_type,
            device_key=device_key,
        )
        HELD.add((password, code))
        feature = "log in with a password; copy the session from a browser instead"
        unknown = "log in again, and then log out the session that you do not use"
        session = await self._call(LOGIN, feature=feature, body=request, unknown=unknown)
        if not session.auth_token or not session.device_key:
            raise UnexpectedAnswerError("the server opened a session and did not send its token")
        HELD.add((session.jwt,))
        self._engine.capabilities = ServerCapabilities()
        self._engine.credentials = Credentials(session.auth_token, session.user_id, session.device_key)
        return session

    async def logout(self) -> None:
        """End the session; its token stops working everywhere."""
        feature = "log out over the API; log out in the browser that the session came from"

        async def attempt(is_repeated: bool) -> None:
            try:
                await self._send(LOGOUT, feature=feature)
            except AuthenticationError:
                # After a lost response, an ended session means success.
                if not is_repeated:
                    raise

        await self._repeating(attempt)
        self._engine.credentials = None


class AsyncServerInfo(Calls):
    """What the server says to all its clients: settings, announcements, supported documents.

    Example:
        ```python
        for banner in client.server_info.banners():
            print(banner.title)
        ```
    """

    async def app_settings(self) -> AppSettings:
        """Get the backup policy and the server's other settings for clients."""
        return await self._call(APP_SETTINGS, query=AppSettingsQuery())

    async def banners(self) -> list[BannerCard]:
        """List the operator's current announcements."""
        return (await self._call(BANNERS)).cards or []

    async def supported_documents(self) -> SupportedExtensions:
        """Get the extensions of the documents that the web client can show and edit."""
        supported = await self._call(SUPPORTED_DOCUMENTS)
        return supported.supported_extensions or SupportedExtensions()


class AsyncSecondFactor(Calls):
    """Require a code from an authenticator app as well as the password. An extension: see `NotOfferedError`.

    Example:
        ```python
        setup = client.second_factor.begin(password)
        print(setup.secret)  # add it to the authenticator app
        recovery_codes = client.second_factor.confirm(input("Code: "))
        ```
    """

    _feature = "ask for a second factor at login"

    async def status(self) -> SecondFactorStatus:
        """Get whether a login asks for a code, since when, and how many recovery codes are left."""
        return await self._call(endpoints.SECOND_FACTOR)

    async def begin(self, password: str) -> SecondFactorSetup:
        """Get a secret for an authenticator app. Logins do not change until `confirm`.

        Args:
            password: The account's password.

        Raises:
            ForbiddenError: Wrong password.
        """
        body = models.SecondFactorBeginRequest(password=password)
        return await self._call(endpoints.BEGIN_SECOND_FACTOR, body=body)

    async def confirm(self, code: str) -> list[str]:
        """Turn the second factor on.

        Args:
            code: The first code that the authenticator app shows.

        Returns:
            The recovery codes. They are shown only once.
        """
        body = models.SecondFactorConfirmRequest(code=code)
        unknown = "look whether the second factor is on now; if it is, renew the recovery codes"
        codes = await self._call(endpoints.CONFIRM_SECOND_FACTOR, body=body, unknown=unknown)
        return codes.recovery_codes or []

    async def turn_off(self, password: str, code: str) -> None:
        """Turn the second factor off.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.
        """
        body = models.SecondFactorProofRequest(password=password, code=code)

        async def is_off() -> bool:
            return not (await self.status()).is_on

        await self._send_with_code(endpoints.TURN_OFF_SECOND_FACTOR, is_off, body=body)

    async def renew_recovery_codes(self, password: str, code: str) -> list[str]:
        """Replace the recovery codes; the old ones stop working.

        Args:
            password: The account's password.
            code: A code from the authenticator app, or a recovery code.

        Returns:
            The new recovery codes. They are shown only once.
        """
        body = models.SecondFactorProofRequest(password=password, code=code)
        unknown = "renew the codes again with another code; those from before may have stopped working"
        codes = await self._call(endpoints.RENEW_RECOVERY_CODES, body=body, unknown=unknown)
        return codes.recovery_codes or []


class AsyncPasskeys(Calls):
    """The passkeys of your account. A browser adds them, in the settings. An extension: see `NotOfferedError`.

    Example:
        ```python
        for passkey in client.passkeys.list():
            print(passkey.name, passkey.last_used_date)
        ```
    """

    _feature = "let people log in with passkeys"

    async def list(self) -> list[Passkey]:
        """List the passkeys, the newest first."""
        return (await self._call(endpoints.PASSKEYS)).passkeys or []

    async def rename(self, passkey_key: str, name: str) -> None:
        """Rename a passkey.

        Args:
            passkey_key: The passkey, as `list` returns it.
            name: A name to recognise it by.

        Raises:
            ObjectNotFoundError: There is no such passkey.
        """
        await self._send(
            endpoints.RENAME_PASSKEY, body=PasskeyNameRequest(name=name), keys={"passkey_key": passkey_key}
        )

    async def remove(self, passkey_key: str, password: str, *, code: str | None = None) -> None:
        """Remove a passkey. No session ends.

        Args:
            passkey_key: The passkey, as `list` returns it.
            password: The account's password.
            code: A code from the authenticator app, or a recovery code, if the second factor is on.

        Raises:
            ConflictError: It is the only second factor, and logins require one.
            ForbiddenError: Wrong password or code.
            ObjectNotFoundError: There is no such passkey.
        """
        body = ConfirmationRequest(password=password, code=code)

        async def is_gone() -> bool:
            return all(one.passkey_key != passkey_key for one in await self.list())

        await self._send_with_code(endpoints.REMOVE_PASSKEY, is_gone, body=body, keys={"passkey_key": passkey_key})
