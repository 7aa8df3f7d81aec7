"""The account: profile, password, sessions and devices, deletion."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Final

from msgspec import Struct, ValidationError, convert

from skyshelf.client.api.calls import Calls
from skyshelf.client.engine.requests import checked
from skyshelf.client.errors import InvalidRequestError
from skyshelf.client.objects.listing import PAGE_SIZE
from skyshelf.wire.cursors import CursorQuery
from skyshelf.wire.endpoints import account as endpoints
from skyshelf.wire.endpoints import credentials
from skyshelf.wire.endpoints.objects import DUPLICATES, LARGEST_FILES, OLD_VERSIONS, STORAGE_USE
from skyshelf.wire.resources import account as models
from skyshelf.wire.resources.account import AccountEvent, CookieNonce, Device, OwnDevice, Promotions, Quota, UserProfile
from skyshelf.wire.resources.credentials import (
    AppPassword,
    LoginProvider,
    MadeAppPassword,
    NewAppPassword,
    OwnIdentities,
    UnlinkIdentityRequest,
)
from skyshelf.wire.resources.objects import CloudObject
from skyshelf.wire.resources.storage import DuplicateGroup, DuplicatesQuery, FileWithOldVersions, StorageUse

_PROVIDERS: Final = "name login providers"
_APPS: Final = "let apps in with app passwords"
_STORAGE: Final = "report what takes up space; the profile has the sum"


class StorageReport(Struct, frozen=True, kw_only=True):
    """What takes up an account's space: the sums, and the first of each list, the largest first."""

    use: StorageUse
    largest: list[CloudObject]
    duplicates: list[DuplicateGroup]
    old_versions: list[FileWithOldVersions]


class AsyncAccount(Calls):
    """Your account: profile, password, sessions and devices.

    Changes are an extension: on a server without it they raise `NotOfferedError`.
    """

    async def profile(self) -> UserProfile:
        """Get the profile of the logged-in user, with quota and devices.

        Raises:
            AuthenticationError: The session is no longer valid.
        """
        return await self._call(endpoints.PROFILE)

    async def quota(self) -> Quota:
        """Get the storage quota and how much of it is used; empty where the server does not report it."""
        return (await self.profile()).quota or Quota()

    async def storage(self, *, limit: int = 10) -> StorageReport:
        """Report what takes up space: sums by kind, the largest files, duplicates, earlier versions and the trash.

        Args:
            limit: How many entries of each list; 1 to 100.
        """
        page = checked(CursorQuery, limit=limit)
        groups = checked(DuplicatesQuery, limit=limit)
        use = await self._call(STORAGE_USE, feature=_STORAGE)
        largest = await self._call(LARGEST_FILES, feature=_STORAGE, query=page)
        duplicates = await self._call(DUPLICATES, feature=_STORAGE, query=groups)
        versions = await self._call(OLD_VERSIONS, feature=_STORAGE, query=page)
        return StorageReport(
            use=use,
            largest=largest.objects or [],
            duplicates=duplicates.groups or [],
            old_versions=versions.files or [],
        )

    async def devices(self) -> list[Device]:
        """List the registered devices from the profile. `sessions` has more details, on servers that support it."""
        return (await self.profile()).devices or []

    async def promotions(self) -> Promotions:
        """Get the storage promotions of the account, active and expired."""
        return await self._call(endpoints.PROMOTIONS)

    async def cookie_nonce(self, jwt: str) -> CookieNonce:
        """Get a nonce that allows downloads without headers for a short time.

        Args:
            jwt: The token that `login` returned for this purpose.
        """
        return await self._call(endpoints.COOKIE_NONCE, body=models.CookieNonceRequest(jwt=jwt))

    async def edit_profile(self, *, first_name: str | None = None, last_name: str | None = None) -> UserProfile:
        """Change the name that others see.

        Args:
            first_name: The new first name; None keeps the current one.
            last_name: The new last name; None keeps the current one.
        """
        feature = "change an account's names over the API; try its web page"
        body = models.ProfileEditRequest(first_name=first_name, last_name=last_name)
        return await self._call(endpoints.EDIT_PROFILE, feature=feature, body=body)

    async def change_password(self, old: str, new: str) -> int:
        """Change the password. This session stays, all others end.

        Args:
            old: The current password.
            new: The new password.

        Returns:
            How many other sessions ended.

        Raises:
            ForbiddenError: The current password is wrong.
            InvalidRequestError: The new password is too short or too long.
        """
        feature = "change the password over the API; try its web page"
        body = models.PasswordChangeRequest(old_password=old, new_password=new)
        unknown = "log in with the new password, and with the old one if it is refused"
        ended = await self._call(endpoints.CHANGE_PASSWORD, feature=feature, body=body, unknown=unknown)
        return ended.ended_sessions or 0

    async def sessions(self) -> list[OwnDevice]:
        """List the account's devices with their sessions, the most recently used first."""
        feature = "list sessions; the profile lists the devices"
        return (await self._call(endpoints.OWN_DEVICES, feature=feature)).devices or []

    def events(self, kind: str | None = None, *, page_size: int = PAGE_SIZE) -> AsyncIterator[AccountEvent]:
        """List what happened in the account, newest first: logins, failures, shares, downloads by link, deletions.

        Args:
            kind: A kind such as `login.failed`, or a group such as `login`; None for all.
            page_size: How many events one request asks for.
        """
        query = partial(models.AccountEventsQuery, kind=kind, limit=page_size)
        feature = "list what happened in an account"
        return self._by_cursor(endpoints.ACCOUNT_EVENTS, lambda page: page.events, query, feature=feature)

    async def end_session(self, device_key: str) -> None:
        """Log a device out.

        Args:
            device_key: The device, as `sessions` lists it.
        """
        await self._remove(
            endpoints.END_SESSION, feature="end another session; log out on that device", body=_device(device_key)
        )

    async def end_other_sessions(self) -> int:
        """Log out every other device.

        Returns:
            How many sessions ended.
        """
        feature = "end other sessions; log out on those devices"
        return (await self._call(endpoints.END_OTHER_SESSIONS, feature=feature)).ended_sessions or 0

    async def remove_device(self, device_key: str) -> None:
        """Log a device out and remove it from the list.

        Args:
            device_key: The device, as `sessions` lists it.
        """
        keys = {"device_key": _device(device_key).device_key}
        await self._remove(endpoints.REMOVE_DEVICE, feature="remove a device", keys=keys)

    async def identities(self) -> OwnIdentities:
        """List the account's identities at login providers, and the providers that could be linked in a browser."""
        return await self._call(credentials.IDENTITIES, feature=_PROVIDERS)

    async def unlink_identity(self, issuer: str) -> OwnIdentities:
        """Unlink an identity, so that it no longer logs in to the account; the last way to log in is kept.

        Args:
            issuer: The identity's issuer, as `identities` lists it.
        """
        body = UnlinkIdentityRequest(issuer=issuer)
        return await self._call(credentials.UNLINK_IDENTITY, feature=_PROVIDERS, body=body)

    async def login_providers(self) -> list[LoginProvider]:
        """List the providers through which people can log in to this server, in a browser. No session is needed."""
        return (await self._call(credentials.WELCOME, feature=_PROVIDERS)).providers or []

    async def app_passwords(self) -> list[AppPassword]:
        """List the app passwords, the newest first."""
        return (await self._call(credentials.APP_PASSWORDS, feature=_APPS)).app_passwords or []

    async def add_app_password(
        self,
        name: str,
        password: str,
        *,
        code: str | None = None,
        can_write: bool = True,
        folder_key: str | None = None,
        webdav_only: bool = False,
        expires_date: int | None = None,
    ) -> MadeAppPassword:
        """Create a password for an app that has no other way to log in, such as a WebDAV client.

        Args:
            name: A name to recognise it by, such as the device and the app.
            password: The account's password.
            code: A code of the second factor, where logins need one.
            can_write: Whether the app may change anything.
            folder_key: The only folder that the app sees; None for the whole drive.
            webdav_only: Whether it is valid for WebDAV only, and for no other protocol of apps.
            expires_date: When it stops working, in epoch milliseconds; None if it lasts until it is revoked.

        Returns:
            The app password, which is shown only once, and the address to use it with.

        Raises:
            ForbiddenError: Wrong password or code.
        """
        body = NewAppPassword(
            name=name,
            password=password,
            code=code,
            can_write=can_write,
            folder_key=folder_key,
            webdav_only=webdav_only,
            expires_date=expires_date,
        )
        unknown = "list the app passwords, and revoke the one of that name"
        return await self._call(credentials.ADD_APP_PASSWORD, feature=_APPS, body=body, unknown=unknown)

    async def revoke_app_password(self, device_key: str) -> None:
        """Revoke an app password; the app is refused from its next request on.

        Args:
            device_key: The app password, as `app_passwords` lists it.
        """
        await self._remove(
            credentials.REVOKE_APP_PASSWORD, feature=_APPS, keys={"device_key": _device(device_key).device_key}
        )

    async def delete(self, password: str) -> int:
        """Schedule the deletion of the account; until then `cancel_deletion` cancels it.

        Args:
            password: The account's password.

        Returns:
            When the account will be deleted, in epoch milliseconds.

        Raises:
            ForbiddenError: Wrong password.
        """
        feature = "delete an account over the API; ask its operator"
        body = models.AccountDeletionRequest(password=password)
        return (await self._call(endpoints.DELETE_ACCOUNT, feature=feature, body=body)).deletion_date or 0

    async def cancel_deletion(self) -> None:
        """Cancel the pending deletion of the account."""
        await self._send(
            endpoints.KEEP_ACCOUNT, feature="cancel the deletion of an account over the API; ask its operator"
        )


def _device(device_key: str) -> models.DeviceRequest:
    try:
        return convert({"deviceKey": device_key}, models.DeviceRequest)
    except ValidationError:
        raise InvalidRequestError(f"{device_key!r} is not a device key: it must be a UUID") from None
