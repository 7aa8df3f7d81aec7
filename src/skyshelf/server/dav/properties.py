"""Properties: the table of live ones, which a dialect extends, and how each is written."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from skyshelf.server.dav.conditions import token_of
from skyshelf.server.dav.paths import address_of
from skyshelf.server.dav.xml_bodies import DAV, escape
from skyshelf.service.context import ServiceContext
from skyshelf.service.files.locks import HeldLocks
from skyshelf.storage.metadata.contracts.quota import Quota
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.contracts.webdav import DeadProperty, Lock
from skyshelf.storage.metadata.store import Unit

OWNCLOUD: Final = "http://owncloud.org/ns"
PropertyName = tuple[str, str]
"""Namespace and local name."""


class View:
    """What the properties of one answer are read from, besides the object; for one worker thread at a time."""

    def __init__(self, ctx: ServiceContext, unit: Unit, account_id: int, base: str, *, root_key: str) -> None:
        self.ctx = ctx
        self.unit = unit
        self.account_id = account_id
        self.base = base
        self.root_key = root_key
        self.now = ctx.clock.now()
        self._held: HeldLocks | None = None
        self._quota: Quota | None = None
        self.dead: Mapping[str, Sequence[DeadProperty]] = {}
        self.marks: Mapping[str, int] = {}
        """What changed last below folders, for dialects whose folders have ETags (`Property.load`)."""

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

    def address_of_key(self, object_key: str) -> str:
        """The address of an object; that of the root for one above it, which this app cannot see."""
        stored = self.unit.tree.get(self.account_id, object_key)
        above = [*self.unit.tree.ancestors(self.account_id, object_key), stored]
        keys = [one.object_key for one in above]
        if self.root_key not in keys:
            return address_of(self.base, (), is_folder=True)
        names = [one.name for one in above[keys.index(self.root_key) + 1 :]]
        return address_of(self.base, names, is_folder=stored.is_folder)


Render = Callable[[StoredObject, View], str | None]
"""The inside of a property's element as XML; None where an object does not have it."""


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """A live property."""

    namespace: str
    name: str
    render: Render
    in_allprop: bool = True
    load: Callable[[View, Sequence[StoredObject]], None] | None = None
    """Called once for every page of objects, before `render`: what needs a query is read for all of them."""
    write: Callable[[Unit, StoredObject, str | None, int], None] | None = None
    """Sets it, or removes it where the value is None, at that time; None where clients cannot."""


class PropertyTable:
    """The live properties of a dialect, and the prefixes of their namespaces."""

    def __init__(self, properties: Iterable[Property], prefixes: Mapping[str, str]) -> None:
        self._by_name = {(one.namespace, one.name): one for one in properties}
        self.prefixes = {DAV: "D", **prefixes}
        self.declarations = "".join(f' xmlns:{prefix}="{escape(uri)}"' for uri, prefix in self.prefixes.items())

    def extended(self, properties: Iterable[Property], prefixes: Mapping[str, str]) -> "PropertyTable":
        """This table with further properties, which may replace some."""
        return PropertyTable([*self._by_name.values(), *properties], {**self.prefixes, **prefixes})

    def find(self, name: PropertyName) -> Property | None:
        return self._by_name.get(name)

    def all(self) -> Iterable[Property]:
        return self._by_name.values()

    def tag(self, name: PropertyName) -> tuple[str, str]:
        """The element's name with its prefix, and the declaration that it needs."""
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
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@lru_cache(maxsize=4096)
def http_date(second: int) -> str:
    t = time.gmtime(second)
    day, month = _DAYS[t.tm_wday], _MONTHS[t.tm_mon - 1]
    return f"{day}, {t.tm_mday:02} {month} {t.tm_year:04} {t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02} GMT"


@lru_cache(maxsize=4096)
def _iso_date(second: int) -> str:
    t = time.gmtime(second)
    return f"{t.tm_year:04}-{t.tm_mon:02}-{t.tm_mday:02}T{t.tm_hour:02}:{t.tm_min:02}:{t.tm_sec:02}Z"


def etag_of(stored: StoredObject) -> str | None:
    """The strong ETag of a file; the same that a download has."""
    return None if stored.md5 is None else f'"{stored.md5}"'


def active_lock(lock: Lock, href: str, now: int) -> str:
    """A lock as XML."""
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
    covering = view.held.covering(stored.object_key)
    return "".join(active_lock(lock, view.address_of_key(lock.object_key), view.now) for lock in covering)


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
        # By this one, rclone compares contents without reading them.
        Property(
            namespace=OWNCLOUD,
            name="checksums",
            render=lambda one, _: None if one.md5 is None else f"<oc:checksum>MD5:{one.md5}</oc:checksum>",
            in_allprop=False,
        ),
    ],
    {OWNCLOUD: "oc"},
)
