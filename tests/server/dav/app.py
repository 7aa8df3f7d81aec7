"""An app that speaks WebDAV to the application in process."""

from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import httpx2
from tests.server.in_process import TestClient

from skyshelf.service.accounts import app_passwords
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.sessions import AppScope

DAV = "{DAV:}"


class DavApp:
    """A client with an app password; paths are given as people write them."""

    def __init__(
        self,
        client: TestClient,
        ctx: ServiceContext,
        account: Account,
        scope: AppScope | None = None,
        name: str = "App",
    ) -> None:
        self.client = client
        self.ctx = ctx
        self.account = account
        self.password, self.device_key = app_passwords.create(ctx, account.account_id, "App", scope or AppScope())

    def request(self, method: str, path: str = "", **more: Any) -> httpx2.Response:
        more.setdefault("auth", (self.account.email, self.password))
        headers = {name: value for name, value in more.pop("headers", {}).items() if value is not None}
        return self.client.request(method, self.url(path), headers=headers, **more)

    def url(self, path: str) -> str:
        return "/dav/" + quote(path)

    def put(self, path: str, content: bytes = b"content", **headers: str | None) -> httpx2.Response:
        return self.request("PUT", path, content=content, headers=named(headers))

    def get(self, path: str, **headers: str | None) -> httpx2.Response:
        return self.request("GET", path, headers=named(headers))

    def mkcol(self, path: str, **headers: str | None) -> httpx2.Response:
        return self.request("MKCOL", path, headers=named(headers))

    def delete(self, path: str, **headers: str | None) -> httpx2.Response:
        return self.request("DELETE", path, headers=named(headers))

    def move(self, path: str, to: str, **headers: str | None) -> httpx2.Response:
        return self.request("MOVE", path, headers={"Destination": self.url(to), **named(headers)})

    def copy(self, path: str, to: str, **headers: str | None) -> httpx2.Response:
        return self.request("COPY", path, headers={"Destination": self.url(to), **named(headers)})

    def propfind(self, path: str = "", body: str = "", depth: str | None = "1", **headers: str) -> httpx2.Response:
        return self.request("PROPFIND", path, content=body.encode(), headers={"Depth": depth, **named(headers)})

    def proppatch(self, path: str, inside: str, **headers: str | None) -> httpx2.Response:
        body = f'<D:propertyupdate xmlns:D="DAV:" xmlns:x="urn:x">{inside}</D:propertyupdate>'
        return self.request("PROPPATCH", path, content=body.encode(), headers=named(headers))

    def lock(
        self, path: str, *, scope: str = "exclusive", body: str | None = None, **headers: str | None
    ) -> httpx2.Response:
        if body is None:
            body = (
                f'<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:{scope}/></D:lockscope><D:locktype><D:write/></D:locktype>'
                "<D:owner><D:href>Ada</D:href></D:owner></D:lockinfo>"
            )
        return self.request("LOCK", path, content=body.encode(), headers=named(headers))

    def token(self, path: str, **more: Any) -> str:
        """The token of a new lock."""
        response = self.lock(path, **more)
        assert response.status_code in (200, 201), response.text
        return response.headers["lock-token"]

    def unlock(self, path: str, token: str) -> httpx2.Response:
        return self.request("UNLOCK", path, headers={"Lock-Token": token})

    def names(self, path: str = "") -> list[str]:
        """The addresses that a folder's listing has, besides its own."""
        return hrefs(self.propfind(path))[1:]


def named(headers: dict[str, Any]) -> dict[str, str | None]:
    """if_match is If-Match."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def entries(response: httpx2.Response) -> list[ElementTree.Element]:
    assert response.status_code == 207, response.text
    return list(ElementTree.fromstring(response.content))


def hrefs(response: httpx2.Response) -> list[str]:
    return [entry.findtext(f"{DAV}href") or "" for entry in entries(response)]


def properties(entry: ElementTree.Element, status: int = 200) -> dict[str, ElementTree.Element]:
    """The properties of an entry that have this status, by their names in ElementTree's notation."""
    found: dict[str, ElementTree.Element] = {}
    for propstat in entry.findall(f"{DAV}propstat"):
        if f" {status} " in (propstat.findtext(f"{DAV}status") or ""):
            found |= {one.tag: one for one in propstat.findall(f"{DAV}prop/*")}
    return found


def values(response: httpx2.Response) -> dict[str, str]:
    """The text of the properties of an answer about one resource."""
    (entry,) = entries(response)
    return {name.removeprefix(DAV): one.text or "" for name, one in properties(entry).items()}
