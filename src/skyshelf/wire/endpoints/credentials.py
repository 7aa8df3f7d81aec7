"""What lets people and apps in, extensions of the interface: the second factor of a login, passkeys, app passwords,
identities at providers, and one-time links for people who cannot log in yet.
"""

from typing import Final

from skyshelf.wire import error_codes as errors
from skyshelf.wire.endpoint import Access, Group, Host, Origin
from skyshelf.wire.resources import credentials, delegations, passkeys

_ACCOUNT: Final = Group(host=Host.ACCOUNT, path="/x/v1/account", origin=Origin.COMPLETIONS)
_APP_PASSWORDS: Final = Group(host=Host.ACCOUNT, path="/x/v1/app-passwords", origin=Origin.COMPLETIONS)
_DELEGATIONS: Final = Group(host=Host.ACCOUNT, path="/x/v1/delegations", origin=Origin.COMPLETIONS)
_IDENTITIES: Final = Group(host=Host.ACCOUNT, path="/x/v1/identities", origin=Origin.COMPLETIONS)
_PUBLIC: Final = Group(
    host=Host.ACCOUNT, path="/x/v1", origin=Origin.COMPLETIONS, access=Access.PUBLIC, required_headers=()
)

SECOND_FACTOR: Final = _ACCOUNT.call(
    "GET /second-factor",
    "Whether the second factor is on, since when, and how many recovery codes are left.",
    answer=credentials.SecondFactorStatus,
    must_have="isOn",
)
BEGIN_SECOND_FACTOR: Final = _ACCOUNT.call(
    "POST /second-factor/begin",
    "Creates a secret for an authenticator app. The second factor stays off until it is confirmed; another"
    " call replaces the secret.",
    body=credentials.SecondFactorBeginRequest,
    answer=credentials.SecondFactorSetup,
    must_have="secret",
    errors=(errors.PASSWORD_WRONG, errors.SECOND_FACTOR_ON),
    repeats_safely=True,
)
CONFIRM_SECOND_FACTOR: Final = _ACCOUNT.call(
    "POST /second-factor/confirm",
    "Turns the second factor on with a code from the authenticator app, and returns the recovery codes once.",
    body=credentials.SecondFactorConfirmRequest,
    answer=credentials.RecoveryCodes,
    must_have="recoveryCodes",
    errors=(errors.CODE_WRONG, errors.SECOND_FACTOR_ON, errors.SECOND_FACTOR_OFF),
)
TURN_OFF_SECOND_FACTOR: Final = _ACCOUNT.call(
    "POST /second-factor/off",
    "Turns the second factor off with the password and a code, or with a passkey. No session ends.",
    body=credentials.SecondFactorProofRequest,
    errors=(*errors.OF_CONFIRMATIONS, errors.SECOND_FACTOR_OFF),
    while_full=True,
)
RENEW_RECOVERY_CODES: Final = _ACCOUNT.call(
    "POST /second-factor/codes",
    "Creates new recovery codes with the password and a code, or with a passkey; the old ones stop working.",
    body=credentials.SecondFactorProofRequest,
    answer=credentials.RecoveryCodes,
    must_have="recoveryCodes",
    errors=(*errors.OF_CONFIRMATIONS, errors.SECOND_FACTOR_OFF),
)

BEGIN_PASSKEY_LOGIN: Final = _PUBLIC.call(
    "POST /login/passkey/begin",
    "A challenge for a login with any passkey of this host. Nothing is stored.",
    answer=passkeys.PasskeyChallenge,
    must_have="challenge",
    errors=(errors.PASSKEYS_NEED_HTTPS,),
    repeats_safely=True,
)
PASSKEY_LOGIN: Final = _PUBLIC.call(
    "POST /login/passkey",
    "Logs in with a passkey, without a password. It counts as both factors.",
    headers=credentials.LoginHeaders,
    body=credentials.PasskeyLoginRequest,
    answer=credentials.LoginAnswer,
    must_have="userId",
    errors=(*errors.OF_PASSKEYS, errors.PASSKEY_UNVERIFIED, errors.WRONG_CONTENT_TYPE),
)
PASSKEYS: Final = _ACCOUNT.call(
    "GET /passkeys",
    "The account's passkeys: their names, what each can do, and when it was last used.",
    answer=passkeys.Passkeys,
    must_have="passkeys",
)
BEGIN_PASSKEY: Final = _ACCOUNT.call(
    "POST /passkeys/begin",
    "The options that a browser needs to create a passkey; needs the credentials of a login.",
    body=passkeys.ConfirmationRequest,
    answer=passkeys.PasskeyCreation,
    must_have="challenge",
    errors=(*errors.OF_CONFIRMATIONS, errors.ACCOUNT_LIMIT),
)
ADD_PASSKEY: Final = _ACCOUNT.call(
    "POST /passkeys",
    "Adds the passkey that a browser has created, in the session that began it.",
    body=passkeys.NewPasskeyRequest,
    created=passkeys.Passkey,
    must_have="passkeyKey",
    errors=(errors.PASSKEY_REFUSED, errors.PASSKEY_KNOWN, errors.PASSKEYS_NEED_HTTPS, errors.ACCOUNT_LIMIT),
)
PASSKEY_CHALLENGE: Final = _ACCOUNT.call(
    "POST /passkeys/challenge",
    "A challenge for one of the account's passkeys, to confirm a change in this session. Nothing is stored.",
    answer=passkeys.PasskeyChallenge,
    must_have="challenge",
    errors=(errors.PASSKEYS_NEED_HTTPS, errors.PASSKEY_NOT_FOUND),
    repeats_safely=True,
    while_paused=True,
    while_full=True,
)
RENAME_PASSKEY: Final = _ACCOUNT.call(
    "PUT /passkeys/{passkey_key}", "Names a passkey.", body=passkeys.PasskeyNameRequest
)
REMOVE_PASSKEY: Final = _ACCOUNT.call(
    "POST /passkeys/{passkey_key}/removal",
    "Removes a passkey; needs the credentials of a login. No session ends.",
    body=passkeys.ConfirmationRequest,
    errors=(*errors.OF_CONFIRMATIONS, errors.PASSKEY_NOT_FOUND, errors.PASSKEY_NEEDED, errors.LAST_WAY_IN),
    while_full=True,
)
SECOND_FACTOR_BY_PASSKEY: Final = _ACCOUNT.call(
    "POST /second-factor/passkey",
    "Turns the second factor on with a passkey instead of an authenticator app, and returns the recovery codes once.",
    body=credentials.SecondFactorPasskeyRequest,
    answer=credentials.RecoveryCodes,
    must_have="recoveryCodes",
    errors=(errors.PASSWORD_WRONG, *errors.OF_PASSKEYS, errors.SECOND_FACTOR_ON),
    while_paused=True,
)


# App passwords.

APP_PASSWORDS: Final = _APP_PASSWORDS.call(
    "GET",
    "The account's app passwords: what each may do, and when it was last used.",
    answer=credentials.AppPasswords,
    must_have="appPasswords",
)
ADD_APP_PASSWORD: Final = _APP_PASSWORDS.call(
    "POST",
    "Creates an app password; needs the credentials of a login: the password, or a passkey.",
    body=credentials.NewAppPassword,
    created=credentials.MadeAppPassword,
    must_have="password",
    errors=(*errors.OF_CONFIRMATIONS, errors.OBJECT_NOT_FOUND, errors.ACCOUNT_LIMIT),
)
REVOKE_APP_PASSWORD: Final = _APP_PASSWORDS.call(
    "DELETE /{device_key}", "Revokes an app password; the app is refused from its next request on."
)


# Delegations.

DELEGATIONS: Final = _DELEGATIONS.call(
    "GET",
    "The account's delegations: what each allows, what of it is used up, and when it was last used.",
    answer=delegations.Delegations,
    must_have="delegations",
)
ADD_DELEGATION: Final = _DELEGATIONS.call(
    "POST",
    "Makes a delegation: a token that may do what is named, until then, and no more.",
    body=delegations.NewDelegation,
    created=delegations.MadeDelegation,
    must_have="token",
    errors=(errors.OBJECT_NOT_FOUND, errors.FOLDER_EXPECTED, errors.ACCOUNT_LIMIT),
)
END_DELEGATION: Final = _DELEGATIONS.call(
    "DELETE /{device_key}",
    "Ends a delegation; all tokens made from it are refused from their next request on.",
)
OWN_DELEGATION: Final = _DELEGATIONS.call(
    "GET /own",
    "What the calling delegation allows, and what is left of it; a session that is none gets a 404.",
    answer=delegations.OwnDelegation,
    must_have="deviceKey",
    errors=(errors.DEVICE_NOT_FOUND,),
)


# Identities at providers, and logins through them.

LOGIN_BY_PROVIDER: Final = _PUBLIC.call(
    "POST /login/provider",
    "Completes a login through a provider: opens a session, as a cookie, for the person that the provider named.",
    headers=credentials.LoginHeaders,
    body=credentials.ProviderLoginRequest,
    answer=credentials.LoginAnswer,
    must_have="userId",
    errors=(
        errors.PROVIDER_LOGIN_ENDED,
        errors.PROVIDER_NOT_FOUND,
        errors.ACCOUNT_NOT_LINKED,
        errors.EMAIL_UNVERIFIED,
        errors.EMAIL_NOT_LINKED,
        errors.IDENTITY_TAKEN,
        errors.ACCOUNT_DISABLED,
        *errors.OF_SECOND_FACTORS,
    ),
    error_bodies={401: passkeys.SecondFactorMissing},
)
IDENTITIES: Final = _IDENTITIES.call(
    "GET",
    "The account's identities at login providers, and the providers that could be linked.",
    answer=credentials.OwnIdentities,
    must_have="hasPassword identities providers",
)
BEGIN_LINK: Final = _IDENTITIES.call(
    "POST /begin",
    "Starts linking an identity, with the account's password; returns the provider's page to open.",
    body=credentials.LinkIdentityRequest,
    answer=credentials.IdentityDeparture,
    must_have="url",
    errors=(errors.PASSWORD_WRONG, errors.LOGIN_TOO_OLD, errors.PROVIDER_NOT_FOUND, errors.PROVIDER_UNAVAILABLE),
)
FINISH_LINK: Final = _IDENTITIES.call(
    "POST",
    "Links the identity that the provider has named to the account that began it.",
    answer=credentials.OwnIdentities,
    must_have="hasPassword identities providers",
    errors=(errors.PROVIDER_LOGIN_ENDED, errors.IDENTITY_TAKEN),
)
UNLINK_IDENTITY: Final = _IDENTITIES.call(
    "POST /unlink",
    "Unlinks an identity, unless nothing else opens the account. No session ends.",
    body=credentials.UnlinkIdentityRequest,
    answer=credentials.OwnIdentities,
    must_have="hasPassword identities providers",
    errors=(errors.IDENTITY_NOT_FOUND, errors.LAST_WAY_IN),
    while_full=True,
)


# One-time links.

WELCOME: Final = _PUBLIC.call(
    "GET /welcome",
    "Whether the server has no accounts yet; with a one-time link's token, what the link does.",
    headers=credentials.WelcomeHeaders,
    answer=credentials.Welcome,
    must_have="isNewServer providers kind",
    errors=(errors.LINK_USED,),
)
USE_LINK: Final = _PUBLIC.call(
    "POST /welcome",
    "Uses a one-time link: creates the first account, or sets an account's password and ends its sessions.",
    body=credentials.WelcomeRequest,
    answer=credentials.WelcomeAnswer,
    must_have="emailId",
    errors=(errors.LINK_USED, errors.EMAIL_TAKEN),
)
REQUEST_PASSWORD_MAIL: Final = _PUBLIC.call(
    "POST /password-mail",
    "Sends a one-time link for a new password by email, if there is an account with that address.",
    body=credentials.PasswordMailRequest,
    errors=(errors.MAIL_OFF,),
)
