"""REPORT for favourites and SEARCH: lists of objects in many folders."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal
from xml.etree.ElementTree import Element

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.describing import timestamp_in
from skyshelf.server.dav.listing import Listing
from skyshelf.server.dav.multistatus import Entries, PropertyRequest, head
from skyshelf.server.dav.paths import address_of, quoted, segments_of
from skyshelf.server.dav.properties import Ways
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.xml_bodies import DAV, dav_child, name_of, parse, properties_in
from skyshelf.server.http.proxies import own_path
from skyshelf.server.nextcloud.dialect import OC, FilesDialect
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.tree import Range, SearchFilter, StoredObject
from skyshelf.storage.metadata.wire_cache import key_in
from skyshelf.wire import error_codes as codes
from skyshelf.wire.batches import batched
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import SEARCH_LIMIT_MAX

_MOST: Final = SEARCH_LIMIT_MAX
_ROUNDS_MAX: Final = 20
_NUMBER: Final = re.compile(r"[0-9]{1,12}")


class SearchDialect(FilesDialect):
    """The address of searches; the objects found are in the tree of files."""

    def base_of(self, app: App) -> str:
        return f"{self.prefix}/{quoted(app.email)}"

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        return () if list(segments) == ["remote.php", "dav"] else super().names_in(app, segments)


async def report(call: DavCall) -> Response:
    """List the favourites below a folder."""
    body = await call.body()
    return await Listing(call, lambda listing: _favorites(listing, body)).response()


def _favorites(listing: Listing, body: bytes) -> Iterator[str]:
    call, unit, root = listing.call, listing.view.unit, parse(body)
    if name_of(root) != (OC, "filter-files"):
        raise ServiceError(codes.INVALID_REQUEST, "Only the report filter-files is offered")
    rules = dav_child(root, "filter-rules", OC)
    rule = None if rules is None else dav_child(rules, "favorite", OC)
    if rules is None or rule is None or len(rules) != 1 or (rule.text or "").strip() not in {"1", "true"}:
        raise ServiceError(codes.INVALID_REQUEST, "Only favourites can be filtered")
    asked, below = _asked(dav_child(root, "prop")), call.find(unit)
    keys = [key_in(row.encoded) for row in unit.tree.favorites(call.account_id, by_name=True, limit=_MOST)]
    yield from _entries(listing, asked, keys, below)


async def search(call: DavCall) -> Response:
    """Run a basicsearch, as phones send it."""
    body = await call.body()
    return await Listing(call, lambda listing: _searched(listing, body)).response()


def _searched(listing: Listing, body: bytes) -> Iterator[str]:
    call, unit = listing.call, listing.view.unit
    basic = dav_child(parse(body), "basicsearch")
    where = None if basic is None else dav_child(basic, "where")
    select = None if basic is None else dav_child(basic, "select")
    if basic is None or select is None:
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a basicsearch with a select element")
    wanted = [SearchConditions()] if where is None or not len(where) else conditions_in(where[0])
    asked, limit, folder = _asked(dav_child(select, "prop")), _limit(basic), call.find(unit, _scope(call, basic))
    found: dict[str, None] = {}
    for one in wanted:
        after = None
        for _ in range(_ROUNDS_MAX):
            page = unit.search.page(call.account_id, one.filter(folder.object_key), limit=limit, after=after)
            found |= dict.fromkeys(map(key_in, page.objects))
            after = page.next
            if after is None or len(found) >= limit * len(wanted):
                break
    yield from _entries(listing, asked, list(found)[:limit], folder)


def _asked(wanted: Element | None) -> PropertyRequest:
    names = properties_in(() if wanted is None else wanted)
    return PropertyRequest(names=names, is_all=not names)


def _entries(listing: Listing, asked: PropertyRequest, keys: Sequence[str], below: StoredObject) -> Iterator[str]:
    """Yield the entries of those objects that are below a folder."""
    table = listing.call.dialect.properties
    entries = Entries(table, asked)
    yield head(table)
    for some in batched(keys, entries.at_once):
        view = listing.view
        ways = Ways(view.unit, view.account_id, some)
        found = []
        for key, place in ways.places.items():
            names = ways.names(key, view.root_key)
            if names and place.is_visible and ways.names(key, below.object_key):
                found.append((address_of(view.base, names, is_folder=place.object.is_folder), place.object))
        yield from listing.entries(entries, found)
        yield ""


_MediaKind = Literal["photo", "video", "audio"]


class SearchConditions(msgspec.Struct):
    """Conditions that an object must all meet."""

    text: list[str] = []
    kind: _MediaKind | None = None
    favorite: bool | None = None
    since: int | None = None
    until: int | None = None

    def merged(self, other: "SearchConditions") -> "SearchConditions":
        return SearchConditions(
            text=self.text + other.text,
            kind=self.kind or other.kind,
            favorite=self.favorite if other.favorite is None else other.favorite,
            since=max((one for one in (self.since, other.since) if one is not None), default=None),
            until=min((one for one in (self.until, other.until) if one is not None), default=None),
        )

    def filter(self, folder_key: str) -> SearchFilter:
        return SearchFilter(
            text=" ".join(self.text)[:200],
            kind=self.kind,
            favorite=self.favorite,
            modified=Range(self.since, self.until),
            folder_key=folder_key,
        )


_KINDS: Final[dict[str, _MediaKind]] = {"image": "photo", "video": "video", "audio": "audio"}
_ALTERNATIVES_MAX: Final = 4


def conditions_in(element: Element) -> list[SearchConditions]:
    """Return the alternatives of a condition; raise INVALID_REQUEST for an unsupported one."""
    namespace, name = name_of(element)
    if namespace == DAV and name == "and":
        whole = [SearchConditions()]
        for child in element:
            whole = [one.merged(other) for one in whole for other in conditions_in(child)]
            _refuse_many(whole)
        return whole
    if namespace == DAV and name == "or":
        found = [one for child in element for one in conditions_in(child)]
        _refuse_many(found)
        return found
    return [_condition(element, name)]


def _refuse_many(found: list[SearchConditions]) -> None:
    if not 0 < len(found) <= _ALTERNATIVES_MAX:
        raise ServiceError(codes.INVALID_REQUEST, "The search has too many alternatives")


def _condition(element: Element, how: str) -> SearchConditions:
    prop, literal = dav_child(element, "prop"), dav_child(element, "literal")
    if prop is None or not len(prop) or literal is None:
        raise ServiceError(codes.INVALID_REQUEST, "A condition has a property and a literal")
    (_, what), value, wanted = name_of(prop[0]), (literal.text or "").strip(), SearchConditions()
    if what == "displayname" and how in {"like", "eq"}:
        wanted.text = [value.replace("%", " ").strip()]
    elif what == "getcontenttype" and how in {"like", "eq"} and value.partition("/")[0] in _KINDS:
        wanted.kind = _KINDS[value.partition("/")[0]]
    elif what == "favorite" and how == "eq":
        wanted.favorite = value in {"1", "true", "yes"}
    elif what in {"getlastmodified", "last_modified"} and how in {"gt", "gte"}:
        wanted.since = _time(value)
    elif what in {"getlastmodified", "last_modified"} and how in {"lt", "lte"}:
        wanted.until = _time(value)
    elif what != "owner-id":
        raise ServiceError(codes.INVALID_REQUEST, f"A search by {what[:40]} is not offered")
    return wanted


def _time(text: str) -> int:
    seconds = timestamp_in(text)
    if seconds is None:
        raise ServiceError(codes.INVALID_REQUEST, "A date of the search is malformed")
    return int(seconds * 1000)


def _limit(basic: Element) -> int:
    limit = dav_child(basic, "limit")
    given = None if limit is None else dav_child(limit, "nresults")
    text = "" if given is None else (given.text or "").strip()
    return max(1, min(int(text), _MOST)) if _NUMBER.fullmatch(text) else _MOST


def _scope(call: DavCall, basic: Element) -> tuple[str, ...]:
    origin = dav_child(basic, "from")
    scope = None if origin is None else dav_child(origin, "scope")
    href = None if scope is None else dav_child(scope, "href")
    text = "" if href is None else (href.text or "").strip()
    segments = segments_of(own_path(call.request, text.encode()))
    if segments[:2] != ["remote.php", "dav"]:
        segments = ["remote.php", "dav", *segments]
    return call.dialect.names_in(call.app, segments)


REPORT: Final = Method(handle=report, kind=CallKind.LIST, writes=False)
SEARCH: Final = Method(handle=search, kind=CallKind.LIST, writes=False, is_confinable=False)
