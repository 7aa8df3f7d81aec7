"""Passkeys: what a browser is asked, and what it answers, in the JSON of the standard (Web Authentication, level 3).

Browsers write and read this JSON with `toJSON`, `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`; other
fields are ignored.
"""

from typing import Annotated

from msgspec import Meta, field

from skyshelf.wire.error_codes import ErrorBody
from skyshelf.wire.limits import PASSKEY_ANSWER_CHARS_MAX, PASSKEY_ID_BYTES_MAX
from skyshelf.wire.models import AnswerModel, Label, LoginCode, Password, RequestModel, hiding
from skyshelf.wire.refusals import InvalidRequest

_IN_BASE64 = "^[A-Za-z0-9_-]+$"
_DESCRIPTION = "base64url without padding"
PasskeyId = Annotated[
    str, Meta(min_length=1, max_length=-(-PASSKEY_ID_BYTES_MAX * 4 // 3), pattern=_IN_BASE64, description=_DESCRIPTION)
]
PasskeyBytes = Annotated[
    str, Meta(min_length=1, max_length=PASSKEY_ANSWER_CHARS_MAX, pattern=_IN_BASE64, description=_DESCRIPTION)
]
_Transport = Annotated[str, Meta(min_length=1, max_length=32, pattern="^[a-z0-9-]+$")]


# Passkeys of the account


class Passkey(AnswerModel, frozen=True, kw_only=True):
    """A passkey of the account. `host` is the only one that it works for.

    `replacesPassword` is true if it identifies the account and verifies its user; any other is a second factor.
    `isBackedUp` means that its vendor keeps a copy, such as in the user's cloud account.
    """

    passkey_key: str
    name: str | None = None
    host: str | None = None
    replaces_password: bool | None = None
    is_backed_up: bool | None = None
    transports: list[str] | None = None
    created_date: int | None = None
    last_used_date: int | None = None
    """Absent before the first use."""


class Passkeys(AnswerModel, frozen=True, kw_only=True):
    """The account's passkeys, the newest first."""

    passkeys: list[Passkey] | None = None


class PasskeyNameRequest(RequestModel, frozen=True, kw_only=True):
    """A name to recognise the passkey by."""

    name: Label


# Challenges


class PasskeyDescriptor(AnswerModel, frozen=True, kw_only=True):
    """A passkey by its id, and how a browser can reach it."""

    type: str | None = None
    id: str | None = None
    transports: list[str] | None = None


class PasskeyChallenge(AnswerModel, frozen=True, kw_only=True):
    """The options for `navigator.credentials.get`. The challenge is accepted once, for five minutes.

    Without `allowCredentials`, any passkey of this host that identifies its account will do.
    """

    challenge: str | None = None
    timeout: int | None = None
    rp_id: str | None = None
    allow_credentials: list[PasskeyDescriptor] | None = None
    user_verification: str | None = None


class PasskeyHost(AnswerModel, frozen=True, kw_only=True):
    """The host that a new passkey will work for."""

    id: str | None = None
    name: str | None = None


class PasskeyUser(AnswerModel, frozen=True, kw_only=True):
    """The account, as a list of passkeys shows it."""

    id: str | None = None
    name: str | None = None
    display_name: str | None = None


class PasskeyAlgorithm(AnswerModel, frozen=True, kw_only=True):
    """A kind of key that is accepted."""

    type: str | None = None
    alg: int | None = None


class PasskeySelection(AnswerModel, frozen=True, kw_only=True):
    """What a new passkey should be able to do."""

    resident_key: str | None = None
    user_verification: str | None = None


class PasskeyExtensions(AnswerModel, frozen=True, kw_only=True):
    """Extra information that the browser should report."""

    cred_props: bool | None = None


class PasskeyCreation(AnswerModel, frozen=True, kw_only=True):
    """The options for `navigator.credentials.create`. The challenge is accepted once, for five minutes."""

    rp: PasskeyHost | None = None
    user: PasskeyUser | None = None
    challenge: str | None = None
    pub_key_cred_params: list[PasskeyAlgorithm] | None = None
    timeout: int | None = None
    exclude_credentials: list[PasskeyDescriptor] | None = None
    authenticator_selection: PasskeySelection | None = None
    attestation: str | None = None
    extensions: PasskeyExtensions | None = None


# Answers of a browser


class PasskeySignature(RequestModel, frozen=True, kw_only=True):
    """What the passkey has signed, and the signature."""

    client_data_json: PasskeyBytes = field(name="clientDataJSON")
    authenticator_data: PasskeyBytes
    signature: PasskeyBytes
    user_handle: PasskeyBytes | None = None


class PasskeyAssertion(RequestModel, frozen=True, kw_only=True):
    """The answer to a challenge: what `navigator.credentials.get` returns."""

    id: PasskeyId
    response: PasskeySignature

    __repr__ = hiding("response", shown=("id",))


class PasskeyAttestation(RequestModel, frozen=True, kw_only=True):
    """The new public key."""

    client_data_json: PasskeyBytes = field(name="clientDataJSON")
    attestation_object: PasskeyBytes
    transports: Annotated[list[_Transport], Meta(max_length=10)] | None = None


class PasskeyProperties(RequestModel, frozen=True, kw_only=True):
    """Whether the new passkey identifies the account."""

    rk: bool | None = None


class PasskeyResults(RequestModel, frozen=True, kw_only=True):
    """Extra information that the browser reports."""

    cred_props: PasskeyProperties | None = None


class PasskeyCredential(RequestModel, frozen=True, kw_only=True):
    """A new passkey: what `navigator.credentials.create` returns."""

    id: PasskeyId
    response: PasskeyAttestation
    client_extension_results: PasskeyResults | None = None


class NewPasskeyRequest(RequestModel, frozen=True, kw_only=True):
    """A new passkey with a name to recognise it by."""

    name: Label
    credential: PasskeyCredential


# Confirmation


class ConfirmationRequest(RequestModel, frozen=True, kw_only=True):
    """The credentials of a login: the password and, if the second factor is on, a code or a passkey as well. A passkey
    that verifies its user is sufficient."""

    password: Password | None = None
    code: LoginCode | None = None
    passkey: PasskeyAssertion | None = None

    def __post_init__(self) -> None:
        if self.password is None and self.passkey is None:
            raise InvalidRequest("password is missing, and there is no passkey instead")

    __repr__ = hiding()


class SecondFactorMissing(ErrorBody, frozen=True, kw_only=True, rename="camel"):
    """The error body of a login with the right password that needs a second factor.

    `passkey` is present if the account has passkeys for this host. `isWithoutApp` is true if the account has no
    authenticator app.
    """

    is_without_app: bool | None = None
    passkey: PasskeyChallenge | None = None
