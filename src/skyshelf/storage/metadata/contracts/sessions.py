"""Sessions: who is logged in, on which device, until when; and what logs in or gives access besides a password."""

import msgspec

from skyshelf.storage.metadata.contracts.accounts import Device
from skyshelf.storage.metadata.contracts.leave import NewDelegation


class NewSession(msgspec.Struct, frozen=True, kw_only=True):
    secret_hash: bytes
    """A digest of the token's secret; the secret itself never comes here."""
    device_key: str
    expires_at: int


class Session(msgspec.Struct, frozen=True):
    """A live session, with what every request needs to know of its account."""

    secret_hash: bytes
    account_id: int
    account_key: str
    root_key: str
    account_status: str
    first_name: str
    device_key: str
    created_at: int
    last_used_at: int
    expires_at: int


class DeviceSession(msgspec.Struct, frozen=True):
    """A live session as its owner sees it in a list."""

    device: Device
    secret_hash: bytes
    created_at: int
    last_used_at: int
    expires_at: int


class NonceOwner(msgspec.Struct, frozen=True):
    """Whose downloads a nonce opens: a short-lived key that a session has given out."""

    account_id: int
    account_key: str
    root_key: str
    first_name: str
    device_key: str
    expires_at: int


class AppScope(msgspec.Struct, frozen=True, kw_only=True):
    """What an app may do."""

    folder_key: str | None = None
    """The only folder that it sees, with what is below; None for the whole drive."""
    can_write: bool = True
    webdav_only: bool = False


class AppPassword(msgspec.Struct, frozen=True):
    """An app password as its owner sees it in a list."""

    device: Device
    scope: AppScope
    created_at: int
    last_used_at: int
    expires_at: int


class AppSession(msgspec.Struct, frozen=True):
    """An app password that was presented, with what every request needs to know."""

    session: Session
    email: str
    scope: AppScope


class DelegationSession(msgspec.Struct, frozen=True):
    """A delegation whose token was presented, with what every request needs to know."""

    session: Session
    email: str
    generation: int
    terms: NewDelegation


class NewIdentity(msgspec.Struct, frozen=True, kw_only=True):
    issuer: str
    subject: str
    email: str


class Identity(NewIdentity, frozen=True, kw_only=True):
    """Who an account's owner is at a provider of OpenID Connect.

    Issuer and subject name one person for good; the email address is what the provider said last.
    """

    account_id: int
    created_at: int
    last_used_at: int


class SessionOrigin(msgspec.Struct, frozen=True):
    """The login at a provider that opened a session."""

    issuer: str
    subject: str
    sid: str
    """The provider's name of its own session; empty where it gave none."""


class NewPasskey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey, the public key of an authenticator, to be added."""

    passkey_key: str
    credential_id: bytes
    public_key: bytes
    """The key in the authenticator's encoding (COSE), with the authenticator's model and the credential's id."""
    sign_count: int
    host: str
    """The host that it works for."""
    name: str
    transports: str
    """How a browser reaches it, separated by spaces."""
    is_discoverable: bool
    """Whether it identifies its account, so its owner types no address."""
    is_verifying: bool
    """Whether it has ever verified who uses it."""
    can_be_backed_up: bool
    is_backed_up: bool


class Passkey(NewPasskey, frozen=True, kw_only=True):
    account_id: int
    created_at: int
    last_used_at: int
    """0 before the first use."""

    @property
    def replaces_password(self) -> bool:
        return self.is_discoverable and self.is_verifying


class PasskeyUse(msgspec.Struct, frozen=True, kw_only=True):
    """What a passkey has reported with a signature."""

    sign_count: int
    is_verifying: bool
    is_backed_up: bool
