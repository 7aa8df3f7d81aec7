"""Delegations: what they open, until when, and what they never open, by every protocol."""

from typing import Any

import httpx2
import pytest
from msgspec.structs import replace
from tests.server.answers import answer_of
from tests.server.api import Api, HeldClock, error_of, logged_in
from tests.server.good_calls import a_delegation
from tests.server.on_boards import create
from tests.server.uploading import begun, initiate, names_in, send, upload

from skyshelf.service.accounts import delegations
from skyshelf.service.context import Caller
from skyshelf.service.errors import ServiceError
from skyshelf.storage.metadata.contracts.leave import Most
from skyshelf.wire.delegation_tokens import narrowed
from skyshelf.wire.error_codes import SESSION_INVALID
from skyshelf.wire.leave import CallKind
from skyshelf.wire.limits import ALARM_LIMIT_MIN
from skyshelf.wire.resources.delegations import Caveat

PATH = "/x/v1/delegations"
HOUR = 3_600_000
SCOPE, USED_UP, ENDED = (403, "SKY2060"), (403, "SKY2061"), (401, "SKY2062")
PAUSED = (403, "SKY2050")
LIST = CallKind.LIST


class Delegated(Api):
    """A client with the token of a delegation."""

    def __init__(self, api: Api, token: str) -> None:
        super().__init__(api.client, api.ctx, api.account, api.login)
        self.token = token
        self.headers = {**api.headers, "Authorization": f"Bearer {token}"}

    def narrowed(self, **caveat: Any) -> "Delegated":
        return Delegated(self, narrowed(self.token, Caveat(**caveat)))

    def dav(self, method: str, path: str = "", **more: Any) -> httpx2.Response:
        address = f"/dav/{path}"
        return self.client.request(method, address, auth=(self.account.email, self.token), **more)

    def cloud(self, method: str, path: str = "", **more: Any) -> httpx2.Response:
        address = f"/remote.php/dav/files/{self.account.email}/{path}"
        return self.client.request(method, address, auth=(self.account.email, self.token), **more)

    def trash_it(self, *keys: str) -> httpx2.Response:
        return self.put("/nms/metadata/trash", json={"objectKeys": list(keys)})

    def listing(self, key: str | None = None) -> httpx2.Response:
        return self.get("/nms/metadata", params={"folderKey": key or self.root_key})

    def download(self, key: str) -> httpx2.Response:
        return self.get(f"/download/files/{key}")

    def make(self, name: str, parent: str | None = None) -> httpx2.Response:
        return self.post("/nms/folders", json={"objectName": name, "parentObjectKey": parent or self.root_key})


def delegated(api: Api, *kinds: CallKind, **terms: Any) -> Delegated:
    folder = terms.pop("folder_key", None)
    more: dict[str, Any] = {name: terms.pop(name) for name in ("expires_at", "purpose") if name in terms}
    if kinds:
        more["kinds_allowed"] = frozenset(kinds)
    return Delegated(api, a_delegation(api, folder_key=folder, terms=Most(**terms), **more).token)


def one(api: Api) -> dict[str, Any]:
    """The account's only delegation, as its owner sees it."""
    found: dict[str, Any]
    (found,) = answer_of(api.get(PATH), "delegations")["delegations"]
    return found


def test_it_opens_every_protocol_until_it_is_ended(api: Api) -> None:
    file = api.file("a.txt")
    new = answer_of(
        api.post(PATH, json={"purpose": "Read", "kinds": ["list", "read"], "expiresDate": api.ctx.clock.now() + HOUR}),
        "add_delegation",
    )
    agent = Delegated(api, new["token"])
    assert agent.listing().status_code == 200
    assert agent.download(file.object_key).content == b"some bytes"
    assert agent.dav("GET", "a.txt").content == b"some bytes"
    assert agent.cloud("GET", "a.txt").content == b"some bytes"
    assert one(api)["used"] == {"reads": 3, "readBytes": 30, "writes": 0, "writtenBytes": 0, "deletions": 0}
    assert api.delete(f"{PATH}/{new['deviceKey']}").status_code == 204
    assert error_of(agent.listing()) == ENDED
    assert error_of(agent.download(file.object_key)) == ENDED
    assert agent.dav("GET", "a.txt").status_code == 401
    assert agent.cloud("GET", "a.txt").status_code == 401
    assert api.delete(f"{PATH}/{new['deviceKey']}").json()["code"] == "SKY3005"


def test_kinds(api: Api) -> None:
    file = api.file("a.txt")
    agent = delegated(api, LIST)
    assert error_of(agent.download(file.object_key)) == SCOPE
    assert error_of(agent.make("new")) == SCOPE
    assert agent.dav("GET", "a.txt").status_code == 403
    assert agent.dav("PUT", "b.txt", content=b"x").status_code == 403
    assert agent.cloud("DELETE", "a.txt").status_code == 403
    assert agent.dav("PROPFIND").status_code == 207
    writer = delegated(api, LIST, CallKind.WRITE)
    assert writer.make("new").status_code == 201
    assert writer.dav("PUT", "b.txt", content=b"x").status_code == 201
    assert error_of(writer.trash_it(file.object_key)) == SCOPE


def test_deletions_count_by_contents(api: Api) -> None:
    folder = api.folder("many")
    for number in range(5):
        api.file(f"{number}.txt", parent_key=folder.object_key)
    single = api.file("single.txt")
    agent = delegated(api, LIST, CallKind.WRITE, CallKind.DELETE, deletions=4)
    assert error_of(agent.trash_it(folder.object_key)) == USED_UP
    assert agent.dav("DELETE", "many").status_code == 403
    assert agent.trash_it(single.object_key).status_code == 200
    assert one(api)["used"]["deletions"] == 1


def test_reads_and_bytes_are_refused_when_they_are_used_up(api: Api) -> None:
    file = api.file("a.txt", b"0123456789")
    agent = delegated(api, reads=3)
    assert [agent.download(file.object_key).status_code for _ in range(5)] == [200] * 3 + [403] * 2
    sized = delegated(api, read_bytes=25)
    assert [sized.dav("GET", "a.txt").status_code for _ in range(4)] == [200, 200, 403, 403]


def test_a_folder_is_all_that_it_sees(api: Api) -> None:
    folder, other = api.folder("inside"), api.folder("outside")
    file, hidden = api.file("a.txt", parent_key=folder.object_key), api.file("b.txt", parent_key=other.object_key)
    agent = delegated(api, folder_key=folder.object_key)
    assert agent.listing(folder.object_key).status_code == 200
    assert agent.listing().status_code == 404
    assert agent.download(file.object_key).status_code == 200
    assert agent.download(hidden.object_key).status_code == 404
    assert agent.make("new", other.object_key).status_code == 404
    assert agent.make("new", folder.object_key).status_code == 201
    assert agent.dav("GET", "a.txt").status_code == 200
    narrower = agent.narrowed(folder_key=other.object_key)
    assert error_of(narrower.listing(other.object_key)) == ENDED
    assert narrower.dav("GET", "b.txt").status_code == 401


def test_it_is_narrowed_without_the_server_and_never_widened(api: Api) -> None:
    file = api.file("a.txt")
    agent = delegated(api, reads=5)
    narrower = agent.narrowed(kinds=[LIST, CallKind.READ], reads=2)
    assert [narrower.download(file.object_key).status_code for _ in range(3)] == [200, 200, 403]
    assert error_of(narrower.make("new")) == SCOPE
    wider = narrower.narrowed(kinds=[CallKind.WRITE, LIST], reads=100)
    assert error_of(wider.make("new")) == SCOPE
    assert [agent.download(file.object_key).status_code for _ in range(4)] == [200, 200, 200, 403]
    head, _, signature = narrower.token.rpartition(".")
    forged = head.rpartition(".")[0] + "." + signature
    assert error_of(Delegated(api, forged).listing()) == ENDED


def test_it_expires(api: Api, clock: HeldClock) -> None:
    agent = delegated(api)
    short = agent.narrowed(expires_date=clock.now() + 1000)
    clock.advance(1000)
    assert error_of(short.listing()) == ENDED
    assert agent.listing().status_code == 200
    clock.advance(HOUR)
    assert error_of(agent.listing()) == ENDED


def test_a_rate_is_per_minute(api: Api, clock: HeldClock) -> None:
    agent = delegated(api, calls=3)
    assert [agent.listing().status_code for _ in range(4)] == [200, 200, 200, 429]
    clock.advance(minutes=1)
    assert agent.listing().status_code == 200


def test_a_folder_that_is_named_again_gives_nothing_back(api: Api) -> None:
    folder = api.folder("folder")
    inner = api.folder("inner", folder.object_key)
    api.file("hidden.txt", parent_key=folder.object_key)
    api.file("a.txt", parent_key=inner.object_key)
    narrower = delegated(api, folder_key=folder.object_key).narrowed(folder_key=inner.object_key)
    for agent in (narrower, narrower.narrowed(folder_key=folder.object_key)):
        assert agent.dav("GET", "a.txt").status_code == 200
        assert agent.cloud("GET", "a.txt").status_code == 200
        assert agent.dav("GET", "hidden.txt").status_code == 404
        assert agent.cloud("GET", "hidden.txt").status_code == 404
        assert agent.dav("GET", "inner/a.txt").status_code == 404
        assert agent.listing(folder.object_key).status_code == 404


def contents(agent: Delegated, *keys: str) -> httpx2.Response:
    return agent.get("/x/v1/contents", params={"objectKeys": ",".join(keys)})


def test_every_file_of_a_call_counts_as_a_read(api: Api) -> None:
    keys = [api.file(f"{number}.txt").object_key for number in range(3)]
    assert error_of(contents(delegated(api, reads=2), *keys)) == USED_UP
    agent = delegated(api, reads=3)
    assert contents(agent, *keys).status_code == 200
    assert error_of(agent.download(keys[0])) == USED_UP


def test_every_object_of_a_call_is_in_its_folder(api: Api) -> None:
    folder = api.folder("inside")
    keys = [api.file(f"{number}.txt", parent_key=folder.object_key).object_key for number in range(2)]
    hidden = api.file("hidden.txt").object_key
    agent = delegated(api, folder_key=folder.object_key)
    assert contents(agent, *keys).status_code == 200
    assert contents(agent, keys[0], hidden).status_code == 404
    assert contents(agent, hidden, keys[0]).status_code == 404
    for no_key in ("", "no key", keys[0][:-1]):
        assert agent.trash_it(keys[0], no_key).status_code == 404
    assert agent.trash_it(*keys).status_code == 200


def test_a_search_names_no_folder_above_its_own(api: Api) -> None:
    above = api.folder("above")
    folder = api.folder("inside", above.object_key)
    deep = api.folder("deep", folder.object_key)
    api.file("found.txt", parent_key=deep.object_key)
    answer = delegated(api, folder_key=folder.object_key).get("/x/v1/search", params={"query": "found"}).json()
    assert [one["objectName"] for one in answer["objects"]] == ["found.txt"]
    ways = {one["objectName"]: one.get("parentObjectKey") for one in answer["folders"]}
    assert ways == {"inside": None, "deep": folder.object_key}


def test_no_upload_reaches_an_album(api: Api) -> None:
    agent, album = delegated(api), create(api)
    assert error_of(upload(agent, "a.txt", b"abc", boardKey=album)) == SCOPE
    assert error_of(upload(agent, "a.txt", b"abc", boardKey=album, folderKey=None)) == SCOPE
    assert error_of(initiate(agent, "a.txt", b"abc", boardKey=album)) == SCOPE
    # Nor by what a session has begun.
    transaction = begun(api, "a.txt", b"abc", boardKey=album)
    assert error_of(send(agent, transaction, 0, b"abc")) == SCOPE
    assert names_in(api) == []
    assert upload(agent, "a.txt", b"abc").status_code == 201


@pytest.mark.parametrize("kinds", [(LIST, CallKind.WRITE), (LIST, CallKind.WRITE, CallKind.DELETE)])
def test_a_copy_that_fails_in_between_leaves_nothing_behind(api: Api, kinds: tuple[CallKind, ...]) -> None:
    folder = api.folder("many")
    for number in range(3):
        api.file(f"{number}.txt", parent_key=folder.object_key)
    agent = delegated(api, *kinds, writes=2, deletions=0)
    assert agent.dav("COPY", "many", headers={"Destination": "/dav/copy"}).status_code == 403
    assert names_in(api) == ["many"]


def test_a_session_that_has_ended_makes_none(api: Api) -> None:
    ended = replace(Caller.of(api.account), session_hash=b"ended")
    with pytest.raises(ServiceError) as refused:
        delegations.make(
            api.ctx,
            ended,
            purpose="A purpose",
            kinds_allowed=frozenset({LIST}),
            expires_at=api.ctx.clock.now() + HOUR,
        )
    assert refused.value.error is SESSION_INVALID
    assert answer_of(api.get(PATH), "delegations")["delegations"] == []


def test_a_narrower_token_ends_nothing(api: Api) -> None:
    agent = delegated(api)
    narrower = agent.narrowed(kinds=[LIST])
    api.client.request("DELETE", "/ocs/v2.php/core/apppassword", auth=(api.account.email, narrower.token))
    assert narrower.dav("PROPFIND").status_code == 207
    assert agent.listing().status_code == 200


def test_what_delegations_do_counts_for_the_device_that_made_them(api: Api) -> None:
    """Otherwise, a stolen session could deal out to delegations what its own alarm would stop."""
    keys = [api.file(f"{number}.txt").object_key for number in range(ALARM_LIMIT_MIN + 1)]
    api.ctx.metadata.write(lambda unit: unit.alarms.set_limit(api.account.account_id, ALARM_LIMIT_MIN))
    body = {"purpose": "Tidy up", "kinds": ["list", "delete"], "expiresDate": api.ctx.clock.now() + HOUR}
    first, second = (Delegated(api, answer_of(api.post(PATH, json=body), "add_delegation")["token"]) for _ in range(2))
    for agent, share in ((first, keys[: ALARM_LIMIT_MIN // 2]), (second, keys[ALARM_LIMIT_MIN // 2 : -1])):
        for key in share:
            assert agent.trash_it(key).status_code == 200
    for caller in (first, second, api):
        assert error_of(caller.put("/nms/metadata/trash", json={"objectKeys": keys[-1:]})) == PAUSED
    other = logged_in(api.client, api.ctx, api.account)
    [alarm] = other.get("/x/v1/alarms").json()["alarms"]
    assert alarm["deviceKey"] == api.login["deviceKey"]
    assert other.post(f"/x/v1/alarms/{alarm['deviceKey']}/end").status_code == 200
    assert error_of(first.listing()) == ENDED
