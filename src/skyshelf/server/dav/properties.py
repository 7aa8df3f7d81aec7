"""Properties: the table of live ones, which a dialect extends, and how each is written."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.utils import formatdate
from functools import lru_cache
from typing import Final

import msgspec

from skyshelf.server.dav.conditions import token_of
from skyshelf.server.dav.paths import address_of
from skyshelf.server.dav.xml_bodies import DAV, escape
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.locks import HeldLocks
from skyshelf.storage.metadata.contracts.accounts import Quota
from skyshelf.storage.metadata.contracts.tree import DeadProperty, Lock, StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import LOCKS_OF_RESOURCE_MAX

OWNCLOUD: Final = "http://owncloud.org/ns"
PropertyName = tuple[str, str]
"""Namespace and local name."""


class Ways:
    """The ways from the root to some objects, trashed ones included, by a fixed number of statements."""

    def __init__(self, unit: Unit, account_id: int, object_keys: Sequence[str]) -> None:
        places, folders = unit.places.above(account_id, object_keys)
        self.places = {place.object.object_key: place for place in places}
        self._steps = {one.object_key: (one.parent_key, one.name) for one in folders}
        self._steps |= {key: (place.object.parent_key, place.object.name) for key, place in self.places.items()}

    def names(self, object_key: str, root_key: str) -> Sequence[str] | None:
        """Return the names from below a folder down to an object; None if it is not in there."""
        names: list[str] = []
        at: str | None = object_key
        while at != root_key:
            at, name = self._steps.get(at or "", (None, ""))
            if at is None:
                return None
            names.append(name)
        return names[::-1]


class View:
    """The source of one answer's properties, besides the object; for one worker thread at a time."""

    def __init__(self, ctx: ServiceContext, unit: Unit, account_id: int, base: str, *, root_key: str) -> None:
        self.ctx = ctx
        self.unit = unit
        self.account_id = account_id
        self.base = base
        self.root_key = root_key
        self.now = ctx.clock.now()
        self._held: HeldLocks | None = None
        self._quota: Quota | None = None
        self._lock_roots: dict[str, str] | None = None
        self.dead: Mapping[str, Sequence[DeadProperty]] = {}
        self.marks: Mapping[str, int] = {}
        """The last change below each folder, for dialects whose folders have ETags (`Property.load`)."""

    @property
    def held(self) -> HeldLocks:
        if self._held is None:
            self._held = HeldLocks(self.unit, self.account_id, self.now)
        return self._held

    @property
    def quota(self) -> Quota:
        if self._quota is None:
            self._quota = self.unit.quotas.get(self.account_id, self.now)
        return self._quota

    def lock_root(self, lock: Lock) -> str:
        """Return the address of what is locked; the root's if it is above the root, where this app sees nothing."""
        if self._lock_roots is None:
            keys = list(dict.fromkeys(one.object_key for one in self.held.locks))
            ways, self._lock_roots = Ways(self.unit, self.account_id, keys), {}
            for key in keys:
                names = ways.names(key, self.root_key)
                is_folder = names is None or ways.places[key].object.is_folder
                self._lock_roots[key] = address_of(self.base, names or (), is_folder=is_folder)
        return self._lock_roots[lock.object_key]


Render = Callable[[StoredObject, View], str | None]
"""Returns the inside of a property's element as XML; None if an object does not have it."""


class Property(msgspec.Struct, frozen=True, kw_only=True):
    namespace: str
    name: str
    render: Render
    in_allprop: bool = True
    load: Callable[[View, Sequence[StoredObject]], None] | None = None
    """Called once per page of objects, before `render`, to run one query for all of them."""
    write: Callable[[Unit, StoredObject, str | None, int], None] | None = None
    """Sets the property at a given time, or removes it if the value is None; None if clients cannot change it."""


class PropertyTable:
    """The live properties of a dialect, and the prefixes of their namespaces."""

    def __init__(self, properties: Iterable[Property], prefixes: Mapping[str, str]) -> None:
        self._by_name = {(one.namespace, one.name): one for one in properties}
        self.prefixes = {DAV: "D", **prefixes}
        self.declarations = "".join(f' xmlns:{prefix}="{escape(uri)}"' for uri, prefix in self.prefixes.items())

    def extended(self, properties: Iterable[Property], prefixes: Mapping[str, str]) -> "PropertyTable":
        """Return this table with additional properties, which may replace some."""
        return PropertyTable([*self._by_name.values(), *properties], {**self.prefixes, **prefixes})

    def find(self, name: PropertyName) -> Property | None:
        return self._by_name.get(name)

    def all(self) -> Iterable[Property]:
        return self._by_name.values()

    def tag(self, name: PropertyName) -> tuple[str, str]:
        """Return the element's name with its prefix, and the declaration that it needs."""
        namespace, local = name
        prefix = self.prefixes.get(namespace)
        if prefix is not None:
            return f"{prefix}:{local}", ""
        if not namespace:
            return local, ""
        return f"X:{local}", f' xmlns:X="{escape_attribute(namespace)}"'


def escape_attribute(text: str) -> str:
    return escape(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")


# The properties of RFC 4918 and RFC 4331

_SUPPORTED_LOCKS: Final = "".join(
    f"<D:lockentry><D:lockscope><D:{scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>"
    for scope in ("exclusive", "shared")
)


@lru_cache(maxsize=4096)
def http_date(second: int) -> str:
    return formatdate(second, usegmt=True)


@lru_cache(maxsize=4096)
def _iso_date(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def etag_of(stored: StoredObject) -> str | None:
    """Return the strong ETag of a file, as in a download."""
    return None if stored.md5 is None else f'"{stored.md5}"'


def active_lock(lock: Lock, href: str, now: int) -> str:
    scope = "exclusive" if lock.is_exclusive else "shared"
    owner = f"<D:owner>{lock.owner}</D:owner>" if lock.owner else ""
    return (
        f"<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:{scope}/></D:lockscope>"
        f"<D:depth>{'infinity' if lock.is_deep else '0'}</D:depth>{owner}"
        f"<D:timeout>Second-{max(1, (lock.expires_at - now) // 1000)}</D:timeout>"
        f"<D:locktoken><D:href>{token_of(lock.lock_key)}</D:href></D:locktoken>"
        f"<D:lockroot><D:href>{href}</D:href></D:lockroot></D:activelock>"
    )


def _lock_discovery(stored: StoredObject, view: View) -> str:
    if not view.held.locks:
        return ""
    covering = view.held.covering(stored.object_key, stored.parent_key)[:LOCKS_OF_RESOURCE_MAX]
    return "".join(active_lock(lock, view.lock_root(lock), view.now) for lock in covering)


def _dav(name: str, render: Render, *, in_allprop: bool = True) -> Property:
    return Property(namespace=DAV, name=name, render=render, in_allprop=in_allprop)


LIVE: Final = PropertyTable(
    [
        _dav("resourcetype", lambda one, _: "<D:collection/>" if one.is_folder else ""),
        _dav("displayname", lambda one, _: escape(one.name) if one.parent_key else "Skyshelf"),
        _dav("getcontentlength", lambda one, _: None if one.is_folder else str(one.size)),
        _dav("getcontenttype", lambda one, _: None if one.is_folder else f"{one.mime_type}/{one.mime_subtype}"),
        _dav("getetag", lambda one, _: None if one.md5 is None else f'"{one.md5}"'),
        _dav("getlastmodified", lambda one, _: http_date(one.last_modified_at // 1000)),
        _dav("creationdate", lambda one, _: _iso_date(one.file_created_at // 1000)),
        _dav("lockdiscovery", _lock_discovery),
        _dav("supportedlock", lambda _one, _: _SUPPORTED_LOCKS),
        # RFC 4331: not in answers to allprop.
        _dav("quota-available-bytes", lambda one, v: str(v.quota.free) if one.is_folder else None, in_allprop=False),
        _dav("quota-used-bytes", lambda one, v: str(v.quota.used) if one.is_folder else None, in_allprop=False),
        # With this one, rclone compares contents without reading them.
        Property(
            namespace=OWNCLOUD,
            name="checksums",
            render=lambda one, _: None if one.md5 is None else f"<oc:checksum>MD5:{one.md5}</oc:checksum>",
            in_allprop=False,
        ),
    ],
    {OWNCLOUD: "oc"},
)
