"""Multistatus: answers about many resources, written entry by entry."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Final

import msgspec

from skyshelf.server.dav.paths import quoted
from skyshelf.server.dav.properties import Property, PropertyName, PropertyTable, View
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.contracts.webdav import DeadProperty

XML_UTF8: Final = "application/xml; charset=utf-8"
_FOUND: Final = "<D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
_MISSING: Final = "<D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>"


class Asked(msgspec.Struct, frozen=True):
    """What a PROPFIND asks for."""

    names: tuple[PropertyName, ...] = ()
    is_all: bool = False
    """All properties that are usually wanted, and those in `names`."""
    names_only: bool = False


def head(table: PropertyTable) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus{table.declarations}>'


TAIL: Final = "</D:multistatus>\n"


class Entries:
    """Writes the entries of one answer."""

    def __init__(self, table: PropertyTable, asked: Asked) -> None:
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
        """Whether a live property has to be looked up, which can take a while for a folder."""

    def load(self, view: View, objects: Sequence[StoredObject]) -> None:
        """Read for all of them together what needs a query."""
        for live in self._live:
            if live.load is not None:
                live.load(view, objects)
        if self.needs_dead and view.unit.dead_properties.any_of(view.account_id):
            view.dead = view.unit.dead_properties.of_objects(view.account_id, [one.object_key for one in objects])

    def entry(self, href: str, stored: StoredObject, view: View) -> str:
        """One resource."""
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
    """An entry that says what became of properties."""
    propstats = "".join(
        f"<D:propstat><D:prop>{''.join(_empty(*table.tag(name)) for name in names)}</D:prop>"
        f"<D:status>{status_line(status)}</D:status>{error if status in (403, 409, 507) else ''}</D:propstat>"
        for status, names in statuses.items()
    )
    return f"<D:response><D:href>{href}</D:href>{propstats}</D:response>"


def status_line(status: int) -> str:
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
