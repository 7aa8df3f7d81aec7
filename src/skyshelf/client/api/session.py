"""Logging in and out."""

from skyshelf.client.api.calls import Calls
from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.capabilities import ServerCapabilities
from skyshelf.client.errors import AuthenticationError, UnexpectedAnswerError
from skyshelf.client.secrets import HELD
from skyshelf.wire.endpoints.account import LOGIN, LOGOUT
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest


class SessionCalls(Calls):
    """Logging in and out."""

    @property
    def credentials(self) -> Credentials | None:
        """The session that this client uses; None before a login."""
        return self._engine.credentials

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
        unknown = "log in again; `account.sessions()` shows a session that you do not use"
        session = await self._call(LOGIN, LoginAnswer, feature=feature, body=request, unknown=unknown)
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
                # After a lost response, an ended session is what was asked for.
                if not is_repeated:
                    raise

        await self._repeating(attempt)
        self._engine.credentials = None
