"""Short ways to upload through the interface."""

import hashlib
import json
from typing import Any

import httpx2
from tests.server.api import Api

from skyshelf.service.context import ServiceContext
from skyshelf.service.uploads import duplicates

CHUNK = "application/octet-stream"


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


def described(api: Api, name: str, data: bytes, /, **fields: Any) -> dict[str, Any]:
    """The metadata of an upload; fields replaces or adds some, and None leaves one out."""
    usual = {"name": name, "size": len(data), "hash": md5(data), "folderKey": api.root_key}
    return {key: value for key, value in (usual | fields).items() if value is not None}


def upload(
    api: Api, name: str, data: bytes, /, *, metadata: object = None, file_first: bool = False, **fields: Any
) -> httpx2.Response:
    """POST /upload/files; metadata stands for the whole of metadataString, as it is where it is text."""
    described_by = described(api, name, data, **fields) if metadata is None else metadata
    text = described_by if isinstance(described_by, str) else json.dumps(described_by)
    parts = [("metadataString", text.encode()), ("file", data)]
    body, headers = form(*(parts[::-1] if file_first else parts))
    return api.post("/upload/files", content=body, headers=headers)


def form(*parts: tuple[str, bytes], boundary: str = "b0undary") -> tuple[bytes, dict[str, str]]:
    """A form by hand, and the header that goes with it."""
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + data + b"\r\n"
        for name, data in parts
    )
    return body + f"--{boundary}--\r\n".encode(), {"content-type": f"multipart/form-data; boundary={boundary}"}


def initiate(api: Api, name: str, data: bytes, /, **fields: Any) -> httpx2.Response:
    return api.post("/upload/files/chunked/initiate", json=described(api, name, data, **fields))


def begun(api: Api, name: str, data: bytes, /, **fields: Any) -> str:
    """The transaction of an upload that is to be sent in chunks."""
    answer = initiate(api, name, data, **fields)
    assert answer.status_code == 201, answer.text
    transaction: str = answer.json()["transactionId"]
    return transaction


def send(api: Api, transaction: str, offset: int, data: bytes, **headers: str) -> httpx2.Response:
    """PUT one chunk."""
    usual = {"content-type": CHUNK, "x-offset": str(offset), "content-md5": md5(data)}
    return api.put(
        "/upload/files/chunked",
        params={"uploadId": transaction},
        content=data,
        headers=usual | {name.replace("_", "-"): value for name, value in headers.items()},
    )


def stored_bytes(ctx: ServiceContext) -> tuple[int, int]:
    """How many blobs and how many uploads the blob store has, once copies of known content are settled."""
    assert duplicates.drain(60)
    return len(list(ctx.blobs.list())), len(list(ctx.blobs.list_uploads()))


def names_in(api: Api, folder_key: str | None = None) -> list[str]:
    with api.ctx.metadata.read() as unit:
        return [one.name for one in unit.tree.children(api.account.account_id, folder_key or api.root_key)]


def used_and_reserved(api: Api) -> tuple[int, int]:
    with api.ctx.metadata.read() as unit:
        quota = unit.quotas.get(api.account.account_id, api.ctx.clock.now())
    return quota.used, quota.reserved


def content_of(api: Api, object_key: str) -> bytes:
    with api.ctx.metadata.read() as unit:
        location = unit.files.version(api.account.account_id, object_key).location
    return b"".join(api.ctx.blobs.read(location))
