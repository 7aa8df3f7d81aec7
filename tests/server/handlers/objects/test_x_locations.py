"""One object by its key, and the folders that lead to it."""

from tests.server.api import Api, error_of

NOT_FOUND = (404, "SKY3000")


def test_an_object_comes_with_the_folders_from_the_root_down(api: Api) -> None:
    outer = api.folder("outer")
    inner = api.folder("inner", outer.object_key)
    file = api.file("a.txt", parent_key=inner.object_key)
    place = api.get(f"/x/v1/objects/{file.object_key}").json()
    assert place["object"]["objectName"] == "a.txt"
    assert place["object"]["parentObjectKey"] == inner.object_key
    root = api.get(f"/x/v1/objects/{api.root_key}").json()
    assert root["path"] == []
    assert [step["objectKey"] for step in place["path"]] == [api.root_key, outer.object_key, inner.object_key]
    assert [step["objectName"] for step in place["path"]][1:] == ["outer", "inner"]


def test_what_is_in_the_trash_or_below_it_is_not_found(api: Api) -> None:
    folder = api.folder("gone")
    file = api.file("a.txt", parent_key=folder.object_key)
    api.trash(folder.object_key)
    for key in (folder.object_key, file.object_key):
        assert error_of(api.get(f"/x/v1/objects/{key}")) == NOT_FOUND


def test_the_object_of_another_account_is_not_found(api: Api, other_api: Api) -> None:
    theirs = other_api.file("a.txt").object_key
    assert error_of(api.get(f"/x/v1/objects/{theirs}")) == NOT_FOUND
