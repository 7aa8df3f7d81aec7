"""What a client sends and reads, call by call and field by field, as the tables of the interface say."""

from pathlib import Path
from typing import Any

import pytest
from tests.foreign.drive import BOARD, ROOT, USER
from tests.foreign.interface import SHARE_NAME
from tests.foreign.messages import Asked, Reply
from tests.foreign.operations import OPERATIONS, all_of
from tests.foreign.quirk import NO_QUIRK, Quirk
from tests.foreign.server import ForeignServer
from tests.foreign.worlds import ForeignWorld

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ObjectNotFoundError

HELLO = "00000000000000000000000000000007"
BEACH = "00000000000000000000000000000005"
LISTING = {"folderKey": ROOT, "type": "w", "limit": "2000", "sort": "+objectName", "page": "0"}
CONTACTS = {"sort": "displayname", "onlyActive": "true", "nextPageDate": "1970-01-01 00:00:00.000000"}
PAGE = {"page": "0", "limit": "2000"}

CALLS: dict[str, tuple[str, str, dict[str, str], Any]] = {
    "profile": ("GET", "/security/users", {}, None),
    "promotions": ("GET", "/security/users/promotions", {}, None),
    "app_settings": ("GET", "/app/settings", {"os": "web"}, None),
    "list_folder": ("GET", "/nms/metadata", LISTING, None),
    "list_trash": ("GET", "/nms/trash", PAGE, None),
    "versions": ("GET", f"/nms/metadata/version/{HELLO}", {}, None),
    "recent": ("GET", "/nms/metadata/recent/objects", {}, None),
    "memories": ("GET", "/nms/spotlights/metadata", {"page": "0", "limit": "200"}, None),
    "shared_objects": ("GET", "/nms/collshare/byme", {**PAGE, "sort": "-smd"}, None),
    "uploaded_by_app": ("GET", "/nms/headless/linkedapp/metadata", {**PAGE, "appcode": "dgl"}, None),
    "recent_tags": ("GET", "/nms/manual/tag/recents", {}, None),
    "tags_of": ("GET", f"/nms/manual/tags/{BEACH}", {}, None),
    "supported_documents": ("GET", "/cspp/intg/doc/supported", {}, None),
    "download_by_path": ("GET", f"/download/files/{HELLO}", {}, None),
    "thumbnail": ("GET", f"/download/avimages/{BEACH}", {}, None),
    "list_boards": ("GET", "/boards/sync/initial", {**PAGE, "albumType": "p"}, None),
    "board": ("GET", f"/boards/{BOARD}", {"page": "0", "limit": "5000", "sort": "-lastModifiedDate"}, None),
    "board_members": ("GET", f"/invites/boards/{BOARD}/members", {}, None),
    "leave_board": ("PUT", f"/invites/boards/{BOARD}/unjoin", {}, []),
    "contacts": ("GET", "/amiko/cab/contacts", CONTACTS, None),
    "emails": ("GET", "/amiko/cab/emails", {}, None),
    "banners": ("GET", "/promo/banner/list", {}, None),
    "restore": ("PUT", "/nms/metadata/restore", {}, {"objectKeys": ["00000000000000000000000000000009"]}),
}


@pytest.mark.parametrize("name", CALLS)
async def test_each_call_is_sent_as_the_table_says(foreign: ForeignServer, tmp_path: Path, name: str) -> None:
    method, path, query, body = CALLS[name]
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        await OPERATIONS[name].run(ForeignWorld(foreign, client, tmp_path))
    sent = next(one for one in foreign.asked if (one.method, one.path) == (method, path))
    # The size of a thumbnail is an extension, which other servers ignore.
    assert {name: value for name, value in sent.query.items() if name != "size"} == query
    assert sent.json() == body


async def test_a_cookie_for_downloads_is_asked_for_with_a_jwt(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        assert (await client.account.cookie_nonce("a.b.c")).nonce == "n"
    (sent,) = foreign.asked
    assert (sent.method, sent.path, sent.json()) == ("POST", "/security/getokenforcookie", {"jwt": "a.b.c"})


async def test_folders_links_and_boards_are_created_as_the_table_says(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        await client.create_folder("New")
        await client.shares.create(["/hello.txt", "/Photos"])
        await client.boards.create("Winter", "snow")
    bodies = {one.path: one.json() for one in foreign.asked if one.method == "POST"}
    assert bodies["/nms/folders"] == {"objectName": "New", "parentObjectKey": ROOT, "sourceName": "DRIVE"}
    link = bodies["/share/ulinks"]
    assert link.keys() == {"objects", "shareName", "shareType"}
    assert link["shareType"] == "L"
    assert SHARE_NAME.fullmatch(link["shareName"])
    assert [one.keys() for one in link["objects"]] == [{"objectKey"}, {"objectKey"}]
    assert bodies["/boards"] == {"boardName": "Winter", "boardDescription": "snow"}


async def test_a_batch_echoes_the_whole_object_with_the_one_change(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        await client.set_favorite(["/hello.txt"])
        await client.set_favorite(["/hello.txt"], False)
        await client.rename("/hello.txt", "bye.txt")
        await client.move(["/bye.txt"], "/Photos")
        await client.move_to_trash(["/Photos/bye.txt"])
    batches = [one.json() for one in foreign.asked if one.path == "/nms/metadata/1.0"]
    entries = [entry for batch in batches for entry in batch["objects"]]
    assert [batch.keys() for batch in batches] == [{"objects"}] * 5
    assert [entry["operation"] for entry in entries] == ["SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH"]
    assert all(entry.keys() == {"operation", "correlationId", "object"} for entry in entries)
    photos = foreign.drive.named("Photos").key
    changes = [("isFavorite", True), ("isFavorite", False), ("objectName", "bye.txt"), ("parentObjectKey", photos)]
    for entry, (name, value) in zip(entries, [*changes, ("status", "T")], strict=True):
        assert entry["object"][name] == value
        assert entry["object"]["status"] == ("T" if entry["operation"] == "TRASH" else "A")
        # Fields that a client does not know are part of the state too.
        assert {"cYear", "iconName", "sourceFolder", "sourceName", "hash", "version"} <= entry["object"].keys()


QUOTA = {
    "allocatedSpace": 1,
    "usedSpace": 2,
    "totalAllocatedQuota": 3,
    "totalUsedQuota": 4,
    "documentUsage": 5,
    "photoUsage": 6,
    "videoUsage": 7,
    "audioUsage": 8,
    "paidPlanQuota": 9,
    "defaultStorageSpace": 10,
    "totalPromotionalQuota": 11,
}
DEVICE = {"deviceName": "browser", "deviceKey": "d", "deviceType": "W", "platformType": "Firefox", "further": 1}
PROFILE = {
    "userId": USER,
    "authProviderId": 7,
    "emailId": "ada@example.org",
    "firstName": "Ada",
    "lastName": "Byron",
    "status": "A",
    "rootFolderKey": ROOT,
    "isMobileNumVerified": True,
    "isEmailIdVerified": False,
    "mobileNumber": "******1234",
    "quota": QUOTA,
    "devices": [DEVICE],
}
VERSION = {
    "version": 3,
    "displayVersion": "V3",
    "createdDate": 1_700_000_000_000,
    "isCurrentVersion": True,
    "versionCreatedBy": {"firstName": "Ada"},
    "lastUpdatedBy": {"firstName": "Grace"},
}
MEMBER = {
    "userId": USER,
    "firstName": "Ada",
    "memberType": "O",
    "memberStatus": "A",
    "memCreatedDate": 1_700_000_000_000,
}


class Answers(Quirk):
    """Answers with every field of the tables."""

    def instead(self, asked: Asked) -> Reply | None:
        whole: dict[str, Any] = {
            "/security/users": PROFILE,
            f"/nms/metadata/version/{HELLO}": {"totalVersions": 1, "objVersions": [VERSION]},
            f"/invites/boards/{BOARD}/members": {"boardMembers": [MEMBER]},
        }
        return Reply(200, whole[asked.path]) if asked.path in whole else None


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


def read(found: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a table as the client has them, under their names in its spelling."""
    named = {camel(name): name for name in found.__struct_fields__}
    return {name: getattr(found, named[name]) for name in fields if name in named}


async def test_every_field_of_the_tables_is_read_as_it_was_sent(foreign: ForeignServer) -> None:
    foreign.begin(Answers())
    async with AsyncClient(**foreign.settings) as client:
        profile = await client.account.profile()
        quota = await client.account.quota()
        (device,) = await client.account.devices()
        versions = await client.versions.list("/hello.txt")
        (member,) = await client.boards.members(BOARD)
    plain = {name: value for name, value in PROFILE.items() if name not in {"quota", "devices"}}
    assert read(profile, plain) == plain
    assert read(quota, QUOTA) == QUOTA
    known = {name: value for name, value in DEVICE.items() if name != "further"}
    assert read(device, known) == known
    assert versions.total_versions == 1
    (version,) = list(versions.obj_versions or ())
    simple = {name: value for name, value in VERSION.items() if not isinstance(value, dict)}
    assert read(version, simple) == simple
    assert version.version_created_by is not None
    assert version.version_created_by.first_name == "Ada"
    assert read(member, MEMBER) == MEMBER


async def test_listings_name_the_space_of_the_account(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        page = await client.page(kind="f", limit=1, sort="-objectName")
    (sent,) = [one for one in foreign.asked if one.path == "/nms/metadata"]
    assert (sent.query["type"], sent.query["limit"], sent.query["sort"]) == ("f", "1", "-objectName")
    assert (page.allocated_space, page.used_space, page.is_upload_allowed) == (1000, 250, True)
    assert [one.name for one in page.objects] == ["hello.txt"]


async def test_a_thumbnail_that_does_not_exist_is_an_error(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    async with AsyncClient(**foreign.settings) as client:
        for call in (client.thumbnail("/hello.txt"), client.versions.list("0" * 32)):
            with pytest.raises(ObjectNotFoundError):
                await call


async def test_an_account_without_contacts_has_none(foreign: ForeignServer) -> None:
    foreign.begin(NO_QUIRK)
    foreign.drive.contacts = []
    async with AsyncClient(**foreign.settings) as client:
        assert await all_of(client.contacts.list()) == []
    assert foreign.asked[0].headers["x-offset"] == "0"
    assert foreign.asked[0].headers["x-chunk-size"] == "30"
