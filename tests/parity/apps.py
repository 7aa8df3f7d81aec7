"""The calls of apps: WebDAV and the addresses of Nextcloud's clients."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import cast

import httpx2
from msgspec.structs import replace
from tests.parity.observing import Step
from tests.parity.places import Mine, Moment, Served
from tests.server.api import new_account
from tests.server.app_calls import CALLS, NAMELESS, TREES, AppCall, Names, as_given, furnish, of_nobody
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.dav.routes import METHODS
from skyshelf.storage.metadata.contracts.sessions import AppScope

Send = Callable[[], httpx2.Response]
READS = frozenset({"GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"})
KINDS = ("{file}", "{folder}", "{locked}", "", "missing", "missing/below", "{file}/below", "{folder}/")
"""What a path can name."""
HEADERS: dict[str, list[dict[str, str]]] = {
    "GET": [
        {"Range": "bytes=1-2"},
        {"Range": "bytes=999-"},
        {"If-None-Match": "*"},
        {"If-Match": '"x"'},
        {"If-Modified-Since": "Sun, 13 Sep 2037 12:26:40 GMT"},
        {"If": "(Not <urn:x:none>)"},
    ],
    "PROPFIND": [{"Depth": "0"}, {"Depth": "1"}, {"Depth": "infinity"}, {"Depth": "2"}],
    "PUT": [
        {"If-None-Match": "*"},
        {"If-Match": "*"},
        {"If": "(<{lock}>)"},
        {"OC-Checksum": "MD5:900150983cd24fb0d6963f7d28e17f72"},
        {"OC-Checksum": "MD5:00000000000000000000000000000000"},
        {"X-OC-Mtime": "1600000000"},
        {"Content-Range": "bytes 0-1/2"},
        {"Content-Type": "text/html"},
    ],
    "DELETE": [{"If-Match": '"x"'}, {"If": "(<{lock}>)"}],
    "MOVE": [{"Destination": "{tree}/moved-to"}, {"Destination": "{tree}/{top}", "Overwrite": "F"}],
    "COPY": [{"Destination": "{tree}/copied-to", "Depth": "0"}, {"Destination": "{tree}/{top}", "Overwrite": "F"}],
    "LOCK": [{"Timeout": "Second-60"}, {"Depth": "0"}, {"If": "(<{lock}>)"}],
    "UNLOCK": [{"Lock-Token": "<{lock}>"}, {"Lock-Token": "<urn:x:none>"}],
}
BODIES = {
    "PUT": "abc",
    "PROPFIND": '<propfind xmlns="DAV:"><prop><getetag/><resourcetype/><x xmlns=""/></prop></propfind>',
    "PROPPATCH": '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="">1</x></prop></set></propertyupdate>',
    "LOCK": '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>',
}


class Apps:
    """Accounts with apps: a new one whenever calls may have changed the last one."""

    def __init__(self, running: Served) -> None:
        self._running = running
        self._numbers = count()

    def app(self, scope: AppScope | None = None) -> CloudApp:
        account = new_account(self._running.ctx, f"a{next(self._numbers):04}@example.org")
        return CloudApp(cast("TestClient", self._running.client), self._running.ctx, account, scope)


def mine_of(app: CloudApp, names: Names) -> Mine:
    return Mine(app.account.account_id, names.key)


def tag_of(app: CloudApp) -> str:
    return app.account.email.partition("@")[0]


def good_calls(running: Served) -> Iterator[Step]:
    """Every call of the table of apps, each in its own account."""
    apps = Apps(running)
    for call in CALLS:
        app = apps.app()
        names = furnish(app, tag_of(app), call.places)
        moments = tuple(Moment) if call.method in READS else (Moment.FIRST,)
        yield Step(call.id, _sending(call, app, names), mine_of(app, names), moments)
    app = apps.app()
    names = furnish(app, tag_of(app))
    for path in sorted(NAMELESS):
        for method in ("OPTIONS", "POST", *METHODS):
            call = AppCall(method=method, address=path.replace("{flow}", names.flow))
            yield Step(f"{method} {path} names nothing", _sending(call, app, names), mine_of(app, names))


def every_method(running: Served) -> Iterator[Step]:
    """Every method of WebDAV on everything that a path can name, with the headers that it reads."""
    apps = Apps(running)
    for tree in TREES[:2]:
        for method in ("OPTIONS", "POST", *METHODS):
            app, names = None, None
            for kind in KINDS:
                for headers in ({}, *HEADERS.get(method.replace("HEAD", "GET"), [])):
                    if app is None or names is None:
                        app = apps.app()
                        names = furnish(app, tag_of(app), {"lock"})
                    given = {name: value.replace("{tree}", tree) for name, value in headers.items()}
                    call = AppCall(method=method, address=f"{tree}/{kind}", headers=given, body=BODIES.get(method, ""))
                    moments = tuple(Moment)[:3] if method in READS else (Moment.FIRST,)
                    statuses: list[int] = []
                    yield Step(call.id, _noting(_sending(call, app, names), statuses), mine_of(app, names), moments)
                    if method not in READS and statuses[0] < 300:
                        app = None


def refused_apps(running: Served) -> Iterator[Step]:
    """Calls with a wrong password, with none, from another site, and of apps that may not do what they ask for."""
    apps = Apps(running)
    owner = apps.app()
    names = furnish(owner, tag_of(owner))
    client, ctx = cast("TestClient", running.client), running.ctx
    reader = CloudApp(client, ctx, owner.account, AppScope(can_write=False))
    webdav = CloudApp(client, ctx, owner.account, AppScope(webdav_only=True))
    with ctx.metadata.read() as unit:
        folder = unit.tree.at_path(owner.account.account_id, owner.account.root_key, [names.folder])
    assert folder is not None
    confined = CloudApp(client, ctx, owner.account, AppScope(folder_key=folder.object_key))
    wrong = CloudApp(client, ctx, owner.account)
    wrong.password = "wrong"
    for call in CALLS:
        mine = mine_of(owner, names)
        if call.method in READS or call.method == "PUT":
            for what, app in (("of a reader", reader), ("of WebDAV alone", webdav), ("confined", confined)):
                yield Step(f"{call.id} {what}", _sending(call, app, names), mine)
        yield Step(f"{call.id} of nobody", _sending(call, wrong, names), mine)
        site = replace(call, headers={**call.headers, "Sec-Fetch-Site": "cross-site"})
        yield Step(f"{call.id} from another site", _sending(site, owner, names), mine)


def walls(running: Served) -> Iterator[Step]:
    """Names of another account in every place where a name can stand."""
    apps = Apps(running)
    owner, stranger = apps.app(), apps.app()
    theirs, own = furnish(owner, tag_of(owner)), furnish(stranger, tag_of(stranger))
    foreign = as_given(theirs, own)
    unknown = as_given(of_nobody(theirs, "none0", tag_of(owner)), own)
    for call in CALLS:
        if call.method in READS:
            call.send(owner, theirs)
        for place in call.places:
            for what, given in (("their", foreign), ("an unknown", unknown)):
                named = replace(own, **{place: getattr(given, place)})
                yield Step(f"{call.id} {what} {place}", _sending(call, stranger, named), mine_of(stranger, own))


def _sending(call: AppCall, app: CloudApp, names: Names) -> Send:
    return lambda: call.send(app, names)


def _noting(send: Send, statuses: list[int]) -> Send:
    """Sends it, and notes the status."""

    def sent() -> httpx2.Response:
        response = send()
        statuses.append(response.status_code)
        return response

    return sent
