"""The definition of an endpoint: servers create routes from it, clients requests."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from skyshelf.wire.error_codes import (
    ACCOUNT_LIMIT,
    ACCOUNT_NOT_FOUND,
    APP_REFUSED,
    ARCHIVE_NOT_FOUND,
    BANNER_NOT_FOUND,
    BOARD_NOT_FOUND,
    BODY_TOO_LARGE,
    BODY_TOO_SLOW,
    COMMENT_NOT_FOUND,
    CONTACT_NOT_FOUND,
    DEVICE_NOT_FOUND,
    DISK_FULL,
    HEADERS_TOO_LARGE,
    INTERNAL,
    INVALID_REQUEST,
    INVITATION_NOT_FOUND,
    MEMBER_NOT_FOUND,
    METHOD_NOT_ALLOWED,
    NOT_JSON,
    NOT_OFFERED,
    OBJECT_NOT_FOUND,
    PASSKEY_NOT_FOUND,
    READ_ONLY,
    REWIND_NOT_FOUND,
    SERVER_BUSY,
    SESSION_INVALID,
    SHARE_NOT_FOUND,
    STORE_UNAVAILABLE,
    TAG_NOT_FOUND,
    TARGET_TOO_LONG,
    THROTTLED,
    UPLOAD_NOT_FOUND,
    ErrorBody,
    ErrorCode,
)
from skyshelf.wire.headers import COMMON_HEADERS, RequiredHeader
from skyshelf.wire.limits import CHUNK_BYTES_MAX, FILE_BYTES_MAX, JSON_BODY_BYTES_DEFAULT
from skyshelf.wire.models import HeaderModel, QueryModel

PATH_PARAMETERS: Final = {
    "object_key": OBJECT_NOT_FOUND,
    "share_key": SHARE_NOT_FOUND,
    "board_key": BOARD_NOT_FOUND,
    "tag_key": TAG_NOT_FOUND,
    "contact_key": CONTACT_NOT_FOUND,
    "upload_key": UPLOAD_NOT_FOUND,
    "rewind_key": REWIND_NOT_FOUND,
    "invitation_key": INVITATION_NOT_FOUND,
    "link_key": INVITATION_NOT_FOUND,
    "user_id": MEMBER_NOT_FOUND,
    "comment_key": COMMENT_NOT_FOUND,
    "device_key": DEVICE_NOT_FOUND,
    "archive_key": ARCHIVE_NOT_FOUND,
    "account_key": ACCOUNT_NOT_FOUND,
    "banner_key": BANNER_NOT_FOUND,
    "passkey_key": PASSKEY_NOT_FOUND,
}
"""The parameters of paths, all of them keys, and the error for an unknown key."""

DEVICE_PARAMETER: Final = "device_key"
"""The only key that is a UUID."""

_PARAMETER: Final = re.compile(r"\{(\w+)\}")


class Host(StrEnum):
    """The hosts of the interface; the value is the name of the setting with its URL."""

    ACCOUNT = "base_url"
    METADATA = "metadata_url"
    DOWNLOAD = "download_url"
    BOARDS = "boards_url"
    CONTACTS = "contacts_url"
    MESSAGING = "messaging_url"
    UPLOAD = "upload_url"
    SHARE = "share_base"


class Access(StrEnum):
    """Who may call."""

    SESSION = "session"
    SESSION_OR_NONCE = "session or nonce"
    OPERATOR = "operator"
    """A session of an operator; to everybody else the path does not exist."""
    PUBLIC = "public"


class Origin(StrEnum):
    """Where the endpoint comes from: the interface, its completions, or what other people's clients use."""

    INTERFACE = "interface"
    COMPLETIONS = "completions"
    OTHER_CLIENTS = "other clients"


class BodyKind(StrEnum):
    """The format of a request body; the value is its media type."""

    NONE = ""
    JSON = "application/json"
    MULTIPART = "multipart/form-data"
    OCTET_STREAM = "application/octet-stream"


# The multipart call carries a whole file and its metadata.
_BYTES_MAX: Final = {
    BodyKind.NONE: 0,
    BodyKind.MULTIPART: FILE_BYTES_MAX + JSON_BODY_BYTES_DEFAULT,
    BodyKind.OCTET_STREAM: CHUNK_BYTES_MAX,
}


class AnswerKind(StrEnum):
    """The format of a response."""

    JSON = "json"
    BINARY = "binary"
    HTML = "html"
    EVENTS = "events"
    EMPTY = "empty"


class Answer(Struct, frozen=True):
    """The response for a status; `model` is the type of a JSON response, a Struct or a list of one."""

    kind: AnswerKind
    model: object = None


BINARY: Final = Answer(AnswerKind.BINARY)
EMPTY: Final = Answer(AnswerKind.EMPTY)
HTML: Final = Answer(AnswerKind.HTML)
EVENTS: Final = Answer(AnswerKind.EVENTS)


def json_answer(model: object) -> Answer:
    """A JSON response of that type."""
    return Answer(AnswerKind.JSON, model)


class Endpoint(Struct, frozen=True, kw_only=True):
    """One call of the API.

    `required_headers` are checked first, in order, each with the error for its absence; then `access`. `head` allows
    HEAD as well as GET. `errors` are those which only this call can return; in the batch call they include the codes
    of refused entries. `needs_space` marks a call that adds something: it is refused while the server's disk is at its
    reserve. `error_bodies` names the statuses whose error body contains more than code and message.
    """

    name: str
    host: Host
    method: str
    path: str
    summary: str
    answers: Mapping[int, Answer]
    query: type[QueryModel] | None = None
    headers: type[HeaderModel] | None = None
    body: object = None
    body_kind: BodyKind = BodyKind.NONE
    access: Access = Access.SESSION
    required_headers: tuple[RequiredHeader, ...] = COMMON_HEADERS
    errors: tuple[ErrorCode, ...] = ()
    error_bodies: Mapping[int, type[ErrorBody]] = field(default_factory=dict)
    repeats_safely: bool = False
    head: bool = False
    deprecated: bool = False
    needs_space: bool = False
    origin: Origin = Origin.INTERFACE

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the path's parameters, all of them keys."""
        return tuple(_PARAMETER.findall(self.path))

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods to route."""
        return (self.method, "HEAD") if self.head else (self.method,)

    @property
    def body_bytes_max(self) -> int:
        """The largest body that a server reads."""
        if self.body_kind is BodyKind.JSON:
            limit: int = getattr(self.body, "max_bytes", JSON_BODY_BYTES_DEFAULT)
            return limit
        return _BYTES_MAX[self.body_kind]

    @property
    def idempotent(self) -> bool:
        """Whether a client that missed the response may repeat the request."""
        return self.method == "GET" or self.repeats_safely

    @property
    def success(self) -> int:
        """The status of a success: the only one, or the lowest of several."""
        return min(self.answers)

    @property
    def all_errors(self) -> tuple[ErrorCode, ...]:
        """Every error that the call can return, including the common ones."""
        common = [header.error for header in self.required_headers]
        if self.access is not Access.PUBLIC:
            common += [SESSION_INVALID, APP_REFUSED]
        if self.access is Access.OPERATOR:
            common.append(NOT_OFFERED)
        if self.query or self.headers:
            common.append(INVALID_REQUEST)
        if self.body is not None:
            common += [
                getattr(self.body, "refused_with", INVALID_REQUEST),
                getattr(self.body, "not_json_with", NOT_JSON),
            ]
        if self.body_kind is not BodyKind.NONE:
            common += [BODY_TOO_LARGE, BODY_TOO_SLOW]
        if self.needs_space:
            common += [ACCOUNT_LIMIT, DISK_FULL]
        common += [*self.errors, METHOD_NOT_ALLOWED, TARGET_TOO_LONG, HEADERS_TOO_LARGE, THROTTLED]
        common += [INTERNAL, STORE_UNAVAILABLE, SERVER_BUSY]
        if self.method != "GET":
            common.append(READ_ONLY)
        return tuple(dict.fromkeys(common))

    def url_path(self, **parameters: str) -> str:
        """The path with its parameters filled in and percent-encoded."""
        from urllib.parse import quote

        wanted = set(self.parameters)
        if wanted != parameters.keys():
            raise TypeError(f"{self.name} takes the parameters {sorted(wanted)}, not {sorted(parameters)}")
        for name, value in parameters.items():
            # Dots are not percent-encoded, and "." or ".." would change the path.
            if not value.strip("."):
                raise ValueError(f"{name} must not be {value!r}")
        return _PARAMETER.sub(lambda found: quote(parameters[found[1]], safe=""), self.path)
