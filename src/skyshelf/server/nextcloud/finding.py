"""REPORT for favourites and SEARCH: lists of objects in many folders."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Literal
from xml.etree.ElementTree import Element

from starlette.responses import Response

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.multistatus import TAIL, XML_UTF8, Asked, Entries, child_href, head
from skyshelf.server.dav.paths import quoted, segments_of
from skyshelf.server.dav.properties import View
from skyshelf.server.dav.routes import Method
from skyshelf.server.dav.xml_bodies import DAV, dav_child, name_of, parse
from skyshelf.server.http.prefix import own_path
from skyshelf.server.nextcloud.dialect import OC, FilesDialect
from skyshelf.server.nextcloud.lookups import is_within, refuse_confined
from skyshelf.service.accounts.app_passwords import App
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.search import Range, SearchFilter
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.storage.metadata.wire_cache import key_in
from skyshelf.wire import error_codes as codes
from skyshelf.wire.limits import SEARCH_LIMIT_MAX

_MOST: Final = SEARCH_LIMIT_MAX
_ROUNDS_MAX: Final = 20
_HEADERS: Final = {"content-type": XML_UTF8, "cache-control": "no-store"}
_NUMBER: Final = re.compile(r"[0-9]{1,12}")
Find = Callable[[Unit], Iterable[str]]


class SearchDialect(FilesDialect):
    """The one address of searches; what is found is in the tree of files."""

    def base_of(self, app: App) -> str:
        return f"{self.prefix}/{quoted(app.email)}"

    def names_in(self, app: App, segments: Sequence[str]) -> tuple[str, ...]:
        return () if list(segments) == ["remote.php", "dav"] else super().names_in(app, segments)


async def report(call: DavCall) -> Response:
    """The favourites below a folder."""
    root = parse(await call.body())
    if name_of(root) != (OC, "filter-files"):
        raise ServiceError(codes.INVALID_REQUEST, "Only the report filter-files is offered")
    rules = _child(root, OC, "filter-rules")
    rule = None if rules is None else _child(rules, OC, "favorite")
    if rules is None or rule is None or len(rules) != 1 or (rule.text or "").strip() not in {"1", "true"}:
        raise ServiceError(codes.INVALID_REQUEST, "Only favourites can be filtered")

    def favorites(unit: Unit) -> list[str]:
        return [key_in(row.encoded) for row in unit.tree.favorites(call.account_id, by_name=True, limit=_MOST)]

    wanted = dav_child(root, "prop")
    return await call.threads.call(lambda: _answer(call, wanted, favorites, below=call.names))


async def search(call: DavCall) -> Response:
    """A basicsearch, as phones send it."""
    root = parse(await call.body())
    basic = dav_child(root, "basicsearch")
    where = None if basic is None else dav_child(basic, "where")
    select = None if basic is None else dav_child(basic, "select")
    if basic is None or select is None:
        raise ServiceError(codes.INVALID_REQUEST, "The body must be a basicsearch with a select element")
    refuse_confined(call.app)
    wanted = [Wanted()] if where is None or not len(where) else conditions_in(where[0])
    limit = _limit(basic)
    below = _scope(call, basic)

    def find(unit: Unit) -> list[str]:
        folder = call.find(unit, below)
        found: dict[str, None] = {}
        for one in wanted:
            after = None
            for _ in range(_ROUNDS_MAX):
                page = unit.search.page(call.account_id, one.filter(folder.object_key), limit=limit, after=after)
                found |= dict.fromkeys(map(key_in, page.objects))
                after = page.next
                if after is None or len(found) >= limit * len(wanted):
                    break
        return list(found)

    prop = dav_child(select, "prop")
    return await call.threads.call(lambda: _answer(call, prop, find, below=below, limit=limit))


class Wanted:
    """Conditions that hold together."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.kind: Literal["photo", "video", "audio"] | None = None
        self.favorite: bool | None = None
        self.since: int | None = None
        self.until: int | None = None

    def merged(self, other: "Wanted") -> "Wanted":
        both = Wanted()
        both.text = self.text + other.text
        both.kind = self.kind or other.kind
        both.favorite = self.favorite if other.favorite is None else other.favorite
        both.since = max((one for one in (self.since, other.since) if one is not None), default=None)
        both.until = min((one for one in (self.until, other.until) if one is not None), default=None)
        return both

    def filter(self, folder_key: str) -> SearchFilter:
        return SearchFilter(
            text=" ".join(self.text)[:200],
            kind=self.kind,
            favorite=self.favorite,
            modified=Range(self.since, self.until),
            folder_key=folder_key,
        )


_KINDS: Final[dict[str, Literal["photo", "video", "audio"]]] = {"image": "photo", "video": "video", "audio": "audio"}
_ALTERNATIVES_MAX: Final = 4


def conditions_in(element: Element) -> list[Wanted]:
    """The alternatives of a condition; INVALID_REQUEST for one that is not understood."""
    namespace, name = name_of(element)
    if namespace == DAV and name == "and":
        whole = [Wanted()]
        for child in element:
            whole = [one.merged(other) for one in whole for other in conditions_in(child)]
            _refuse_many(whole)
        return whole
    if namespace == DAV and name == "or":
        found = [one for child in element for one in conditions_in(child)]
        _refuse_many(found)
        return found
    return [_condition(element, name)]


def _refuse_many(found: list[Wanted]) -> None:
    if not 0 < len(found) <= _ALTERNATIVES_MAX:
        raise ServiceError(codes.INVALID_REQUEST, "The search has too many alternatives")


def _condition(element: Element, how: str) -> Wanted:
    prop, literal = dav_child(element, "prop"), dav_child(element, "literal")
    if prop is None or not len(prop) or literal is None:
        raise ServiceError(codes.INVALID_REQUEST, "A condition has a property and a literal")
    (_, what), value, wanted = name_of(prop[0]), (literal.text or "").strip(), Wanted()
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
    try:
        if _NUMBER.fullmatch(text):
            return int(text) * 1000
        at = datetime.fromisoformat(text) if text[:4].isdigit() else parsedate_to_datetime(text)
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError) as wrong:
        raise ServiceError(codes.INVALID_REQUEST, "A date of the search is malformed") from wrong


def _limit(basic: Element) -> int:
    limit = dav_child(basic, "limit")
    given = None if limit is None else dav_child(limit, "nresults")
    text = "" if given is None else (given.text or "").strip()
    return max(1, min(int(text), _MOST)) if _NUMBER.fullmatch(text) else _MOST


def _scope(call: DavCall, basic: Element) -> tuple[str, ...]:
    """The folder that is searched."""
    origin = dav_child(basic, "from")
    scope = None if origin is None else dav_child(origin, "scope")
    href = None if scope is None else dav_child(scope, "href")
    text = "" if href is None else (href.text or "").strip()
    segments = segments_of(own_path(call.request, text.encode()))
    if segments[:2] != ["remote.php", "dav"]:
        segments = ["remote.php", "dav", *segments]
    return call.dialect.names_in(call.app, segments)


def _answer(
    call: DavCall, wanted: Element | None, find: Find, *, below: tuple[str, ...], limit: int = _MOST
) -> Response:
    names = () if wanted is None else tuple(name_of(child) for child in wanted)
    entries = Entries(call.dialect.properties, Asked(names=names) if names else Asked(is_all=True))
    text = [head(call.dialect.properties)]
    with call.ctx.metadata.snapshot() as unit:
        folder = call.find(unit, below)
        keys = list(find(unit))[:limit]
        found = unit.tree.visible_many(call.account_id, keys)
        view = View(call.ctx, unit, call.account_id, call.base, root_key=call.caller.root_key)
        objects = [one for key in keys if (one := found.get(key)) is not None and one.parent_key is not None]
        objects = [one for one in objects if is_within(unit, call.app, one)]
        entries.load(view, objects)
        places: dict[str, tuple[str, bool]] = {}
        for one in objects:
            href, is_below = _place(unit, view, one, folder, places)
            if is_below:
                text.append(entries.entry(child_href(href, one), one, view))
    return Response("".join([*text, TAIL]).encode(), 207, _HEADERS)


def _place(
    unit: Unit, view: View, one: StoredObject, below: StoredObject, known: dict[str, tuple[str, bool]]
) -> tuple[str, bool]:
    """The address of an object's folder, and whether that is the given one or below it."""
    parent = one.parent_key
    assert parent is not None
    if parent not in known:
        above = {folder.object_key for folder in unit.tree.ancestors(view.account_id, parent)} | {parent}
        known[parent] = view.address_of_key(parent), below.object_key in above
    return known[parent]


def _child(element: Element, namespace: str, name: str) -> Element | None:
    return next((child for child in element if name_of(child) == (namespace, name)), None)


REPORT: Final = Method(handle=report, writes=False)
SEARCH: Final = Method(handle=search, writes=False)
