"""The account and its session."""

from skyshelf.client import (
    account,
    own_account,
    second_factor,
)
from skyshelf.client.calls.base import Calls
from skyshelf.wire.endpoints.account import APP_SETTINGS, COOKIE_NONCE, PROMOTIONS
from skyshelf.wire.endpoints.banners import BANNERS
from skyshelf.wire.resources.account import (
    AppSettings,
    AppSettingsQuery,
    CookieNonce,
    CookieNonceRequest,
    Device,
    OwnDevice,
    Promotions,
    Quota,
    UserProfile,
)
from skyshelf.wire.resources.banners import BannerCard, BannerList
from skyshelf.wire.resources.second_factor import SecondFactorSetup, SecondFactorStatus
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest


class AccountCalls(Calls):
    """The account and its session."""

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
        """Open a session, which this client uses from now on; naming a registered device ends its earlier session.

        A SecondFactorRequiredError says that the password is right and a `code` is needed too: six digits of the
        authenticator, or a recovery code.
        """
        request = LoginRequest(
            email_id=email,
            password=password,
            code=code,
            device_name=device_name,
            platform_type=platform_type,
            device_key=device_key,
        )
        return await account.login(self._engine, request)

    async def logout(self) -> None:
        """End the session; its token stops working everywhere."""
        await account.logout(self._engine)

    async def profile(self) -> UserProfile:
        """Who is logged in; an AuthenticationError where the session is not valid any more."""
        return await account.profile(self._engine)

    async def quota(self) -> Quota:
        """How much may be used and is used, in bytes, in GB and in percent."""
        return await account.quota(self._engine)

    async def devices(self) -> list[Device]:
        """The registered devices."""
        return (await account.profile(self._engine)).devices or []

    async def change_password(self, old: str, new: str) -> int:
        """Change the password; every other session ends, and this one stays. How many ended."""
        return await own_account.change_password(self._engine, old, new)

    async def second_factor(self) -> SecondFactorStatus:
        """Whether a login asks for a code too, since when, and how many recovery codes are left."""
        return await second_factor.status(self._engine)

    async def begin_second_factor(self, password: str) -> SecondFactorSetup:
        """Get a secret for an authenticator; logins stay as they are until a code of it is confirmed."""
        return await second_factor.begin(self._engine, password)

    async def confirm_second_factor(self, code: str) -> list[str]:
        """Turn the second factor on by a first code; the recovery codes, which nobody is told again."""
        return await second_factor.confirm(self._engine, code)

    async def turn_off_second_factor(self, password: str, code: str) -> None:
        """Let the password alone open the account again; a recovery code will do."""
        await second_factor.turn_off(self._engine, password, code)

    async def renew_recovery_codes(self, password: str, code: str) -> list[str]:
        """New recovery codes; those before are worth nothing any more."""
        return await second_factor.renew_codes(self._engine, password, code)

    async def edit_profile(self, *, first_name: str | None = None, last_name: str | None = None) -> UserProfile:
        """Change the names that others see; what is None stays."""
        return await own_account.edit_profile(self._engine, first_name, last_name)

    async def own_devices(self) -> list[OwnDevice]:
        """The devices of the account with their sessions, the one that was seen last at the front."""
        return await own_account.own_devices(self._engine)

    async def end_session(self, device_key: str) -> None:
        """Log a device out."""
        await own_account.end_session(self._engine, device_key)

    async def end_other_sessions(self) -> int:
        """Log out every device but this one; how many sessions ended."""
        return await own_account.end_other_sessions(self._engine)

    async def remove_device(self, device_key: str) -> None:
        """Forget a device, which is logged out."""
        await own_account.remove_device(self._engine, device_key)

    async def delete_account(self, password: str) -> int:
        """Announce that the account is to go; when it goes for good, in epoch milliseconds.

        Until then `keep_account` takes it back.
        """
        return await own_account.delete_account(self._engine, password)

    async def keep_account(self) -> None:
        """Take back that the account is to go."""
        await own_account.keep_account(self._engine)

    async def promotions(self) -> Promotions:
        """Storage promotions, active and expired."""
        return await self._engine.call(PROMOTIONS, Promotions)

    async def app_settings(self) -> AppSettings:
        """The backup policy, and what clients should know about the server."""
        return await self._engine.call(APP_SETTINGS, AppSettings, query=AppSettingsQuery())

    async def cookie_nonce(self, jwt: str) -> CookieNonce:
        """A nonce that opens downloads for a short time; the JWT comes with the login."""
        return await self._engine.call(COOKIE_NONCE, CookieNonce, body=CookieNonceRequest(jwt=jwt))

    async def banners(self) -> list[BannerCard]:
        """Promo banners to show now."""
        return (await self._engine.call(BANNERS, BannerList)).cards or []
