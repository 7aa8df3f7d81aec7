"""The definition of an endpoint: servers create routes from it, clients requests."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Generic, TypedDict, TypeVar, Unpack, overload

from msgspec import Struct, field
from msgspec.structs import replace

from skyshelf.wire import error_codes
from skyshelf.wire.error_codes import ErrorBody, ErrorCode
from skyshelf.wire.headers import COMMON_HEADERS, RequiredHeader
from skyshelf.wire.limits import CHUNK_BYTES_MAX, FILE_BYTES_MAX, JSON_BODY_BYTES_DEFAULT
from skyshelf.wire.models import HeaderModel, QueryModel

PATH_PARAMETERS: Final = {
    "object_key": error_codes.OBJECT_NOT_FOUND,
    "share_key": error_codes.SHARE_NOT_FOUND,
    "board_key": error_codes.BOARD_NOT_FOUND,
    "tag_key": error_codes.TAG_NOT_FOUND,
    "contact_key": error_codes.CONTACT_NOT_FOUND,
    "upload_key": error_codes.UPLOAD_NOT_FOUND,
    "rewind_key": error_codes.REWIND_NOT_FOUND,
    "invitation_key": error_codes.INVITATION_NOT_FOUND,
    "link_key": error_codes.INVITATION_NOT_FOUND,
    "user_id": error_codes.MEMBER_NOT_FOUND,
    "comment_key": error_codes.COMMENT_NOT_FOUND,
    "device_key": error_codes.DEVICE_NOT_FOUND,
    "archive_key": error_codes.ARCHIVE_NOT_FOUND,
    "account_key": error_codes.ACCOUNT_NOT_FOUND,
    "banner_key": error_codes.BANNER_NOT_FOUND,
    "passkey_key": error_codes.PASSKEY_NOT_FOUND,
}
"""The parameters of paths, all of them keys, and the error for an unknown key."""

DEVICE_PARAMETER: Final = "device_key"
"""The only key that is a UUID."""

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_Model = TypeVar("_Model")
_Other = TypeVar("_Other")


_ALWAYS_POSSIBLE: Final = (
    error_codes.METHOD_NOT_ALLOWED,
    error_codes.TARGET_TOO_LONG,
    error_codes.HEADERS_TOO_LARGE,
    error_codes.THROTTLED,
    error_codes.INTERNAL,
    error_codes.STORE_UNAVAILABLE,
    error_codes.SERVER_BUSY,
)


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
    """The origin of an endpoint: the interface, its completions, or other people's clients."""

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
    """Return a JSON response of that type."""
    return Answer(AnswerKind.JSON, model)


class Endpoint(Struct, frozen=True, kw_only=True):
    """One call of the API.

    `name` is that of its constant, in lower case; the table sets it. `required_headers` are checked first, in order,
    each with the error for its absence; then `access`. `head` allows HEAD as well as GET. `errors` are specific to this
    call; in the batch call they include the codes of refused entries. `while_full` allows a call that removes
    something, ends access or lets somebody in while the server's disk is at its reserve; `lowering_while_full` allows
    one that then only lowers what others can do, which its use case checks. `while_paused` allows a change to a device
    that an alarm has paused. `error_bodies` names the statuses whose error body contains more than code and message.

    `must_have` names members of a JSON response: a client takes a 2xx for a success only if it has one of them. Where
    there are none to name, the interface does not define the response, and everything but an error is a success.
    `may_be_bare` takes `{}` for one too.
    """

    name: str = ""
    host: Host
    method: str
    path: str
    summary: str
    answers: Mapping[int, Answer]
    query: type[QueryModel] | None = None
    headers: type[HeaderModel] | None = None
    body: object = None
    body_kind: BodyKind = BodyKind.NONE
    must_have: tuple[str, ...] = ()
    may_be_bare: bool = False
    access: Access = Access.SESSION
    required_headers: tuple[RequiredHeader, ...] = COMMON_HEADERS
    errors: tuple[ErrorCode, ...] = ()
    error_bodies: Mapping[int, type[ErrorBody]] = field(default_factory=dict)
    repeats_safely: bool = False
    head: bool = False
    deprecated: bool = False
    while_full: bool = False
    lowering_while_full: bool = False
    while_paused: bool = False
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
    def needs_space(self) -> bool:
        """Whether it is refused while the disk is at its reserve: whatever users change, unless it frees something."""
        return self._is_users_change and not self.lowering_while_full

    @property
    def _is_users_change(self) -> bool:
        is_users = self.access not in (Access.PUBLIC, Access.OPERATOR)
        return is_users and self.method not in ("GET", "DELETE") and not self.while_full

    @property
    def refuses_paused(self) -> bool:
        """Whether a device that an alarm has paused is refused."""
        return self.method != "GET" and self.access is not Access.PUBLIC and not self.while_paused

    @property
    def all_errors(self) -> tuple[ErrorCode, ...]:
        """Every error that the call can return, including the common ones."""
        common = [header.error for header in self.required_headers]
        if self.access is not Access.PUBLIC:
            common += [error_codes.SESSION_INVALID, error_codes.APP_REFUSED]
            common += [error_codes.DELEGATION_SCOPE, error_codes.DELEGATION_USED_UP, error_codes.DELEGATION_ENDED]
        if self.access is Access.OPERATOR:
            common.append(error_codes.NOT_OFFERED)
        if self.query or self.headers:
            common.append(error_codes.INVALID_REQUEST)
        if self.body is not None:
            common += [
                getattr(self.body, "refused_with", error_codes.INVALID_REQUEST),
                getattr(self.body, "not_json_with", error_codes.NOT_JSON),
            ]
        if self.body_kind is not BodyKind.NONE:
            common += [error_codes.BODY_TOO_LARGE, error_codes.BODY_TOO_SLOW]
        if self._is_users_change:
            common += [error_codes.ACCOUNT_LIMIT, error_codes.DISK_FULL]
        if self.refuses_paused:
            common += [error_codes.SESSION_PAUSED, error_codes.ACCOUNT_LIMIT]
        common += [*self.errors, *_ALWAYS_POSSIBLE]
        if self.method != "GET":
            common.append(error_codes.READ_ONLY)
        return tuple(dict.fromkeys(common))

    def url_path(self, **parameters: str) -> str:
        """Return the path with its parameters filled in and percent-encoded."""
        from urllib.parse import quote

        wanted = set(self.parameters)
        if wanted != parameters.keys():
            raise TypeError(f"{self.name} takes the parameters {sorted(wanted)}, not {sorted(parameters)}")
        for name, value in parameters.items():
            # Dots are not percent-encoded, and "." or ".." would change the path.
            if not value.strip("."):
                raise ValueError(f"{name} must not be {value!r}")
        return _PARAMETER.sub(lambda found: quote(parameters[found[1]], safe=""), self.path)


class JsonEndpoint(Endpoint, Generic[_Model], frozen=True, kw_only=True):
    """An endpoint whose success has a JSON body of one type."""

    @property
    def model(self) -> type[_Model]:
        """The type of the body."""
        model: Any = self.answers[self.success].model
        return model  # type: ignore[no-any-return]

    def read_as(self, model: type[_Other]) -> "JsonEndpoint[_Other]":
        """Return the endpoint with another type for the same body."""
        again: JsonEndpoint[Any] = replace(self, answers={self.success: json_answer(model)})
        return again


class _Details(TypedDict, total=False):
    """What an endpoint states besides its route, its summary and the type of its answer."""

    query: type[QueryModel]
    headers: type[HeaderModel]
    body: object
    body_kind: BodyKind
    answers: Mapping[int, Answer]
    may_be_bare: bool
    errors: tuple[ErrorCode, ...]
    error_bodies: Mapping[int, type[ErrorBody]]
    repeats_safely: bool
    head: bool
    deprecated: bool
    while_full: bool
    lowering_while_full: bool
    while_paused: bool


class Group(Struct, frozen=True, kw_only=True):
    """What the endpoints of a group have in common, so that each states only what differs.

    `path` is the beginning of their paths. `errors` are put before an endpoint's own ones.
    """

    host: Host
    path: str = ""
    access: Access = Access.SESSION
    required_headers: tuple[RequiredHeader, ...] = COMMON_HEADERS
    errors: tuple[ErrorCode, ...] = ()
    origin: Origin = Origin.INTERFACE

    @overload
    def call(
        self, route: str, summary: str, *, answer: type[_Model], must_have: str = "", **stated: Unpack[_Details]
    ) -> JsonEndpoint[_Model]: ...

    @overload
    def call(
        self, route: str, summary: str, *, created: type[_Model], must_have: str = "", **stated: Unpack[_Details]
    ) -> JsonEndpoint[_Model]: ...

    @overload
    def call(self, route: str, summary: str, *, must_have: str = "", **stated: Unpack[_Details]) -> Endpoint: ...

    def call(
        self,
        route: str,
        summary: str,
        *,
        answer: object = None,
        created: object = None,
        must_have: str = "",
        **stated: Unpack[_Details],
    ) -> Endpoint:
        """Define an endpoint of the group.

        `route` is the method and the rest of the path. A body is JSON unless `body_kind` says otherwise. The response
        is `answer` with 200, `created` with 201, one of several `answers`, or empty with 204; the members that it
        `must_have` one of are separated by spaces. The errors for unknown
        keys in the path, and for a bad key or cursor in the query or body, are added, unless `errors` lists them to
        set their order. Unless stated, only PUT repeats safely.
        """
        method, _, path = route.partition(" ")
        path = self.path + path
        errors, models = stated.get("errors", ()), (stated.get("query"), stated.get("body"))
        implied = [PATH_PARAMETERS[parameter] for parameter in _PARAMETER.findall(path)]
        if any(getattr(model, "key_names", ()) for model in models):
            implied.append(error_codes.BAD_KEY)
        if any("cursor" in getattr(model, "__struct_fields__", ()) for model in models):
            implied.append(error_codes.BAD_CURSOR)
        unlisted = (error for error in implied if error not in errors and error not in self.errors)
        stated["errors"] = (*self.errors, *unlisted, *errors)
        kind: type[Endpoint] = Endpoint
        if answer is not None or created is not None:
            kind = JsonEndpoint
            stated["answers"] = {200: json_answer(answer)} if created is None else {201: json_answer(created)}
        stated.setdefault("answers", {204: EMPTY})
        stated.setdefault("body_kind", BodyKind.JSON if "body" in stated else BodyKind.NONE)
        stated.setdefault("repeats_safely", method == "PUT")
        return kind(
            host=self.host,
            method=method,
            path=path,
            summary=summary,
            access=self.access,
            must_have=tuple(must_have.split()),
            required_headers=self.required_headers,
            origin=self.origin,
            **stated,
        )
