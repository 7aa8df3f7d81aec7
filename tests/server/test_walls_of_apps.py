"""The wall between accounts, for WebDAV and Nextcloud's clients: a name of somebody else is a name of nothing.

The routes come from the application, so a route that is added without a call in app_calls.py fails here.
"""

import re
from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx2
import pytest
from msgspec.structs import replace
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import HeldClock, new_account
from tests.server.app_calls import CALLS, NAMELESS, UNKNOWN, AppCall, Names, as_given, furnish, of_nobody
from tests.server.dav.app import hrefs
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp
from tests.server.test_walls import rows_of

from skyshelf.server.app import ServerSettings, SkyshelfApp, app_for
from skyshelf.server.dav.dialect import Dialect
from skyshelf.server.pages.web_client.routes import UnknownAddress
from skyshelf.server.pipeline.router import Route, Router
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata

THEM, NOBODY = "them", "none"
_numbers = count(1)
# Keys, tokens of locks, numbers and ids of files: no two of these are alike.
_VARYING = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]{17,20}(?:oc[a-z2-7]{10}[0-9a-f]{13})?|[0-9a-f]{32}",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[CloudApp, Names]]:
    """An account with one of everything, which no test may change."""
    folder: Path = tmp_path_factory.mktemp("walls")
    put_migrated(folder)
    metadata, blobs = embedded_urls(folder)
    settings = ServerSettings(metadata=metadata, blobs=blobs)
    ctx = ServiceContext(
        metadata=open_metadata(metadata), blobs=open_blobs(blobs), clock=HeldClock(), rules=settings.rules
    )
    with TestClient(app_for(ctx, settings), follow_redirects=False, raise_server_exceptions=False) as client:
        app = CloudApp(client, ctx, new_account(ctx, f"{THEM}@example.org"))
        yield app, furnish(app, THEM)


def routes_of(app: SkyshelfApp) -> list[Route]:
    return [route for route in app.routes if route.operation.name.startswith((f"{Dialect.name}_", "nextcloud"))]


def is_for(route: Route, method: str, call: AppCall) -> bool:
    path = urlsplit(re.sub(r"\{(\w+)\}", r"\1", call.address)).path
    found, _ = Router([route], UnknownAddress).operation_of(method, path)
    return call.method == method and found is route.operation


def test_every_route_has_a_call_or_a_reason(app: SkyshelfApp) -> None:
    routes = routes_of(app)
    assert {route.path for route in routes} >= NAMELESS.keys()
    asked = [
        (route, method) for route in routes for method in sorted(route.methods or ()) if route.path not in NAMELESS
    ]
    # HEAD is answered by what answers GET.
    without = [
        f"{method} {route.path}"
        for route, method in asked
        if not any(is_for(route, one, call) for call in CALLS for one in {method, method.replace("HEAD", "GET")})
    ]
    assert len(asked) > 70
    assert without == []


@pytest.mark.parametrize("call", CALLS, ids=[call.id for call in CALLS])
def test_a_name_of_somebody_else_is_answered_like_a_name_of_nothing(
    theirs: tuple[CloudApp, Names], call: AppCall
) -> None:
    owner, furnished = theirs
    tag = f"m{next(_numbers):03}"
    app = CloudApp(owner.client, owner.ctx, new_account(owner.ctx, f"{tag}@example.org"))
    own = furnish(app, tag, call.places)
    foreign, unknown = as_given(furnished, own), as_given(of_nobody(furnished, NOBODY, THEM), own)
    before = rows_of(owner)

    def answer(names: Names, places: list[str]) -> tuple[int, str, dict[str, str]]:
        values = {place: getattr(names, place) for place in places}
        return reported(call.send(app, replace(own, **values)), values.values())

    assert call.places, "a call without a name belongs to NAMELESS"
    for places in ([one] for one in call.places):
        assert answer(foreign, places) == answer(unknown, places), places
    assert answer(foreign, call.places) == answer(unknown, call.places), "all of them"
    # The key of an account stands for its address.
    by_key = [place for place in call.places if place in {"user", "owner"}]
    if by_key:
        account = owner.account.account_key
        of_them, of_nobody_ = (replace(own, user=key, owner=key) for key in (account, UNKNOWN))
        assert answer(of_them, by_key) == answer(of_nobody_, by_key), "the key of an account"
    assert rows_of(owner) == before
    good = call.send(app, own)
    assert good.status_code == call.status if call.status else good.status_code != 404, good.text


# What is by itself a proof, or names the account that the app is of.
_OF_THE_APP = {"user", "owner", "direct", "token"}
CONFINED = [call for call in CALLS if set(call.places) - _OF_THE_APP]


@pytest.mark.parametrize("call", CONFINED, ids=[call.id for call in CONFINED])
def test_an_app_that_sees_one_folder_is_answered_alike_about_the_rest(
    theirs: tuple[CloudApp, Names], confined: CloudApp, call: AppCall
) -> None:
    owner, outside = theirs
    nothing = replace(of_nobody(outside, NOBODY, THEM), user=outside.user, owner=outside.owner)
    places = [place for place in call.places if place not in _OF_THE_APP]

    def answer(names: Names) -> tuple[int, str, dict[str, str]]:
        values = [getattr(names, place) for place in places]
        return reported(call.send(confined, names), values)

    assert answer(outside) == answer(nothing)
    assert owner.get(outside.file).text == f"again {THEM}"
    assert hrefs(owner.call("PROPFIND", f"/remote.php/dav/uploads/{outside.user}/{outside.transfer}"))[1:] != []


@pytest.fixture
def confined(theirs: tuple[CloudApp, Names]) -> Iterator[CloudApp]:
    """An app of their account with a folder of its own."""
    owner, _ = theirs
    name = f"only-{next(_numbers):03}"
    owner.mkcol(name)
    with owner.ctx.metadata.read() as unit:
        folder = unit.tree.at_path(owner.account.account_id, owner.account.root_key, [name])
    assert folder is not None
    app = CloudApp(owner.client, owner.ctx, owner.account, AppScope(folder_key=folder.object_key))
    yield app
    assert app.call("DELETE", "/ocs/v2.php/core/apppassword").status_code == 200


def reported(response: httpx2.Response, names: Collection[str]) -> tuple[int, str, dict[str, str]]:
    """All of an answer but what differs between any two, and the names that were asked for."""
    assert response.status_code < 500, response.text
    headers = {name: _same(value, names) for name, value in response.headers.items() if name != "x-request-id"}
    text = response.text if response.headers.get("content-type", "").startswith(("text", "application")) else ""
    return response.status_code, _same(text, names), headers


def _same(text: str, names: Collection[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        for form in (name, quote(name), quote(name, safe="-._~!$()*:@/")):
            text = text.replace(form, "NAME")
    return _VARYING.sub("VARYING", text)
