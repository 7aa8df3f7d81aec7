"""Every call of the interface's tables, answered from an account in memory.

Where the text does not show a shape, the smallest one that fits is sent. What the text does not have is 404.
"""

import itertools
import re
from collections.abc import Callable
from typing import Any

from tests.foreign.batches import batch, legacy_delete, restore
from tests.foreign.drive import CREATED, OTHER_USER, ROOT, USER, Drive, Entry, State
from tests.foreign.messages import Asked, Reply, refused

LIMIT_MAX = 2000
BOARD_LIMIT_MAX = 5000
NOT_FOUND = refused(404, "NOTFOUND", "no such object")
SHARE_NAME = re.compile(r"\d{2}(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\d{4}_\d{6}")
PAGE_DATE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}")


class Interface:
    """The calls, on one account. `render` has the last word on how an object looks on the wire."""

    def __init__(self, drive: Drive, origin: str, render: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.drive = drive
        self.origin = origin
        self.sparse = False
        self._render = render
        self._tokens = itertools.count(1)
        self._calls: list[tuple[str, re.Pattern[str], Callable[..., Reply]]] = [
            (method, re.compile(path), call)
            for method, path, call in (
                ("GET", "/security/users", self._profile),
                ("GET", "/security/users/promotions", lambda _: Reply(200, {"activePromotions": []})),
                ("GET", "/app/settings", lambda _: Reply(200, {"backup": {"photos": True}})),
                ("POST", "/security/getokenforcookie", lambda _: Reply(200, {"nonce": "n"})),
                ("GET", "/nms/metadata/defaultview/myfiles/v1", self._view),
                ("GET", "/nms/metadata", self._legacy_view),
                ("PUT", r"/nms/metadata/1\.0", self._batch),
                ("PUT", "/nms/metadata/restore", self._restore),
                ("PUT", "/nms/metadata/delete", legacy_delete),
                ("GET", "/nms/trash", self._trash),
                ("GET", "/nms/metadata/version/([^/]+)", self._versions),
                ("GET", "/nms/metadata/recent/objects", self._recent),
                ("GET", "/nms/spotlights/metadata", self._spotlights),
                ("GET", "/nms/collshare/byme", self._shared),
                ("GET", "/nms/headless/linkedapp/metadata", lambda _: Reply(200, {"objects": []})),
                ("GET", "/nms/manual/tag/recents", lambda _: Reply(200, [{"tagId": "t1", "tagName": "sea"}])),
                ("GET", "/nms/manual/tags/([^/]+)", lambda _, __: Reply(200, [{"tagId": "t1", "tagName": "sea"}])),
                ("GET", "/cspp/intg/doc/supported", self._supported),
                ("POST", "/nms/folders", self._create_folder),
                ("POST", "/share/ulinks", self._share),
                ("GET", "/download/files/([^/]+)", self._download),
                ("GET", "/download/avimages/([^/]+)", self._thumbnail),
                ("GET", "/boards/sync/initial", self._boards),
                ("POST", "/boards", self._create_board),
                ("GET", "/boards/([^/]+)", self._board),
                ("GET", "/invites/boards/([^/]+)/members", self._members),
                ("PUT", "/invites/boards/([^/]+)/unjoin", self._unjoin),
                ("GET", "/amiko/cab/contacts", self._contacts),
                ("GET", "/amiko/cab/emails", self._emails),
                ("GET", "/promo/banner/list", lambda _: Reply(200, {"cards": [{"title": "More space"}]})),
            )
        ]

    def answer(self, asked: Asked) -> Reply:
        for method, path, call in self._calls:
            found = path.fullmatch(asked.path)
            if found and method == asked.method:
                return call(asked, *found.groups())
        return Reply(404, b"<html>no such page</html>", {"Content-Type": "text/html"})

    def shown(self, entry: Entry, state: State | None = None) -> dict[str, Any]:
        return self._render(entry.shown(state or entry.now, self.origin))

    # Account

    def _profile(self, _: Asked) -> Reply:
        quota = {"totalAllocatedQuota": 1000, "totalUsedQuota": 250, "allocatedSpace": 1, "usedSpace": 1}
        device = {"deviceName": "browser", "deviceKey": "d", "deviceType": "W", "platformType": "Firefox"}
        profile = {"userId": USER, "emailId": "ada@example.org", "firstName": "Ada", "lastName": "Byron", "status": "A"}
        return Reply(200, {**profile, "rootFolderKey": ROOT, "quota": quota, "devices": [device]})

    # Listings

    def _view(self, asked: Asked) -> Reply:
        return self._listing(asked, 0)

    def _legacy_view(self, asked: Asked) -> Reply:
        return self._listing(asked, int(asked.query.get("page", "0")))

    def _listing(self, asked: Asked, page: int) -> Reply:
        folder = asked.query.get("folderKey", "").upper()
        # Without a type only files are listed: both kinds in one call are not available.
        kind = asked.query.get("type", "f")
        limit = int(asked.query.get("limit", "200"))
        if kind not in {"f", "w"}:
            return refused(400, "NMSOM0129", "provide valid value for folder(W) or file(F) search")
        if not 1 <= limit <= LIMIT_MAX:
            return refused(400, "LIMIT", "limit")
        if not self.drive.is_folder(folder):
            return NOT_FOUND
        found = [
            (entry, state)
            for entry, state in self.drive.listed()
            if (state.parent, state.status, entry.is_folder) == (folder, "A", kind == "w")
        ]
        return self._page(_sorted(found, asked.query.get("sort", "+objectName")), page * limit, limit)

    def _page(self, found: list[tuple[Entry, State]], start: int, limit: int) -> Reply:
        objects = [self.shown(*one) for one in found[start : start + limit]]
        return Reply(200, {"allocatedSpace": 1000, "usedSpace": 250, "isUploadAllowed": True, "objects": objects})

    def _trash(self, asked: Asked) -> Reply:
        """Has no pages: `page` is ignored."""
        limit = min(int(asked.query.get("limit", "200")), LIMIT_MAX)
        found = [(entry, state) for entry, state in self.drive.listed() if state.status == "T"]
        return Reply(200, {"objects": [self.shown(*one) for one in found[:limit]]})

    def _versions(self, asked: Asked, key: str) -> Reply:
        """With the fields of the table alone: neither size nor hash."""
        entry = self.drive.find(key)
        if entry is None:
            return NOT_FOUND
        version = {"version": 1, "displayVersion": "V1", "createdDate": CREATED, "isCurrentVersion": True}
        return Reply(200, {"totalVersions": 1, "objVersions": [{**version, "versionCreatedBy": {"firstName": "Ada"}}]})

    # Feeds

    def _recent(self, _: Asked) -> Reply:
        found = [one for one in self.drive.listed() if one[1].status == "A" and not one[0].is_folder]
        pictures = [self.shown(*one) for one in found if one[0].mime[0] == "image"]
        others = [self.shown(*one) for one in found if one[0].mime[0] != "image"]
        return Reply(200, {"objectsImgs": pictures, "objectsDocs": others})

    def _spotlights(self, asked: Asked) -> Reply:
        return Reply(200, {"spotLights": [{"title": "On this day"}] if asked.query.get("page", "0") == "0" else []})

    def _shared(self, asked: Asked) -> Reply:
        keys = {one["objectKey"].upper() for link in self.drive.links for one in link["objects"]}
        found = [one for one in self.drive.listed() if one[0].key in keys]
        limit = int(asked.query.get("limit", "200"))
        return self._page(found, int(asked.query.get("page", "0")) * limit, limit)

    def _supported(self, _: Asked) -> Reply:
        return Reply(200, {"supportedExtensions": {"view": ["pdf"], "edit": [], "favIconUrls": {}}})

    # Changes

    def _batch(self, asked: Asked) -> Reply:
        reply = batch(self.drive, asked, self.origin, sparse=self.sparse)
        if reply.status == 200:
            for one in reply.body["objects"]:
                one["object"] = self._render(one["object"])
        return reply

    def _restore(self, asked: Asked) -> Reply:
        reply = restore(self.drive, asked, self.origin)
        if reply.status == 200:
            reply.body["objects"] = [self._render(one) for one in reply.body["objects"]]
        return reply

    def _create_folder(self, asked: Asked) -> Reply:
        given = asked.json() or {}
        name, parent = given.get("objectName"), str(given.get("parentObjectKey", "")).upper()
        if not name or given.get("sourceName") != "DRIVE":
            return refused(400, "NMSOM0021", "Source name is null or empty")
        if not self.drive.is_folder(parent):
            return NOT_FOUND
        if self.drive.taken(parent, name):
            return refused(409, "TAKEN", "the name is taken")
        return Reply(201, self.shown(self.drive.add(name, parent=parent)))

    def _share(self, asked: Asked) -> Reply:
        given = asked.json() or {}
        if given.get("shareType") != "L" or not SHARE_NAME.fullmatch(str(given.get("shareName"))):
            return refused(400, "SHARE", "shareType or shareName")
        if any(self.drive.find(one["objectKey"]) is None for one in given["objects"]):
            return NOT_FOUND
        self.drive.links.append(given)
        return Reply(201, {"shareURL": f"{self.origin}/l/?u=nonce{next(self._tokens)}"})

    # Downloads

    def _download(self, _: Asked, key: str) -> Reply:
        entry = self.drive.find(key)
        if entry is None or entry.is_folder or entry.now.status != "A":
            return NOT_FOUND
        return Reply(200, entry.content)

    def _thumbnail(self, _: Asked, key: str) -> Reply:
        entry = self.drive.find(key)
        if entry is None or entry.mime[0] != "image":
            return NOT_FOUND
        return Reply(200, b"\xff\xd8\xff\xe0 a small picture", {"Content-Type": "image/jpeg"})

    # Boards

    def _boards(self, _: Asked) -> Reply:
        return Reply(
            200, {"boards": [_board(board) for board in self.drive.boards.values() if USER in board["members"]]}
        )

    def _create_board(self, asked: Asked) -> Reply:
        name = (asked.json() or {}).get("boardName")
        if not name:
            return refused(400, "BOARD", "boardName")
        key = f"{0xB1 + len(self.drive.boards):032X}"
        self.drive.boards[key] = {"boardKey": key, "boardName": name, "ownerUserId": USER, "members": [USER]}
        return Reply(201, _board(self.drive.boards[key]))

    def _own_board(self, key: str) -> dict[str, Any] | None:
        board = self.drive.boards.get(key.upper())
        return board if board and USER in board["members"] else None

    def _board(self, asked: Asked, key: str) -> Reply:
        board = self._own_board(key)
        if board is None:
            return NOT_FOUND
        if int(asked.query.get("limit", "1")) > BOARD_LIMIT_MAX:
            return refused(400, "LIMIT", "limit")
        first = asked.query.get("page", "0") == "0"
        picture = next(one for one in self.drive.listed() if one[1].name == "beach.jpg")
        return Reply(200, {"board": _board(board), "objects": [self.shown(*picture)] if first else []})

    def _members(self, _: Asked, key: str) -> Reply:
        board = self._own_board(key)
        if board is None:
            return NOT_FOUND
        names = {USER: ("Ada", "O"), OTHER_USER: ("Grace", "M")}
        members = [
            {"userId": one, "firstName": names[one][0], "memberType": names[one][1], "memberStatus": "A"}
            for one in board["members"]
        ]
        return Reply(200, {"boardMembers": [{**one, "memCreatedDate": CREATED} for one in members]})

    def _unjoin(self, asked: Asked, key: str) -> Reply:
        board = self._own_board(key)
        if board is None:
            return NOT_FOUND
        if asked.json() != []:
            return refused(400, "BODY", "the body must be an empty array")
        board["members"].remove(USER)
        return Reply(200, {})

    # People

    def _contacts(self, asked: Asked) -> Reply:
        return self._chunk(asked, "contacts", self.drive.contacts)

    def _emails(self, asked: Asked) -> Reply:
        emails = [{"emailId": f"{one['contactId']}@example.org"} for one in self.drive.contacts]
        return self._chunk(asked, "contactEmail", emails)

    def _chunk(self, asked: Asked, name: str, rows: list[dict[str, Any]]) -> Reply:
        date = asked.query.get("nextPageDate")
        if not asked.headers.get("x-offset", "").isdigit() or (date is not None and not PAGE_DATE.fullmatch(date)):
            return refused(400, "TEJRF0400", "Missing or invalid X-Offset / nextPageDate must be a valid time")
        start, size = int(asked.headers["x-offset"]), int(asked.headers.get("x-chunk-size", "30"))
        return Reply(200, {name: rows[start : start + size]} if rows else {})


def _board(board: dict[str, Any]) -> dict[str, Any]:
    shown = {name: value for name, value in board.items() if name != "members"}
    counts = {"filesCount": 1, "imageCount": 2, "videoCount": 3, "audioCount": 4, "commentsCount": 5, "sizeInBytes": 6}
    fixed = {"boardType": "P", "status": "A", "boardDescription": "by the sea", "lastModifiedDate": CREATED, **counts}
    return {**fixed, **shown, "usersCount": len(board["members"]), "createdDate": CREATED - 1}


def _sorted(found: list[tuple[Entry, State]], sort: str) -> list[tuple[Entry, State]]:
    ordered = sorted(found, key=lambda one: one[0].key)
    if "objectName" in sort:
        ordered.sort(key=lambda one: one[1].name.casefold())
    return ordered[::-1] if sort.startswith("-") else ordered
