"""The kinds of events, and the sentence for each."""

from collections.abc import Iterable
from typing import Final

from skyshelf.storage.identity import ADOPTED
from skyshelf.storage.metadata.alarms.contract import RAISED

LOGIN: Final = "login"
LOGIN_FAILED: Final = "login.failed"
LOGIN_THROTTLED: Final = "login.throttled"
LOGIN_PROVIDER_FAILED: Final = "login.provider-failed"
LOGOUT: Final = "logout"
LOGOUT_BY_PROVIDER: Final = "logout.by-provider"
SESSIONS_ENDED: Final = "session.ended"
DEVICE_REMOVED: Final = "session.device-removed"
PASSWORD_CHANGED: Final = "password.changed"  # noqa: S105 - a kind, as those below
PASSWORD_FAILED: Final = "password.failed"  # noqa: S105
PASSWORD_RESET: Final = "password.reset"  # noqa: S105
PASSWORD_LINK: Final = "password.link-created"  # noqa: S105
PASSWORD_SET: Final = "password.set-by-link"  # noqa: S105
FACTOR_ON: Final = "second-factor.on"
FACTOR_OFF: Final = "second-factor.off"
FACTOR_CODES: Final = "second-factor.codes-renewed"
FACTOR_FAILED: Final = "second-factor.failed"
FACTOR_RESET: Final = "second-factor.reset"
PASSKEY_ADDED: Final = "passkey.added"
PASSKEY_REMOVED: Final = "passkey.removed"
PASSKEY_FAILED: Final = "passkey.failed"
PASSKEY_COPIED: Final = "passkey.counter-went-back"
PASSKEYS_RESET: Final = "passkey.reset"
APP_ADDED: Final = "app-password.added"
APP_REVOKED: Final = "app-password.revoked"
APP_FAILED: Final = "app-password.failed"
IDENTITY_LINKED: Final = "identity.linked"
IDENTITY_UNLINKED: Final = "identity.unlinked"
SHARED: Final = "share.created"
SHARE_EDITED: Final = "share.edited"
SHARE_REVOKED: Final = "share.revoked"
LINK_VISIT: Final = "link.visit"
LINK_VIEW: Final = "link.view"
LINK_DOWNLOAD: Final = "link.download"
LINK_UPLOAD: Final = "link.upload"
LINK_FAILED: Final = "link.password-failed"
BOARD_INVITED: Final = "album.invited"
BOARD_LINK: Final = "album.link-created"
BOARD_REVOKED: Final = "album.invitation-revoked"
BOARD_JOINED: Final = "album.joined"
BOARD_ROLE: Final = "album.role-changed"
BOARD_REMOVED: Final = "album.member-removed"
BOARD_DELETED: Final = "delete.album"
TRASHED: Final = "delete.trashed"
DELETED: Final = "delete.for-good"
TRASH_EMPTIED: Final = "delete.trash-emptied"
VERSIONS_DELETED: Final = "delete.versions"
HISTORY_FORGOTTEN: Final = "delete.history"
HISTORY_DAYS_CHANGED: Final = "account.history-days"
REWIND_STARTED: Final = "account.rewind"
CONTACTS_DELETED: Final = "delete.contacts"
ALARM_RAISED: Final = RAISED
ALARM_ALLOWED: Final = "alarm.allowed"
ALARM_ENDED: Final = "alarm.session-ended"
ALARM_LIMIT_CHANGED: Final = "alarm.limit-changed"
ACCOUNT_ADDED: Final = "account.added"
ACCOUNT_DISABLED: Final = "account.disabled"
ACCOUNT_ENABLED: Final = "account.enabled"
ACCOUNT_QUOTA: Final = "account.quota-set"
ACCOUNT_OPERATOR: Final = "account.made-operator"
ACCOUNT_NO_OPERATOR: Final = "account.operator-revoked"
DELETION_SCHEDULED: Final = "account.deletion-scheduled"
DELETION_CANCELLED: Final = "account.deletion-cancelled"
ACCOUNT_REMOVED: Final = "account.removed"
PROMOTION_ADDED: Final = "account.promotion-added"
PROMOTION_REMOVED: Final = "admin.promotion-removed"
BANNER_ADDED: Final = "admin.banner-added"
BANNER_EDITED: Final = "admin.banner-edited"
BANNER_REMOVED: Final = "admin.banner-removed"
BRAKE_RELEASED: Final = "admin.brake-released"
SETTING_CHANGED: Final = "admin.setting-changed"
READ_ONLY_ON: Final = "admin.read-only-on"
READ_ONLY_OFF: Final = "admin.read-only-off"
QUARANTINE_EMPTIED: Final = "admin.quarantine-emptied"
QUARANTINE_RECOVERED: Final = "admin.quarantine-recovered"
STORES_ADOPTED: Final = ADOPTED
HISTORY_KEY_ROTATED: Final = "admin.history-key-rotated"
REPAIRED: Final = "admin.repaired"
IMPORTED: Final = "admin.imported"

SENTENCES: Final = {
    LOGIN: "Logged in",
    LOGIN_FAILED: "A login failed",
    LOGIN_THROTTLED: "A login was refused after too many attempts",
    LOGIN_PROVIDER_FAILED: "A login through a provider failed",
    LOGOUT: "Logged out",
    LOGOUT_BY_PROVIDER: "A login provider ended sessions",
    SESSIONS_ENDED: "Sessions of other devices were ended",
    DEVICE_REMOVED: "A device was removed",
    PASSWORD_CHANGED: "The password was changed",
    PASSWORD_FAILED: "A wrong password was given in an open session",
    PASSWORD_RESET: "An operator set a new password",
    PASSWORD_LINK: "An operator created a link that sets the password",
    PASSWORD_SET: "The password was set with a one-time link",
    FACTOR_ON: "The second factor was turned on",
    FACTOR_OFF: "The second factor was turned off",
    FACTOR_CODES: "New recovery codes were created",
    FACTOR_FAILED: "A wrong code was given",
    FACTOR_RESET: "An operator turned the second factor off",
    PASSKEY_ADDED: "A passkey was added",
    PASSKEY_REMOVED: "A passkey was removed",
    PASSKEY_FAILED: "A passkey was refused",
    PASSKEY_COPIED: "A passkey was refused, because its counter went back: there may be a copy of it",
    PASSKEYS_RESET: "An operator removed all passkeys",
    APP_ADDED: "An app password was made",
    APP_REVOKED: "An app password was revoked",
    APP_FAILED: "An app was refused",
    IDENTITY_LINKED: "An identity of a login provider was linked",
    IDENTITY_UNLINKED: "An identity of a login provider was unlinked",
    SHARED: "A link was created",
    SHARE_EDITED: "A link was changed",
    SHARE_REVOKED: "A link was revoked",
    LINK_VISIT: "A link was visited",
    LINK_VIEW: "A file was viewed by a link",
    LINK_DOWNLOAD: "Something was downloaded by a link",
    LINK_UPLOAD: "A file was sent through a link",
    LINK_FAILED: "A wrong password was given for a link",
    BOARD_INVITED: "Somebody was invited to an album",
    BOARD_LINK: "A link to join an album was created",
    BOARD_REVOKED: "An invitation to an album was revoked",
    BOARD_JOINED: "Joined an album",
    BOARD_ROLE: "A member's role in an album was changed",
    BOARD_REMOVED: "A member was removed from an album",
    BOARD_DELETED: "An album was deleted",
    TRASHED: "Something was moved to the trash",
    DELETED: "Something was deleted for good",
    TRASH_EMPTIED: "The trash was emptied",
    VERSIONS_DELETED: "Earlier versions were deleted",
    HISTORY_FORGOTTEN: "History up to then was forgotten",
    HISTORY_DAYS_CHANGED: "How long history is kept was changed",
    REWIND_STARTED: "A rewind was started",
    CONTACTS_DELETED: "Contacts were deleted",
    ALARM_RAISED: "A device was paused, because it changed unusually much",
    ALARM_ALLOWED: "A paused device was allowed to go on",
    ALARM_ENDED: "The session of a paused device was ended",
    ALARM_LIMIT_CHANGED: "The limit at which devices are paused was changed",
    ACCOUNT_ADDED: "The account was created",
    ACCOUNT_DISABLED: "The account was disabled",
    ACCOUNT_ENABLED: "The account was enabled",
    ACCOUNT_QUOTA: "The quota was changed",
    ACCOUNT_OPERATOR: "The account became an operator",
    ACCOUNT_NO_OPERATOR: "The account is no longer an operator",
    DELETION_SCHEDULED: "The deletion of the account was scheduled",
    DELETION_CANCELLED: "The deletion of the account was cancelled",
    ACCOUNT_REMOVED: "The account was removed",
    PROMOTION_ADDED: "Extra space was granted",
    PROMOTION_REMOVED: "A grant of extra space was removed",
    BANNER_ADDED: "A banner was added",
    BANNER_EDITED: "A banner was changed",
    BANNER_REMOVED: "A banner was removed",
    BRAKE_RELEASED: "The brake of a job was released",
    SETTING_CHANGED: "A setting was changed",
    READ_ONLY_ON: "Read-only mode was switched on",
    READ_ONLY_OFF: "Read-only mode was switched off",
    QUARANTINE_EMPTIED: "Contents were deleted from the quarantine",
    QUARANTINE_RECOVERED: "A content was recovered from the quarantine",
    STORES_ADOPTED: "A database and blobs were put together that did not match",
    HISTORY_KEY_ROTATED: "The key that signs histories was replaced",
    REPAIRED: "The doctor repaired the store",
    IMPORTED: "Files were imported",
}
"""Every kind that is recorded. Those of one group begin with its name and a dot."""

BY_VISITORS: Final = frozenset({LINK_VISIT, LINK_VIEW, LINK_DOWNLOAD, LINK_UPLOAD, LINK_FAILED})
BY_ANYBODY: Final = frozenset(
    {
        LOGIN_FAILED,
        LOGIN_THROTTLED,
        LOGIN_PROVIDER_FAILED,
        FACTOR_FAILED,
        PASSKEY_FAILED,
        PASSKEY_COPIED,
        APP_FAILED,
    }
)
"""Who it was is not known: the owner, or somebody who tries to get in."""
GROUPS: Final = tuple(dict.fromkeys(kind.partition(".")[0] for kind in SENTENCES))


class UnknownKind(Exception):
    """There is no such kind, nor such a group."""


def expanded(names: Iterable[str]) -> list[str]:
    """The kinds that these names mean: a kind itself, or all of a group."""
    found: dict[str, None] = {}
    for name in names:
        kinds = [kind for kind in SENTENCES if kind == name or kind.startswith(f"{name}.")]
        if not kinds:
            raise UnknownKind(f"there are no events of the kind {name}: the groups are {', '.join(GROUPS)}")
        found |= dict.fromkeys(kinds)
    return list(found)
