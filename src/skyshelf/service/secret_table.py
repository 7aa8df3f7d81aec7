"""Every secret that the server makes for itself: its setting, its purpose, and what replacing it means.

`ServiceContext.secret` makes no other, so none can be left out of a rotation (rotation.py). Secrets that an operator
gives to the server (of the database, the mail server, login providers, backups) are replaced where they come from.
"""

from typing import Final

import msgspec

SESSION_TOKENS: Final = "jwt-signing-key"
SECOND_FACTOR: Final = "second-factor-key"
APP_PASSWORDS: Final = "app_passwords.key"
SHARE_LINKS: Final = "share-token-secret"
ALBUM_LINKS: Final = "board-link-secret"
DELEGATIONS: Final = "delegations.key"
PASSKEYS: Final = "passkeys.key"
LOGIN_PROVIDERS: Final = "identity.key"
NEXTCLOUD: Final = "nextcloud.instance"
EXPORTS: Final = "exports.key"


class Secret(msgspec.Struct, frozen=True, kw_only=True):
    """A secret, by the name that operators give it."""

    name: str
    setting: str = ""
    """Where its value is; empty for secrets that are many rows, or in another table."""
    purpose: str
    means: str
    """What happens to people when it is replaced."""
    forced: str = ""
    """What replacing it with --force means besides; empty where nothing outlasts the replacement."""
    kept_bytes: int = 0
    """How many of its first bytes are no secret and stay."""


TABLE: Final = (
    Secret(
        name="sessions",
        purpose="tokens of people who are logged in; only their digests are stored",
        means="Everybody is logged out and logs in again; app passwords go on.",
    ),
    Secret(
        name="session-tokens",
        setting=SESSION_TOKENS,
        purpose="signs the tokens of download cookies, and derives renewed session tokens",
        means="Nobody is logged out. Open pages get a new token automatically.",
    ),
    Secret(
        name="second-factor",
        setting=SECOND_FACTOR,
        purpose="derives the secrets of authenticator apps, and hides recovery codes",
        means="Codes of apps and recovery codes go on working; each app moves to the new secret when its next code is"
        " used, and recovery codes stay with the old one until new ones are made.",
        forced="All apps move at once, and older recovery codes end: people make new ones in the settings.",
    ),
    Secret(
        name="app-passwords",
        setting=APP_PASSWORDS,
        purpose="hides the passwords of apps",
        means="App passwords go on working; each moves to the new secret when it is used next. Apps that are being"
        " connected begin again.",
        forced="App passwords that have not been used since are revoked.",
    ),
    Secret(
        name="delegations",
        setting=DELEGATIONS,
        purpose="derives the keys by which the tokens of delegations are verified",
        means="Delegations go on working, each with the secret that it was made with, until it ends.",
        forced="Older delegations end.",
    ),
    Secret(
        name="passkeys",
        setting=PASSKEYS,
        purpose="marks the challenges that passkeys sign, for five minutes",
        means="Logins with a passkey that are going on begin again; passkeys stay as they are.",
    ),
    Secret(
        name="share-links",
        setting=SHARE_LINKS,
        purpose="derives the addresses of share links, and opens those with a password",
        means="Links keep their addresses; visitors enter passwords of links again.",
        forced="Older links get new addresses: their owners have to send them again.",
    ),
    Secret(
        name="album-links",
        setting=ALBUM_LINKS,
        purpose="derives the addresses of links that invite to albums",
        means="Links keep their addresses.",
        forced="Older links get new addresses: their owners have to send them again.",
    ),
    Secret(
        name="password-links",
        purpose="one-time links of invitations and forgotten passwords; only their digests are stored",
        means="Links that were not used stop working: make new ones with `skyshelf admin user password-link`.",
    ),
    Secret(
        name="login-providers",
        setting=LOGIN_PROVIDERS,
        purpose="seals logins through providers while they are going on, for ten minutes",
        means="Logins through a provider that are going on begin again.",
    ),
    Secret(
        name="nextcloud",
        setting=NEXTCLOUD,
        purpose="signs direct links to files for Nextcloud apps, for hours; its beginning names this server to them",
        means="Direct links end, and the app asks for new ones; the name stays.",
        kept_bytes=10,
    ),
    Secret(
        name="exports",
        setting=EXPORTS,
        purpose="marks exports that their owners have begun, and their parts, for a week",
        means="Exports that are going on begin again.",
    ),
    Secret(
        name="history",
        purpose="signs the logs of changes that clients verify",
        means="The old key signs the new one, so clients accept it: as `skyshelf admin history-key rotate` does.",
    ),
)
BY_NAME: Final = {one.name: one for one in TABLE}
SETTINGS: Final = frozenset(one.setting for one in TABLE if one.setting)
