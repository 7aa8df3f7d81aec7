"""WebDAV on the event loop: as threads would answer, and only what needs no waiting."""

import base64
import gc
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import httpx2
import pytest
from tests.server.api import HeldClock
from tests.server.dav.app import DavApp
from tests.server.in_process import TestClient
from tests.server.nextcloud.app import CloudApp
from tests.server.pipeline.places import figures_of, in_threads, shown

from skyshelf.server.app import SkyshelfApp
from skyshelf.server.dav import storing
from skyshelf.server.dav.routes import REMEMBERED_MS
from skyshelf.server.pipeline.access_log import AccessLog
from skyshelf.server.pipeline.bodies import BLOCK
from skyshelf.server.pipeline.request import ServerRequest
from skyshelf.server.pipeline.small_uploads import store_small
from skyshelf.server.pipeline.threads import Threads
from skyshelf.service.accounts import app_passwords
from skyshelf.service.accounts.sessions import TOUCHED_EVERY
from skyshelf.service.context import ServiceContext
from skyshelf.service.uploads import commit
from skyshelf.storage.errors import StoreUnavailable
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.wire.limits import HEADER_BYTES_MAX

ASK = '<propfind xmlns="DAV:"><prop><getetag/><getcontentlength/><resourcetype/><x xmlns=""/></prop></propfind>'


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of requests that the event loop alone has answered, or that stored a small file."""
    noted: list[str] = []
    note, threads_call = AccessLog.note, Threads.call
    in_threads_now: list[object] = []

    async def counted(threads: Threads, work: Callable[[], Any]) -> Any:
        in_threads_now.append(work)
        return await threads_call(threads, work)

    async def stored(*arguments: Any) -> Any:
        found = await store_small(*arguments)
        if found is None:
            in_threads_now.append(found)
        return found

    async def body(threads: Threads, work: Callable[[], Any], lease: Any) -> Any:
        in_threads_now.append(work)
        return await threads_body(threads, work, lease)

    def noting(log: AccessLog, request: ServerRequest, status: int, sent: int) -> None:
        if not in_threads_now and status not in {401, 403} and (status < 400 or request.method == "MKCOL"):
            noted.append(request.method)
        in_threads_now.clear()
        note(log, request, status, sent)

    threads_body = Threads.body
    monkeypatch.setattr(Threads, "call", counted)
    monkeypatch.setattr(Threads, "body", body)
    monkeypatch.setattr(storing, "store_small", stored)
    monkeypatch.setattr(AccessLog, "note", noting)
    return noted


def asked_of_both(app: SkyshelfApp, call: Callable[[], httpx2.Response]) -> tuple[Any, Any]:
    """The answers of threads and of the event loop."""
    with in_threads(app):
        slow = shown(call())
    return slow, shown(call())


@pytest.fixture
def used(dav: DavApp, clock: HeldClock) -> DavApp:
    """An app whose first use has been noted."""
    clock.advance(1)
    assert dav.propfind().status_code == 207
    return dav


def kept_in(*holders: object) -> set[str | bytes]:
    """The texts that these hold, however deep; without what the whole process shares."""
    texts: set[str | bytes] = set()
    seen: set[int] = set()
    waiting: list[Any] = [vars(holder) for holder in holders]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | ServiceContext):
            continue
        seen.add(id(one))
        if isinstance(one, str | bytes):
            texts.add(one)
        else:
            waiting += gc.get_referents(one)
    return texts


def test_heads_of_an_app_are_remembered_and_those_of_varied_uploads_are_one(app: SkyshelfApp, used: DavApp) -> None:
    for number in range(3):
        used.put(f"{number}", b"a" * number, X_OC_Mtime=f"160000000{number}", OC_Checksum=f"ADLER32:{number}")
        used.propfind("0")
        used.get("0")
    # One of each method.
    assert len(app.pipeline.heads) == 3


@pytest.mark.parametrize("method", ["GET", "PUT", "PROPFIND"])
def test_a_revoked_app_is_refused_on_a_remembered_head_at_once(
    app: SkyshelfApp, used: DavApp, ctx: ServiceContext, method: str
) -> None:
    used.put("a", b"a")
    for _ in range(3):
        assert used.request(method, "a").status_code < 300
    assert len(app.pipeline.heads) > 0
    with ctx.metadata.read() as unit:
        (one,) = unit.app_passwords.of_account(used.account.account_id)
    assert ctx.metadata.write(lambda unit: unit.devices.remove(used.account.account_id, one.device.device_key))
    assert used.request(method, "a").status_code == 401


def test_another_password_on_the_same_connection_is_no_remembered_head(app: SkyshelfApp, used: DavApp) -> None:
    used.put("a", b"a")
    for _ in range(3):
        assert used.get("a").status_code == 200
    kept = len(app.pipeline.heads)
    wrong = used.password[:-1] + ("2" if used.password[-1] != "2" else "3")
    assert used.request("GET", "a", auth=(used.account.email, wrong)).status_code == 401
    assert used.request("GET", "a", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert used.get("a").status_code == 200
    assert len(app.pipeline.heads) == kept


def test_a_remembered_head_says_nothing_about_the_size_of_the_others(used: DavApp) -> None:
    for _ in range(3):
        assert used.propfind("").status_code == 207
    answer = used.request("PROPFIND", "", headers={"Depth": "0", "Content-Type": "x" * HEADER_BYTES_MAX})
    assert answer.status_code == 431


def files_of(ctx: ServiceContext) -> int:
    return len(list(ctx.blobs.list()))


def test_downloads_are_what_threads_answer(app: SkyshelfApp, used: DavApp, early: list[str]) -> None:
    sizes = (0, 1000, 100_000)
    for size in sizes:
        used.put(f"ä {size}.bin", bytes(index % 251 for index in range(size)))
    early.clear()
    conditions = [{}, {"If-None-Match": "*"}, {"If-Match": "*"}, {"If-Match": '"x"'}, {"If": "(Not <urn:x:none>)"}]
    asked = [(method, size, headers) for method in ("GET", "HEAD") for size in sizes for headers in conditions]
    for method, size, headers in asked:
        slow, fast = asked_of_both(app, lambda: used.request(method, f"ä {size}.bin", headers=headers))  # noqa: B023
        assert fast == slow
    at_once = [method for method, _, headers in asked if headers.get("If-Match") != '"x"' and "If" not in headers]
    assert early == at_once
    early.clear()
    slow, fast = asked_of_both(app, lambda: used.get("ä 100000.bin", Range="bytes=10-19"))
    assert fast == slow
    assert (fast[0], early) == (206, ["GET"])


def test_properties_of_one_resource_are_what_threads_answer(app: SkyshelfApp, used: DavApp, early: list[str]) -> None:
    used.mkcol("folder")
    used.put("folder/a.txt", b"abc")
    used.proppatch("folder/a.txt", "<D:set><D:prop><x:color>red</x:color></D:prop></D:set>")
    used.token("folder/a.txt")
    early.clear()
    asked = [("folder/a.txt", depth, body) for depth in ("0", "1", "infinity", None) for body in (ASK, "")]
    for path, depth, body in [*asked, ("folder", "0", ASK), ("", "0", "")]:
        slow, fast = asked_of_both(app, lambda: used.propfind(path, body, depth))  # noqa: B023
        assert fast == slow
        assert fast[0] == 207
    assert early == ["PROPFIND"] * 10
    early.clear()
    refused = [
        ("folder", "1", ASK),
        ("none", "0", ""),
        ("folder", "2", ""),
        ("folder", "0", "<"),
        ("", "0", "x" * 20_000),
    ]
    for path, depth, body in refused:
        slow, fast = asked_of_both(app, lambda: used.propfind(path, body, depth))  # noqa: B023
        assert fast == slow
    assert early == []


def test_uploads_are_what_threads_answer(app: SkyshelfApp, used: DavApp, early: list[str]) -> None:
    for size in (100_000, 1, 0):
        names = iter([f"slow-{size}.txt", f"fast-{size}.txt"])
        slow, fast = asked_of_both(app, lambda: used.put(next(names), bytes(size), X_OC_Mtime="1600000000"))  # noqa: B023
        assert fast == slow
        assert fast[0] == 201
        dates = [used.get(f"{one}-{size}.txt").headers["last-modified"] for one in ("slow", "fast")]
        assert dates == ["Sun, 13 Sep 2020 12:26:40 GMT"] * 2
    assert early.count("PUT") == 3
    slow, fast = asked_of_both(app, lambda: used.put("fast-0.txt", b"next"))
    assert fast == slow
    assert fast[0] == 204
    assert used.get("fast-0.txt").content == b"next"


def test_a_folder_that_exists_is_refused_as_by_threads(
    app: SkyshelfApp, client: TestClient, ctx: ServiceContext, used: DavApp, early: list[str]
) -> None:
    assert used.mkcol("a").status_code == 201
    used.put("a/file", b"")
    reader = DavApp(client, ctx, used.account, AppScope(can_write=False))
    early.clear()
    for path in ("a", "a/", "a/file", ""):
        slow, fast = asked_of_both(app, lambda: used.mkcol(path))  # noqa: B023
        assert fast == slow
        assert fast[0] == 405
    assert early == ["MKCOL"] * 4
    for call in (
        lambda: reader.mkcol("a"),
        lambda: used.mkcol("b/c"),
        lambda: used.request("MKCOL", "a", content=b"x"),
    ):
        slow, fast = asked_of_both(app, call)
        assert fast == slow
    assert early == ["MKCOL"] * 5, "a body is refused without a look at the store"


def test_nextclouds_clients_have_the_same(
    app: SkyshelfApp, client: TestClient, ctx: ServiceContext, used: DavApp, clock: HeldClock, early: list[str]
) -> None:
    nextcloud = CloudApp(client, ctx, used.account)
    clock.advance(1)
    assert nextcloud.request("PROPFIND", "").status_code == 207
    early.clear()
    assert nextcloud.request("PUT", "a.txt", content=b"abc").headers["oc-fileid"]
    slow, fast = asked_of_both(app, lambda: nextcloud.request("GET", "a.txt"))
    assert fast == slow
    slow, fast = asked_of_both(app, lambda: nextcloud.request("PROPFIND", "a.txt", headers={"Depth": "0"}))
    assert fast == slow
    assert early == ["PUT", "GET", "PROPFIND"]


def test_what_is_refused_is_refused_by_threads_and_leaves_no_byte(
    app: SkyshelfApp, client: TestClient, ctx: ServiceContext, used: DavApp, early: list[str]
) -> None:
    used.mkcol("taken")
    used.put("locked.txt", b"1")
    used.mkcol("held")
    used.put("held/inside.txt", b"2")
    token = used.token("locked.txt")
    used.token("held")
    reader = DavApp(client, ctx, used.account, AppScope(can_write=False))
    blobs = files_of(ctx)
    early.clear()
    refused: list[Callable[[], httpx2.Response]] = [
        lambda: used.put("taken", b"abc"),
        lambda: used.put("nowhere/a.txt", b"abc"),
        lambda: used.put("locked.txt/a.txt", b"abc"),
        lambda: used.put("", b"abc"),
        lambda: used.put("locked.txt", b"abc"),
        lambda: used.put("held/new.txt", b"abc"),
        lambda: used.put("held/inside.txt", b"abc"),
        lambda: used.put("locked.txt", b"abc", If="(<opaquelocktoken:00000000-0000-0000-0000-000000000000>)"),
        lambda: used.put("new.txt", b"abc", If_Match="*"),
        lambda: used.put("new.txt", b"abc", OC_Checksum="SHA1:" + "0" * 40),
        lambda: used.put("new.txt", b"abc", OC_Checksum="MD5:" + "0" * 32),
        lambda: used.put("new.txt", b"abc", Sec_Fetch_Site="cross-site"),
        lambda: reader.put("new.txt", b"abc"),
        lambda: used.request("PUT", "new.txt", content=b"abc", auth=(used.account.email, "wrong")),
    ]
    for call in refused:
        slow, fast = asked_of_both(app, call)
        assert fast == slow
        assert fast[0] >= 400
    assert early == []
    assert files_of(ctx) == blobs
    assert used.put("locked.txt", b"mine", If=f"({token})").status_code == 204
    assert used.put("free.txt", b"abc").status_code == 201


def test_a_file_that_is_large_or_comes_in_another_way_goes_the_careful_way(used: DavApp, early: list[str]) -> None:
    assert used.put("large", bytes(BLOCK + 1)).status_code == 201
    assert used.request("PUT", "chunked", content=iter([b"a"])).status_code == 201
    assert used.put("new", b"a", If_None_Match="*").status_code == 201
    assert used.get("large").content == bytes(BLOCK + 1)
    assert early == ["PUT"], "one without a length is small all the same"


def test_a_revoked_password_is_refused_at_the_next_request(used: DavApp, ctx: ServiceContext, early: list[str]) -> None:
    assert used.put("a", b"a").status_code == 201
    assert used.get("a").status_code == used.get("a").status_code == 200
    ctx.metadata.write(lambda unit: unit.devices.remove(used.account.account_id, used.device_key))
    assert [used.get("a").status_code, used.propfind("a").status_code, used.put("b", b"b").status_code] == [401] * 3
    assert early == ["PUT", "GET", "GET"]


def test_every_use_is_noted_as_often_as_that_of_sessions(
    used: DavApp, ctx: ServiceContext, clock: HeldClock, early: list[str]
) -> None:
    used.put("a", b"a")
    early.clear()
    clock.advance(TOUCHED_EVERY)
    assert used.get("a").status_code == 200
    assert early == []
    with ctx.metadata.read() as unit:
        (listed,) = unit.app_passwords.of_account(used.account.account_id)
    assert listed.last_used_at == clock.now()
    assert used.get("a").status_code == 200
    assert early == ["GET"]


def test_a_remembered_answer_is_that_of_the_app_and_of_now(
    client: TestClient, ctx: ServiceContext, used: DavApp, stranger: DavApp, clock: HeldClock
) -> None:
    used.mkcol("scans")
    used.put("a", b"mine")
    used.put("scans/a", b"a scan")
    stranger.put("a", b"theirs")
    with ctx.metadata.read() as unit:
        scans = unit.tree.child_named(used.account.account_id, used.account.root_key, "scans")
    assert scans is not None
    confined = DavApp(client, ctx, used.account, AppScope(folder_key=scans.object_key))
    clock.advance(1)
    for _ in range(3):
        assert [one.get("a").content for one in (used, confined, stranger)] == [b"mine", b"a scan", b"theirs"]
    used.put("a", b"new")
    assert used.get("a").content == b"new"
    clock.advance(REMEMBERED_MS)
    assert used.get("a").content == b"new"
    used.delete("scans")
    assert confined.get("a").status_code == 404


def test_uploads_that_are_committed_together_have_each_its_own_guard(
    used: DavApp, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that a lock refuses does not keep the others from being stored."""
    used.mkcol("open")
    used.mkcol("held")
    used.token("held")
    put_together, seen = commit.put_together, []

    def with_a_neighbour(unit: Any, puts: list[Any]) -> Any:
        seen.append(puts[0])
        if len(seen) == 2:
            outcomes = put_together(unit, [seen[0], puts[0]])
            assert isinstance(outcomes[0], Exception)
            return outcomes[1:]
        return put_together(unit, puts)

    monkeypatch.setattr(commit, "put_together", with_a_neighbour)
    assert used.put("held/a", b"a").status_code == 423
    assert used.put("open/a", b"a").status_code == 201
    assert len(seen) == 2


def test_an_upload_that_may_have_been_committed_is_not_tried_again(
    used: DavApp, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch, early: list[str]
) -> None:
    calls: list[object] = []

    def lost(_unit: object, puts: list[object]) -> list[Exception]:
        calls.extend(puts)
        return [StoreUnavailable("lost in the commit")]

    monkeypatch.setattr(commit, "put_together", lost)
    answer = used.put("a", b"abc")
    assert (answer.status_code, answer.headers["content-type"]) == (503, "application/xml; charset=utf-8")
    assert (len(calls), early) == (1, [])
    assert files_of(ctx) == 1


def test_every_place_is_given_back(app: SkyshelfApp, used: DavApp) -> None:
    for number in range(30):
        used.put("a", b"%d" % number, **({"OC_Checksum": "MD5:" + "0" * 32} if number % 2 else {}))
    figures = figures_of(app)
    assert (figures["uploads"].in_use, figures["uploads"].waiting) == (0, 0)


def test_no_password_is_kept(app: SkyshelfApp, used: DavApp, ctx: ServiceContext) -> None:
    """A digest stands for the password in what is remembered of heads."""
    used.put("a", b"a")
    assert used.get("a").status_code == used.get("a").status_code == 200
    assert used.request("GET", "a", headers={"Cookie": "a=b"}).status_code == 200
    assert used.propfind("a").status_code == 207
    gc.collect()
    remembered = kept_in(app.pipeline.heads, app.pipeline.callers)
    assert {b"host", b"user-agent"} <= remembered
    given = base64.b64encode(f"{used.account.email}:{used.password}".encode()).decode()
    for secret in (used.password, given):
        assert not [one for one in remembered if secret in (one if isinstance(one, str) else one.decode("latin-1"))]
    assert len(app.pipeline.heads) == 4
    assert app_passwords.without_a_write(ctx, used.account.email, used.password) is not None
    assert app_passwords.without_a_write(ctx, used.account.email, "wrong") is None
