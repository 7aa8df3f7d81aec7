"""A client that has the newest page already is told so, and never when anything on it has changed."""

import httpx2
import msgspec
import pytest
from tests.server.api import Api, error_of
from tests.server.good_calls import furnish, good_call, removing_last
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for, open_context
from skyshelf.service.context import ServiceContext
from skyshelf.wire.endpoint import Host
from skyshelf.wire.endpoints import BY_NAME

_ENDING = {"logout", "delete_account"}

PATHS = ("/nms/metadata", "/nms/metadata/defaultview/myfiles/v1", "/nms/metadata/defaultview")


def listing(api: Api, path: str = PATHS[0], tag: str | None = None, **query: object) -> httpx2.Response:
    headers = {"if-none-match": tag} if tag is not None else {}
    return api.get(path, params={"folderKey": api.root_key, "type": "f", **query}, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_the_same_page_is_not_sent_twice(api: Api, path: str) -> None:
    api.file("a.txt")
    first = listing(api, path)
    assert first.status_code == 200, first.text
    assert first.headers["cache-control"] == "no-store"
    again = listing(api, path, first.headers["etag"])
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert listing(api, path, f'"other", {first.headers["etag"]}').status_code == 304
    assert listing(api, path, '"other"').status_code == 200


def test_another_page_order_or_account_has_another_tag(api: Api, other_api: Api) -> None:
    tag = listing(api).headers["etag"]
    for query in ({"limit": 7}, {"page": 1}, {"type": "w"}, {"sort": "-objectName"}):
        assert listing(api, tag=tag, **query).status_code == 200
    assert listing(other_api, tag=tag).status_code == 200


def test_a_page_is_not_known_after_a_start(ctx: ServiceContext, settings: ServerSettings, api: Api) -> None:
    """A backup may have been restored in between."""
    tag = listing(api).headers["etag"]
    with TestClient(app_for(msgspec.structs.replace(ctx, instance=b"a second"), settings)) as client:
        again = Api(client, ctx, api.account, api.login)
        assert listing(again, tag=tag).status_code == 200
    one, other = open_context(settings), open_context(settings)
    assert one.instance != other.instance
    for opened in (one, other):
        opened.metadata.close()
        opened.blobs.close()


def test_a_folder_that_is_gone_is_missing_and_not_unmodified(api: Api) -> None:
    folder = api.folder("a")
    first = listing(api, folderKey=folder.object_key)
    api.trash(folder.object_key)
    for tag in (first.headers["etag"], "*"):
        assert error_of(listing(api, tag=tag, folderKey=folder.object_key))[0] == 404


def test_no_call_changes_a_page_and_leaves_its_tag(api: Api) -> None:
    """Every call of the interface, one after the other."""
    keys = furnish(api)
    folders = [api.root_key, keys.folder]

    def pages() -> list[tuple[str, bytes]]:
        found = [listing(api, folderKey=folder, type=kind) for folder in folders for kind in "fw"]
        return [(one.headers.get("etag", ""), one.content) for one in found]

    before, changed = pages(), 0
    for name in removing_last(BY_NAME):
        if BY_NAME[name].method == "GET" or BY_NAME[name].host is Host.SHARE or name in _ENDING:
            continue
        call = good_call(name, api, keys)
        call.send(api)
        after = pages()
        for (old_tag, old), (new_tag, new) in zip(before, after, strict=True):
            if new != old:
                changed += 1
                assert new_tag != old_tag, name
        before = after
    assert changed >= 5
