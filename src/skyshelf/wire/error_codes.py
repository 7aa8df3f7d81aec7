"""The table of error codes: HTTP status, client error (with retry and exit code), message, and what to do next.

The interface's codes keep their spelling. Our own are `SKY` and four digits: 1xxx for the request, 2xxx access,
3xxx objects, 4xxx uploads, 5xxx the server. A code's meaning never changes.
"""

from functools import partial
from typing import Final

from msgspec import Struct

from skyshelf.wire import client_errors
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX, FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX


class ErrorCode(Struct, frozen=True, kw_only=True):
    """A row of the table; `message` says what is wrong and `advice` what to do next."""

    code: str
    status: int
    error: client_errors.ClientError
    retryable: bool
    message: str
    advice: str

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return self.error.exit_code

    @property
    def is_of_the_interface(self) -> bool:
        """Whether the interface defines the code; the others are our own."""
        return not self.code.startswith("SKY")


class ErrorBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every HTTP error; clients accept that any field is missing.

    `error` is the same sentence as `message`, for clients that look for it there.
    """

    code: str | None = None
    message: str | None = None
    error: str | None = None


ERROR_CODES: Final[dict[str, ErrorCode]] = {}
"""Every row by its code, in this file's order."""


def _row(
    status: int,
    code: str,
    message: str,
    advice: str,
    *,
    error: client_errors.ClientError | None = None,
    retryable: bool | None = None,
) -> ErrorCode:
    kind = error or client_errors.client_error_for_status(status)
    row = ErrorCode(
        code=code,
        status=status,
        error=kind,
        retryable=kind.retryable if retryable is None else retryable,
        message=message,
        advice=advice,
    )
    assert code not in ERROR_CODES, f"{code} is already defined"
    ERROR_CODES[code] = row
    return row


_bad_request = partial(_row, 400)
_unauthorized = partial(_row, 401)
_forbidden = partial(_row, 403)
_not_found = partial(_row, 404)
_conflict = partial(_row, 409)
_gone = partial(_row, 410)
_too_large = partial(_row, 413)
_failed = partial(_row, 500)
_unavailable = partial(_row, 503)


def find(code: str) -> ErrorCode | None:
    """Return the row of a code; None for a code that this version does not know."""
    return ERROR_CODES.get(code)


def client_error_for(status: int, code: str | None = None) -> client_errors.ClientError:
    """Return the client error for a response: by its code if that is known with this status, else by its status."""
    row = ERROR_CODES.get(code) if code is not None else None
    return row.error if row is not None and row.status == status else client_errors.client_error_for_status(status)


# Codes of the interface, with its exact messages.
ACCEPT_LANGUAGE_MISSING: Final = _bad_request(
    "NMSOM0001", "Accept language is null or empty", "Send an Accept-Language header, such as en-US."
)
CONTENT_TYPE_MISSING: Final = _bad_request(
    "NMSOM0003", "Content type is null or empty", "Send a Content-Type header, on GET too."
)
BOARDS_CONTENT_TYPE_MISSING: Final = _bad_request(
    "BRSOM0036", "Content-Type header is not available", "Send a Content-Type header, on GET too."
)
SOURCE_NAME_MISSING: Final = _bad_request(
    "NMSOM0021", "Source name is null or empty", "Echo the whole object, including sourceName."
)
LISTING_TYPE: Final = _bad_request(
    "NMSOM0129",
    "provide valid value for folder(W) or file(F) search",
    "Send type=f (files) or type=w (folders), or omit type.",
)
BATCH_MALFORMED: Final = _bad_request(
    "NMSOM0135",
    "Request is not proper",
    "Send 1 to 2000 entries, each with a known operation and an object with its objectKey.",
)
OBJECT_NAME_MISSING: Final = _bad_request(
    "TEJVF0001", "constraint validation on objectName for value null", "Echo the whole object, including objectName."
)
CONTACTS_PAGING: Final = _bad_request(
    "TEJRF0400",
    "Missing or invalid X-Offset / nextPageDate must be a valid time",
    "Send X-Offset as a number of at least 0, and nextPageDate as yyyy-MM-dd HH:mm:ss.SSSSSS or not at all.",
)
SESSION_INVALID: Final = _unauthorized(
    "TEJGA0401", "The session is logged out or expired", "Log in again: skyshelf login."
)

# Our own: the request.
INVALID_REQUEST: Final = _bad_request(
    "SKY1000", "A parameter, header or body is not valid", "Correct the value that the message names."
)
NOT_JSON: Final = _bad_request("SKY1001", "The body is not valid JSON", "Send UTF-8 JSON without a byte order mark.")
BAD_NAME: Final = _bad_request(
    "SKY1002",
    "Not a valid name for a file or folder",
    "Use 1 to 255 bytes of UTF-8 without slashes or control characters; . and .. are reserved.",
)
BAD_KEY: Final = _bad_request("SKY1003", "Not a valid key", "Keys have 32 hexadecimal digits; copy the whole key.")
METHOD_NOT_ALLOWED: Final = _row(
    405, "SKY1004", "This path does not support the method", "Use one of the methods in the Allow header."
)
BODY_TOO_LARGE: Final = _too_large("SKY1005", "The request body is too large", "Send it in smaller parts.")
NOT_OFFERED: Final = _not_found("SKY1006", "This server has no such path", "Check the address, or update the server.")
THROTTLED: Final = _row(429, "SKY1007", "Too many requests", "Wait for the seconds in the Retry-After header.")
WRONG_CONTENT_TYPE: Final = _row(
    415, "SKY1008", "This call needs another Content-Type", "Send the type that the message names."
)
RANGE_NOT_SATISFIABLE: Final = _row(
    416, "SKY1009", "The range is outside the file", "Request bytes within the size in Content-Range."
)

BAD_CURSOR: Final = _bad_request(
    "SKY1010",
    "The cursor does not belong to this list",
    "Send the cursor of the previous page with the same parameters, or none to start over.",
)
CURSOR_TOO_OLD: Final = _gone(
    "SKY1011",
    "The changes since this cursor are no longer kept",
    "Start over: fetch a full listing, then follow changes from there.",
)
HISTORY_NOT_KEPT: Final = _gone(
    "SKY1016",
    "The history of that time is not kept",
    "Choose a later moment: the history's settings have the earliest one.",
)
REWIND_NOT_FOUND: Final = _not_found(
    "SKY1017", "No such rewind", "List the rewinds; those of long ago are no longer kept."
)
REWIND_RUNNING: Final = _conflict(
    "SKY1018", "A rewind of this account is running", "Wait until it has ended, or cancel it."
)
NOT_IN_HISTORY_LOG: Final = _not_found(
    "SKY1019",
    "The log of this account's history has no such change, or not as many",
    "Fetch the head again: it says what is in the log.",
)
CONTENT_LEFT_OUT: Final = _too_large(
    "SKY1012", "The response has no space for this content", "Request fewer at once, or download it individually."
)
BODY_TOO_SLOW: Final = _row(
    408,
    "SKY1013",
    "The request body did not arrive in time",
    "Send it again, at 1 KiB per second at least; an upload in chunks continues after its last complete chunk.",
    retryable=True,
)
HEADERS_TOO_LARGE: Final = _row(
    431, "SKY1014", "The request's header fields are too large", "Send at most 16 KiB of them; remove old cookies."
)
TARGET_TOO_LONG: Final = _row(
    414, "SKY1015", "The request's path and query are too long", "Send at most 16 KiB, or fewer keys at once."
)

# Our own: access.
LOGIN_REFUSED: Final = _unauthorized(
    "SKY2000", "Wrong email address or password", "Check both; the server's operator can reset the password."
)
APP_REFUSED: Final = _forbidden(
    "SKY2001",
    "This application is not accepted",
    "Send this server's X-Api-Key and X-App-Secret; its operator can add a pair with --accept-app.",
)
FORBIDDEN: Final = _forbidden("SKY2002", "Permission denied", "Ask the owner or the server's operator.")
JWT_REFUSED: Final = _unauthorized("SKY2003", "The JWT is not valid for this session", "Log in again to get a new one.")
PASSWORD_WRONG: Final = _forbidden(
    "SKY2004", "The password is wrong", "Enter it again; the server's operator can reset a forgotten password."
)
SECOND_FACTOR_REQUIRED: Final = _unauthorized(
    "SKY2005",
    "The password is correct, but a second-factor code is needed as well",
    "Send the same login with `code`: six digits from the authenticator app, or a recovery code.",
    error=client_errors.SECOND_FACTOR_REQUIRED_ERROR,
)
LOGIN_CODE_REFUSED: Final = _unauthorized(
    "SKY2006",
    "The second-factor code is wrong or was already used",
    "Wait for the authenticator's next code or use a recovery code; the operator can turn the second factor off.",
)
CODE_WRONG: Final = _forbidden(
    "SKY2007",
    "The code is wrong or was already used",
    "Wait for the authenticator's next code, or use a recovery code.",
)
SECOND_FACTOR_ON: Final = _conflict(
    "SKY2008", "The second factor is already on", "Turn it off first to set up another authenticator."
)
SECOND_FACTOR_OFF: Final = _conflict(
    "SKY2009", "The second factor is off and has not been set up", "Begin with the password, then confirm with a code."
)
LINK_USED: Final = _not_found(
    "SKY2010",
    "This link is no longer valid",
    "It works once and for a limited time; ask the server's operator for a new one.",
)
MAIL_OFF: Final = _not_found(
    "SKY2019", "This server sends no email", "Ask the server's operator for a link with which you set a password."
)
LAST_OPERATOR: Final = _conflict(
    "SKY2011",
    "This account is the server's only operator",
    "Make another account an operator first: `skyshelf admin user grant-operator EMAIL`.",
)
ACCOUNT_HELD: Final = _conflict(
    "SKY2053",
    "This account is under a legal hold",
    "`skyshelf admin user show EMAIL` says who set it and why; `skyshelf admin user release EMAIL` ends it.",
)
EMAIL_TAKEN: Final = _conflict(
    "SKY2012", "An account with this email address already exists", "Use another address, or edit that account."
)
ACCOUNT_NOT_FOUND: Final = _not_found("SKY2013", "No such account", "List the accounts; it may have been removed.")
BANNER_NOT_FOUND: Final = _not_found("SKY2014", "No such banner", "List the banners; it may have been removed.")
APP_PASSWORD_REFUSED: Final = _unauthorized(
    "SKY2015",
    "Wrong email address or app password",
    "Use an app password instead of the account's password: make one in the settings, under Connect your apps.",
)
APP_SCOPE: Final = _forbidden(
    "SKY2016", "This app password does not allow that", "Make another one with more rights in the settings."
)
GRANT_ENDED: Final = _not_found(
    "SKY2018", "This request of an app has ended", "Begin again in the app: connect it to this server once more."
)
PROVIDER_NOT_FOUND: Final = _not_found(
    "SKY2030", "No such login provider", "Reload the page; the server's operator may have removed it."
)
PROVIDER_LOGIN_ENDED: Final = _forbidden(
    "SKY2031", "This login through a provider has ended", "Begin again: choose the provider on the login page."
)
IDENTITY_TAKEN: Final = _conflict(
    "SKY2032",
    "This identity is linked already, or the account has another one of the same provider",
    "Unlink the other one first, or log in with the account that has it.",
)
IDENTITY_NOT_FOUND: Final = _not_found("SKY2033", "No such identity", "List the identities; it may be unlinked.")
LAST_WAY_IN: Final = _conflict(
    "SKY2034",
    "Nothing else opens this account",
    "Set a password or link another identity first: otherwise nobody could log in.",
)
LOGIN_TOO_OLD: Final = _forbidden(
    "SKY2035",
    "This account has no password, and its login is too old for this",
    "Log out, log in again through the provider, and do it within 15 minutes.",
)
PROVIDER_UNAVAILABLE: Final = _unavailable(
    "SKY2036", "The login provider does not answer as it should", "Try again in a moment, or ask the operator."
)
ACCOUNT_NOT_LINKED: Final = _forbidden(
    "SKY2037",
    "No account belongs to this identity",
    "Ask the server's operator for an account, or log in with the password and link the identity in the settings.",
)
EMAIL_UNVERIFIED: Final = _forbidden(
    "SKY2038",
    "The login provider does not say that the email address is verified",
    "Verify it at the provider, or log in with the password and link the identity in the settings.",
)
EMAIL_NOT_LINKED: Final = _forbidden(
    "SKY2039",
    "An account with this email address exists, and the identity is not linked to it",
    "Log in with its password and link the identity in the settings.",
)
ACCOUNT_DISABLED: Final = _forbidden(
    "SKY2029", "This account is disabled", "Ask the server's operator to enable it again."
)
PASSKEY_REFUSED: Final = _forbidden(
    "SKY2040", "This passkey was not accepted", "Try again, or use another passkey, or the password."
)
PASSKEY_UNVERIFIED: Final = _forbidden(
    "SKY2041",
    "The passkey has not verified who uses it, so it cannot replace the password",
    "Set a PIN or a fingerprint for it, or log in with the password first.",
)
PASSKEY_COUNTER: Final = _forbidden(
    "SKY2042",
    "The counter of this passkey went back: there may be a copy of it",
    "Log in another way, remove the passkey in the settings, and add it again.",
)
PASSKEY_NOT_FOUND: Final = _not_found("SKY2043", "No such passkey", "List the passkeys; it may have been removed.")
PASSKEY_KNOWN: Final = _conflict(
    "SKY2044", "This passkey has already been added", "Use it, or add another security key or device."
)
PASSKEYS_NEED_HTTPS: Final = _conflict(
    "SKY2045",
    "Passkeys work only at an address with https and a host name",
    "Open the server at such an address; its operator names it with --public-url.",
)
PASSKEY_NEEDED: Final = _conflict(
    "SKY2046",
    "Logins need this passkey: it is the only second factor",
    "Turn the second factor off first, or add another passkey.",
)
SESSION_PAUSED: Final = _forbidden(
    "SKY2050",
    "This device is paused: it deleted, replaced or moved unusually much in a short time",
    "See what it did in the web client or with `skyshelf alarms list`; then allow it, end its session, or rewind.",
    error=client_errors.SESSION_PAUSED_ERROR,
)
CONFIRMATION_NEEDED: Final = _forbidden(
    "SKY2051",
    "This needs your password, or a passkey",
    "Send it with the request, or decide on another device that is logged in.",
)
DELEGATION_SCOPE: Final = _forbidden(
    "SKY2060",
    "This delegation does not allow that",
    "Ask the person who made it for another one, made with `skyshelf delegate`, or in the web client.",
)
DELEGATION_USED_UP: Final = _forbidden(
    "SKY2061",
    "This delegation is used up",
    "Ask the person who made it for another one; they see what was used with `skyshelf delegations list`.",
)
DELEGATION_ENDED: Final = _unauthorized(
    "SKY2062",
    "This delegation has ended, or its token is not valid",
    "Ask the person who made it for another one, and copy the whole token.",
)
OF_PASSKEYS: Final = (PASSKEY_REFUSED, PASSKEY_COUNTER, PASSKEYS_NEED_HTTPS)
"""Errors of calls that take what a passkey has signed."""

OF_SECOND_FACTORS: Final = (SECOND_FACTOR_REQUIRED, LOGIN_CODE_REFUSED, *OF_PASSKEYS)
"""Errors of logins whose account may have a second factor."""

OF_CONFIRMATIONS: Final = (PASSWORD_WRONG, LOGIN_TOO_OLD, CODE_WRONG, *OF_PASSKEYS, PASSKEY_UNVERIFIED)
"""Errors of calls that need the credentials of a login: the password with a code, or a passkey."""

# Our own: objects, shares, boards.
OBJECT_NOT_FOUND: Final = _not_found("SKY3000", "No such file or folder", "Check the key; it may be in the trash.")
SHARE_NOT_FOUND: Final = _not_found(
    "SKY3001", "No such share link", "It may have been revoked, have expired or be used up; ask the sender."
)
BOARD_NOT_FOUND: Final = _not_found("SKY3002", "No such album", "Check the key, or ask to be invited.")
VERSION_NOT_FOUND: Final = _not_found(
    "SKY3003", "The file has no such version", "List its versions; only the newest ones are kept."
)
NO_THUMBNAIL: Final = _not_found("SKY3004", "This file has no thumbnail", "Download the file itself, or show an icon.")
NO_TEXT: Final = _not_found(
    "SKY3006", "The text of this file cannot be read", "Download the file itself and open it there."
)
DEVICE_NOT_FOUND: Final = _not_found("SKY3005", "No such device", "List the devices; it may have been removed.")
NAME_TAKEN: Final = _conflict(
    "SKY3010", "The folder already has an item with that name", "Choose another name or another folder."
)
FOLDER_EXPECTED: Final = _bad_request("SKY3020", "The key belongs to a file", "Send the key of a folder.")
FILE_EXPECTED: Final = _bad_request("SKY3021", "The key belongs to a folder", "Send the key of a file.")
ROOT_FIXED: Final = _bad_request(
    "SKY3022", "The root folder cannot be renamed, moved or trashed", "Choose a folder below it."
)
MOVE_INTO_ITSELF: Final = _bad_request(
    "SKY3023",
    "A folder cannot be moved or copied into itself or one of its subfolders",
    "Choose a folder outside of it.",
)
TARGET_NOT_FOLDER: Final = _bad_request(
    "SKY3024", "The target of the move is not a folder in this account", "Choose a folder that is not in the trash."
)
NOT_IN_TRASH: Final = _not_found(
    "SKY3025", "No such item in the trash", "List the trash, or move the item there first."
)
TOO_DEEP: Final = _bad_request(
    "SKY3026",
    f"Folders can be nested {FOLDER_DEPTH_MAX} deep, and the path of a folder can have {FOLDER_PATH_BYTES_MAX} bytes",
    "Choose a folder further up, or shorter names.",
)
ARCHIVE_TOO_DEEP: Final = _conflict(
    "SKY3027",
    "The folders are nested too deep for a ZIP file",
    "Download the files one by one, or move the folders further up.",
)
ARCHIVE_TOO_LARGE: Final = _too_large(
    "SKY3028",
    f"A ZIP file can have {ARCHIVE_ENTRIES_MAX:,} files and folders",
    "Open the folder and download what is in it separately.",
)

ARCHIVE_NOT_FOUND: Final = _not_found(
    "SKY3029", "No such archive", "It may have expired; choose the files again and start a new download."
)
EXPORT_NOT_FOUND: Final = _not_found(
    "SKY3040", "No such export, or its time is over", "Begin a new export; what was downloaded of this one is complete."
)
TAG_NOT_FOUND: Final = _not_found("SKY3030", "No such tag", "List the tags; it may have been removed.")
CONTACT_NOT_FOUND: Final = _not_found("SKY3031", "No such contact", "List the contacts; it may have been removed.")
COMMENT_NOT_FOUND: Final = _not_found("SKY3032", "No such comment in this album", "List the comments again.")
INVITATION_NOT_FOUND: Final = _not_found(
    "SKY3033", "No such invitation", "It may have been revoked or have expired; ask to be invited again."
)
MEMBER_NOT_FOUND: Final = _not_found("SKY3034", "No member with that key", "List the album's members.")
TAG_NAME_TAKEN: Final = _conflict(
    "SKY3035", "Another tag has that name", "Add that tag to the items, then delete this one."
)
CARD_UNREADABLE: Final = _bad_request(
    "SKY3036", "The vCard cannot be read", "Export it again as vCard 3.0 or 4.0, or add the contact by hand."
)
REMOVED_FROM_BOARD: Final = _forbidden(
    "SKY3037",
    "The album's owner has removed you: a link does not bring you back, an invitation does",
    "Ask the owner to invite you by your email address.",
)
LOCKED: Final = _row(
    423, "SKY3060", "Another program has locked this", "Close it there, or wait until the lock expires within the hour."
)
CONDITION_FAILED: Final = _row(
    412,
    "SKY3061",
    "It has changed in the meantime, or a condition of the request does not hold",
    "Read it again first.",
)
LOCK_NOT_FOUND: Final = _conflict(
    "SKY3064", "There is no such lock on it", "It may have expired or been released; nothing has to be done."
)
OTHER_SERVER: Final = _row(
    502, "SKY3063", "The destination is on another server", "Copy within this server, or download and upload."
)
TREE_TOO_LARGE: Final = _forbidden(
    "SKY3062", "There is too much below this folder for one request", "Ask for one folder after the other."
)

# Our own: uploads.
UPLOAD_NOT_FOUND: Final = _not_found("SKY4000", "No such upload", "Start it again; it may have expired.")
UPLOAD_OFFSET: Final = _conflict("SKY4001", "The chunk does not start where the upload ends", "Continue from `offset`.")
UPLOAD_BUSY: Final = _conflict(
    "SKY4002",
    "Another chunk of this upload is being received",
    "Wait until it is complete, then retry.",
    retryable=True,
)
CHUNK_HASH_MISMATCH: Final = _bad_request(
    "SKY4003", "The chunk does not match the MD5 in its header", "Send the chunk again; nothing was kept."
)
CONTENT_HASH_MISMATCH: Final = _bad_request(
    "SKY4004", "The file does not match its announced MD5", "Upload it again; nothing was kept."
)
CONTENT_SIZE_MISMATCH: Final = _bad_request(
    "SKY4005", "The file does not match its announced size", "Upload it again; nothing was kept."
)
FILE_TOO_LARGE: Final = _too_large(
    "SKY4006",
    "The file is larger than this server accepts",
    "Upload files of at most `maxFileSize` bytes; see the app settings.",
)
STORAGE_FULL: Final = _too_large(
    "SKY4007",
    "The account's storage is full",
    "Empty the trash or delete old versions; the operator can raise the quota.",
    error=client_errors.QUOTA_EXCEEDED_ERROR,
)

VERSION_CHANGED: Final = _conflict(
    "SKY4009", "The file has changed since that version", "Fetch the newest version and compare; nothing was stored."
)

ACCOUNT_LIMIT: Final = _too_large(
    "SKY4008",
    "The account has as many of these as it can have",
    "Delete some that are no longer needed; the limits are in the documentation.",
    error=client_errors.QUOTA_EXCEEDED_ERROR,
)

# Our own: the server.
INTERNAL: Final = _failed(
    "SKY5000",
    "Internal server error",
    "Try again later; the operator can find the error in the log by its X-Request-Id.",
)
STORE_UNAVAILABLE: Final = _unavailable("SKY5001", "The server cannot reach its storage", "Try again in a moment.")
DISK_FULL: Final = _row(507, "SKY5002", "The server's disk is full", "Ask the server's operator to free some space.")
CONTENT_DAMAGED: Final = _failed(
    "SKY5004",
    "The content of this file is damaged on the server; the operator has been informed",
    "Upload the file again if you still have it, or ask the operator to restore it from a backup.",
    error=client_errors.CONTENT_DAMAGED_ERROR,
)
SERVER_BUSY: Final = _unavailable(
    "SKY5003", "The server has too much to do", "Wait for the seconds in the Retry-After header."
)
READ_ONLY: Final = _unavailable(
    "SKY5005",
    "The service is read-only for now",
    "Reading and downloading work; try changes again after the seconds in the Retry-After header.",
    error=client_errors.READ_ONLY_ERROR,
)
