"""Locks: what they keep others from, what opens them, and how they end."""

import asyncio

import pytest
from tests.server.api import HeldClock
from tests.server.dav.app import DAV, DavApp, entries, properties

from skyshelf.server.dav.call import DavCall
from skyshelf.server.dav.conditions import CONDITIONS_MAX
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.tree import StoredObject
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.limits import LOCK_SECONDS_MAX

CHANGES = {
    "PUT": lambda dav, **headers: dav.put("a/f", b"new", **headers),
    "DELETE": lambda dav, **headers: dav.delete("a/f", **headers),
    "MOVE": lambda dav, **headers: dav.move("a/f", "elsewhere", **headers),
    "MOVE over it": lambda dav, **headers: dav.move("other", "a/f", **headers),
    "COPY over it": lambda dav, **headers: dav.copy("other", "a/f", **headers),
    "PROPPATCH": lambda dav, **headers: dav.proppatch("a/f", "<D:set><D:prop><x:p>1</x:p></D:prop></D:set>", **headers),
    "DELETE of the folder": lambda dav, **headers: dav.delete("a", **headers),
    "MOVE of the folder": lambda dav, **headers: dav.move("a", "elsewhere", **headers),
}


@pytest.fixture
def filled(dav: DavApp) -> DavApp:
    dav.mkcol("a")
    dav.put("a/f", b"old")
    dav.put("other", b"other")
    return dav


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("locked", ["a/f", "a"])
def test_only_the_holder_of_a_lock_changes_what_is_locked(filled: DavApp, change: str, locked: str) -> None:
    token = filled.token(locked)
    refused = CHANGES[change](filled)
    assert refused.status_code == 423, refused.text
    assert "lock-token-submitted" in refused.text
    assert filled.get("a/f").content == b"old", "reading needs no token"
    assert CHANGES[change](filled, If=f"<{filled.url(locked)}> ({token})").status_code in (201, 204, 207)


def test_a_deep_lock_keeps_others_from_adding_below_and_a_shallow_one_only_inside(filled: DavApp) -> None:
    filled.mkcol("a/b")
    shallow = filled.token("a", Depth="0")
    assert filled.put("a/new").status_code == 423
    assert filled.mkcol("a/new").status_code == 423
    assert filled.put("a/b/new").status_code == 201
    assert filled.put("a/f", b"new").status_code == 204, "the member itself is not locked"
    assert filled.unlock("a", shallow).status_code == 204
    deep = filled.token("a")
    assert filled.put("a/b/newer").status_code == 423
    assert filled.put("a/b/newer", If=f"<{filled.url('a')}> ({deep})").status_code == 201
    assert filled.unlock("a/b/newer", deep).status_code == 204, "any resource of the lock names it"
    assert filled.put("a/b/newest").status_code == 201


def test_exclusive_locks_exclude_and_shared_ones_do_not(filled: DavApp) -> None:
    first = filled.token("a/f", scope="shared")
    second = filled.token("a/f", scope="shared")
    assert first != second
    assert filled.lock("a/f").status_code == 423
    assert filled.lock("a").status_code == 423, "a deep lock takes what is below"
    assert filled.lock("a", Depth="0").status_code == 200
    assert filled.put("a/f", b"new").status_code == 423
    assert filled.put("a/f", b"new", If=f"({second})").status_code == 204
    for token in (first, second):
        assert filled.unlock("a/f", token).status_code == 204
    assert filled.lock("a/f").status_code == 200
    assert filled.lock("a/f", scope="shared").status_code == 423


def test_a_lock_expires_is_refreshed_and_never_lasts_for_ever(filled: DavApp, clock: HeldClock) -> None:
    token = filled.token("a/f", Timeout="Second-60")
    clock.advance(seconds=50)
    refreshed = filled.lock("a/f", body="", If=f"({token})", Timeout="Second-60")
    assert (refreshed.status_code, "Second-60" in refreshed.text) == (200, True)
    clock.advance(seconds=50)
    assert filled.put("a/f", b"new").status_code == 423
    clock.advance(seconds=11)
    assert filled.put("a/f", b"new").status_code == 204
    assert filled.lock("a/f", body="", If=f"({token})").status_code == 412
    assert filled.unlock("a/f", token).status_code == 409
    assert filled.lock("a/f", body="").status_code == 400
    endless = filled.lock("a/f", Timeout="Infinite, Second-4100000000")
    assert f"Second-{LOCK_SECONDS_MAX}" in endless.text


def test_a_lock_on_a_new_name_makes_an_empty_file_that_only_its_holder_fills(dav: DavApp) -> None:
    made = dav.lock("new.docx")
    assert made.status_code == 201
    assert dav.get("new.docx").content == b""
    assert dav.put("new.docx", b"x").status_code == 423
    assert dav.put("new.docx", b"x", If=f"({made.headers['lock-token']})").status_code == 204
    assert dav.lock("no/new.docx").status_code == 409


def test_locks_are_shown_with_their_owner_and_root(filled: DavApp) -> None:
    token = filled.token("a", Timeout="Second-100")
    body = '<propfind xmlns="DAV:"><prop><lockdiscovery/><supportedlock/></prop></propfind>'
    for entry in entries(filled.propfind("a", body)):
        (active,) = properties(entry)[f"{DAV}lockdiscovery"]
        assert active.findtext(f"{DAV}locktoken/{DAV}href") == token.strip("<>")
        assert active.findtext(f"{DAV}owner/{DAV}href") == "Ada"
        assert active.findtext(f"{DAV}lockroot/{DAV}href") == "/dav/a/"
        assert active.findtext(f"{DAV}timeout") == "Second-100"
        assert len(properties(entry)[f"{DAV}supportedlock"]) == 2
    (other,) = entries(filled.propfind("other", body, depth="0"))
    assert len(properties(other)[f"{DAV}lockdiscovery"]) == 0


def test_a_lock_stays_behind_when_its_resource_moves_or_goes(filled: DavApp) -> None:
    token = filled.token("a/f")
    assert filled.move("a/f", "a/g", If=f"<{filled.url('a/f')}> ({token})").status_code == 201
    assert filled.put("a/g", b"free").status_code == 204
    token = filled.token("a/g")
    assert filled.delete("a/g", If=f"({token})").status_code == 204
    assert filled.put("a/g", b"new").status_code == 201
    assert filled.put("a/g", b"newer").status_code == 204


def test_every_instance_knows_a_lock(filled: DavApp, ctx: ServiceContext) -> None:
    filled.token("a/f")
    with ctx.metadata.read() as unit:
        (lock,) = unit.locks.of_account(filled.account.account_id, ctx.clock.now())
    assert lock.is_exclusive


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("({token})", 204),
        ("({token} [{etag}])", 204),
        ('({token} ["other"])', 412),
        ('({token} ["other"]) ({token})', 204),
        ("(Not <DAV:no-lock> {token})", 204),
        ("(<DAV:no-lock>) (Not <DAV:no-lock> {token})", 204),
        ("(<DAV:no-lock>)", 412),
        ("(<opaquelocktoken:00000000-0000-0000-0000-000000000000>)", 412),
        ("(Not <opaquelocktoken:00000000-0000-0000-0000-000000000000>)", 423),
        ("</dav/a/f> ({token})", 204),
        ("<http://testserver/dav/a/f> ({token})", 204),
        ("</dav/other> ({token})", 412),
        ("<http://elsewhere/dav/a/f> ({token})", 412),
        ("</dav/other> (Not {token}) </dav/a/f> ({token})", 204),
        ("", 400),
        ("()", 400),
        ("({token}", 400),
        ("{token}", 400),
        ("(Not Not {token})", 400),
        ("(Not)", 400),
        ("x ({token})", 400),
    ],
)
def test_the_if_header_decides_by_its_lists(filled: DavApp, condition: str, status: int) -> None:
    token, etag = filled.token("a/f"), filled.get("a/f").headers["etag"]
    given = condition.format(token=token, etag=etag)
    assert filled.put("a/f", b"new", If=given).status_code == status, given


def test_an_if_header_costs_one_look_at_each_resource(filled: DavApp, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[tuple[str, ...]] = []
    look_up = DavCall.look_up

    def counted(call: DavCall, unit: Unit, names: tuple[str, ...]) -> StoredObject | None:
        looks.append(names)
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return look_up(call, unit, names)

    monkeypatch.setattr(DavCall, "look_up", counted)
    half = "([x])" * (CONDITIONS_MAX // 2)
    assert filled.get("a/f", If=f"{half}</dav/a>{half}").status_code == 412
    # Once for its conditions, and once for the answer.
    assert sorted(looks) == [("a",), ("a", "f"), ("a", "f")]
    assert filled.get("a/f", If="([x])" * (CONDITIONS_MAX + 1)).status_code == 400
    assert filled.get("a/f", If="(" + "[x]" * (CONDITIONS_MAX + 1) + ")").status_code == 400
    assert len(looks) == 3


@pytest.mark.parametrize("method", ["PROPFIND", "PUT", "COPY", "MOVE", "DELETE", "PROPPATCH", "LOCK", "MKCOL"])
def test_a_resource_that_many_conditions_name_is_looked_up_once_per_check(
    filled: DavApp, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    looks: list[str] = []
    look_up = DavCall.look_up

    def counted(call: DavCall, unit: Unit, names: tuple[str, ...]) -> StoredObject | None:
        looks.append("/".join(names))
        if names and names[0] == "tagged":
            with pytest.raises(RuntimeError, match="no running event loop"):
                asyncio.get_running_loop()
        return look_up(call, unit, names)

    monkeypatch.setattr(DavCall, "look_up", counted)
    body = {
        "PROPPATCH": '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="x"/></prop></set></propertyupdate>',
        "LOCK": '<lockinfo xmlns="DAV:"><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>',
    }.get(method, "")
    half = "".join(f'</dav/tagged/{number}> (["x"]) (["y"]) ' for number in range(10)) * 2
    given = {"If": f'{half} </dav/none> (Not ["x"])', "Destination": "/dav/b", "Depth": "0"}
    if method in {"MOVE", "DELETE"}:
        del given["Depth"]
    asked = filled.request(method, "new" if method == "MKCOL" else "a/f", content=body.encode(), headers=given)
    assert asked.status_code in {200, 201, 204, 207}, asked.text
    # A guard checks them before a body is stored and in the transaction of the change.
    most = 2 if method == "PUT" else 1
    assert 1 <= max(looks.count(f"tagged/{number}") for number in range(10)) <= most


def test_a_malformed_request_for_a_lock_is_refused(filled: DavApp) -> None:
    assert filled.lock("a", Depth="1").status_code == 400
    assert filled.lock("a", body='<D:lockinfo xmlns:D="DAV:"/>').status_code == 400
    assert filled.request("UNLOCK", "a").status_code == 400
    assert filled.unlock("a", "<opaquelocktoken:none>").status_code == 409
    large = "x" * 5000
    body = (
        '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:shared/></D:lockscope><D:locktype><D:write/></D:locktype>'
        f"<D:owner>{large}</D:owner></D:lockinfo>"
    )
    assert filled.lock("a", body=body).status_code == 400
