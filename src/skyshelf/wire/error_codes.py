"""The one table of codes: HTTP status, client error (with retry and exit code), sentence, what to do next.

Codes of the interface keep their spelling; ours are `SKY` and four digits: 1xxx the request, 2xxx access,
3xxx objects, 4xxx uploads, 5xxx the server. A code has one meaning and is never given another.
"""

from typing import Final

from msgspec import Struct

from skyshelf.wire.client_errors import (
    QUOTA_EXCEEDED_ERROR,
    SECOND_FACTOR_REQUIRED_ERROR,
    ClientError,
    client_error_for_status,
)


class ErrorCode(Struct, frozen=True, kw_only=True):
    """One row of the table; `message` says what is wrong and `advice` what to do next."""

    code: str
    status: int
    error: ClientError
    retryable: bool
    message: str
    advice: str

    @property
    def exit_code(self) -> int:
        """The exit code with which the command line ends."""
        return self.error.exit_code

    @property
    def is_of_the_interface(self) -> bool:
        """Whether the interface lists the code; the others are ours."""
        return not self.code.startswith("SKY")


class ErrorBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of every HTTP error; clients tolerate that either field is absent."""

    code: str | None = None
    message: str | None = None


ERROR_CODES: Final[dict[str, ErrorCode]] = {}
"""Every row by its code, in the order of this file."""


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
    assert code not in ERROR_CODES, f"{code} has a meaning already"
    ERROR_CODES[code] = row
    return row


def find(code: str) -> ErrorCode | None:
    """The row of a code, or None for a code that this version does not know."""
    return ERROR_CODES.get(code)


def client_error_for(status: int, code: str | None = None) -> ClientError:
    """The client error for an answer: by its code where we know it with that status, else by its status."""
    row = ERROR_CODES.get(code) if code is not None else None
    return row.error if row is not None and row.status == status else client_error_for_status(status)


# The codes of the interface, exact.
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
    "NMSOM0021", 400, "Source name is null or empty", "Echo the whole object, sourceName included."
)
LISTING_TYPE: Final = _row(
    "NMSOM0129",
    400,
    "provide valid value for folder(W) or file(F) search",
    "Ask for type=f (files) or type=w (folders), or leave type out.",
)
BATCH_MALFORMED: Final = _row(
    "NMSOM0135",
    400,
    "Request is not proper",
    "Send 1 to 2000 entries, each with a known operation and an object that has its objectKey.",
)
OBJECT_NAME_MISSING: Final = _row(
    "TEJVF0001",
    400,
    "constraint validation on objectName for value null",
    "Echo the whole object, objectName included.",
)
CONTACTS_PAGING: Final = _row(
    "TEJRF0400",
    400,
    "Missing or invalid X-Offset / nextPageDate must be a valid time",
    "Send X-Offset as a number from 0, and nextPageDate as yyyy-MM-dd HH:mm:ss.SSSSSS or not at all.",
)
SESSION_INVALID: Final = _row("TEJGA0401", 401, "The session is logged out or expired", "Log in again: skyshelf login.")

# Ours: the request.
INVALID_REQUEST: Final = _row(
    "SKY1000", 400, "A parameter, header or body is not valid", "Correct what the message names."
)
NOT_JSON: Final = _row("SKY1001", 400, "The body is not valid JSON", "Send UTF-8 JSON without a byte order mark.")
BAD_NAME: Final = _row(
    "SKY1002",
    400,
    "The name is not one that a file or folder can have",
    "Use 1 to 255 bytes without a slash or control characters, and neither . nor ...",
)
BAD_KEY: Final = _row("SKY1003", 400, "The key is not a key", "Keys have 32 hexadecimal digits; copy it whole.")
METHOD_NOT_ALLOWED: Final = _row(
    "SKY1004",
    405,
    "The path does not take this method",
    "Use one of the methods that the Allow header names.",
)
BODY_TOO_LARGE: Final = _row("SKY1005", 413, "The body is larger than this call takes", "Send it in smaller parts.")
NOT_OFFERED: Final = _row(
    "SKY1006", 404, "This server does not offer that path", "Check the address, or update the server."
)
THROTTLED: Final = _row("SKY1007", 429, "Too many requests", "Wait as long as the Retry-After header says.")
WRONG_CONTENT_TYPE: Final = _row(
    "SKY1008",
    415,
    "The Content-Type is not the one that this call takes",
    "Send the one that the message names.",
)
RANGE_NOT_SATISFIABLE: Final = _row(
    "SKY1009", 416, "The range lies outside the file", "Ask for bytes within the size in Content-Range."
)

BAD_CURSOR: Final = _row(
    "SKY1010",
    400,
    "The cursor is not one of this list",
    "Send the cursor of the answer before, with the same parameters, or none to begin at the start.",
)
CURSOR_TOO_OLD: Final = _row(
    "SKY1011",
    410,
    "What happened since that cursor is no longer known",
    "Begin anew: fetch everything, and then the changes since.",
)
CONTENT_LEFT_OUT: Final = _row(
    "SKY1012", 413, "The answer has no room for this content", "Ask for fewer at once, or download it by itself."
)

# Ours: access.
LOGIN_REFUSED: Final = _row(
    "SKY2000",
    401,
    "The e-mail address or the password is wrong",
    "Check both; the operator can reset the password.",
)
APP_REFUSED: Final = _row(
    "SKY2001",
    403,
    "This application is not let in",
    "Send the X-Api-Key and X-App-Secret of this server; its operator can add a pair with --accept-app.",
)
FORBIDDEN: Final = _row("SKY2002", 403, "The operation is not permitted", "Ask the owner, or the operator.")
JWT_REFUSED: Final = _row("SKY2003", 401, "The JWT is not valid for this session", "Log in again to get a new one.")
PASSWORD_WRONG: Final = _row(
    "SKY2004", 403, "The password is wrong", "Type it again; the operator can reset a forgotten one."
)
SECOND_FACTOR_REQUIRED: Final = _row(
    "SKY2005",
    401,
    "The password is right, and a code of the second factor is needed too",
    "Send the same login with code: six digits of the authenticator, or a recovery code.",
    error=SECOND_FACTOR_REQUIRED_ERROR,
)
LOGIN_CODE_REFUSED: Final = _row(
    "SKY2006",
    401,
    "The code of the second factor is wrong, or was used already",
    "Wait for the next code of the authenticator, or use a recovery code; the operator can turn the second factor off.",
)
CODE_WRONG: Final = _row(
    "SKY2007",
    403,
    "The code is wrong, or was used already",
    "Wait for the next code of the authenticator, or use a recovery code.",
)
SECOND_FACTOR_ON: Final = _row(
    "SKY2008", 409, "The second factor is on already", "Turn it off first, to begin with another authenticator."
)
SECOND_FACTOR_OFF: Final = _row(
    "SKY2009", 409, "The second factor is not on, and none was begun", "Begin with the password, and then confirm."
)

# Ours: objects, shares, boards.
OBJECT_NOT_FOUND: Final = _row(
    "SKY3000", 404, "There is no such file or folder", "Check the key; the object may be in the trash."
)
SHARE_NOT_FOUND: Final = _row(
    "SKY3001",
    404,
    "There is no such share link",
    "It may have been revoked, have expired or be used up; ask who sent it.",
)
BOARD_NOT_FOUND: Final = _row("SKY3002", 404, "There is no such board", "Check the key, or ask to be invited.")
VERSION_NOT_FOUND: Final = _row(
    "SKY3003", 404, "The file has no such version", "List its versions; only the newest ones are kept."
)
NO_THUMBNAIL: Final = _row(
    "SKY3004", 404, "There is no thumbnail for this file", "Download the file itself, or show an icon."
)
DEVICE_NOT_FOUND: Final = _row("SKY3005", 404, "There is no such device", "List the devices; it may have been removed.")
NAME_TAKEN: Final = _row(
    "SKY3010", 409, "The folder already has something of that name", "Choose another name or another folder."
)
FOLDER_EXPECTED: Final = _row("SKY3020", 400, "The key belongs to a file", "Give the key of a folder.")
FILE_EXPECTED: Final = _row("SKY3021", 400, "The key belongs to a folder", "Give the key of a file.")
ROOT_FIXED: Final = _row(
    "SKY3022", 400, "The root folder cannot be renamed, moved or trashed", "Choose a folder below it."
)
MOVE_INTO_ITSELF: Final = _row(
    "SKY3023", 400, "A folder cannot be moved into itself or below itself", "Choose a folder outside of it."
)
TARGET_NOT_FOLDER: Final = _row(
    "SKY3024",
    400,
    "The target of the move is not a folder of this account",
    "Choose a folder that is not trashed.",
)
NOT_IN_TRASH: Final = _row(
    "SKY3025", 404, "There is no such object in the trash", "Put it into the trash first, or list the trash."
)

TAG_NOT_FOUND: Final = _row("SKY3030", 404, "There is no such tag", "List the tags; it may have been removed.")
CONTACT_NOT_FOUND: Final = _row(
    "SKY3031", 404, "There is no such contact", "List the contacts; it may have been removed."
)
COMMENT_NOT_FOUND: Final = _row("SKY3032", 404, "There is no such comment on this board", "List the comments again.")
INVITATION_NOT_FOUND: Final = _row(
    "SKY3033",
    404,
    "There is no such invitation",
    "It may have been taken back or have expired; ask to be invited again.",
)
MEMBER_NOT_FOUND: Final = _row("SKY3034", 404, "Nobody of that key is on the board", "List the members.")
TAG_NAME_TAKEN: Final = _row(
    "SKY3035", 409, "Another tag has that name", "Give the objects that tag, and delete this one."
)
CARD_UNREADABLE: Final = _row(
    "SKY3036", 400, "The card cannot be read", "Export it again as vCard 3.0 or 4.0, or add the contact by hand."
)

# Ours: uploads.
UPLOAD_NOT_FOUND: Final = _row("SKY4000", 404, "There is no such upload", "Initiate it again; it may have expired.")
UPLOAD_OFFSET: Final = _row("SKY4001", 409, "The chunk does not start where the upload ends", "Go on from offset.")
UPLOAD_BUSY: Final = _row(
    "SKY4002",
    409,
    "Another chunk of this upload is being received",
    "Wait for it, then repeat.",
    retryable=True,
)
CHUNK_HASH_MISMATCH: Final = _row(
    "SKY4003",
    400,
    "The chunk does not have the MD5 that its header gives",
    "Send the chunk again; nothing was kept.",
)
CONTENT_HASH_MISMATCH: Final = _row(
    "SKY4004", 400, "The file does not have the MD5 that was announced", "Upload it again; nothing was kept."
)
CONTENT_SIZE_MISMATCH: Final = _row(
    "SKY4005", 400, "The file does not have the size that was announced", "Upload it again; nothing was kept."
)
FILE_TOO_LARGE: Final = _row("SKY4006", 413, "The file is larger than this server takes", "See maxFileSize.")
STORAGE_FULL: Final = _row(
    "SKY4007",
    413,
    "The storage of the account is full",
    "Empty the trash or delete old versions; the operator can raise the quota.",
    error=QUOTA_EXCEEDED_ERROR,
)

# Ours: the server.
INTERNAL: Final = _row(
    "SKY5000",
    500,
    "The server met a fault",
    "Repeat later; the operator finds it in the log under X-Request-Id.",
)
STORE_UNAVAILABLE: Final = _row("SKY5001", 503, "The server cannot reach its storage", "Repeat in a moment.")
DISK_FULL: Final = _row("SKY5002", 507, "The server has no room left", "The operator has to make room.")
