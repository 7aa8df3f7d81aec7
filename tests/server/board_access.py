"""Every call through which a user could see another user's file that is, or was, on a board."""

import json
from typing import Any, Protocol

import httpx2

UNKNOWN = "0" * 32


class Somebody(Protocol):
    """A session, in process or over the network."""

    def request(self, method: str, path: str, **more: Any) -> httpx2.Response: ...


def _status(one: Somebody, method: str, path: str, **more: Any) -> int:
    return one.request(method, path, **more).status_code


def sees(one: Somebody, board: str, file: str) -> dict[str, bool]:
    """Which calls show the file to a user who may see it through the board; all must agree."""
    download, thumbnail = f"/download/files/{file}", f"/download/avimages/{file}"
    details = one.request("GET", f"/boards/{board}")
    listed = details.json().get("objects", []) if details.status_code == 200 else []
    return {
        "listing": file in {each["objectKey"] for each in listed},
        "download": _opens(one, "GET", download, 200),
        "head": _opens(one, "HEAD", download, 200),
        "range": _opens(one, "GET", download, 206, headers={"Range": "bytes=0-1"}),
        "thumbnail": _opens(one, "GET", thumbnail, 200),
        "thumbnail as webp": _opens(one, "GET", thumbnail, 200, headers={"Accept": "image/webp"}),
    }


def _opens(one: Somebody, method: str, path: str, success: int, **more: Any) -> bool:
    """Whether a call succeeds; otherwise its response must be that of an unknown key."""
    answer = one.request(method, path, **more)
    if answer.status_code == success:
        return True
    nowhere = one.request(method, path[:-32] + UNKNOWN, **more)
    assert (answer.status_code, answer.content) == (nowhere.status_code, nowhere.content), (path, answer.text)
    assert answer.status_code == 404
    return False


def on_board(one: Somebody, board: str) -> dict[str, bool]:
    """Whether the board itself is open, by everything that shows something of it."""
    found = {
        path: _status(one, "GET", path)
        for path in (f"/boards/{board}", f"/invites/boards/{board}/members", f"/x/v1/boards/{board}/comments")
    }
    boards = one.request("GET", "/boards/sync/initial").json()["boards"]
    assert set(found.values()) <= {200, 404}
    opened = {path: status == 200 for path, status in found.items()}
    return opened | {"list of boards": board in {each["boardKey"] for each in boards}}


def reaches_what_is_the_owners(one: Somebody, file: str, folder: str) -> list[str]:
    """The calls that only the owner may use and that succeed anyway: there must be none."""
    opened = []
    echo = {"objectKey": file, "objectName": "x.png", "sourceName": "DRIVE", "status": "T"}
    for operation in ("SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH"):
        entry = {"operation": operation, "correlationId": "1", "object": {**echo, "parentObjectKey": folder}}
        answer = one.request("PUT", "/nms/metadata/1.0", json={"objects": [entry]}).json()
        if answer["objects"] or answer["unprocessed"][0]["object"]["errorCode"] != "SKY3000":
            opened.append(operation)
    share = {"objects": [{"objectKey": file}], "shareName": "x", "shareType": "L"}
    closed: list[tuple[str, str, Any]] = [
        ("GET", f"/nms/metadata/version/{file}", None),
        ("GET", f"/download/files/{file}?version=1", None),
        ("GET", f"/nms/manual/tags/{file}", None),
        ("GET", f"/nms/metadata?folderKey={folder}", None),
        ("POST", "/share/ulinks", share),
    ]
    for method, path, body in closed:
        more = {} if body is None else {"json": body}
        if _status(one, method, path, **more) != 404:
            opened.append(path)
    for path in ("/x/v1/tags", "/nms/metadata/restore"):
        body = {"objectKeys": [file]} | ({"tagName": "mine"} if "tags" in path else {})
        answer = one.request("POST" if "tags" in path else "PUT", path, json=body)
        if not answer.json().get("unprocessed"):
            opened.append(path)
    for feed in ("/nms/metadata/recent/objects", "/nms/collshare/byme", "/nms/trash", "/x/v1/favorites"):
        if file in json.dumps(one.request("GET", feed).json()):
            opened.append(feed)
    return opened
