"""Short ways to make shares and to visit them."""

import io
import zipfile
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from tests.server.api import Api
from tests.server.in_process import TestClient

from skyshelf.service.sharing.links import find_share
from skyshelf.storage.metadata.contracts.shares import Share, ShareEdit


class Link:
    """A share link, and somebody who visits it without a session."""

    def __init__(self, api: Api, url: str) -> None:
        self.client: TestClient = api.client
        self.api = api
        self.url = url
        self.token = parse_qs(urlsplit(url).query)["u"][0]

    def get(self, path: str = "/l/", *, method: str = "GET", **more: Any) -> httpx2.Response:
        """more goes to httpx2; its params join the token."""
        params = {"u": self.token, **more.pop("params", {})}
        response: httpx2.Response = self.client.request(method, path, params=params, **more)
        return response

    def page(self, object_key: str | None = None, **params: str) -> httpx2.Response:
        return self.get(params=({"p": object_key} if object_key else {}) | params)

    def file(self, object_key: str, **more: Any) -> httpx2.Response:
        return self.get(f"/l/file/{object_key}", **more)

    def thumbnail(self, object_key: str, **more: Any) -> httpx2.Response:
        return self.get(f"/l/thumb/{object_key}", **more)

    def zip(self, object_key: str | None = None) -> httpx2.Response:
        return self.get("/l/zip", params={"p": object_key} if object_key else {})

    def unzipped(self, object_key: str | None = None) -> dict[str, bytes]:
        answer = self.zip(object_key)
        assert answer.status_code == 200
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}

    @property
    def share(self) -> Share:
        return find_share(self.api.ctx, self.token)

    def edit(self, **changes: Any) -> None:
        share = self.share
        edit = ShareEdit(**changes)
        self.api.ctx.metadata.write(lambda unit: unit.shares.edit(share.account_id, share.share_key, edit))

    def revoke(self) -> None:
        share, now = self.share, self.api.ctx.clock.now()
        assert self.api.ctx.metadata.write(lambda unit: unit.shares.revoke(share.account_id, share.share_key, now))


def body_for(*object_keys: str, **changes: object) -> dict[str, object]:
    usual = {
        "objects": [{"objectKey": key} for key in object_keys],
        "shareName": "06May2024_070809",
        "shareType": "L",
    }
    return usual | changes


def share(api: Api, *object_keys: str) -> Link:
    """A link to the objects, made over HTTP."""
    answer = api.post("/share/ulinks", json=body_for(*object_keys))
    assert answer.status_code == 201, answer.text
    return Link(api, answer.json()["shareURL"])
