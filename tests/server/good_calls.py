"""One good call of every endpoint, for the tests that go through the whole table.

An endpoint that is new in the table needs a line here; `test_walls.py` says so when it is missing.
"""

import base64
import json
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import msgspec
from tests.server import second_factors, soft_passkeys
from tests.server.api import PASSWORD, Api, log_in, new_account
from tests.server.good_calls_of_people import GIVEN as OF_PEOPLE
from tests.server.good_calls_of_people import PeopleKeys, furnish_people
from tests.server.identities import COMPANY, a_ticket, issuer_of, linked, not_linked, with_ticket
from tests.server.uploading import CHUNK, begun, form, md5
from tests.service.documents import docx

from skyshelf.service.accounts import accounts, app_passwords, delegations, password_links, second_factor
from skyshelf.service.context import Caller
from skyshelf.service.exporting import exports
from skyshelf.service.exporting.parts import Part
from skyshelf.service.history.logs import log_now
from skyshelf.service.operator import banners
from skyshelf.service.secret_table import DELEGATIONS
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.sessions import AppScope
from skyshelf.storage.metadata.contracts.tree import NewFolder, Rename
from skyshelf.storage.metadata.store import Unit
from skyshelf.wire.endpoint import Access
from skyshelf.wire.endpoints import BY_NAME
from skyshelf.wire.leave import ALL_KINDS
from skyshelf.wire.limits import ALARM_LIMIT_MIN

NEW_CONTENT = b"what is uploaded"
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


# Calls that remove something come last, so that no other call misses it.
_ENDINGS = (
    "forget_history",
    "remove_versions",
    "admin_remove_banner",
    "revoke_share",
    "remove_from_board",
    "trash_objects",
    "leave_board",
    "delete_account",
    "logout",
)


def removing_last(names: Iterable[str]) -> list[str]:
    """The names of calls in an order in which all can be made in one account."""
    return sorted(names, key=lambda name: _ENDINGS.index(name) + 1 if name in _ENDINGS else 0)


class Keys(msgspec.Struct, frozen=True):
    """What an account has, by key; `upload` is begun and not finished."""

    root: str
    folder: str
    file: str
    trashed: str
    board: str
    upload: str
    share: str
    share_key: str
    archive: str
    versioned: str
    passkey: str
    people: PeopleKeys


def furnish(api: Api) -> Keys:
    """Put one of everything into an account."""
    # The first delegation of a server makes its secret.
    api.ctx.secret(DELEGATIONS)
    folder = api.folder("a folder")
    file = api.file("a picture.png", PIXEL, app_code="dgl")
    trashed = api.file("a trashed file.txt")
    api.trash(trashed.object_key)
    api.file("a text.txt", b"its first version")
    versioned = api.file("a text.txt", b"its second version")
    board = api.post("/boards", json={"boardName": "A board"}).json()["boardKey"]
    shared = {"objects": [{"objectKey": file.object_key}], "shareName": "A share", "shareType": "L"}
    share_url = api.post("/share/ulinks", json=shared).json()["shareURL"]
    return Keys(
        people=furnish_people(api, board, file.object_key),
        root=api.root_key,
        folder=folder.object_key,
        file=file.object_key,
        trashed=trashed.object_key,
        board=board,
        upload=begun(api, "begun.txt", b"begun and not finished"),
        versioned=versioned.object_key,
        passkey=soft_passkeys.stored_passkey(api),
        archive=api.post("/x/v1/archives", json={"objectKeys": [file.object_key], "archiveName": "A"}).json()[
            "archiveKey"
        ],
        share_key=api.get("/x/v1/shares").json()["shares"][0]["shareKey"],
        share=parse_qs(urlsplit(share_url).query)["u"][0],
    )


class GoodCall(msgspec.Struct, frozen=True, kw_only=True):
    """What to send."""

    method: str
    path: str
    params: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: Any = None
    content: bytes | None = None

    def send(self, api: Api) -> httpx2.Response:
        content = self.content if self.body is None else json.dumps(self.body).encode()
        headers = {**({} if content is None else {"content-type": "application/json"}), **self.headers}
        return api.request(self.method, self.path, params=self.params, headers=headers, content=content)


def good_call(name: str, api: Api, keys: Keys) -> GoodCall:
    """The call of an endpoint that succeeds for the account whose keys these are."""
    endpoint = BY_NAME[name]
    if endpoint.access is Access.OPERATOR:
        make_operator(api)
    given = _GIVEN[name](api, keys) if name in _GIVEN else {}
    of = {
        "object_key": keys.file,
        "share_key": keys.share_key,
        "board_key": keys.board,
        "archive_key": keys.archive,
    }
    of |= {"tag_key": keys.people.tag, "contact_key": keys.people.contact, "upload_key": keys.upload}
    of |= {"comment_key": keys.people.comment, "link_key": keys.people.link, "user_id": keys.people.member}
    of |= {"invitation_key": keys.people.invitation}
    if name == "delete_board":
        of["board_key"] = keys.people.spare_board
    if name == "text":
        of["object_key"] = api.file("a letter.docx", docx("Dear reader")).object_key
    if name == "delete_tag":
        of["tag_key"] = keys.people.spare_tag
    if name == "past_folder":
        of["object_key"] = keys.folder
    if name in {"remove_device", "rename_device"}:
        of["device_key"] = another_device(api)
    if name in {"allow_device", "end_paused_session"}:
        of["device_key"] = paused_device(api)
    if name == "revoke_app_password":
        _, of["device_key"] = app_passwords.create(api.ctx, api.account.account_id, "App", AppScope())
    if name == "end_delegation":
        of["device_key"] = a_delegation(api).device_key
    if "passkey_key" in endpoint.parameters:
        of["passkey_key"] = soft_passkeys.stored_passkey(api, "Another")
    if "account_key" in endpoint.parameters:
        of["account_key"] = keys.people.member
    if "rewind_key" in endpoint.parameters or name == "start_rewind":
        of["rewind_key"] = an_ended_rewind(api)
    if "banner_key" in endpoint.parameters:
        of["banner_key"] = a_banner(api)
    path = endpoint.url_path(**{parameter: of[parameter] for parameter in endpoint.parameters})
    return GoodCall(method=endpoint.method, path=path, **given)


def another_device(api: Api) -> str:
    """The key of a device that has logged in to the account just now."""
    _by_password_alone(api)
    key: str = log_in(api.client, api.account.email).json()["deviceKey"]
    return key


def paused_device(api: Api, device_key: str | None = None) -> str:
    """The key of a device, another one unless it is named, that has raised an alarm just now."""
    key, now, account_id = device_key or another_device(api), api.ctx.clock.now(), api.account.account_id

    def work(unit: Unit) -> None:
        unit.act_as(f"{key}/0123456789abcdef")
        folder = NewFolder(object_key=api.ctx.new_key(), parent_key=api.root_key, name=f"renamed by {key}")
        unit.tree.add_folder(account_id, folder, now)
        unit.alarms.set_limit(account_id, ALARM_LIMIT_MIN)
        for turn in range(4):  # a quarter point each
            names = [f"{turn}.{number} of {folder.object_key}" for number in range(ALARM_LIMIT_MIN)]
            unit.tree.apply(account_id, [Rename(folder.object_key, name) for name in names], now)
        unit.alarms.set_limit(account_id, None)

    api.ctx.metadata.write(work)
    return key


def a_delegation(api: Api, **terms: Any) -> delegations.NewToken:
    """A delegation of the account for an hour; without terms it may make calls of all kinds."""
    owner, until = Caller.of(api.account), api.ctx.clock.now() + 3_600_000
    usual: dict[str, Any] = {"purpose": "A purpose", "kinds_allowed": ALL_KINDS, "expires_at": until}
    return delegations.make(api.ctx, owner, **(usual | terms))


def make_operator(api: Api) -> None:
    """Let the account manage the server, and somebody else too: the last operator could not be deleted."""
    accounts.set_operator(api.ctx, api.account, is_operator=True)
    somebody = f"operator-beside-{api.account.email}"
    try:
        accounts.find_account(api.ctx, somebody)
    except AccountMissing:
        accounts.set_operator(api.ctx, new_account(api.ctx, somebody), is_operator=True)


def an_ended_rewind(api: Api) -> str:
    """The key of a rewind that was cancelled; none is running then."""
    for one in api.get("/x/v1/rewind").json()["rewinds"]:
        api.post(f"/x/v1/rewind/{one['rewindKey']}/cancel")
    started = api.post("/x/v1/rewind", json={"to": _tomorrow(api)}).json()
    key: str = started["rewindKey"]
    api.post(f"/x/v1/rewind/{key}/cancel")
    return key


def a_banner(api: Api) -> str:
    """The key of a banner."""
    now = api.ctx.clock.now()
    banner = banners.add_banner(
        api.ctx, "Maintenance", "On Sunday", image_url="", action_url="", start_at=now, end_at=now + 86_400_000
    )
    return banner.banner_key


def a_link(api: Api) -> str:
    """The token of a link that sets the password of a new account."""
    email = f"invited-{api.ctx.new_key()}@example.org"
    return password_links.create_link(api.ctx, accounts.add_account(api.ctx, email, "In", "Vited", None)).token


def _by_password_alone(api: Api) -> Api:
    """The account as it was before any call turned its second factor on."""
    second_factor.reset_second_factor(api.ctx, api.account)
    return api


def _described(keys: Keys) -> dict[str, Any]:
    return {
        "name": "new.txt",
        "size": len(NEW_CONTENT),
        "hash": md5(NEW_CONTENT),
        "folderKey": keys.folder,
        "boardKey": keys.board,
    }


def _whole_upload(_: Api, keys: Keys) -> dict[str, Any]:
    content, headers = form(("metadataString", json.dumps(_described(keys)).encode()), ("file", NEW_CONTENT))
    return {"content": content, "headers": headers}


def _many_uploads(_: Api, keys: Keys) -> dict[str, Any]:
    about = {name: value for name, value in _described(keys).items() if name != "boardKey"}
    described = {"files": [about, {**about, "name": "another.txt"}]}
    content, headers = form(("metadataString", json.dumps(described).encode()), ("file", 2 * NEW_CONTENT))
    return {"content": content, "headers": headers}


def _move(_: Api, keys: Keys) -> dict[str, Any]:
    echo = {
        "objectKey": keys.file,
        "objectName": "a picture.png",
        "sourceName": "DRIVE",
        "parentObjectKey": keys.folder,
    }
    return {"body": {"objects": [{"operation": "MOVE", "correlationId": "one", "object": echo}]}}


def _flat_move(api: Api, keys: Keys) -> dict[str, Any]:
    entry = _move(api, keys)["body"]["objects"][0]
    return {"body": {"objects": [{"correlationId": "one", "operation": "MOVE", **entry["object"]}]}}


def _chunk(_: Api, keys: Keys) -> dict[str, Any]:
    headers = {"content-type": CHUNK, "x-offset": "0", "content-md5": md5(b"begun")}
    return {"params": {"uploadId": keys.upload}, "headers": headers, "content": b"begun"}


def _beginning(api: Api) -> dict[str, str]:
    _by_password_alone(api)
    return {"password": PASSWORD}


def _both_factors(api: Api) -> dict[str, str]:
    phone, _ = second_factors.turned_on(_by_password_alone(api), steps=0)
    return {"password": PASSWORD, "code": phone.code(+1)}


def _read(credential: dict[str, Any]) -> dict[str, Any]:
    """What the server reads of a browser's answer, which has more."""
    return {name: value for name, value in credential.items() if value and name not in ("rawId", "type")}


def _own_key(api: Api) -> soft_passkeys.SoftKey:
    return soft_passkeys.SoftKey(bytes.fromhex(api.account.account_key))


def _new_passkey(api: Api, keys: Keys) -> dict[str, Any]:
    credential = _read(_own_key(api).created(soft_passkeys.begun(_by_password_alone(api))))
    return {"body": {"name": "Key", "credential": credential}, "headers": soft_passkeys.AT_HOST}


def _passkey_login(api: Api, keys: Keys) -> dict[str, Any]:
    key = soft_passkeys.added(_by_password_alone(api))
    return {
        "body": {"passkey": _read(key.signed(soft_passkeys.login_challenge(api)))},
        "headers": soft_passkeys.AT_HOST,
    }


def _second_by_passkey(api: Api, keys: Keys) -> dict[str, Any]:
    key = soft_passkeys.added(_by_password_alone(api))
    body = {"password": PASSWORD, "passkey": _read(key.signed(soft_passkeys.challenge(api)))}
    return {"body": body, "headers": soft_passkeys.AT_HOST}


def _confirmed_at_host(api: Api, keys: Keys) -> dict[str, Any]:
    return {"body": _beginning(api), "headers": soft_passkeys.AT_HOST}


def _person(api: Api) -> dict[str, str]:
    return {"emailId": f"new-{api.ctx.new_key()}@example.org", "firstName": "Grace", "lastName": "Hopper"}


def _begun_export(api: Api) -> str:
    return exports.sealed(
        api.ctx, exports.ExportTerms(account_key=api.account.account_key, begun=api.ctx.clock.now(), part_bytes=2**40)
    )


def _part_of_export(api: Api) -> str:
    part = Part(account_key=api.account.account_key, begun=api.ctx.clock.now(), number=1, count=1)
    return exports.sealed(api.ctx, part)


def _device_of(api: Api, account_key: str) -> str:
    with api.ctx.metadata.read() as unit:
        account = unit.accounts.by_key(account_key)
    key: str = log_in(api.client, account.email).json()["deviceKey"]
    return key


def _logged(api: Api, params: dict[str, str]) -> dict[str, Any]:
    """The parameters of a proof, once the account has a log."""
    log_now(api.ctx, api.account.account_id)
    return {"params": params}


def _tomorrow(api: Api) -> int:
    return api.ctx.clock.now() + 86_400_000


_GIVEN: dict[str, Callable[[Api, Keys], dict[str, Any]]] = {
    "app_settings": lambda api, keys: {"params": {"os": "web"}},
    "cookie_nonce": lambda api, keys: {"body": {"jwt": api.login["jwt"]}},
    "login": lambda api, keys: {"body": {"emailId": _by_password_alone(api).account.email, "password": PASSWORD}},
    "change_password": lambda api, keys: {"body": {"oldPassword": PASSWORD, "newPassword": PASSWORD}},
    "edit_profile": lambda api, keys: {"body": {"firstName": "Augusta", "lastName": "King"}},
    "end_session": lambda api, keys: {"body": {"deviceKey": another_device(api)}},
    "delete_account": lambda api, keys: {"body": {"password": PASSWORD}},
    "begin_export": lambda api, keys: {"body": _beginning(api)},
    "export_parts": lambda api, keys: {"params": {"export": _begun_export(api)}},
    "download_export": lambda api, keys: {"params": {"part": _part_of_export(api)}},
    "begin_second_factor": lambda api, keys: {"body": _beginning(api)},
    "confirm_second_factor": lambda api, keys: {"body": {"code": second_factors.begun(_by_password_alone(api)).code()}},
    "turn_off_second_factor": lambda api, keys: {"body": _both_factors(api)},
    "renew_recovery_codes": lambda api, keys: {"body": _both_factors(api)},
    "begin_passkey_login": lambda api, keys: {"headers": soft_passkeys.AT_HOST},
    "passkey_login": _passkey_login,
    "begin_passkey": _confirmed_at_host,
    "add_passkey": _new_passkey,
    "passkey_challenge": lambda api, keys: {"headers": soft_passkeys.AT_HOST},
    "rename_passkey": lambda api, keys: {"body": {"name": "Blue key"}},
    "remove_passkey": lambda api, keys: {"body": _beginning(api)},
    "second_factor_by_passkey": _second_by_passkey,
    "add_delegation": lambda api, keys: {
        "body": {
            "purpose": "Tidy up the photos",
            "kinds": ["list", "read"],
            "expiresDate": api.ctx.clock.now() + 60_000,
            "folderKey": keys.folder,
            "deletions": 20,
        }
    },
    "own_delegation": lambda api, keys: {"headers": {"authorization": f"Bearer {a_delegation(api).token}"}},
    "add_app_password": lambda api, keys: {
        "body": {**_beginning(api), "name": "Phone", "folderKey": keys.folder, "canWrite": False, "webdavOnly": True}
    },
    "login_by_provider": lambda api, keys: {
        "body": {"deviceName": "Laptop"},
        "headers": with_ticket(a_ticket(api.ctx, linked(_by_password_alone(api)).account)),
    },
    "begin_link": lambda api, keys: {"body": {"provider": COMPANY.id, "password": PASSWORD}},
    "finish_link": lambda api, keys: {"headers": with_ticket(a_ticket(api.ctx, not_linked(api).account, "link"))},
    "unlink_identity": lambda api, keys: {"body": {"issuer": issuer_of(linked(api))}},
    "rename_device": lambda api, keys: {"body": {"deviceName": "Kitchen tablet"}},
    "welcome": lambda api, keys: {"headers": {"x-welcome-token": a_link(api)}},
    "request_password_mail": lambda api, keys: {"body": {"emailId": api.account.email, "language": "en"}},
    "use_link": lambda api, keys: {"body": {"token": a_link(api), "password": PASSWORD}},
    "admin_accounts": lambda api, keys: {"params": {"limit": "5", "search": "example"}},
    "admin_add_account": lambda api, keys: {"body": _person(api)},
    "admin_edit_account": lambda api, keys: {"body": {"isEnabled": True, "quota": 1 << 30}},
    "admin_password_link": lambda api, keys: {"body": {"password": PASSWORD}},
    "admin_operator_role": lambda api, keys: {"body": {"isOperator": True, "password": PASSWORD}},
    "admin_reset_second_factor": lambda api, keys: {"body": {"password": PASSWORD}},
    "admin_release_brake": lambda api, keys: {
        "body": {"name": "sweep-orphans", "reason": "The disk was replaced", "password": PASSWORD}
    },
    "admin_delete_account": lambda api, keys: {"body": {"password": PASSWORD}},
    "admin_alarms": lambda api, keys: {"params": {"decided": "true", "limit": "5"}},
    "admin_sessions": lambda api, keys: {"params": {"limit": "5"}},
    "admin_end_sessions": lambda api, keys: {"body": {"deviceKey": _device_of(api, keys.people.member)}},
    "admin_add_banner": lambda api, keys: {"body": {"title": "Maintenance", "text": "", "endDate": _tomorrow(api)}},
    "admin_edit_banner": lambda api, keys: {"body": {"text": "On Monday"}},
    "default_view": lambda api, keys: {"params": {"folderKey": keys.folder}},
    "listing": lambda api, keys: {"params": {"folderKey": keys.folder}},
    "batch": _move,
    "restore": lambda api, keys: {"body": {"objectKeys": [keys.trashed]}},
    "short_default_view": lambda api, keys: {"params": {"folderKey": keys.folder}},
    "category": lambda api, keys: {"params": {"mimeType": "photos"}},
    "keyword": lambda api, keys: {"params": {"q": "picture"}},
    "flat_batch": _flat_move,
    "trash_objects": lambda api, keys: {"body": {"objectKeys": [keys.file]}},
    "board_addition": lambda api, keys: {"body": {"objects": [{"objectKey": keys.file}]}},
    "refresh_token": lambda api, keys: {"body": {"refreshToken": api.login["refreshToken"]}},
    "refresh_token_by_put": lambda api, keys: {"body": {"refreshToken": api.login["refreshToken"]}},
    "purge": lambda api, keys: {"body": {"objectKeys": [keys.trashed]}},
    "restore_version": lambda api, keys: {"body": {"objectKey": keys.versioned, "version": 1}},
    "search": lambda api, keys: {"params": {"query": "picture", "folderKey": keys.root, "extension": "png"}},
    "contents": lambda api, keys: {"params": {"objectKeys": f"{keys.file},{keys.versioned}"}},
    "photo_facts": lambda api, keys: {"params": {"objectKeys": keys.file}},
    "photo_places": lambda api, keys: {},
    "placeholders": lambda api, keys: {"params": {"objectKeys": keys.file}},
    "locations": lambda api, keys: {"params": {"objectKeys": f"{keys.file},{keys.trashed}"}},
    "covers": lambda api, keys: {"params": {"objectKeys": keys.root}},
    "copy": lambda api, keys: {"body": {"objectKeys": [keys.file, keys.folder], "parentObjectKey": keys.root}},
    "executable": lambda api, keys: {"body": {"objectKeys": [keys.file], "isExecutable": True}},
    "history": lambda api, keys: {"params": {"objectKey": keys.file, "folderKey": keys.root, "limit": "5"}},
    "past_folder": lambda api, keys: {"params": {"at": str(_tomorrow(api))}},
    "past_object": lambda api, keys: {"params": {"at": str(_tomorrow(api))}},
    "history_differences": lambda api, keys: {"params": {"since": str(_tomorrow(api)), "folderKey": keys.folder}},
    "past_file": lambda api, keys: {"params": {"at": str(_tomorrow(api))}},
    "set_operator_consent": lambda api, keys: {"body": {"hours": 24}},
    "plan_rewind": lambda api, keys: {"body": {"to": _tomorrow(api), "folderKey": keys.folder, "limit": 5}},
    "start_rewind": lambda api, keys: {"body": {"to": _tomorrow(api), "folderKey": keys.folder}},
    "history_head": lambda api, keys: _logged(api, {}),
    "history_consistency": lambda api, keys: _logged(api, {"oldSize": "1", "size": "2"}),
    "history_inclusion": lambda api, keys: _logged(api, {"number": "2", "size": "3"}),
    "history_leaves": lambda api, keys: _logged(api, {"number": "1", "limit": "2"}),
    "history_keys": lambda api, keys: _logged(api, {}),
    "set_history": lambda api, keys: {"body": {"days": 30}},
    "forget_history": lambda api, keys: {"body": {"confirmation": {"password": PASSWORD}}},
    "allow_device": lambda api, keys: {"body": {"hours": 1}},
    "set_alarm_limit": lambda api, keys: {"body": {"limit": 900}},
    "remove_versions": lambda api, keys: {"body": {"objectKeys": [keys.versioned]}},
    "create_archive": lambda api, keys: {"body": {"objectKeys": [keys.file, keys.folder], "archiveName": "Two"}},
    "changes": lambda api, keys: {"params": {"cursor": "c0-0"}},
    "epoch": lambda api, keys: {"params": {"cursor": "c0-0"}},
    "change_stream": lambda api, keys: {"params": {"cursor": "c0-0", "seconds": "0", "boardKey": keys.board}},
    "legacy_delete": lambda api, keys: {"body": {"objectKeys": [keys.file]}},
    "create_folder": lambda api, keys: {
        "body": {"objectName": "new", "parentObjectKey": keys.folder, "sourceName": "DRIVE"}
    },
    "create_share": lambda api, keys: {
        "body": {"objects": [{"objectKey": keys.file}], "shareName": "02May2026_080910", "shareType": "L"}
    },
    "add_share": lambda api, keys: {
        "body": {
            "objectKeys": [keys.file],
            "shareName": "Another share",
            "expiryDate": api.ctx.clock.now(),
            "password": "open sesame",
            "maxDownloads": 5,
        }
    },
    "add_board_share": lambda api, keys: {
        "body": {"shareName": "An album", "rights": "add", "password": "open sesame", "maxUploads": 5}
    },
    "edit_share": lambda api, keys: {
        "body": {"shareName": "Renamed", "expiryDate": 0, "password": "", "maxDownloads": 0}
    },
    "share_page": lambda api, keys: {"params": {"u": keys.share}},
    "create_board": lambda api, keys: {"body": {"boardName": "New", "parentObjectKey": keys.folder}},
    "leave_board": lambda api, keys: {"body": []},
    "contacts": lambda api, keys: {"headers": {"x-offset": "0"}},
    "contact_emails": lambda api, keys: {"headers": {"x-offset": "0"}},
    "upload": _whole_upload,
    "upload_many": _many_uploads,
    "initiate_upload": lambda api, keys: {"body": _described(keys)},
    "upload_chunk": _chunk,
    **OF_PEOPLE,
}
