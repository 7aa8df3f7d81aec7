"""Multistatus: answers about many resources, written entry by entry."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import accumulate
from typing import Final

import msgspec
from starlette.responses import Response

from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.properties import Property, PropertyName, PropertyTable, View
from skyshelf.storage.metadata.contracts.tree import DeadProperty, StoredObject
from skyshelf.wire.limits import MIB

PAGE_BYTES: Final = MIB
"""Bytes after which a page of a long answer ends."""
PAGE_ENTRIES: Final = 500
XML_HEADERS: Final = {"content-type": "application/xml; charset=utf-8", "cache-control": "no-store"}
_FOUND: Final = "<D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
_MISSING: Final = "<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"


class PropertyRequest(msgspec.Struct, frozen=True):
    """The properties that a PROPFIND asks for."""

    names: tuple[PropertyName, ...] = ()
    is_all: bool = False
    """Whether all common properties are requested, besides those in `names`."""
    names_only: bool = False


def head(table: PropertyTable) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus{table.declarations}>'


FOLDER: Final = "<D:resourcetype><D:collection/></D:resourcetype>"
"""The one property of a folder that is no folder of the drive."""
TAIL: Final = "</D:multistatus>\n"


def multistatus(*texts: str) -> Response:
    """Return the answer with these entries, between head and tail."""
    return Response("".join([*texts, TAIL]).encode(), 207, XML_HEADERS)


def plain_entry(href: str, properties: str) -> str:
    """Return the entry of a resource with these properties, already in XML."""
    return f"<D:response><D:href>{href}</D:href><D:propstat><D:prop>{properties}</D:prop>{_FOUND}</D:response>"


class Entries:
    """Writes the entries of one answer."""

    def __init__(self, table: PropertyTable, asked: PropertyRequest) -> None:
        self._asked = asked
        self._table = table
        if asked.is_all:
            names = [(one.namespace, one.name) for one in table.all() if one.in_allprop]
            names += [name for name in asked.names if name not in names]
        elif asked.names_only:
            names = [(one.namespace, one.name) for one in table.all()]
        else:
            names = list(dict.fromkeys(asked.names))
        found = [(name, table.find(name)) for name in names]
        self._live = [_Live(one, *table.tag(name)) for name, one in found if one is not None]
        self._dead = [(name, *table.tag(name)) for name, one in found if one is None]
        self.needs_dead = bool(self._dead) or asked.is_all or asked.names_only
        """Whether dead properties have to be loaded."""
        self.needs_query = any(live.load is not None for live in self._live)
        """Whether a live property needs a query, which can take a while for a folder."""
        least = sum(
            map(len, [*(live.empty for live in self._live), *(tag + declared for _, tag, declared in self._dead)])
        )
        self.at_once = max(1, min(PAGE_ENTRIES, PAGE_BYTES // max(1, least)))
        """How many objects may fit into a page."""

    def load(self, view: View, objects: Sequence[StoredObject]) -> int:
        """Run the queries that properties need, once for as many objects as fit into a page; return how many."""
        keys = [one.object_key for one in objects]
        if self.needs_dead and view.unit.dead_properties.any_of(view.account_id):
            sizes = view.unit.dead_properties.sizes(view.account_id, keys)
            so_far = accumulate(sizes.get(key, 0) for key in keys)
            keys = keys[: max(1, sum(size <= PAGE_BYTES for size in so_far))]
            view.dead = view.unit.dead_properties.of_objects(view.account_id, [key for key in keys if key in sizes])
        for live in self._live:
            if live.load is not None:
                live.load(view, objects[: len(keys)])
        return len(keys)

    def entry(self, href: str, stored: StoredObject, view: View) -> str:
        found: list[str] = []
        missing: list[str] = []
        names_only = self._asked.names_only
        for live in self._live:
            value = live.render(stored, view)
            if value is None:
                if not (self._asked.is_all or names_only):
                    missing.append(live.empty)
            elif value and not names_only:
                found.append(live.opening + value + live.closing)
            else:
                found.append(live.empty)
        if self.needs_dead:
            self._add_dead(view.dead.get(stored.object_key, ()), found, missing)
        propstat = f"<D:propstat><D:prop>{''.join(found)}</D:prop>{_FOUND}" if found or not missing else ""
        if missing:
            propstat += f"<D:propstat><D:prop>{''.join(missing)}</D:prop>{_MISSING}"
        return f"<D:response><D:href>{href}</D:href>{propstat}</D:response>"

    def _add_dead(self, kept: Sequence[DeadProperty], found: list[str], missing: list[str]) -> None:
        if self._asked.names_only:
            found += [_empty(*self._table.tag((one.namespace, one.name))) for one in kept]
            return
        values = {(one.namespace, one.name): one.value for one in kept}
        if self._asked.is_all:
            found += values.values()
            missing += [_empty(tag, declared) for name, tag, declared in self._dead if name not in values]
            return
        for name, tag, declared in self._dead:
            if name in values:
                found.append(values[name])
            else:
                missing.append(_empty(tag, declared))


class _Live:
    """A live property as an answer writes it."""

    __slots__ = ("closing", "empty", "load", "opening", "render")

    def __init__(self, live: Property, tag: str, declared: str) -> None:
        self.render = live.render
        self.load = live.load
        self.opening = f"<{tag}{declared}>"
        self.closing = f"</{tag}>"
        self.empty = _empty(tag, declared)


def _empty(tag: str, declared: str) -> str:
    return f"<{tag}{declared}/>"


def child_href(folder_href: str, child: StoredObject) -> str:
    return f"{folder_href}{quoted(child.name)}/" if child.is_folder else folder_href + quoted(child.name)


def status_entry(
    table: PropertyTable, href: str, statuses: Mapping[int, Sequence[PropertyName]], error: str = ""
) -> str:
    """Return an entry with the outcome for each property."""
    propstats = "".join(
        f"<D:propstat><D:prop>{''.join(_empty(*table.tag(name)) for name in names)}</D:prop>"
        f"<D:status>{status_line(status)}</D:status>{error if status in (403, 409, 507) else ''}</D:propstat>"
        for status, names in statuses.items()
    )
    return f"<D:response><D:href>{href}</D:href>{propstats}</D:response>"


def status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
