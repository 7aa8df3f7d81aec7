"""Listings and batches as a client makes them: it lists, and echoes what was listed."""

from typing import Any

from tests.server.answers import answer_of
from tests.server.api import Api

from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.store import Unit

Json = dict[str, Any]


def listed(api: Api, folder_key: str | None = None, **params: Any) -> list[Json]:
    """The objects of a folder, the root by default."""
    query = {"folderKey": folder_key or api.root_key, **params}
    objects: list[Json] = answer_of(api.get("/nms/metadata", params=query), "listing")["objects"]
    return objects


def names(objects: list[Json]) -> list[str]:
    return [one["objectName"] for one in objects]


def in_trash(api: Api, **params: Any) -> list[Json]:
    objects: list[Json] = answer_of(api.get("/nms/trash", params=params), "trash")["objects"]
    return objects


def echo_of(api: Api, object_key: str, folder_key: str | None = None) -> Json:
    """The full object, as the listing of its folder shows it."""
    (found,) = [one for one in listed(api, folder_key, limit=5000) if one["objectKey"] == object_key]
    return found


def entry(operation: str, echo: Json, **changes: Any) -> Json:
    """One entry of a batch: an echo with a change."""
    return {"operation": operation, "correlationId": "a correlation", "object": echo | changes}


def batch(api: Api, *entries: Json) -> Json:
    """What became of the entries."""
    answer: Json = answer_of(api.put("/nms/metadata/1.0", json={"objects": entries}), "batch")
    return answer


def make_folders(api: Api, count: int, parent_key: str | None = None) -> list[str]:
    """Folders called 0000, 0001 and so on, made in one transaction; their keys."""
    now = api.ctx.clock.now()
    new = [
        NewFolder(object_key=api.ctx.new_key(), parent_key=parent_key or api.root_key, name=f"{number:04d}")
        for number in range(count)
    ]

    def work(unit: Unit) -> None:
        for folder in new:
            unit.tree.add_folder(api.account.account_id, folder, now)

    api.ctx.metadata.write(work)
    return [folder.object_key for folder in new]


def refusals(answer: Json) -> list[tuple[str, str]]:
    """Key and code of what was not processed."""
    return [(one["object"]["objectKey"], one["object"]["errorCode"]) for one in answer["unprocessed"]]
