"""Batch operations of the foreign server: every entry is applied or refused on its own."""

from typing import Any

from tests.foreign.drive import Drive, Entry
from tests.foreign.messages import Asked, Reply, refused

OPERATIONS = ("SETFAV", "UNSETFAV", "RENAME", "MOVE", "TRASH")

FULL_ECHO = frozenset(
    {"objectKey", "parentObjectKey", "objectName", "objectType", "sizeInBytes", "status", "sourceName"}
    | {"fileCreatedDate", "lastModifiedDate", "isFavorite", "version", "mimeType"}
)
"""Fields without which an echo is not the full state of an object."""


def batch(drive: Drive, asked: Asked, origin: str, *, sparse: bool = False) -> Reply:
    """PUT /nms/metadata/1.0; where objects are sent without some of their fields, echoes have no more."""
    body = asked.json()
    given = body.get("objects") if isinstance(body, dict) else None
    if not isinstance(given, list) or any(one.get("operation") not in OPERATIONS for one in given):
        return refused(400, "NMSOM0135", "Request is not proper")
    processed: list[dict[str, Any]] = []
    unprocessed: list[dict[str, Any]] = []
    for one in given:
        echo = one["object"]
        entry = drive.find(str(echo.get("objectKey")))
        named = {"operation": one["operation"], "correlationId": one.get("correlationId")}
        code = "NOT_FOUND" if entry is None else _refusal(drive, entry, one["operation"], echo, sparse=sparse)
        if entry is None or code is not None:
            unprocessed.append({**named, "object": {"objectKey": echo.get("objectKey"), "errorCode": code}})
            continue
        _apply(drive, entry, one["operation"], echo)
        processed.append({**named, "object": entry.shown(entry.now, origin)})
    return Reply(200, {"objects": processed, "unprocessed": unprocessed, "usedSpace": 1, "isUploadAllowed": True})


def restore(drive: Drive, asked: Asked, origin: str) -> Reply:
    """PUT /nms/metadata/restore."""
    keys = (asked.json() or {}).get("objectKeys")
    if not isinstance(keys, list) or not keys:
        return refused(400, "NMSOM0135", "Request is not proper")
    restored, unprocessed = [], []
    for key in keys:
        entry = drive.find(key)
        if entry is None or entry.now.status != "T":
            unprocessed.append({"object": {"objectKey": key}})
            continue
        drive.change(entry, status="A")
        restored.append(entry.shown(entry.now, origin))
    return Reply(200, {"objects": restored, "unprocessed": unprocessed})


def legacy_delete(asked: Asked) -> Reply:
    """PUT /nms/metadata/delete trashes nothing, with status 200."""
    keys = (asked.json() or {}).get("objectKeys") or []
    return Reply(200, {"objects": [], "unprocessed": [{"object": {"objectKey": key}} for key in keys]})


def _refusal(drive: Drive, entry: Entry, operation: str, echo: dict[str, Any], *, sparse: bool) -> str | None:
    if not echo.get("objectName"):
        return "TEJVF0001"
    if not echo.get("sourceName"):
        return "NMSOM0021"
    if not sparse and not echo.keys() >= FULL_ECHO:
        return "NOT_A_FULL_ECHO"
    if operation == "TRASH" and echo.get("status") != "T":
        return "NMSOM0135"
    if operation == "MOVE" and not drive.is_folder(str(echo.get("parentObjectKey"))):
        return "NOT_FOUND"
    name = echo["objectName"] if operation == "RENAME" else entry.now.name
    parent = echo["parentObjectKey"] if operation == "MOVE" else entry.now.parent
    if operation in {"RENAME", "MOVE"} and drive.taken(parent, name, but=entry):
        return "TAKEN"
    return None


def _apply(drive: Drive, entry: Entry, operation: str, echo: dict[str, Any]) -> None:
    match operation:
        case "SETFAV" | "UNSETFAV":
            drive.change(entry, favorite=operation == "SETFAV")
        case "RENAME":
            drive.change(entry, name=echo["objectName"])
        case "MOVE":
            drive.change(entry, parent=echo["parentObjectKey"].upper())
        case _:
            drive.change(entry, status="T")
