"""What the largest request of every endpoint, and of every method of WebDAV, takes in a full account.

The requests come from the endpoint table with its models, and from the table of calls of apps, which every route must
have: whatever is new is measured when it is declared. All figures are counts, and processor time is measured in units
of work, so a busy machine changes nothing.
"""

import importlib
from collections.abc import Callable, Iterator

import msgspec
import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace
from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import HeldClock, logged_in, new_account
from tests.server.app_calls import CALLS, AppCall
from tests.server.furnished import context_for, settings_for
from tests.server.good_calls import GoodCall, good_call, removing_last
from tests.server.in_process import TestClient
from tests.server.largest.app_requests import BODIES, requests_of_apps
from tests.server.largest.full_account import Full, filled
from tests.server.largest.meter import Meter, Request
from tests.server.largest.values import Builder, Underivable, choices_of, encoded_query
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.app import app_for
from skyshelf.service.accounts import passwords
from skyshelf.wire.endpoint import BodyKind, Endpoint
from skyshelf.wire.endpoints import BY_NAME, ENDPOINTS
from skyshelf.wire.limits import HEADER_BYTES_MAX, JSON_BODY_BYTES_DEFAULT, KIB, MIB
from skyshelf.wire.models import QueryModel, RequestModel


class Most(msgspec.Struct, frozen=True, kw_only=True):
    """The most that a request may take; see `Taken`."""

    statements: int = 60
    written: int = 512 * KIB
    peak: int = 4 * MIB
    received: int = 2 * MIB
    cpu: float = 10
    loop: float = 3
    """About a tenth of a second, which a callback takes three times as fast where memory is not traced."""


USUAL = Most()
PAGE = replace(USUAL, received=16 * MIB, peak=48 * MIB, cpu=40)
"""A page of a list has up to 5,000 objects, and a page of changes two for each."""
LIST = replace(PAGE, written=48 * MIB, received=24 * MIB, peak=256 * MIB, cpu=200)
"""A body of 16 MiB with up to 2,000 objects, each of which is looked up, changed, noted in history, and answered."""
MULTISTATUS = replace(USUAL, received=600 * MIB, peak=48 * MIB, cpu=300, statements=8000)
"""Each entry answers for each of 200 names. Pages of 1 MiB, with about nine statements each, are written as fast as the
client reads, and two are held."""
TREE = replace(USUAL, written=16 * MIB, peak=48 * MIB, cpu=100)
"""A folder is moved, copied or deleted with all that is in it."""
CONTENT = replace(USUAL, received=8 * MIB, peak=16 * MIB, cpu=30)
"""Bytes of files, which are passed on in blocks."""

DEEP = replace(PAGE, statements=340)
"""The folders above an object are read one by one, as they were then: three statements for each of a hundred."""

STREAM = replace(PAGE, statements=300)
"""All changes since a cursor, page by page, and those before it have made many."""
EXPORT = replace(USUAL, statements=8000, received=128 * MIB, peak=48 * MIB, cpu=300)
"""Everything that an account may have, written as fast as the client reads. An export begins with what a login takes,
and an account has two parts sent at a time."""
TAG = replace(USUAL, written=2 * MIB)
"""Each object with the tag is noted as changed."""
OF_ENDPOINTS = {
    "history": DEEP,
    "past_object": DEEP,
    "past_file": DEEP,
    "change_stream": STREAM,
    "download_export": EXPORT,
    "rename_tag": TAG,
    "delete_tag": TAG,
    **dict.fromkeys(["share_page", "download", "short_download", "metadata_download"], CONTENT),
}
CONDITIONS = 250
"""Statements of a request with fifty conditions, each about another resource eight folders down."""
OF_METHODS = {
    "PROPFIND": MULTISTATUS,
    "REPORT": MULTISTATUS,
    # Four alternatives, each in up to twenty rounds, before the pages.
    "SEARCH": MULTISTATUS,
    "PROPPATCH": replace(USUAL, statements=CONDITIONS, written=2 * MIB, peak=8 * MIB, cpu=20),
    **dict.fromkeys(["COPY", "MOVE", "DELETE"], replace(TREE, statements=CONDITIONS)),
    **dict.fromkeys(["GET", "PUT"], replace(CONTENT, statements=CONDITIONS)),
    # Bulk uploads look up the path of each of 200 files, and while there are locks, the file too.
    "POST": replace(LIST, peak=64 * MIB, statements=8000),
}
REFUSED = {
    "restore_version": "uploads of apps have pushed out the first version",
    "set_alarm_limit": "a higher limit needs a confirmation",
    "add_share": "all objects must exist, and the account has fewer",
    "create_share": "all objects must exist, and the account has fewer",
    "add_contact": "all fields at their longest are more than a contact may have in all",
    "edit_contact": "all fields at their longest are more than a contact may have in all",
    "thumbnail": "the deepest file is no picture",
}
"""Calls whose largest request is refused in the end, each with the reason."""


def most_of(endpoint: Endpoint) -> Most:
    """What an endpoint may take by what it declares, unless it is named."""
    if endpoint.name in OF_ENDPOINTS:
        return OF_ENDPOINTS[endpoint.name]
    if endpoint.body_kind not in {BodyKind.NONE, BodyKind.JSON}:
        return CONTENT
    if endpoint.body_bytes_max > JSON_BODY_BYTES_DEFAULT:
        return LIST
    pages = {"limit", "object_keys"} & set(getattr(endpoint.query, "__struct_fields__", ()))
    return PAGE if pages else USUAL


class Measured:
    """The application with a full account, and what was found to be beyond its limits."""

    def __init__(self, full: Full, meter: Meter, clock: HeldClock) -> None:
        self.full = full
        self.clock = clock
        self._meter = meter
        self.wrong: list[str] = []

    def ask(self, what: str, request: Request, most: Most, is_good: Callable[[int], bool]) -> None:
        taken = self._meter.ask(self.full.api.client, request)
        print(f"{what[:90]:90} {taken.status} {[getattr(taken, name) for name in Most.__struct_fields__]}")
        if not is_good(taken.status):
            self.wrong.append(f"{what}: {taken.status} {taken.text[:200]}")
        for name in Most.__struct_fields__:
            if getattr(taken, name) > getattr(most, name):
                self.wrong.append(f"{what}: {name} {getattr(taken, name):,} > {getattr(most, name):,}")

    def pass_time(self) -> None:
        """Throttles count by the minute."""
        self.clock.advance(seconds=61)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    # The server loads it with the first QR code, and what a module takes is not the request's.
    importlib.import_module("segno")
    folder = tmp_path_factory.mktemp("full")
    put_migrated(folder)
    settings, clock = settings_for(folder), HeldClock()
    (database,) = folder.glob("**/*.db")
    meter = Meter(database.with_name(database.name + "-wal"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr("skyshelf.server.pipeline.admission.admission.DELAY_SECONDS", 0.0)
        meter.patch(patch)
        ctx = context_for(settings, clock)
        with TestClient(app_for(ctx, settings), follow_redirects=False, raise_server_exceptions=False) as client:
            yield Measured(filled(logged_in(client, ctx, new_account(ctx, "ada@example.org"))), meter, clock)
        ctx.metadata.close()
        ctx.blobs.close()


def requests_of(measured: Measured, endpoint: Endpoint) -> Iterator[tuple[str, Request]]:
    """The largest requests of an endpoint, each made when its turn comes: what went before may have changed things."""
    full = measured.full
    for choice in range(choices_of(endpoint)):
        measured.pass_time()
        good = good_call(endpoint.name, full.api, full.keys)
        builder = Builder(endpoint, good, full.pool, choice)
        body = good.content or b""
        if endpoint.body_kind is BodyKind.JSON and good.body is not None:
            body = builder.body()
        given = {"content-type": "application/json"} if endpoint.body_kind is BodyKind.JSON else {}
        headers = {name.lower(): value for name, value in {**full.api.headers, **given, **builder.headers()}.items()}
        for what, params in builder.queries():
            query = encoded_query(params)
            yield what, Request(method=good.method, path=good.path, query=query, headers=headers, body=body)


def ask_every_endpoint(measured: Measured) -> None:
    for name in removing_last(BY_NAME):
        endpoint = BY_NAME[name]

        def is_good(status: int, *, what: str, endpoint: Endpoint = endpoint) -> bool:
            refused = what == "everything" or endpoint.name in REFUSED
            return status in endpoint.answers or (refused and 400 <= status < 500)

        for what, request in requests_of(measured, endpoint):
            measured.ask(
                f"{name} {what}",
                request,
                most_of(endpoint),
                lambda status, what=what: is_good(status, what=what),  # type: ignore[misc]
            )
        if name.startswith("refresh_token"):
            # The old token ends with the minute.
            again = logged_in(measured.full.api.client, measured.full.api.ctx, measured.full.api.account)
            measured.full.api.login, measured.full.api.headers = again.login, again.headers


def ask_every_method_of_apps(measured: Measured) -> None:
    full = measured.full
    client = logged_in(full.api.client, full.api.ctx, full.api.account).client
    app = CloudApp(client, full.api.ctx, full.api.account)
    for what, call, request in requests_of_apps(CALLS, full, app):
        measured.pass_time()

        def is_good(status: int, call: AppCall = call, what: str = what) -> bool:
            # The first tree leaves locks and folders that the others meet, and not all can be done so deep.
            is_first = call.address.startswith("/dav/") and what.endswith("wide")
            return status == call.status or 200 <= status < (300 if is_first else 500)

        measured.ask(what, request, OF_METHODS.get(call.method, replace(USUAL, statements=CONDITIONS)), is_good)


@pytest.mark.whole
def test_the_largest_request_of_everything_is_bounded(measured: Measured) -> None:
    # The last calls of the endpoints end the session and the account.
    ask_every_method_of_apps(measured)
    ask_every_endpoint(measured)
    assert not measured.wrong, "\n".join(measured.wrong)


def derived(endpoint: Endpoint) -> None:
    good = GoodCall(method=endpoint.method, path=endpoint.path, body={})
    builder = Builder(endpoint, good, lambda _endpoint, _field, most: ["0" * 32] * most)
    if endpoint.body_kind is BodyKind.JSON:
        assert len(builder.body()) <= endpoint.body_bytes_max
    assert list(builder.queries())
    assert sum(len(name) + len(text) + 4 for name, text in builder.headers().items()) <= HEADER_BYTES_MAX


def test_every_endpoint_and_method_has_a_largest_request() -> None:
    for endpoint in ENDPOINTS:
        derived(endpoint)
    assert {call.method for call in CALLS} == BODIES.keys()


def test_a_new_endpoint_without_limits_fails() -> None:
    class Endless(RequestModel, frozen=True, kw_only=True):
        names: list[str]

    class Unknown(QueryModel, frozen=True, kw_only=True):
        factor: float

    example = next(one for one in ENDPOINTS if one.body_kind is BodyKind.JSON and one.query is None)
    for changed in (replace(example, body=Endless), replace(example, query=Unknown)):
        with pytest.raises(Underivable):
            derived(changed)
