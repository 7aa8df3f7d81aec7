"""The limits of nested folders, as a client meets them."""

from tests.server.api import Api, error_of
from tests.server.echoes import echo_of, entry, listed
from tests.server.uploading import upload

from skyshelf.wire.error_codes import TOO_DEEP
from skyshelf.wire.limits import FOLDER_DEPTH_MAX, FOLDER_PATH_BYTES_MAX, NAME_BYTES_MAX, PATH_BYTES_MAX

REFUSED = (400, TOO_DEEP.code)


def nested(api: Api, levels: int, name: str = "n") -> list[str]:
    keys = [api.root_key]
    for _ in range(levels):
        keys.append(api.folder(name, keys[-1]).object_key)
    return keys[1:]


def create(api: Api, name: str, parent_key: str) -> object:
    body = {"objectName": name, "parentObjectKey": parent_key, "sourceName": "DRIVE"}
    response = api.post("/nms/folders", json=body)
    return 201 if response.status_code == 201 else error_of(response)


def test_a_folder_that_is_too_deep_is_refused_with_a_sentence(api: Api) -> None:
    keys = nested(api, FOLDER_DEPTH_MAX)
    assert create(api, "one more", keys[-1]) == REFUSED
    body = {"objectName": "x", "parentObjectKey": keys[-1], "sourceName": "DRIVE"}
    assert str(FOLDER_DEPTH_MAX) in api.post("/nms/folders", json=body).json()["message"]
    assert create(api, "beside it", keys[-2]) == 201
    assert upload(api, "a file.txt", b"1", folderKey=keys[-1]).status_code == 201


def test_a_file_in_the_longest_path_has_the_longest_name(api: Api) -> None:
    whole, rest = divmod(FOLDER_PATH_BYTES_MAX + 1, NAME_BYTES_MAX + 1)
    keys = nested(api, whole, "n" * NAME_BYTES_MAX)
    assert create(api, "n" * rest, keys[-1]) == REFUSED
    last = api.folder("n" * (rest - 1), keys[-1]).object_key
    assert upload(api, "f" * NAME_BYTES_MAX, b"1", folderKey=last).status_code == 201
    assert whole * (NAME_BYTES_MAX + 1) + rest + NAME_BYTES_MAX == PATH_BYTES_MAX


def test_a_batch_reports_what_would_be_too_deep_and_does_the_rest(api: Api) -> None:
    deep, low = nested(api, 60, "deep"), nested(api, 41, "low")
    file = api.file("a.txt").object_key
    entries = [
        entry("MOVE", echo_of(api, low[0]), parentObjectKey=deep[-1]),
        entry("MOVE", echo_of(api, file), parentObjectKey=deep[-1]),
    ]
    answer = api.put("/nms/metadata/1.0", json={"objects": entries}).json()
    assert [one["object"]["errorCode"] for one in answer["unprocessed"]] == [TOO_DEEP.code]
    assert [one["object"]["objectKey"] for one in answer["objects"]] == [file]
    assert [one["objectKey"] for one in listed(api, deep[-1])] == [file]
