"""The account and its session."""

from msgspec import ValidationError, convert

from skyshelf.client.api import Calls
from skyshelf.client.credentials import Credentials
from skyshelf.client.engine.capabilities import ServerCapabilities, beyond
from skyshelf.client.engine.engine import Engine
from skyshelf.client.errors import InvalidRequestError, UnexpectedAnswerError
from skyshelf.wire.endpoints.account import (
    APP_SETTINGS,
    CHANGE_PASSWORD,
    COOKIE_NONCE,
    DELETE_ACCOUNT,
    EDIT_PROFILE,
    END_OTHER_SESSIONS,
    END_SESSION,
    KEEP_ACCOUNT,
    LOGIN,
    LOGOUT,
    OWN_DEVICES,
    PROFILE,
    PROMOTIONS,
    REMOVE_DEVICE,
)
from skyshelf.wire.endpoints.banners import BANNERS
from skyshelf.wire.endpoints.second_factor import (
    BEGIN_SECOND_FACTOR,
    CONFIRM_SECOND_FACTOR,
    RENEW_RECOVERY_CODES,
    SECOND_FACTOR,
    TURN_OFF_SECOND_FACTOR,
)
from skyshelf.wire.resources.account import (
    AccountDeletion,
    AccountDeletionRequest,
    AppSettings,
    AppSettingsQuery,
    CookieNonce,
    CookieNonceRequest,
    Device,
    DeviceRequest,
    EndedSessions,
    OwnDevice,
    OwnDevices,
    PasswordChangeRequest,
    ProfileEditRequest,
    Promotions,
    Quota,
    UserProfile,
)
from skyshelf.wire.resources.banners import BannerCard, BannerList
from skyshelf.wire.resources.second_factor import (
    RecoveryCodes,
    SecondFactorBeginRequest,
    SecondFactorConfirmRequest,
    SecondFactorProofRequest,
    SecondFactorSetup,
    SecondFactorStatus,
)
from skyshelf.wire.resources.session import LoginAnswer, LoginRequest

# The account, its session, and what the server tells its clients.


async def profile(engine: Engine) -> UserProfile:
    """The user, with quota and devices; an AuthenticationError where the session is not valid."""
    return await engine.call(PROFILE, UserProfile)


async def quota(engine: Engine) -> Quota:
    """The quota, which is empty where the server tells none."""
    return (await profile(engine)).quota or Quota()


async def login(engine: Engine, request: LoginRequest) -> LoginAnswer:
    """Open a session, and let the engine use it from now on."""
    with beyond("logging in with a password: copy the session from a browser instead"):
        answer = await engine.call(LOGIN, LoginAnswer, body=request)
    if not answer.auth_token or not answer.device_key:
        raise UnexpectedAnswerError("the server opened a session and did not tell its token")
    engine.capabilities = ServerCapabilities()
    engine.credentials = Credentials(answer.auth_token, answer.user_id, answer.device_key)
    return answer


async def logout(engine: Engine) -> None:
    """End the session; its token stops working everywhere."""
    with beyond("logging out: end the session in the browser that it came from"):
        await engine.send(engine.plan(LOGOUT))
    engine.credentials = None


# What people change about their own account.


async def change_password(engine: Engine, old: str, new: str) -> int:
    """How many other sessions ended."""
    body = PasswordChangeRequest(old_password=old, new_password=new)
    with beyond("changing the password: its web page may"):
        return (await engine.call(CHANGE_PASSWORD, EndedSessions, body=body)).ended_sessions or 0


async def edit_profile(engine: Engine, first_name: str | None, last_name: str | None) -> UserProfile:
    with beyond("changing the names of an account: its web page may"):
        return await engine.call(
            EDIT_PROFILE, UserProfile, body=ProfileEditRequest(first_name=first_name, last_name=last_name)
        )


async def own_devices(engine: Engine) -> list[OwnDevice]:
    with beyond("a list of sessions; the devices are in the profile"):
        return (await engine.call(OWN_DEVICES, OwnDevices)).devices or []


async def end_session(engine: Engine, device_key: str) -> None:
    with beyond("ending another session: log out on that device"):
        await engine.send(engine.plan(END_SESSION, body=_device(device_key)))


async def end_other_sessions(engine: Engine) -> int:
    with beyond("ending other sessions: log out on those devices"):
        return (await engine.call(END_OTHER_SESSIONS, EndedSessions)).ended_sessions or 0


async def remove_device(engine: Engine, device_key: str) -> None:
    with beyond("removing a device"):
        await engine.send(engine.plan(REMOVE_DEVICE, keys={"device_key": _device(device_key).device_key}))


async def delete_account(engine: Engine, password: str) -> int:
    """When it goes, in epoch milliseconds."""
    with beyond("deleting an account: ask its operator"):
        answer = await engine.call(DELETE_ACCOUNT, AccountDeletion, body=AccountDeletionRequest(password=password))
    return answer.deletion_date or 0


async def keep_account(engine: Engine) -> None:
    with beyond("keeping an account that was to be deleted: ask its operator"):
        await engine.send(engine.plan(KEEP_ACCOUNT))


def _device(device_key: str) -> DeviceRequest:
    try:
        return convert({"deviceKey": device_key}, DeviceRequest)
    except ValidationError:
        raise InvalidRequestError(f"{device_key!r} is not the key of a device, which is a UUID") from None


# The second factor of a login.

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


# The account and its session.


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
        return await login(self._engine, request)

    async def logout(self) -> None:
        """End the session; its token stops working everywhere."""
        await logout(self._engine)

    async def profile(self) -> UserProfile:
        """Who is logged in; an AuthenticationError where the session is not valid any more."""
        return await profile(self._engine)

    async def quota(self) -> Quota:
        """How much may be used and is used, in bytes, in GB and in percent."""
        return await quota(self._engine)

    async def devices(self) -> list[Device]:
        """The registered devices."""
        return (await profile(self._engine)).devices or []

    async def change_password(self, old: str, new: str) -> int:
        """Change the password; every other session ends, and this one stays. How many ended."""
        return await change_password(self._engine, old, new)

    async def second_factor(self) -> SecondFactorStatus:
        """Whether a login asks for a code too, since when, and how many recovery codes are left."""
        return await status(self._engine)

    async def begin_second_factor(self, password: str) -> SecondFactorSetup:
        """Get a secret for an authenticator; logins stay as they are until a code of it is confirmed."""
        return await begin(self._engine, password)

    async def confirm_second_factor(self, code: str) -> list[str]:
        """Turn the second factor on by a first code; the recovery codes, which nobody is told again."""
        return await confirm(self._engine, code)

    async def turn_off_second_factor(self, password: str, code: str) -> None:
        """Let the password alone open the account again; a recovery code will do."""
        await turn_off(self._engine, password, code)

    async def renew_recovery_codes(self, password: str, code: str) -> list[str]:
        """New recovery codes; those before are worth nothing any more."""
        return await renew_codes(self._engine, password, code)

    async def edit_profile(self, *, first_name: str | None = None, last_name: str | None = None) -> UserProfile:
        """Change the names that others see; what is None stays."""
        return await edit_profile(self._engine, first_name, last_name)

    async def own_devices(self) -> list[OwnDevice]:
        """The devices of the account with their sessions, the one that was seen last at the front."""
        return await own_devices(self._engine)

    async def end_session(self, device_key: str) -> None:
        """Log a device out."""
        await end_session(self._engine, device_key)

    async def end_other_sessions(self) -> int:
        """Log out every device but this one; how many sessions ended."""
        return await end_other_sessions(self._engine)

    async def remove_device(self, device_key: str) -> None:
        """Forget a device, which is logged out."""
        await remove_device(self._engine, device_key)

    async def delete_account(self, password: str) -> int:
        """Announce that the account is to go; when it goes for good, in epoch milliseconds.

        Until then `keep_account` takes it back.
        """
        return await delete_account(self._engine, password)

    async def keep_account(self) -> None:
        """Take back that the account is to go."""
        await keep_account(self._engine)

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
