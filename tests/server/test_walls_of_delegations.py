"""The walls of delegations: what each call of every protocol needs, and that a refused one changes nothing.

The tables say it again, on their own: a call that is new is refused to every delegation until it is in both.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from msgspec.structs import replace
from tests.server.api import Api, HeldClock, error_of, new_account
from tests.server.app_calls import CALLS, AppCall, Names
from tests.server.app_calls import furnish as furnish_app
from tests.server.furnished import Furnished, Snapshot, restored
from tests.server.good_calls import GoodCall, a_delegation, good_call, make_operator
from tests.server.nextcloud.app import CloudApp
from tests.server.test_walls import rows_of

from skyshelf.service.accounts import delegations
from skyshelf.service.context import Caller
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.leave import Most
from skyshelf.wire.endpoint import Access, Endpoint
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import NOT_OFFERED
from skyshelf.wire.leave import ALL_KINDS, CallKind

SCOPE, USED_UP = "SKY2060", "SKY2061"
ANYWHERE = {
    "": "app_settings epoch own_delegation profile supported_documents",
    "list": "covers default_view listing object_changes object_info object_tags photo_facts search short_default_view"
    " versions",
    "read": "contents create_archive download metadata_download placeholders short_download text thumbnail",
    "write": "add_tag batch copy create_folder flat_batch initiate_upload remove_tag restore_version upload"
    " upload_many",
    "delete": "trash_objects",
    "share": "add_share create_share",
}
"""The calls that a delegation can make that sees one folder, about what is in it."""
WHOLE_DRIVE = {
    "list": "category changes duplicates everything favorites history history_differences keyword largest_files"
    " linked_app locations object_location old_versions past_folder past_object photo_places recent recent_tags"
    " shared_by_me spotlights storage_use tag_list tagged_objects timeline timeline_objects trash unfinished_uploads",
    "read": "download_archive past_file",
    "write": "cancel_upload rename_tag restore upload_chunk",
    "purge": "purge",
    "share": "edit_share own_share own_shares revoke_share",
}
"""The calls that reach beyond a folder."""
NUMBERS = {"read": "reads", "write": "writes", "delete": "deletions", "purge": "deletions", "share": "writes"}
# Of these nothing is left to count: they change no file yet, or did what they say before.
UNCOUNTED = frozenset({
    "cancel_upload", "initiate_upload", "own_share", "own_shares", "upload_chunk", "create_archive",
})  # fmt: skip
KIND_OF = {name: kind for table in (ANYWHERE, WHOLE_DRIVE) for kind, names in table.items() for name in names.split()}
CONFINABLE = frozenset(name for names in ANYWHERE.values() for name in names.split())
PROTECTED = [one for one in ENDPOINTS if one.access is not Access.PUBLIC]


@pytest.fixture(scope="module")
def walls(two_furnished: Snapshot, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Furnished]:
    """An account with one of everything, which no test may change."""
    with restored(two_furnished, tmp_path_factory.mktemp("walls"), HeldClock()) as pair:
        yield pair[0]


def owned(api: Api | CloudApp) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the account but those that count, and say that somebody called."""
    return {name: rows for name, rows in rows_of(api).items() if name not in ("delegation_uses", "audit")}


@contextmanager
def delegation(owner: Api | CloudApp, **terms: Any) -> Iterator[str]:
    """The token of a delegation that ends with the block."""
    made = a_delegation(owner, **terms)  # type: ignore[arg-type]
    yield made.token
    caller = Caller.of(owner.account)
    with suppress(ServiceError):  # a call may have ended it
        delegations.end(owner.ctx, caller, made.device_key)


def call_as(api: Api, endpoint: Endpoint, given: Furnished, **terms: Any) -> httpx2.Response:
    """Make the good call of an endpoint with a delegation."""
    # An upload may name an album, which no delegation reaches; it may be left out as well.
    keys = replace(given.keys, board=None) if endpoint.name in ("upload", "initiate_upload") else given.keys
    call = good_call(endpoint.name, api, keys)
    with delegation(api, **terms) as token:
        return _call_with(api, call, token, endpoint.name)


def _call_with(api: Api, call: GoodCall, token: str, name: str) -> httpx2.Response:
    agent = Api(api.client, api.ctx, api.account, api.login)
    agent.headers = {**api.headers, "Authorization": f"Bearer {token}"}
    if "authorization" in call.headers:
        call = replace(call, headers={})
    before = owned(api)
    response = call.send(agent)
    if response.status_code >= 400:
        assert owned(api) == before, name
    return response


@pytest.mark.parametrize("endpoint", PROTECTED, ids=[one.name for one in PROTECTED])
def test_a_call_needs_its_kind_and_is_refused_without_a_change(walls: Furnished, endpoint: Endpoint) -> None:
    api, kind = walls.api, KIND_OF.get(endpoint.name)
    if endpoint.access is Access.OPERATOR:
        make_operator(api)
    if kind is None:
        refused = call_as(api, endpoint, walls)
        if endpoint.access is Access.OPERATOR:
            # What is for operators does not exist for anybody else, delegations of operators included.
            assert error_of(refused) == (404, NOT_OFFERED.code)
        else:
            assert error_of(refused) == (403, SCOPE)
        return
    if kind:
        without = call_as(api, endpoint, walls, kinds_allowed=ALL_KINDS - {CallKind(kind)})
        assert error_of(without) == (403, SCOPE)
    if endpoint.name not in CONFINABLE:
        confined = call_as(api, endpoint, walls, folder_key=walls.keys.folder)
        assert error_of(confined) == (403, SCOPE)
    spent = call_as(api, endpoint, walls, terms=Most(**{NUMBERS[kind]: 0})) if kind in NUMBERS else None
    if spent is not None and endpoint.name not in UNCOUNTED:
        assert error_of(spent) == (403, USED_UP)


@pytest.mark.parametrize("name", sorted(KIND_OF))
def test_a_call_of_its_kind_is_allowed(furnished_account: Furnished, name: str) -> None:
    api = furnished_account.api
    (endpoint,) = [one for one in ENDPOINTS if one.name == name]
    kinds = frozenset({CallKind(KIND_OF[name] or "list")})
    response = call_as(api, endpoint, furnished_account, kinds_allowed=kinds)
    assert response.status_code < 400, response.text


def test_the_tables_name_calls_that_exist() -> None:
    assert KIND_OF.keys() <= {one.name for one in ENDPOINTS}


# WebDAV, and Nextcloud's clients


class DelegatedApp(CloudApp):
    """A program whose password is the token of a delegation."""

    def __init__(self, owner: CloudApp, token: str) -> None:
        self.client, self.ctx, self.account, self.password = owner.client, owner.ctx, owner.account, token


LISTING = frozenset({"HEAD", "PROPFIND", "REPORT", "SEARCH", "PATCH"})
PUBLIC = ("/remote.php/direct/", "/index.php/avatar", "/index.php/login")
ACCOUNT = "/cloud/users/"
LINK = "/apps/dav/api/v1/direct"


def kind_of(call: AppCall) -> str | None:
    """The kind of a call; empty if every delegation can make it, None if nobody has to, or none can."""
    if call.method == "OPTIONS" or call.address.startswith(PUBLIC) or LINK in call.address:
        return None
    if ACCOUNT in call.address:
        return ""
    if call.method in LISTING:
        return "list"
    if call.method == "GET":
        return "read"
    if call.method == "DELETE" and "/uploads/" not in call.address:
        return "purge" if "/trashbin/" in call.address else "delete"
    return "write"


NAMED = [call for call in CALLS if kind_of(call)]


@pytest.fixture(scope="module")
def apps(tmp_path_factory: pytest.TempPathFactory, two_furnished: Snapshot) -> Iterator[tuple[CloudApp, Names]]:
    folder: Path = tmp_path_factory.mktemp("apps")
    with restored(two_furnished, folder, HeldClock()) as pair:
        api = pair[0].api
        app = CloudApp(api.client, api.ctx, new_account(api.ctx, "webdav@example.org"))
        yield app, furnish_app(app, "walls")


def send_as(owner: CloudApp, names: Names, call: AppCall, **terms: Any) -> httpx2.Response:
    with delegation(owner, **terms) as token:
        return call.send(DelegatedApp(owner, token), names)


@pytest.mark.parametrize("call", NAMED, ids=[call.id for call in NAMED])
def test_a_method_needs_its_kind_and_is_refused_without_a_change(apps: tuple[CloudApp, Names], call: AppCall) -> None:
    owner, names = apps
    kind = CallKind(kind_of(call) or "list")
    before = owned(owner)
    without = send_as(owner, names, call, kinds_allowed=ALL_KINDS - {kind})
    assert without.status_code == 403, without.text
    with delegation(owner) as token:
        pass
    assert call.send(DelegatedApp(owner, token), names).status_code == 401
    assert owned(owner) == before


@pytest.mark.parametrize("call", NAMED, ids=[call.id for call in NAMED])
def test_a_method_of_its_kind_passes_the_first_check(apps: tuple[CloudApp, Names], call: AppCall) -> None:
    """Numbers are at zero, so that nothing is changed: what counts is refused by them, and nothing by its kind."""
    owner, names = apps
    kind = CallKind(kind_of(call) or "list")
    none_left = Most(reads=0, writes=0, deletions=0)
    with delegation(owner, kinds_allowed=frozenset({kind}), terms=none_left) as token:
        response = call.send(DelegatedApp(owner, token), names)
    assert "allows no calls of the kind" not in response.text or kind is CallKind.WRITE
    if kind is CallKind.READ:
        assert response.status_code == 403
        assert "are used" in response.text


def test_no_link_for_one_download_is_made_for_a_delegation(apps: tuple[CloudApp, Names]) -> None:
    owner, names = apps
    links = [call for call in CALLS if LINK in call.address]
    assert links
    for call in links:
        answer = send_as(owner, names, call)
        assert "No delegation allows this call" in answer.text or "needs a login" in answer.text
        assert "/remote.php/direct/" not in answer.text
