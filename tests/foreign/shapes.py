"""Quirks of answers that the interface allows: all of them must be read."""

from dataclasses import replace
from typing import Any

from tests.foreign.drive import FOREVER, ROOT, Drive
from tests.foreign.interface import Interface
from tests.foreign.messages import Asked, Reply
from tests.foreign.quirk import Must, Quirk, Touches

DISPLAY = (
    *("displayName", "iconName", "tileName", "gridDate", "cMonthNo", "cYear", "latestVersion"),
    "recipientsObjRights",
)
ODD: tuple[Any, ...] = (1, 1.5, True, None, {}, [], {"a": [1]}, "text")


class Lag(Quirk):
    """Listings, feeds and trash do not show what was changed, for as long as the test lasts."""

    name = "lag"

    def prepare(self, drive: Drive, interface: Interface) -> None:
        drive.lag = FOREVER


class EmptyBodies(Quirk):
    """Calls whose answers the text does not show answer with nothing."""

    name = "empty bodies"
    touches: Touches = "writes"

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        silent = ("/nms/folders", "/nms/metadata/restore")
        if reply.status >= 300 or not (asked.path in silent or asked.path.endswith("/unjoin")):
            return reply
        unprocessed = reply.body.get("unprocessed") if isinstance(reply.body, dict) else None
        return replace(reply, body={"unprocessed": unprocessed} if unprocessed else b"")


class EmptyBodiesWithLag(EmptyBodies):
    """Both at once: nothing says which key a new folder has."""

    name = "empty bodies, lag"
    must: Must = "either"

    def prepare(self, drive: Drive, interface: Interface) -> None:
        # Short, because a client has to look again until it finds the key.
        drive.lag = 0.05


class Rendered(Quirk):
    """Objects look different on the wire."""

    touches: Touches = "everything"


class OddDisplayFields(Rendered):
    """Display fields of every type."""

    name = "odd display fields"

    def __init__(self) -> None:
        self._turn = 0

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        self._turn += 1
        odd = {name: ODD[(self._turn + place) % len(ODD)] for place, name in enumerate(DISPLAY)}
        return {**shown, **odd}


class NumbersAsText(Rendered):
    name = "numbers as text"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: str(value) if type(value) is int else value for name, value in shown.items()}


class NumbersAsFloats(Rendered):
    name = "numbers as floats"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: float(value) if type(value) is int else value for name, value in shown.items()}


class BooleansAsNumbers(Rendered):
    name = "booleans as 0 and 1"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: int(value) if isinstance(value, bool) else value for name, value in shown.items()}


ESSENTIAL = {
    *("objectKey", "parentObjectKey", "objectName", "objectType", "sizeInBytes", "hash", "sourceName", "status"),
    "lastModifiedDate",
}


class Nulls(Rendered):
    """Everything that a client can do without is null."""

    name = "nulls"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: value if name in ESSENTIAL else None for name, value in shown.items()}


class MissingFields(Rendered):
    """Everything that a client can do without is missing."""

    name = "missing fields"

    def prepare(self, drive: Drive, interface: Interface) -> None:
        interface.sparse = True

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in shown.items() if name in ESSENTIAL}


class UnknownFields(Quirk):
    """Fields that nobody has heard of, at every level."""

    name = "unknown fields"

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        return replace(reply, body=_extended(reply.body))


def _extended(value: Any) -> Any:
    if isinstance(value, dict):
        # What maps names to URLs has no fields, known or not.
        named = {name: one if name == "favIconUrls" else _extended(one) for name, one in value.items()}
        return {**named, "zzUnknown": {"a": [1, None]}}
    return [_extended(one) for one in value] if isinstance(value, list) else value


class NoHash(Rendered):
    """Files without a hash: what is downloaded cannot be verified, and must not be called verified."""

    name = "no hash"
    touches: Touches = "downloads"
    must: Must = "error"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in shown.items() if name != "hash"}


class UpperCaseHash(Rendered):
    name = "hash in upper case"
    touches: Touches = "downloads"

    def render(self, shown: dict[str, Any]) -> dict[str, Any]:
        return {name: value.upper() if name == "hash" else value for name, value in shown.items()}


class ManyTrashed(Quirk):
    """More in the trash than one answer holds, and no pages."""

    name = "long trash"
    touches: Touches = "trash"

    def prepare(self, drive: Drive, interface: Interface) -> None:
        for number in range(2100):
            drive.add(f"trashed{number}", b"", status="T")
        drive.settle()


class DuplicateNames(Quirk):
    """Two objects share a name; a path to them is ambiguous, everything else works."""

    name = "duplicate names"

    def prepare(self, drive: Drive, interface: Interface) -> None:
        drive.add("twin.txt", b"one")
        drive.add("twin.txt", b"two")
        drive.settle()


class UnknownTypes(Quirk):
    """Objects of types that nobody has heard of."""

    name = "unknown object types"

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        if asked.path not in {"/nms/metadata", "/nms/metadata/defaultview/myfiles/v1"} or reply.status != 200:
            return reply
        strange = {"objectKey": "E" * 32, "objectName": "strange", "objectType": "ZZ", "parentObjectKey": ROOT}
        first = asked.query.get("page", "0") == "0" and asked.query["folderKey"].upper() == ROOT
        wanted = first and asked.query.get("type") == "f"
        return replace(reply, body={**reply.body, "objects": [*reply.body["objects"], *([strange] if wanted else [])]})


class BareBatches(Quirk):
    """Answers of batches name what was processed by key alone."""

    name = "bare batch answers"
    touches: Touches = "batches"

    def changed(self, asked: Asked, reply: Reply) -> Reply:
        if asked.path != "/nms/metadata/1.0" or reply.status != 200:
            return reply
        bare = [{**one, "object": {"objectKey": one["object"]["objectKey"]}} for one in reply.body["objects"]]
        return replace(reply, body={**reply.body, "objects": bare})


SHAPES: tuple[Quirk, ...] = (
    Lag(),
    EmptyBodies(),
    EmptyBodiesWithLag(),
    OddDisplayFields(),
    NumbersAsText(),
    NumbersAsFloats(),
    BooleansAsNumbers(),
    Nulls(),
    MissingFields(),
    UnknownFields(),
    NoHash(),
    UpperCaseHash(),
    ManyTrashed(),
    DuplicateNames(),
    UnknownTypes(),
    BareBatches(),
)
