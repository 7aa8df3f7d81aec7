"""The table of error codes: HTTP status, client error (with retry and exit code), message, and what to do next.

The interface's codes keep their spelling. Our own are `SKY` and four digits: 1xxx for the request, 2xxx access,
3xxx objects, 4xxx uploads, 5xxx the server. A code's meaning never changes.
"""

from typing import Final

from msgspec import Struct

from skyshelf.wire.client_errors import (
    CONTENT_DAMAGED_ERROR,
    QUOTA_EXCEEDED_ERROR,
    READ_ONLY_ERROR,
    SECOND_FACTOR_REQUIRED_ERROR,
    SESSION_PAUSED_ERROR,
    ClientError,
    client_error_for_status,
)
from skyshelf.wire.limits import ARCHIVE_ENTRIES_MAX, FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX


class ErrorCode(Struct, frozen=True, kw_only=True):
    """A row of the table; `message` says what is wrong and `advice` what to do next."""

    code: str
    status: int
    error: ClientError
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
    code: str,
    status: int,
    message: str,
    advice: str,
    *,
    error: ClientError | None = None,
    retryable: bool | None = None,
) -> ErrorCode:
    kind = error or client_error_for_status(status)
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


def find(code: str) -> ErrorCode | None:
    """The row of a code; None for a code that this version does not know."""
    return ERROR_CODES.get(code)


def client_error_for(status: int, code: str | None = None) -> ClientError:
    """The client error for a response: by its code if that is known with this status, else by its status."""
    row = ERROR_CODES.get(code) if code is not None else None
    return row.error if row is not None and row.status == status else client_error_for_status(status)


# Codes of the interface, with its exact messages.
ACCEPT_LANGUAGE_MISSING: Final = _row(
    "NMSOM0001", 400, "Accept language is null or empty", "Send an Accept-Language header, such as en-US."
)
CONTENT_TYPE_MISSING: Final = _row(
    "NMSOM0003", 400, "Content type is null or empty", "Send a Content-Type header, on GET too."
)
BOARDS_CONTENT_TYPE_MISSING: Final = _row(
    "BRSOM0036", 400, "Content-Type header is not available", "Send a Content-Type header, on GET too."
)
SOURCE_NAME_MISSING: Final = _row(
    "NMSOM0021", 400, "Source name is null or empty", "Echo the whole object, including sourceName."
)
LISTING_TYPE: Final = _row(
    "NMSOM0129",
    400,
    "provide valid value for folder(W) or file(F) search",
    "Send type=f (files) or type=w (folders), or omit type.",
)
BATCH_MALFORMED: Final = _row(
    "NMSOM0135",
    400,
    "Request is not proper",
    "Send 1 to 2000 entries, each with a known operation and an object with its objectKey.",
)
OBJECT_NAME_MISSING: Final = _row(
    "TEJVF0001",
    400,
    "constraint validation on objectName for value null",
    "Echo the whole object, including objectName.",
)
CONTACTS_PAGING: Final = _row(
    "TEJRF0400",
    400,
    "Missing or invalid X-Offset / nextPageDate must be a valid time",
    "Send X-Offset as a number of at least 0, and nextPageDate as yyyy-MM-dd HH:mm:ss.SSSSSS or not at all.",
)
SESSION_INVALID: Final = _row("TEJGA0401", 401, "The session is logged out or expired", "Log in again: skyshelf login.")

# Our own: the request.
INVALID_REQUEST: Final = _row(
    "SKY1000", 400, "A parameter, header or body is not valid", "Correct the value that the message names."
)
NOT_JSON: Final = _row("SKY1001", 400, "The body is not valid JSON", "Send UTF-8 JSON without a byte order mark.")
BAD_NAME: Final = _row(
    "SKY1002",
    400,
    "Not a valid name for a file or folder",
    "Use 1 to 255 bytes of UTF-8 without slashes or control characters; . and .. are reserved.",
)
BAD_KEY: Final = _row("SKY1003", 400, "Not a valid key", "Keys have 32 hexadecimal digits; copy the whole key.")
METHOD_NOT_ALLOWED: Final = _row(
    "SKY1004",
    405,
    "This path does not support the method",
    "Use one of the methods in the Allow header.",
)
BODY_TOO_LARGE: Final = _row("SKY1005", 413, "The request body is too large", "Send it in smaller parts.")
NOT_OFFERED: Final = _row("SKY1006", 404, "This server has no such path", "Check the address, or update the server.")
THROTTLED: Final = _row("SKY1007", 429, "Too many requests", "Wait for the seconds in the Retry-After header.")
WRONG_CONTENT_TYPE: Final = _row(
    "SKY1008",
    415,
    "This call needs another Content-Type",
    "Send the type that the message names.",
)
RANGE_NOT_SATISFIABLE: Final = _row(
    "SKY1009", 416, "The range is outside the file", "Request bytes within the size in Content-Range."
)

BAD_CURSOR: Final = _row(
    "SKY1010",
    400,
    "The cursor does not belong to this list",
    "Send the cursor of the previous page with the same parameters, or none to start over.",
)
CURSOR_TOO_OLD: Final = _row(
    "SKY1011",
    410,
    "The changes since this cursor are no longer kept",
    "Start over: fetch a full listing, then follow changes from there.",
)
HISTORY_NOT_KEPT: Final = _row(
    "SKY1016",
    410,
    "The history of that time is not kept",
    "Choose a later moment: the history's settings have the earliest one.",
)
REWIND_NOT_FOUND: Final = _row(
    "SKY1017", 404, "No such rewind", "List the rewinds; those of long ago are no longer kept."
)
REWIND_RUNNING: Final = _row(
    "SKY1018", 409, "A rewind of this account is running", "Wait until it has ended, or cancel it."
)
NOT_IN_HISTORY_LOG: Final = _row(
    "SKY1019",
    404,
    "The log of this account's history has no such change, or not as many",
    "Fetch the head again: it says what is in the log.",
)
CONTENT_LEFT_OUT: Final = _row(
    "SKY1012", 413, "The response has no space for this content", "Request fewer at once, or download it individually."
)
BODY_TOO_SLOW: Final = _row(
    "SKY1013",
    408,
    "The request body did not arrive in time",
    "Send it again, at 1 KiB per second at least; an upload in chunks continues after its last complete chunk.",
    retryable=True,
)
HEADERS_TOO_LARGE: Final = _row(
    "SKY1014", 431, "The request's header fields are too large", "Send at most 16 KiB of them; remove old cookies."
)
TARGET_TOO_LONG: Final = _row(
    "SKY1015", 414, "The request's path and query are too long", "Send at most 16 KiB, or fewer keys at once."
)

# Our own: access.
LOGIN_REFUSED: Final = _row(
    "SKY2000",
    401,
    "Wrong email address or password",
    "Check both; the server's operator can reset the password.",
)
APP_REFUSED: Final = _row(
    "SKY2001",
    403,
    "This application is not accepted",
    "Send this server's X-Api-Key and X-App-Secret; its operator can add a pair with --accept-app.",
)
FORBIDDEN: Final = _row("SKY2002", 403, "Permission denied", "Ask the owner or the server's operator.")
JWT_REFUSED: Final = _row("SKY2003", 401, "The JWT is not valid for this session", "Log in again to get a new one.")
PASSWORD_WRONG: Final = _row(
    "SKY2004", 403, "The password is wrong", "Enter it again; the server's operator can reset a forgotten password."
)
SECOND_FACTOR_REQUIRED: Final = _row(
    "SKY2005",
    401,
    "The password is correct, but a second-factor code is needed as well",
    "Send the same login with `code`: six digits from the authenticator app, or a recovery code.",
    error=SECOND_FACTOR_REQUIRED_ERROR,
)
LOGIN_CODE_REFUSED: Final = _row(
    "SKY2006",
    401,
    "The second-factor code is wrong or was already used",
    "Wait for the authenticator's next code or use a recovery code; the operator can turn the second factor off.",
)
CODE_WRONG: Final = _row(
    "SKY2007",
    403,
    "The code is wrong or was already used",
    "Wait for the authenticator's next code, or use a recovery code.",
)
SECOND_FACTOR_ON: Final = _row(
    "SKY2008", 409, "The second factor is already on", "Turn it off first to set up another authenticator."
)
SECOND_FACTOR_OFF: Final = _row(
    "SKY2009",
    409,
    "The second factor is off and has not been set up",
    "Begin with the password, then confirm with a code.",
)
LINK_USED: Final = _row(
    "SKY2010",
    404,
    "This link is no longer valid",
    "It works once and for a limited time; ask the server's operator for a new one.",
)
MAIL_OFF: Final = _row(
    "SKY2019", 404, "This server sends no email", "Ask the server's operator for a link with which you set a password."
)
LAST_OPERATOR: Final = _row(
    "SKY2011",
    409,
    "This account is the server's only operator",
    "Make another account an operator first: `skyshelf admin user grant-operator EMAIL`.",
)
EMAIL_TAKEN: Final = _row(
    "SKY2012", 409, "An account with this email address already exists", "Use another address, or edit that account."
)
ACCOUNT_NOT_FOUND: Final = _row("SKY2013", 404, "No such account", "List the accounts; it may have been removed.")
BANNER_NOT_FOUND: Final = _row("SKY2014", 404, "No such banner", "List the banners; it may have been removed.")
APP_PASSWORD_REFUSED: Final = _row(
    "SKY2015",
    401,
    "Wrong email address or app password",
    "Use an app password instead of the account's password: make one in the settings, under Connect your apps.",
)
APP_SCOPE: Final = _row(
    "SKY2016", 403, "This app password does not allow that", "Make another one with more rights in the settings."
)
GRANT_ENDED: Final = _row(
    "SKY2018", 404, "This request of an app has ended", "Begin again in the app: connect it to this server once more."
)
PROVIDER_NOT_FOUND: Final = _row(
    "SKY2030", 404, "No such login provider", "Reload the page; the server's operator may have removed it."
)
PROVIDER_LOGIN_ENDED: Final = _row(
    "SKY2031", 403, "This login through a provider has ended", "Begin again: choose the provider on the login page."
)
IDENTITY_TAKEN: Final = _row(
    "SKY2032",
    409,
    "This identity is linked already, or the account has another one of the same provider",
    "Unlink the other one first, or log in with the account that has it.",
)
IDENTITY_NOT_FOUND: Final = _row("SKY2033", 404, "No such identity", "List the identities; it may be unlinked.")
LAST_WAY_IN: Final = _row(
    "SKY2034",
    409,
    "Nothing else opens this account",
    "Set a password or link another identity first: otherwise nobody could log in.",
)
LOGIN_TOO_OLD: Final = _row(
    "SKY2035",
    403,
    "This account has no password, and its login is too old for this",
    "Log out, log in again through the provider, and do it within 15 minutes.",
)
PROVIDER_UNAVAILABLE: Final = _row(
    "SKY2036", 503, "The login provider does not answer as it should", "Try again in a moment, or ask the operator."
)
ACCOUNT_NOT_LINKED: Final = _row(
    "SKY2037",
    403,
    "No account belongs to this identity",
    "Ask the server's operator for an account, or log in with the password and link the identity in the settings.",
)
EMAIL_UNVERIFIED: Final = _row(
    "SKY2038",
    403,
    "The login provider does not say that the email address is verified",
    "Verify it at the provider, or log in with the password and link the identity in the settings.",
)
EMAIL_NOT_LINKED: Final = _row(
    "SKY2039",
    403,
    "An account with this email address exists, and the identity is not linked to it",
    "Log in with its password and link the identity in the settings.",
)
ACCOUNT_DISABLED: Final = _row(
    "SKY2029", 403, "This account is disabled", "Ask the server's operator to enable it again."
)
PASSKEY_REFUSED: Final = _row(
    "SKY2040",
    403,
    "This passkey was not accepted",
    "Try again, or use another passkey, or the password.",
)
PASSKEY_UNVERIFIED: Final = _row(
    "SKY2041",
    403,
    "The passkey has not verified who uses it, so it cannot replace the password",
    "Set a PIN or a fingerprint for it, or log in with the password first.",
)
PASSKEY_COUNTER: Final = _row(
    "SKY2042",
    403,
    "The counter of this passkey went back: there may be a copy of it",
    "Log in another way, remove the passkey in the settings, and add it again.",
)
PASSKEY_NOT_FOUND: Final = _row("SKY2043", 404, "No such passkey", "List the passkeys; it may have been removed.")
PASSKEY_KNOWN: Final = _row(
    "SKY2044", 409, "This passkey has already been added", "Use it, or add another security key or device."
)
PASSKEYS_NEED_HTTPS: Final = _row(
    "SKY2045",
    409,
    "Passkeys work only at an address with https and a host name",
    "Open the server at such an address; its operator names it with --public-url.",
)
PASSKEY_NEEDED: Final = _row(
    "SKY2046",
    409,
    "Logins need this passkey: it is the only second factor",
    "Turn the second factor off first, or add another passkey.",
)
SESSION_PAUSED: Final = _row(
    "SKY2050",
    403,
    "This device is paused: it deleted, replaced or moved unusually much in a short time",
    "See what it did in the web client or with `skyshelf alarms list`; then allow it, end its session, or rewind.",
    error=SESSION_PAUSED_ERROR,
)
CONFIRMATION_NEEDED: Final = _row(
    "SKY2051",
    403,
    "This needs your password, or a passkey",
    "Send it with the request, or decide on another device that is logged in.",
)
OF_CONFIRMATIONS: Final = (
    PASSWORD_WRONG,
    LOGIN_TOO_OLD,
    CODE_WRONG,
    PASSKEY_REFUSED,
    PASSKEY_UNVERIFIED,
    PASSKEY_COUNTER,
    PASSKEYS_NEED_HTTPS,
)
"""What a call can refuse that takes what a login takes: the password with a code, or a passkey."""

# Our own: objects, shares, boards.
OBJECT_NOT_FOUND: Final = _row("SKY3000", 404, "No such file or folder", "Check the key; it may be in the trash.")
SHARE_NOT_FOUND: Final = _row(
    "SKY3001",
    404,
    "No such share link",
    "It may have been revoked, have expired or be used up; ask the sender.",
)
BOARD_NOT_FOUND: Final = _row("SKY3002", 404, "No such board", "Check the key, or ask to be invited.")
VERSION_NOT_FOUND: Final = _row(
    "SKY3003", 404, "The file has no such version", "List its versions; only the newest ones are kept."
)
NO_THUMBNAIL: Final = _row("SKY3004", 404, "This file has no thumbnail", "Download the file itself, or show an icon.")
DEVICE_NOT_FOUND: Final = _row("SKY3005", 404, "No such device", "List the devices; it may have been removed.")
NAME_TAKEN: Final = _row(
    "SKY3010", 409, "The folder already has an item with that name", "Choose another name or another folder."
)
FOLDER_EXPECTED: Final = _row("SKY3020", 400, "The key belongs to a file", "Send the key of a folder.")
FILE_EXPECTED: Final = _row("SKY3021", 400, "The key belongs to a folder", "Send the key of a file.")
ROOT_FIXED: Final = _row(
    "SKY3022", 400, "The root folder cannot be renamed, moved or trashed", "Choose a folder below it."
)
MOVE_INTO_ITSELF: Final = _row(
    "SKY3023",
    400,
    "A folder cannot be moved or copied into itself or one of its subfolders",
    "Choose a folder outside of it.",
)
TARGET_NOT_FOLDER: Final = _row(
    "SKY3024",
    400,
    "The target of the move is not a folder in this account",
    "Choose a folder that is not in the trash.",
)
NOT_IN_TRASH: Final = _row("SKY3025", 404, "No such item in the trash", "List the trash, or move the item there first.")
TOO_DEEP: Final = _row(
    "SKY3026",
    400,
    f"Folders can be nested {FOLDER_DEPTH_MAX} deep, and the path of a folder can have {FOLDER_PATH_BYTES_MAX} bytes",
    "Choose a folder further up, or shorter names.",
)
ARCHIVE_TOO_DEEP: Final = _row(
    "SKY3027",
    409,
    "The folders are nested too deep for a ZIP file",
    "Download the files one by one, or move the folders further up.",
)
ARCHIVE_TOO_LARGE: Final = _row(
    "SKY3028",
    413,
    f"A ZIP file can have {ARCHIVE_ENTRIES_MAX:,} files and folders",
    "Open the folder and download what is in it separately.",
)

ARCHIVE_NOT_FOUND: Final = _row(
    "SKY3029", 404, "No such archive", "It may have expired; choose the files again and start a new download."
)

TAG_NOT_FOUND: Final = _row("SKY3030", 404, "No such tag", "List the tags; it may have been removed.")
CONTACT_NOT_FOUND: Final = _row("SKY3031", 404, "No such contact", "List the contacts; it may have been removed.")
COMMENT_NOT_FOUND: Final = _row("SKY3032", 404, "No such comment on this board", "List the comments again.")
INVITATION_NOT_FOUND: Final = _row(
    "SKY3033",
    404,
    "No such invitation",
    "It may have been revoked or have expired; ask to be invited again.",
)
MEMBER_NOT_FOUND: Final = _row("SKY3034", 404, "No member with that key", "List the board's members.")
TAG_NAME_TAKEN: Final = _row(
    "SKY3035", 409, "Another tag has that name", "Add that tag to the items, then delete this one."
)
CARD_UNREADABLE: Final = _row(
    "SKY3036", 400, "The vCard cannot be read", "Export it again as vCard 3.0 or 4.0, or add the contact by hand."
)
REMOVED_FROM_BOARD: Final = _row(
    "SKY3037",
    403,
    "The board's owner has removed you: a link does not bring you back, an invitation does",
    "Ask the owner to invite you by your email address.",
)
LOCKED: Final = _row(
    "SKY3060", 423, "Another program has locked this", "Close it there, or wait until the lock expires within the hour."
)
CONDITION_FAILED: Final = _row(
    "SKY3061",
    412,
    "It has changed in the meantime, or a condition of the request does not hold",
    "Read it again first.",
)
LOCK_NOT_FOUND: Final = _row(
    "SKY3064", 409, "There is no such lock on it", "It may have expired or been released; nothing has to be done."
)
OTHER_SERVER: Final = _row(
    "SKY3063", 502, "The destination is on another server", "Copy within this server, or download and upload."
)
TREE_TOO_LARGE: Final = _row(
    "SKY3062", 403, "There is too much below this folder for one request", "Ask for one folder after the other."
)

# Our own: uploads.
UPLOAD_NOT_FOUND: Final = _row("SKY4000", 404, "No such upload", "Start it again; it may have expired.")
UPLOAD_OFFSET: Final = _row("SKY4001", 409, "The chunk does not start where the upload ends", "Continue from `offset`.")
UPLOAD_BUSY: Final = _row(
    "SKY4002",
    409,
    "Another chunk of this upload is being received",
    "Wait until it is complete, then retry.",
    retryable=True,
)
CHUNK_HASH_MISMATCH: Final = _row(
    "SKY4003",
    400,
    "The chunk does not match the MD5 in its header",
    "Send the chunk again; nothing was kept.",
)
CONTENT_HASH_MISMATCH: Final = _row(
    "SKY4004", 400, "The file does not match its announced MD5", "Upload it again; nothing was kept."
)
CONTENT_SIZE_MISMATCH: Final = _row(
    "SKY4005", 400, "The file does not match its announced size", "Upload it again; nothing was kept."
)
FILE_TOO_LARGE: Final = _row(
    "SKY4006",
    413,
    "The file is larger than this server accepts",
    "Upload files of at most `maxFileSize` bytes; see the app settings.",
)
STORAGE_FULL: Final = _row(
    "SKY4007",
    413,
    "The account's storage is full",
    "Empty the trash or delete old versions; the operator can raise the quota.",
    error=QUOTA_EXCEEDED_ERROR,
)

VERSION_CHANGED: Final = _row(
    "SKY4009",
    409,
    "The file has changed since that version",
    "Fetch the newest version and compare; nothing was stored.",
)

ACCOUNT_LIMIT: Final = _row(
    "SKY4008",
    413,
    "The account has as many of these as it can have",
    "Delete some that are no longer needed; the limits are in the documentation.",
    error=QUOTA_EXCEEDED_ERROR,
)

# Our own: the server.
INTERNAL: Final = _row(
    "SKY5000",
    500,
    "Internal server error",
    "Try again later; the operator can find the error in the log by its X-Request-Id.",
)
STORE_UNAVAILABLE: Final = _row("SKY5001", 503, "The server cannot reach its storage", "Try again in a moment.")
DISK_FULL: Final = _row("SKY5002", 507, "The server's disk is full", "Ask the server's operator to free some space.")
CONTENT_DAMAGED: Final = _row(
    "SKY5004",
    500,
    "The content of this file is damaged on the server; the operator has been informed",
    "Upload the file again if you still have it, or ask the operator to restore it from a backup.",
    error=CONTENT_DAMAGED_ERROR,
)
SERVER_BUSY: Final = _row(
    "SKY5003", 503, "The server has too much to do", "Wait for the seconds in the Retry-After header."
)
READ_ONLY: Final = _row(
    "SKY5005",
    503,
    "The service is read-only for now",
    "Reading and downloading work; try changes again after the seconds in the Retry-After header.",
    error=READ_ONLY_ERROR,
)
