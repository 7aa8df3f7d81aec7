"""One account or address that asks for more than its share, of everything there is."""

import json
from concurrent.futures import ThreadPoolExecutor

from tests.attacks.attacked import Attacked
from tests.attacks.crowd import Crowd, listing, request
from tests.server.api import Api
from tests.server.sharing import share

from skyshelf.service.accounts.passwords import hash_password
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.store import Unit

MIB = 1024 * 1024
ELSEWHERE = "127.0.0.9"


def many_files(api: Api, count: int, parent_key: str | None = None) -> list[str]:
    """Files with the same bytes, made straight in the store."""
    like, now = api.file("like.txt", parent_key=parent_key), api.ctx.clock.now()
    with api.ctx.metadata.read() as unit:
        content = unit.content.get(like.sha256 or "")
    assert content is not None
    news = [
        NewFile(
            object_key=api.ctx.new_key(),
            parent_key=like.parent_key or api.root_key,
            name=f"{number}.txt",
            sha256=like.sha256 or "",
            md5=like.md5 or "",
            size=like.size,
            location=content.location,
            category="document",
            mime_type=like.mime_type,
            mime_subtype=like.mime_subtype,
            file_created_at=now,
            last_modified_at=now,
            created_by="Ada",
        )
        for number in range(count)
    ]

    def put(unit: Unit) -> None:
        unit.files.put_many(api.account.account_id, news, now, keep_versions=20)

    api.ctx.metadata.write(put)
    return [new.object_key for new in news]


def test_a_thousand_large_listings_at_once_keep_nobody_else_waiting(attacked: Attacked) -> None:
    attacker = attacked.account()
    many_files(attacker, 500)
    with attacked.while_others_work():
        crowd = Crowd(attacked, [listing(attacker)] * 200)
        seen = crowd.read(seconds=3, again=True)
    assert seen[200]
    assert seen.keys() <= {200, 429, 503}
    assert crowd.refusals_say_when_to_come_back()


def test_a_flood_of_the_costliest_calls_leaves_others_their_share(attacked: Attacked) -> None:
    attacker = attacked.account()
    keys = many_files(attacker, 1000)
    json_headers = {**attacker.headers, "Content-Type": "application/json"}
    batch = {"objects": [{"operation": "SETFAV", "object": {"objectKey": key}} for key in keys]}
    asked = [
        request("GET", "/x/v1/search?query=t&limit=1000", attacker.headers),
        request("GET", "/x/v1/changes/everything?limit=5000", attacker.headers),
        request("GET", "/x/v1/contacts/export", attacker.headers),
        request("PUT", "/nms/metadata/1.0", json_headers, json.dumps(batch).encode()),
        request("GET", "/docs", {}),
    ]
    with attacked.while_others_work():
        crowd = Crowd(attacked, asked * 20)
        seen = crowd.read(seconds=3, again=True)
    assert seen[200], (seen, crowd.heads[:3])
    assert seen.keys() <= {200, 429, 503}
    assert crowd.refusals_say_when_to_come_back()


def test_invented_tokens_earn_no_further_share(attacked: Attacked) -> None:
    attacker = attacked.account()
    with attacked.while_others_work():
        invented = [
            request(
                "GET",
                f"/nms/metadata?folderKey={attacker.root_key}",
                attacker.headers | {"Authorization": f"Basic {number}"},
            )
            for number in range(200)
        ]
        seen = Crowd(attacked, invented).read(seconds=2, again=True)
    assert seen[401]
    assert seen.keys() <= {401, 429, 503}


def test_uploads_that_trickle_leave_threads_for_the_uploads_of_others(attacked: Attacked) -> None:
    attacker, other = attacked.account(), attacked.account(source=ELSEWHERE)
    small = other.file("a.txt").object_key
    head = {**attacker.headers, "Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(100 * MIB)}
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n' + b"x" * (MIB + 1000)
    with attacked.while_others_work():
        crowd = Crowd(attacked, [request("POST", "/upload/files", head, body)] * 260)
        seen = crowd.read(seconds=1)
        # Besides listing and uploading, which the bystander does: what runs in the same threads.
        contents = other.get("/x/v1/contents", params={"objectKeys": small})
    assert contents.status_code == 200
    assert contents.content.endswith(b"some bytes")
    assert seen.keys() <= {429, 503, 400, 408}
    assert crowd.refusals_say_when_to_come_back()


def test_large_bodies_of_tiny_values_neither_fill_the_memory_nor_hold_the_interpreter(attacked: Attacked) -> None:
    attacker = attacked.account()
    body = b'{"objectKeys":[' + b'"xx",' * (3 * MIB) + b'"xx"]}'
    asked = request("PUT", "/nms/metadata/restore", {**attacker.headers, "Content-Type": "application/json"}, body)
    with attacked.while_others_work():
        crowd = Crowd(attacked, [asked] * 12)
        seen = crowd.read(seconds=3, most=12)
    assert seen.keys() <= {413, 429, 503}
    assert crowd.refusals_say_when_to_come_back()


def test_archives_of_a_share_are_planned_one_by_one_head_included(attacked: Attacked) -> None:
    owner = attacked.account()
    folder = owner.folder("many").object_key
    many_files(owner, 1000, folder)
    token = share(owner, folder).token
    asked = [request(method, f"/l/zip?u={token}", {}) for method in ("HEAD", "GET") for _ in range(50)]
    with attacked.while_others_work():
        crowd = Crowd(attacked, asked)
        seen = crowd.read(seconds=5, most=100)
    assert seen[200]
    assert seen[429]
    assert seen.keys() <= {200, 429, 503}
    assert crowd.refusals_say_when_to_come_back()


def test_three_hundred_streams_at_once_are_thirty_two(attacked: Attacked) -> None:
    attacker = attacked.account()
    keys = many_files(attacker, 500)
    board = attacker.post("/boards", json={"boardName": "many"}).json()["boardKey"]
    assert attacker.post(f"/x/v1/boards/{board}/objects", json={"objectKeys": keys}).status_code == 200
    stream = request("GET", f"/x/v1/changes/stream?boardKey={board}", attacker.headers)
    with attacked.while_others_work():
        crowd = Crowd(attacked, [stream] * 300)
        seen = crowd.read(seconds=10, most=300)
        # Each change makes the streams look at the board, once for all of them.
        for number in range(5):
            attacker.post("/boards", json={"boardName": f"{number}"})
    assert seen[200] == 32
    assert seen.keys() <= {200, 429, 503}
    assert crowd.refusals_say_when_to_come_back()


def test_logins_from_a_closed_address_keep_nobody_from_logging_in(attacked: Attacked) -> None:
    attacked.account()
    wrong = [
        request(
            "POST",
            "/x/v1/login",
            {"Content-Type": "application/json"},
            b'{"emailId": "nobody%d@example.org", "password": "a wrong password"}' % number,
        )
        for number in range(250)
    ]
    with attacked.while_others_work():
        crowd = Crowd(attacked, wrong)
        seen = crowd.read(seconds=1, again=True)
        with ThreadPoolExecutor(1) as flooding:
            flood = flooding.submit(crowd.read, seconds=3, again=True)
            for _ in range(4):
                attacked.account(source=ELSEWHERE)  # logs in, or fails
            seen += flood.result()
    assert seen[429]
    # No more are compared than the throttle of the address admits, and those that were under way as it closed.
    assert seen[401] <= 40
    assert crowd.refusals_say_when_to_come_back()


def test_a_flood_of_passwords_on_one_share_leaves_others_open(attacked: Attacked) -> None:
    owner = attacked.account(source=ELSEWHERE)
    folder = owner.folder("shared").object_key
    links = [share(owner, folder) for _ in range(2)]
    for link in links:
        link.edit(password_hash=hash_password("right password"))
    guessed, other = (link.token for link in links)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    with attacked.while_others_work():
        crowd = Crowd(attacked, [request("POST", f"/l/unlock?u={guessed}", form, b"password=wrong")] * 150)
        seen = crowd.read(seconds=2, again=True)
        opened = attacked.client(ELSEWHERE).post("/l/unlock", params={"u": other}, data={"password": "right password"})
    assert opened.status_code == 303
    assert seen[429]
    assert seen[401] <= 12
    assert crowd.refusals_say_when_to_come_back()
