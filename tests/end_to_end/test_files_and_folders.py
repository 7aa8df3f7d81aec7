"""Listings, batches, trash and versions by a client that somebody else wrote; servers are killed on the way."""

import pytest
from tests.end_to_end.conftest import EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT
from tests.end_to_end.plain_client import PlainClient, md5
from tests.real_parts.servers import Stack

pytestmark = pytest.mark.parametrize("stack_backend", [EMBEDDED, EMBEDDED_WORKERS, SCALED_OUT], indirect=True)


def test_a_folder_is_listed_by_type_and_page_by_page_while_a_server_dies(stack: Stack, client: PlainClient) -> None:
    inside = client.folder("inside")["objectKey"]
    folders = [client.folder(f"folder {number:02d}", inside)["objectKey"] for number in range(7)]
    files = [client.upload(f"file {number:02d}.txt", b"%d" % number, inside)["objectKey"] for number in range(8)]
    first = client.page(inside, type="f", limit=3, sort="+objectName")
    stack.strike()
    rest = [client.page(inside, type="f", limit=3, sort="+objectName", page=number) for number in (1, 2, 3)]
    assert [one["objectKey"] for page in (first, *rest) for one in page] == files
    assert [len(page) for page in rest] == [3, 2, 0]
    assert [one["objectKey"] for one in client.page(inside, type="w", sort="-objectName")] == folders[::-1]
    assert {one["objectType"] for one in client.page(inside, type="w")} == {"FR"}
    assert [one["objectKey"] for one in client.listing(inside, limit=2)] == folders + files
    default_view = client.json("GET", "/nms/metadata/defaultview/myfiles/v1", params={"folderKey": inside})
    assert len(default_view["objects"]) == 15
    refused = client.get("/nms/metadata", params={"folderKey": inside, "type": "x"})
    assert (refused.status_code, refused.json()["code"]) == (400, "NMSOM0129")


def test_what_was_written_through_one_server_is_seen_at_once_through_every_other(client: PlainClient) -> None:
    """The interface warns of a lag of two seconds; this service has none."""
    for number in range(10):
        made = client.folder(f"folder {number}")
        for url in client.urls:
            with client.twin([url]) as reader:
                assert f"folder {number}" in reader.names()
        client.changed("TRASH", made, status="T")
        for url in client.urls:
            with client.twin([url]) as reader:
                assert reader.names() == []
                assert len(reader.trash()) == number + 1


def test_batches_with_full_echoes_change_what_they_name(stack: Stack, client: PlainClient) -> None:
    target = client.folder("target")
    file = client.upload("a.txt", b"one")
    assert client.changed("SETFAV", file, isFavorite=True)["isFavorite"] is True
    (echo,) = client.page(type="f")
    assert echo["isFavorite"] is True
    assert client.changed("RENAME", echo, objectName="b.txt")["objectName"] == "b.txt"
    stack.strike()
    (echo,) = client.page(type="f")
    assert client.changed("UNSETFAV", echo, isFavorite=False)["isFavorite"] is False
    moved = client.changed("MOVE", echo, parentObjectKey=target["objectKey"])
    assert moved["parentObjectKey"] == target["objectKey"]
    (found,) = client.page(target["objectKey"])
    assert (found["objectName"], found["isFavorite"], found["hash"]) == ("b.txt", False, md5(b"one"))
    assert client.names() == ["target"]


def test_a_batch_answers_200_and_names_what_it_did_not_do(client: PlainClient) -> None:
    good, taken, nameless, sourceless = (client.folder(name) for name in ("good", "taken", "nameless", "sourceless"))
    entries = [
        {"operation": "RENAME", "correlationId": "1", "object": good | {"objectName": "better"}},
        {"operation": "RENAME", "correlationId": "2", "object": taken | {"objectName": "better"}},
        {"operation": "SETFAV", "object": {k: v for k, v in nameless.items() if k != "objectName"}},
        {"operation": "SETFAV", "object": {k: v for k, v in sourceless.items() if k != "sourceName"}},
    ]
    answer = client.json("PUT", "/nms/metadata/1.0", json={"objects": entries})
    assert [one["object"]["objectName"] for one in answer["objects"]] == ["better"]
    refused = {one["object"]["objectKey"]: one["object"]["errorCode"] for one in answer["unprocessed"]}
    assert refused.keys() == {one["objectKey"] for one in (taken, nameless, sourceless)}
    assert refused[nameless["objectKey"]] == "TEJVF0001"
    assert refused[sourceless["objectKey"]] == "NMSOM0021"
    unknown = client.request("PUT", "/nms/metadata/1.0", json={"objects": [{"operation": "BURN", "object": good}]})
    assert (unknown.status_code, unknown.json()["code"]) == (400, "NMSOM0135")


def test_a_trashed_folder_comes_back_with_all_that_is_below_it(stack: Stack, client: PlainClient) -> None:
    top = client.folder("top")
    below = client.folder("below", top["objectKey"])
    file = client.upload("deep.txt", b"deep", below["objectKey"])
    stack.strike()
    assert client.changed("TRASH", top, status="T")["status"] == "T"
    assert client.names() == []
    assert [one["objectKey"] for one in client.trash()] == [top["objectKey"]]
    assert client.get(f"/download/files/{file['objectKey']}").status_code == 404
    assert client.get("/nms/metadata", params={"folderKey": below["objectKey"]}).status_code == 404
    client.folder("top")
    restored = client.restore(top["objectKey"])
    assert [one["objectName"] for one in restored["objects"]] == ["top (1)"]
    assert restored["unprocessed"] == []
    assert client.trash() == []
    assert client.download(file["objectKey"]) == b"deep"
    assert [one["objectKey"] for one in client.walk(top["objectKey"])] == [below["objectKey"], file["objectKey"]]
    again = client.changed("TRASH", restored["objects"][0], status="T")
    assert again["status"] == "T"


def test_the_old_delete_call_does_nothing_and_says_so(client: PlainClient) -> None:
    made = client.folder("stays")
    answer = client.json("PUT", "/nms/metadata/delete", json={"objectKeys": [made["objectKey"]]})
    assert [one["object"]["objectKey"] for one in answer["unprocessed"]] == [made["objectKey"]]
    assert client.names() == ["stays"]


def test_every_version_of_a_file_can_still_be_had(stack: Stack, client: PlainClient) -> None:
    key = client.upload("notes.txt", b"first")["objectKey"]
    assert client.upload("notes.txt", b"second")["objectKey"] == key
    stack.strike()
    assert client.upload("notes.txt", b"third and last")["version"] == 3
    versions = client.json("GET", f"/nms/metadata/version/{key}")
    assert versions["totalVersions"] == 3
    assert [one["displayVersion"] for one in versions["objVersions"]] == ["V3", "V2", "V1"]
    assert [one["isCurrentVersion"] for one in versions["objVersions"]] == [True, False, False]
    assert {one["versionCreatedBy"]["firstName"] for one in versions["objVersions"]} == {"Ada"}
    assert client.download(key) == b"third and last"
    assert client.download(key, params={"version": 1}) == b"first"
    assert client.json("GET", "/security/users")["quota"]["totalUsedQuota"] == len(b"firstsecondthird and last")
    assert client.get(f"/nms/metadata/version/{'0' * 32}").status_code == 404
