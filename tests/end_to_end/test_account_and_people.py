"""Sessions, account, boards, contacts, banners and feeds by a client that somebody else wrote."""

import itertools
import uuid
from collections.abc import Callable

from tests.end_to_end.plain_client import Json, PlainClient
from tests.real_parts.servers import Stack

from skyshelf.storage.metadata.contracts.accounts import Banner
from skyshelf.wire.resources.contacts import Contact, ContactMailbox


def test_a_session_lives_on_when_a_server_dies_and_ends_with_the_logout(stack: Stack, client: PlainClient) -> None:
    profile = client.json("GET", "/security/users")
    assert profile["status"] == "A"
    assert profile["userId"] == client.session["userId"]
    assert profile["rootFolderKey"] == client.root
    assert client.session["deviceKey"] in {device["deviceKey"] for device in profile["devices"]}
    assert profile["quota"]["totalAllocatedQuota"] == 100 * 1024**3
    stack.strike()
    assert client.json("GET", "/security/users") == profile
    assert client.request("PUT", "/security/users/logout").status_code == 204
    for _ in client.urls:
        refused = client.get("/security/users")
        assert (refused.status_code, refused.json()["code"]) == (401, "TEJGA0401")


def test_logging_in_again_on_a_device_ends_the_session_before(new_client: Callable[..., PlainClient]) -> None:
    device = str(uuid.uuid4())
    first = new_client(deviceKey=device)
    email = first.json("GET", "/security/users")["emailId"]
    with PlainClient(first.urls).log_in(email, deviceKey=device) as second:
        assert first.get("/security/users").status_code == 401
        assert second.get("/security/users").status_code == 200


def test_headers_that_are_missing_are_named_in_their_order(client: PlainClient) -> None:
    for path, name, code in (
        ("/security/users", "Content-Type", "NMSOM0003"),
        ("/boards/sync/initial", "Content-Type", "BRSOM0036"),
        ("/security/users", "Accept-Language", "NMSOM0001"),
    ):
        refused = client.get(path, headers={name: ""})
        assert (refused.status_code, refused.json()["code"]) == (400, code)
        assert refused.json()["message"]


def test_a_board_is_made_listed_and_left(stack: Stack, client: PlainClient) -> None:
    board = client.json("POST", "/boards", json={"boardName": "Summer"}, expect=201)
    stack.strike()
    query = {"page": 0, "limit": 2000, "albumType": "p"}
    (listed,) = client.json("GET", "/boards/sync/initial", params=query)["boards"]
    assert (listed["boardKey"], listed["boardName"], listed["status"]) == (board["boardKey"], "Summer", "A")
    path = f"/boards/{board['boardKey']}"
    details = client.json("GET", path, params={"page": 0, "limit": 5000, "sort": "-lastModifiedDate"})
    assert (details["board"]["boardKey"], details["objects"]) == (board["boardKey"], [])
    (member,) = client.json("GET", f"/invites{path}/members")["boardMembers"]
    assert (member["userId"], member["memberType"], member["memberStatus"]) == (client.session["userId"], "O", "A")
    assert client.json("PUT", f"/invites{path}/unjoin", json=[]) == {}
    assert client.json("GET", "/boards/sync/initial", params=query)["boards"] == []
    assert client.get(path).status_code == 404


def contact_pages(client: PlainClient, path: str, key: str) -> list[Json]:
    """All contacts, by increasing offset up to the first short page."""
    found: list[Json] = []
    for _ in itertools.count():
        page = client.json("GET", path, headers={"X-Offset": str(len(found)), "X-CHUNK-SIZE": "30"}).get(key, [])
        found += page
        if len(page) < 30:
            return found
    raise AssertionError("unreachable")


def test_contacts_are_paged_by_headers(stack: Stack, client: PlainClient) -> None:
    assert client.json("GET", "/amiko/cab/contacts", headers={"X-Offset": "0"}) == {}
    people = {
        stack.ctx.new_key(): Contact(
            display_name=f"Person {number:02d}", emails=[ContactMailbox(email_id=f"{number}@example.org", type="home")]
        )
        for number in range(65)
    }
    account_key, now = client.session["userId"], stack.ctx.clock.now()
    with stack.ctx.metadata.read() as unit:
        account_id = unit.accounts.by_key(account_key).account_id
    stack.ctx.metadata.write(lambda unit: unit.contacts.add(account_id, people, now))
    stack.strike()
    found = contact_pages(client, "/amiko/cab/contacts", "contacts")
    assert [one["displayName"] for one in found] == [f"Person {number:02d}" for number in range(65)]
    addresses = contact_pages(client, "/amiko/cab/emails", "contactEmail")
    assert [one["emailId"] for one in addresses] == [f"{number}@example.org" for number in range(65)]
    for headers, query in (({}, {}), ({"X-Offset": "0"}, {"nextPageDate": "yesterday"})):
        refused = client.get("/amiko/cab/contacts", headers=headers, params=query)
        assert (refused.status_code, refused.json()["code"]) == (400, "TEJRF0400")


def test_a_banner_of_the_operator_is_shown_to_everybody(stack: Stack, new_client: Callable[..., PlainClient]) -> None:
    now = stack.ctx.clock.now()
    banner = Banner(
        banner_key=stack.ctx.new_key(), title="New", text="Boards", start_at=now - 1000, end_at=now + 3_600_000
    )
    stack.ctx.metadata.write(lambda unit: unit.banners.add(banner))
    for client in (new_client(), new_client()):
        cards = client.json("GET", "/promo/banner/list")["cards"]
        assert [card["title"] for card in cards if card["cardId"] == banner.banner_key] == ["New"]


def test_feeds_and_settings_know_what_was_uploaded(stack: Stack, client: PlainClient) -> None:
    picture = client.upload("picture.jpg", b"not really one")["objectKey"]
    paper = client.upload("paper.txt", b"words", appcode="dgl")["objectKey"]
    stack.strike()
    recent = client.json("GET", "/nms/metadata/recent/objects")
    assert [one["objectKey"] for one in recent["objectsImgs"]] == [picture]
    assert [one["objectKey"] for one in recent["objectsDocs"]] == [paper]
    linked = client.json("GET", "/nms/headless/linkedapp/metadata", params={"appcode": "dgl", "page": 0, "limit": 50})
    assert [one["objectKey"] for one in linked["objects"]] == [paper]
    assert client.json("GET", "/nms/spotlights/metadata", params={"page": 0, "limit": 10}) == {"spotLights": []}
    assert client.json("GET", "/nms/manual/tag/recents") == []
    assert client.json("GET", f"/nms/manual/tags/{paper}") == []
    assert "view" in client.json("GET", "/cspp/intg/doc/supported")["supportedExtensions"]
    assert client.json("GET", "/app/settings", params={"os": "web"})["maxFileSize"] > 0
    promotions = client.json("GET", "/security/users/promotions")
    assert promotions == {"activePromotions": [], "expiredPromotions": []}
    quota = client.json("GET", "/security/users")["quota"]
    assert (quota["photoUsage"], quota["documentUsage"]) == (len(b"not really one"), len(b"words"))
