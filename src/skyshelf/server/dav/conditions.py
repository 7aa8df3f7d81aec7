"""Conditions of a request: If-Match and If-None-Match (RFC 9110), and the If header of WebDAV (RFC 4918, 10.4)."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec

from skyshelf.server.http.ranges import is_named, seconds_of
from skyshelf.service.errors import ServiceError
from skyshelf.wire import error_codes as codes

_PIECE: Final = re.compile(
    r"\s*(?:<(?P<url>[^<>]*)>|(?P<open>\()|(?P<close>\))|(?P<negated>Not\b)|\[(?P<etag>[^\]]*)\])", re.IGNORECASE
)
CONDITIONS_MAX: Final = 50
"""Maximum conditions in an If header; each may have a resource to look up."""
_PIECES_MAX: Final = 5 * CONDITIONS_MAX
"""A resource, the beginning of a list, `Not`, the condition, and the end: the event loop reads no more of a header."""
_TOKEN: Final = re.compile(
    r"(?:opaquelocktoken:|urn:uuid:)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE
)


def token_of(lock_key: str) -> str:
    return f"opaquelocktoken:{UUID(lock_key)}"


def lock_key_in(token: str) -> str | None:
    """Return the key of the lock that a token may belong to."""
    found = _TOKEN.fullmatch(token.strip())
    return found[1].replace("-", "").upper() if found else None


class State(msgspec.Struct, frozen=True):
    """The state that conditions are checked against: a resource's ETag, if it has one, and its locks."""

    exists: bool
    etag: str | None
    modified_at: int
    lock_keys: frozenset[str]


class Condition(msgspec.Struct, frozen=True):
    is_negated: bool
    token: str | None
    etag: str | None

    def holds(self, state: State) -> bool:
        if self.etag is not None:
            return (state.etag == self.etag) != self.is_negated
        return (lock_key_in(self.token or "") in state.lock_keys) != self.is_negated


class IfHeader(msgspec.Struct, frozen=True):
    """Lists of conditions, each about the resource of a URL, or about the request's own (None). It is enough if
    one list holds."""

    lists: tuple[tuple[str | None, tuple[Condition, ...]], ...]

    @property
    def lock_keys(self) -> frozenset[str]:
        """The locks whose tokens the client has sent, whether or not the conditions hold."""
        tokens = [lock_key_in(one.token) for _, conditions in self.lists for one in conditions if one.token]
        return frozenset(token for token in tokens if token is not None)

    def holds(self, state_of: Callable[[str | None], State]) -> bool:
        return any(all(one.holds(state_of(url)) for one in conditions) for url, conditions in self.lists)


def parse_if(header: str) -> IfHeader:
    """Parse the header; raise ServiceError if it is malformed, as ignoring it could overwrite what it protects."""
    lists: list[tuple[str | None, tuple[Condition, ...]]] = []
    url: str | None = None
    inside: list[Condition] | None = None
    is_negated, at, pieces = False, 0, 0
    header = header.strip()
    while at < len(header):
        piece = _PIECE.match(header, at)
        if piece is None or pieces == _PIECES_MAX:
            raise _malformed() if piece is None else _too_many()
        at, pieces = piece.end(), pieces + 1
        if inside is None:
            if piece["url"] is not None:
                url = piece["url"]
            elif piece["open"]:
                inside = []
            else:
                raise _malformed()
        elif piece["close"]:
            if not inside or is_negated:
                raise _malformed()
            lists.append((url, tuple(inside)))
            inside = None
        elif piece["negated"] and not is_negated:
            is_negated = True
        elif piece["url"] is not None or piece["etag"] is not None:
            inside.append(Condition(is_negated, piece["url"], piece["etag"]))
            is_negated = False
        else:
            raise _malformed()
    if inside is not None or not lists:
        raise _malformed()
    return IfHeader(tuple(lists))


def _too_many() -> ServiceError:
    return ServiceError(codes.INVALID_REQUEST, f"An If header has at most {CONDITIONS_MAX} conditions")


def _malformed() -> ServiceError:
    return ServiceError(codes.INVALID_REQUEST, "The If header is malformed; see RFC 4918, section 10.4")


class Conditions:
    """The conditions of one request. The URLs of the If header have already been resolved to names."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._match = headers.get("if-match")
        self._none_match = headers.get("if-none-match")
        self._unmodified_since = headers.get("if-unmodified-since")
        given = headers.get("if")
        self.if_header = parse_if(given) if given is not None else None
        if self.if_header is not None and sum(len(one) for _, one in self.if_header.lists) > CONDITIONS_MAX:
            raise _too_many()

    @property
    def lock_keys(self) -> frozenset[str]:
        return frozenset() if self.if_header is None else self.if_header.lock_keys

    @property
    def are_given(self) -> bool:
        return any(one is not None for one in (self._match, self._none_match, self._unmodified_since, self.if_header))

    @property
    def urls(self) -> Sequence[str]:
        lists = () if self.if_header is None else self.if_header.lists
        return [url for url, _ in lists if url is not None]

    def check(self, state_of: Callable[[str | None], State], *, is_read: bool) -> None:
        """Raise CONDITION_FAILED unless all hold. A read handles If-None-Match itself, with a 304."""
        own = state_of(None)
        if self._match is not None and not _is_matched(own, self._match):
            raise ServiceError(codes.CONDITION_FAILED)
        if self._match is None and self._unmodified_since is not None and _is_later(own, self._unmodified_since):
            raise ServiceError(codes.CONDITION_FAILED)
        if self._none_match is not None and not is_read and _is_any(own, self._none_match):
            raise ServiceError(codes.CONDITION_FAILED)
        if self.if_header is not None and not self.if_header.holds(state_of):
            raise ServiceError(codes.CONDITION_FAILED)


def _is_matched(state: State, if_match: str) -> bool:
    """Compare strongly: a weak ETag matches nothing."""
    if if_match.strip() == "*":
        return state.exists
    strong = ",".join(tag for tag in if_match.split(",") if not tag.strip().startswith("W/"))
    return state.etag is not None and is_named(state.etag, strong)


def _is_any(state: State, if_none_match: str) -> bool:
    if if_none_match.strip() == "*":
        return state.exists
    return state.etag is not None and is_named(state.etag, if_none_match)


def _is_later(state: State, http_date: str) -> bool:
    seconds = seconds_of(http_date)
    return seconds is not None and state.exists and state.modified_at // 1000 > seconds
