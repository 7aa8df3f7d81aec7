"""A response about another thing than the one that was requested or sent is no success."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import json
from tests.client.foreign import Asked, Reply
from tests.client.test_foreign_servers import ROOT, Serve, drive, key, listing, serve, shown

from skyshelf.client.errors import IntegrityError, ObjectNotFoundError, UnexpectedAnswerError
from skyshelf.client.objects.remote_object import RemoteObject, remote_object
from skyshelf.client.upload.file import UploadOptions

__all__ = ["serve"]

OTHER_MD5 = "0" * 32


@pytest.mark.parametrize("options", [UploadOptions(), UploadOptions(small=0)], ids=["whole", "chunks"])
async def test_an_upload_that_is_shown_with_another_content_has_failed(
    serve: Serve, tmp_path: Path, options: UploadOptions
) -> None:
    (tmp_path / "a.txt").write_bytes(b"mine")
    stored = shown(1, "a.txt", hash=OTHER_MD5, sizeInBytes=4)
    _, client = serve(lambda asked: Reply(201, stored) if asked.method in {"POST", "PUT"} else drive()(asked))
    async with client:
        with pytest.raises(IntegrityError, match="shows the file with another content"):
            await client.upload(tmp_path / "a.txt", ROOT, options=options)
        # A server that sends no hash says nothing against it.
        del stored["hash"]
        assert (await client.upload(tmp_path / "a.txt", ROOT, options=options)).key == key(1)


@pytest.mark.parametrize("made", [shown(7, "other", "FR"), shown(7, "new", "FE")], ids=["another name", "a file"])
async def test_a_folder_is_looked_for_where_the_response_shows_something_else(
    serve: Serve, made: dict[str, Any]
) -> None:
    exists: list[dict[str, Any]] = []

    def make(asked: Asked) -> Reply:
        exists.append(shown(8, json.decode(asked.body)["objectName"], "FR"))
        return Reply(201, made)

    def show(asked: Asked) -> Reply:
        return Reply(200, {"objects": exists if (asked.query["type"], asked.query["page"]) == ("w", "0") else []})

    foreign, client = serve(drive(metadata=show, folders=make), lag=0.01)
    async with client:
        assert (await client.create_folder("new")).key == key(8)
        exists.clear()
        foreign.answering = drive(metadata=show, folders=lambda _: Reply(201, made))
        with pytest.raises(ObjectNotFoundError, match="although the server reported its creation"):
            await client.create_folder("new")


async def test_an_object_that_was_not_requested_is_not_taken_for_the_one_that_was(serve: Serve) -> None:
    def answering(asked: Asked) -> Reply:
        if asked.path.startswith("/x/v1/objects/"):
            return Reply(200, {"object": shown(2, "other"), "path": []})
        return drive(metadata=listing([shown(1, "mine"), shown(2, "other")]))(asked)

    _, client = serve(answering)
    async with client:
        assert (await client.get(key(1))).name == "mine"


@pytest.mark.parametrize("parent", [None, "", "root", "0" * 32, ROOT.upper()])
async def test_a_folder_that_objects_name_otherwise_or_not_at_all_is_listed(serve: Serve, parent: str | None) -> None:
    _, client = serve(drive(metadata=listing([shown(1, parentObjectKey=parent), shown(2, parentObjectKey=parent)])))
    async with client:
        assert [one.key async for one in client.list_folder()] == [key(1), key(2)]


async def test_one_object_of_another_folder_hides_no_other_and_a_page_of_them_is_an_error(serve: Serve) -> None:
    elsewhere = shown(2, parentObjectKey=key(9))
    foreign, client = serve(drive(metadata=listing([shown(1), elsewhere])))
    async with client:
        assert [one.key async for one in client.list_folder()] == [key(1), key(2)]
        foreign.answering = drive(metadata=listing([elsewhere]))
        with pytest.raises(UnexpectedAnswerError, match="contents of another folder"):
            [one async for one in client.list_folder()]


async def test_a_server_that_lists_what_was_just_moved_where_it_was_only_lags(serve: Serve) -> None:
    moved = shown(1, "a", parentObjectKey=key(9))
    answers = drive(
        metadata=listing([moved]),
        **{"_1_0": lambda asked: Reply(200, {"objects": json.decode(asked.body)["objects"]})},
    )
    _, client = serve(answers)
    async with client:
        await client.move([_object(moved)], key(9))
        assert [one.key async for one in client.list_folder()] == []


def _object(fields: dict[str, Any]) -> RemoteObject:
    return remote_object(json.encode({**fields, "parentObjectKey": ROOT}))
