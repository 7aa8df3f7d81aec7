"""Placeholders: a tiny picture for every file that has a thumbnail."""

import base64
import io

from PIL import Image
from tests.server.api import Api
from tests.service.pictures import encoded

THUMBNAIL = "/download/avimages/{}"


def test_a_thumbnail_leaves_a_tiny_picture_behind_that_only_the_owner_gets(api: Api, other_api: Api) -> None:
    picture = Image.new("RGB", (300, 600), "red")
    file = api.file("tall.jpg", encoded("JPEG", picture))
    text = api.file("a.txt", b"text")
    keys = {"objectKeys": f"{file.object_key},{text.object_key}"}
    assert api.get("/x/v1/placeholders", params=keys).json() == {"placeholders": []}
    assert api.get(THUMBNAIL.format(file.object_key), params={"size": "512"}).status_code == 200
    [found] = api.get("/x/v1/placeholders", params=keys).json()["placeholders"]
    assert found["objectKey"] == file.object_key
    kind, data = found["image"].split(",")
    assert kind == "data:image/webp;base64"
    tiny = Image.open(io.BytesIO(base64.b64decode(data)))
    assert (tiny.width, tiny.height) == (8, 16)
    assert len(data) < 300
    assert other_api.get("/x/v1/placeholders", params=keys).json() == {"placeholders": []}


def test_the_trash_has_thumbnails_for_its_owner_alone(api: Api, other_api: Api) -> None:
    file = api.file("a.jpg", encoded("JPEG", Image.new("RGB", (30, 30), "red")))
    api.trash(file.object_key)
    path = THUMBNAIL.format(file.object_key)
    assert api.get(path).status_code == 200
    assert other_api.get(path).status_code == 404
    assert api.get(f"/download/files/{file.object_key}").status_code == 404
