"""A logged-in client of the application in process, and short ways to put things into an account."""

import hashlib
from typing import Any

import httpx2
from tests.server.in_process import TestClient

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewFile
from skyshelf.storage.metadata.contracts.tree import NewFolder, StoredObject, Trash
from skyshelf.wire.headers import session_headers
from skyshelf.wire.limits import VERSIONS_KEPT
from skyshelf.wire.names import category, split_mime

PASSWORD = "correct horse battery"
ORIGIN = "http://testserver"


class HeldClock:
    """A clock that stands still until a test moves it; it starts in May 2026."""

    def __init__(self, now: int = 1_777_800_000_000) -> None:
        self._now = now

    def now(self) -> int:
        return self._now

    def advance(self, ms: int = 0, *, seconds: int = 0, minutes: int = 0, days: int = 0) -> None:
        self._now += ms + 1000 * (seconds + 60 * minutes + 86_400 * days)


class Api:
    """One session of one account. Each call sends every header that the interface asks for."""

    def __init__(self, client: TestClient, ctx: ServiceContext, account: Account, login: dict[str, Any]) -> None:
        self.client = client
        self.ctx = ctx
        self.account = account
        self.login = login
        self.headers = session_headers(login["authToken"], login["userId"], login["deviceKey"])

    @property
    def root_key(self) -> str:
        return self.account.root_key

    def get(self, path: str, **more: Any) -> httpx2.Response:
        return self.request("GET", path, **more)

    def post(self, path: str, **more: Any) -> httpx2.Response:
        return self.request("POST", path, **more)

    def put(self, path: str, **more: Any) -> httpx2.Response:
        return self.request("PUT", path, **more)

    def delete(self, path: str, **more: Any) -> httpx2.Response:
        return self.request("DELETE", path, **more)

    def request(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        without: tuple[str, ...] = (),
        **more: Any,
    ) -> httpx2.Response:
        """headers replaces or adds some, `without` leaves some out; the rest goes to httpx2 (params, json, content)."""
        sent = httpx2.Headers(self.headers)
        sent.update(headers or {})
        for name in without:
            sent.pop(name, None)
        request = self.client.build_request(method, path, headers=sent, **more)
        for name in without:
            request.headers.pop(name, None)  # httpx2 adds some by itself
        response: httpx2.Response = self.client.send(request)
        return response

    def folder(self, name: str, parent_key: str | None = None) -> StoredObject:
        """A folder, made straight in the store."""
        new = NewFolder(object_key=self.ctx.new_key(), parent_key=parent_key or self.root_key, name=name)
        now = self.ctx.clock.now()
        return self.ctx.metadata.write(lambda unit: unit.tree.add_folder(self.account.account_id, new, now))

    def file(
        self, name: str, data: bytes = b"some bytes", parent_key: str | None = None, **fields: Any
    ) -> StoredObject:
        """A file, its bytes in the blob store; fields are those of NewFile."""
        stored = self.ctx.blobs.put([data])
        mime_type, mime_subtype = split_mime(name)
        now = self.ctx.clock.now()
        usual: dict[str, Any] = {
            "object_key": self.ctx.new_key(),
            "parent_key": parent_key or self.root_key,
            "name": name,
            "sha256": stored.sha256,
            "md5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
            "size": len(data),
            "location": stored.location,
            "category": category(fields.get("mime_type", mime_type)),
            "mime_type": mime_type,
            "mime_subtype": mime_subtype,
            "file_created_at": now,
            "last_modified_at": now,
            "created_by": self.account.first_name,
        }
        new = NewFile(**(usual | fields))
        put = self.ctx.metadata.write(
            lambda unit: unit.files.put(self.account.account_id, new, now, keep_versions=VERSIONS_KEPT)
        )
        return put.object

    def trash(self, *object_keys: str) -> None:
        now = self.ctx.clock.now()
        changes = [Trash(key) for key in object_keys]
        outcomes = self.ctx.metadata.write(lambda unit: unit.tree.apply(self.account.account_id, changes, now))
        assert all(isinstance(outcome, StoredObject) for outcome in outcomes), outcomes


def new_account(ctx: ServiceContext, email: str, *, first_name: str = "Ada", quota: int | None = None) -> Account:
    return accounts.add_account(ctx, email, first_name, "Byron", PASSWORD, quota=quota)


def log_in(client: TestClient, email: str, **more: Any) -> httpx2.Response:
    """Log in over HTTP; more are further fields of the request."""
    response: httpx2.Response = client.post("/x/v1/login", json={"emailId": email, "password": PASSWORD, **more})
    return response


def logged_in(client: TestClient, ctx: ServiceContext, account: Account, **more: Any) -> Api:
    """A new session of the account, on a new device unless one is named."""
    answer = log_in(client, account.email, **more)
    assert answer.status_code == 200, answer.text
    return Api(client, ctx, account, answer.json())


def error_of(response: httpx2.Response) -> tuple[int, str]:
    """Status and code of an error; its body has exactly the fields that every error has."""
    body = response.json()
    assert body.keys() == {"code", "message", "error"}, body
    assert body["error"] == body["message"]
    assert response.headers["content-type"] == "application/json; charset=UTF-8"
    return response.status_code, body["code"]
