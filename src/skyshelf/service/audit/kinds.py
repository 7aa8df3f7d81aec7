"""The kinds of events, and a sentence for each."""

from collections.abc import Iterable
from typing import Final

from skyshelf.storage.identity import ADOPTED
from skyshelf.storage.metadata.alarms import RAISED

SENTENCES: Final[dict[str, str]] = {}
"""A sentence for every kind that is recorded. The kinds of a group begin with its name and a dot."""


def _kind(name: str, sentence: str) -> str:
    SENTENCES[name] = sentence
    return name


LOGIN: Final = _kind("login", "Logged in")
LOGIN_FAILED: Final = _kind("login.failed", "A login failed")
LOGIN_THROTTLED: Final = _kind("login.throttled", "A login was refused after too many attempts")
LOGIN_PROVIDER_FAILED: Final = _kind("login.provider-failed", "A login through a provider failed")
LOGOUT: Final = _kind("logout", "Logged out")
LOGOUT_BY_PROVIDER: Final = _kind("logout.by-provider", "A login provider ended sessions")
SESSIONS_ENDED: Final = _kind("session.ended", "Sessions of other devices were ended")
DEVICE_REMOVED: Final = _kind("session.device-removed", "A device was removed")
PASSWORD_CHANGED: Final = _kind("password.changed", "The password was changed")
PASSWORD_FAILED: Final = _kind("password.failed", "A wrong password was given in an open session")
PASSWORD_RESET: Final = _kind("password.reset", "An operator set a new password")
PASSWORD_LINK: Final = _kind("password.link-created", "An operator created a link that sets the password")
PASSWORD_SET: Final = _kind("password.set-by-link", "The password was set with a one-time link")
FACTOR_ON: Final = _kind("second-factor.on", "The second factor was turned on")
FACTOR_OFF: Final = _kind("second-factor.off", "The second factor was turned off")
FACTOR_CODES: Final = _kind("second-factor.codes-renewed", "New recovery codes were created")
FACTOR_FAILED: Final = _kind("second-factor.failed", "A wrong code was given")
FACTOR_RESET: Final = _kind("second-factor.reset", "An operator turned the second factor off")
PASSKEY_ADDED: Final = _kind("passkey.added", "A passkey was added")
PASSKEY_REMOVED: Final = _kind("passkey.removed", "A passkey was removed")
PASSKEY_FAILED: Final = _kind("passkey.failed", "A passkey was refused")
PASSKEY_COPIED: Final = _kind(
    "passkey.counter-went-back", "A passkey was refused, because its counter went back: there may be a copy of it"
)
PASSKEYS_RESET: Final = _kind("passkey.reset", "An operator removed all passkeys")
APP_ADDED: Final = _kind("app-password.added", "An app password was made")
APP_REVOKED: Final = _kind("app-password.revoked", "An app password was revoked")
APP_FAILED: Final = _kind("app-password.failed", "An app was refused")
DELEGATION_MADE: Final = _kind("delegation.made", "A delegation was made")
DELEGATION_ENDED: Final = _kind("delegation.ended", "A delegation was ended")
IDENTITY_LINKED: Final = _kind("identity.linked", "An identity of a login provider was linked")
IDENTITY_UNLINKED: Final = _kind("identity.unlinked", "An identity of a login provider was unlinked")
SHARED: Final = _kind("share.created", "A link was created")
SHARE_EDITED: Final = _kind("share.edited", "A link was changed")
SHARE_REVOKED: Final = _kind("share.revoked", "A link was revoked")
LINK_VISIT: Final = _kind("link.visit", "A link was visited")
LINK_VIEW: Final = _kind("link.view", "A file was viewed by a link")
LINK_DOWNLOAD: Final = _kind("link.download", "Something was downloaded by a link")
LINK_UPLOAD: Final = _kind("link.upload", "A file was sent through a link")
LINK_FAILED: Final = _kind("link.password-failed", "A wrong password was given for a link")
BOARD_INVITED: Final = _kind("board.invited", "Somebody was invited to an album")
BOARD_LINK: Final = _kind("board.link-created", "A link to join an album was created")
BOARD_REVOKED: Final = _kind("board.invitation-revoked", "An invitation to an album was revoked")
BOARD_JOINED: Final = _kind("board.joined", "Joined an album")
BOARD_ROLE: Final = _kind("board.role-changed", "A member's role in an album was changed")
BOARD_REMOVED: Final = _kind("board.member-removed", "A member was removed from an album")
BOARD_DELETED: Final = _kind("delete.board", "An album was deleted")
TRASHED: Final = _kind("delete.trashed", "Something was moved to the trash")
DELETED: Final = _kind("delete.for-good", "Something was deleted for good")
TRASH_EMPTIED: Final = _kind("delete.trash-emptied", "The trash was emptied")
VERSIONS_DELETED: Final = _kind("delete.versions", "Earlier versions were deleted")
HISTORY_FORGOTTEN: Final = _kind("delete.history", "History up to then was forgotten")
HISTORY_DAYS_CHANGED: Final = _kind("account.history-days", "How long history is kept was changed")
REWIND_STARTED: Final = _kind("account.rewind", "A rewind was started")
CONTACTS_DELETED: Final = _kind("delete.contacts", "Contacts were deleted")
ALARM_RAISED: Final = _kind(RAISED, "A device was paused, because it changed unusually much")
ALARM_ALLOWED: Final = _kind("alarm.allowed", "A paused device was allowed to go on")
ALARM_ENDED: Final = _kind("alarm.session-ended", "The session of a paused device was ended")
ALARM_LIMIT_CHANGED: Final = _kind("alarm.limit-changed", "The limit at which devices are paused was changed")
ACCOUNT_ADDED: Final = _kind("account.added", "The account was created")
ACCOUNT_DISABLED: Final = _kind("account.disabled", "The account was disabled")
ACCOUNT_ENABLED: Final = _kind("account.enabled", "The account was enabled")
ACCOUNT_QUOTA: Final = _kind("account.quota-set", "The quota was changed")
ACCOUNT_OPERATOR: Final = _kind("account.made-operator", "The account became an operator")
ACCOUNT_NO_OPERATOR: Final = _kind("account.operator-revoked", "The account is no longer an operator")
DELETION_SCHEDULED: Final = _kind("account.deletion-scheduled", "The deletion of the account was scheduled")
DELETION_CANCELLED: Final = _kind("account.deletion-cancelled", "The deletion of the account was cancelled")
EXPORTED: Final = _kind("account.exported", "An export of everything in the account was begun")
ACCOUNT_REMOVED: Final = _kind("account.removed", "The account was removed")
ACCOUNT_DELETED: Final = _kind("account.deleted-at-once", "An operator deleted the account at once")
ACCOUNT_HELD: Final = _kind("hold.set", "A legal hold was set: nothing of the account is deleted for good")
ACCOUNT_RELEASED: Final = _kind("hold.released", "A legal hold was released")
ACCOUNT_CLOSED: Final = _kind("hold.deletion-waits", "The account was closed; its deletion waits for the hold's end")
REWOUND_BY_OPERATOR: Final = _kind("account.rewound-by-operator", "An operator started a rewind")
REWIND_ALLOWED: Final = _kind("account.rewind-allowed", "An operator was allowed to rewind the account, once")
REWIND_NOT_ALLOWED: Final = _kind("account.rewind-consent-withdrawn", "That an operator may rewind was withdrawn")
PROMOTION_ADDED: Final = _kind("account.promotion-added", "Extra space was granted")
PROMOTION_REMOVED: Final = _kind("admin.promotion-removed", "A grant of extra space was removed")
BANNER_ADDED: Final = _kind("admin.banner-added", "A banner was added")
BANNER_EDITED: Final = _kind("admin.banner-edited", "A banner was changed")
BANNER_REMOVED: Final = _kind("admin.banner-removed", "A banner was removed")
BRAKE_RELEASED: Final = _kind("admin.brake-released", "The brake of a job was released")
SETTING_CHANGED: Final = _kind("admin.setting-changed", "A setting was changed")
READ_ONLY_ON: Final = _kind("admin.read-only-on", "Read-only mode was switched on")
READ_ONLY_OFF: Final = _kind("admin.read-only-off", "Read-only mode was switched off")
QUARANTINE_EMPTIED: Final = _kind("admin.quarantine-emptied", "Contents were deleted from the quarantine")
QUARANTINE_RECOVERED: Final = _kind("admin.quarantine-recovered", "A content was recovered from the quarantine")
STORES_ADOPTED: Final = _kind(ADOPTED, "A database and blobs were put together that did not match")
SECRET_ROTATED: Final = _kind("admin.secret-rotated", "A secret of the server was replaced")
HISTORY_KEY_ROTATED: Final = _kind("admin.history-key-rotated", "The key that signs histories was replaced")
REPAIRED: Final = _kind("admin.repaired", "The doctor repaired the store")
IMPORTED: Final = _kind("admin.imported", "Files were imported")

BY_VISITORS: Final = frozenset({LINK_VISIT, LINK_VIEW, LINK_DOWNLOAD, LINK_UPLOAD, LINK_FAILED})
BY_ANYBODY: Final = frozenset(
    {LOGIN_FAILED, LOGIN_THROTTLED, LOGIN_PROVIDER_FAILED, FACTOR_FAILED, PASSKEY_FAILED, PASSKEY_COPIED, APP_FAILED}
)
"""Kinds whose author is unknown: the owner, or somebody who tries to get in."""
HIDDEN: Final = (ACCOUNT_HELD, ACCOUNT_RELEASED, ACCOUNT_CLOSED)
"""Kinds that operators alone see: a hold is often not to be known to the person."""
GROUPS: Final = tuple(dict.fromkeys(kind.partition(".")[0] for kind in SENTENCES))


class UnknownKind(Exception):
    """There is no such kind or group."""


def expanded(names: Iterable[str]) -> list[str]:
    """Expand names to kinds: a kind stands for itself, a group for all its kinds."""
    found: dict[str, None] = {}
    for name in names:
        kinds = [kind for kind in SENTENCES if kind == name or kind.startswith(f"{name}.")]
        if not kinds:
            raise UnknownKind(f"there are no events of the kind {name}: the groups are {', '.join(GROUPS)}")
        found |= dict.fromkeys(kinds)
    return list(found)
