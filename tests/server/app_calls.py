"""One good call at least for every route of WebDAV and of Nextcloud's clients, and what such calls can name.

The names stand in braces in a call: a test puts those of another account, or of nobody, in their places.
"""

import io
from collections.abc import Collection
from string import Formatter
from typing import Any
from urllib.parse import urlsplit

import httpx2
import msgspec
from msgspec.structs import asdict, replace
from PIL import Image
from tests.server.api import PASSWORD
from tests.server.dav.app import hrefs
from tests.server.nextcloud.app import CloudApp

from skyshelf.server.dav.conditions import token_of
from skyshelf.server.dav.routes import METHODS
from skyshelf.server.nextcloud.ids import number_of
from skyshelf.wire.keys import make_key

UNKNOWN = make_key(1_700_000_000_000, bytes(range(10)))
ANY = 0
TREES = ("/dav", "/remote.php/dav/files/{user}", "/remote.php/webdav")
_DAV = "/remote.php/dav"
_SPACES = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"'
_PATCH = '<propertyupdate xmlns="DAV:"><set><prop><x xmlns="">1</x></prop></set></propertyupdate>'
_LOCK = '<lockinfo xmlns="DAV:"><lockscope><shared/></lockscope><locktype><write/></locktype></lockinfo>'
_FAVORITES = (
    f"<oc:filter-files {_SPACES}><d:prop><oc:id/></d:prop><oc:filter-rules><oc:favorite>1</oc:favorite>"
    "</oc:filter-rules></oc:filter-files>"
)
_SEARCH = (
    f"<d:searchrequest {_SPACES}><d:basicsearch><d:select><d:prop><oc:fileid/></d:prop></d:select><d:from><d:scope>"
    "<d:href>/files/{user}/{folder}</d:href><d:depth>infinity</d:depth></d:scope></d:from><d:where><d:like><d:prop>"
    "<d:displayname/></d:prop><d:literal>%notes%</d:literal></d:like></d:where></d:basicsearch></d:searchrequest>"
)
_BULK = (
    "--b\r\nContent-Length: 1\r\nX-File-Path: /{folder}/b.txt\r\nX-File-MD5: 9dd4e461268c8034f5c8564e155c67a6\r\n\r\nx"
    "\r\n--b--\r\n"
)
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

NAMELESS = {
    "/dav": "the root of the own tree",
    "/remote.php/webdav": "the root of the own tree",
    "/status.php": "about the server",
    "/index.php/204": "about the server",
    "/index.php/login/v2": "makes a new token",
    "/index.php/login/v2/flow/{flow}": "a page for whoever has its address; it belongs to no account yet",
    **{
        f"/ocs/{version}.php/{path}": "about the app itself"
        for version in ("v1", "v2")
        for path in ("cloud/capabilities", "cloud/user", "core/getapppassword", "core/apppassword")
    },
}
"""Routes of calls that name nothing of an account, each with the reason."""


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """What calls name. All are of the same length in every account, so that answers can be compared."""

    user: str
    owner: str
    """The user, as headers name it."""
    top: str
    folder: str
    file: str
    locked: str
    lock: str
    number: str
    picture: str
    trashed: str
    transfer: str
    direct: str
    token: str
    key: str
    flow: str


class AppCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call and the status of its answer; ANY but 404 where that depends on the method alone."""

    method: str
    address: str
    headers: dict[str, str] = {}
    body: str = ""
    status: int = ANY

    @property
    def id(self) -> str:
        return f"{self.method} {self.address} {' '.join(f'{name}={value}' for name, value in self.headers.items())}"

    @property
    def places(self) -> list[str]:
        """The names in it."""
        texts = [self.address, self.body, *self.headers.values()]
        return sorted({name for text in texts for _, name, _, _ in Formatter().parse(text) if name})

    def send(self, app: CloudApp, names: Names) -> httpx2.Response:
        values = asdict(names)
        headers = {name: value.format(**values) for name, value in self.headers.items()}
        more: dict[str, Any] = {"headers": headers, "content": self.body.format(**values).encode()}
        return app.call(self.method, self.address.format(**values), **more)


def _tree_calls(tree: str) -> list[AppCall]:
    """Every method of a tree of files, about each kind of name that it takes."""

    def call(method: str, path: str, status: int, body: str = "", **headers: str) -> AppCall:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return AppCall(method=method, address=f"{tree}/{path}", headers=named, body=body, status=status)

    # Where the user is in the address, the one in a header is another place.
    there = tree.replace("{user}", "{owner}")
    tagged = f"<{there}/{{locked}}> (<{{lock}}>)"
    calls = [
        call("OPTIONS", "{file}", 200),
        call("GET", "{file}", 200),
        call("GET", "{top}", 200),
        call("GET", "{file}", 206, Range="bytes=0-1"),
        call("GET", "{file}", 200, If_Match="*"),
        call("HEAD", "{file}", 200),
        call("PROPFIND", "{folder}", 207, Depth="1"),
        call("PROPFIND", "{file}", 207, Depth="0"),
        call("PROPFIND", "{folder}", 207, Depth="infinity"),
        call("PUT", "{file}", 204, "x"),
        call("PUT", "{top}", 204, "x"),
        call("PUT", "{top}", 204, "x", If_Match="*"),
        call("PUT", "{locked}", 204, "x", If="(<{lock}>)"),
        call("PUT", "{locked}", 204, "x", If=tagged),
        call("MKCOL", "{folder}/new", 201),
        call("COPY", "{file}", 201, Destination=f"{there}/copied"),
        call("COPY", "{top}", 201, Destination=f"{there}/{{folder}}/copied"),
        call("COPY", "{top}", 204, Destination=f"{there}/{{file}}", Overwrite="T"),
        call("MOVE", "{folder}", 201, Destination=f"{there}/moved"),
        call("MOVE", "{top}", 201, Destination=f"{there}/{{folder}}/moved"),
        call("MOVE", "{locked}", 201, Destination=f"{there}/moved", If=tagged),
        call("DELETE", "{folder}", 204),
        call("DELETE", "{locked}", 204, If="(<{lock}>)"),
        call("PROPPATCH", "{file}", 207, _PATCH),
        call("LOCK", "{file}", 200, _LOCK),
        call("LOCK", "{top}", 200, _LOCK),
        call("LOCK", "{locked}", 200, If="(<{lock}>)"),
        call("UNLOCK", "{locked}", 204, Lock_Token="<{lock}>"),
    ]
    if tree != "/dav":
        calls += [
            call("REPORT", "{folder}", 207, _FAVORITES),
            call("PATCH", "{file}", 204, X_Recalculate_Hash="sha1"),
        ]
    return calls


def _root_calls() -> list[AppCall]:
    """Every method about somebody's root, in the tree whose address names the user."""
    headers = {
        "COPY": {"Destination": f"{_DAV}/files/{{user}}/x"},
        "MOVE": {"Destination": f"{_DAV}/files/{{user}}/x"},
        "UNLOCK": {"Lock-Token": "<{lock}>"},
        "PATCH": {"X-Recalculate-Hash": "md5"},
    }
    bodies = {"PROPPATCH": _PATCH, "LOCK": _LOCK, "REPORT": _FAVORITES}
    return [
        AppCall(
            method=method,
            address=f"{_DAV}/files/{{user}}",
            headers=headers.get(method, {}),
            body=bodies.get(method, ""),
        )
        for method in ("OPTIONS", "REPORT", "PATCH", *METHODS)
    ]


def _other_calls() -> list[AppCall]:
    uploads, trash, versions = (f"{_DAV}/{kind}/{{user}}" for kind in ("uploads", "trashbin", "versions"))
    into = f"{_DAV}/files/{{owner}}"
    calls = [
        AppCall(method="MKCOL", address=f"{uploads}/new", status=201),
        AppCall(method="MKCOL", address=f"{uploads}/{{transfer}}", status=405),
        AppCall(method="PUT", address=f"{uploads}/{{transfer}}/2", body="x", status=201),
        AppCall(method="PUT", address=f"{uploads}/{{transfer}}/1", body="chunk", status=201),
        AppCall(method="PROPFIND", address=f"{uploads}/{{transfer}}", status=207),
        AppCall(method="DELETE", address=f"{uploads}/{{transfer}}", status=204),
        AppCall(
            method="MOVE",
            address=f"{uploads}/{{transfer}}/.file",
            headers={"Destination": f"{into}/{{folder}}/big"},
            status=201,
        ),
        AppCall(
            method="MOVE",
            address=f"{uploads}/{{transfer}}/.file",
            headers={"Destination": f"{into}/{{locked}}", "If": f"<{into}/{{locked}}> (<{{lock}}>)"},
            status=204,
        ),
        AppCall(method="PROPFIND", address=f"{trash}/trash", status=207),
        AppCall(
            method="MOVE",
            address=f"{trash}/trash/{{trashed}}",
            headers={"Destination": f"{_DAV}/trashbin/{{owner}}/restore/x"},
            status=201,
        ),
        AppCall(method="DELETE", address=f"{trash}/trash/{{trashed}}", status=204),
        AppCall(method="DELETE", address=f"{trash}/trash", status=204),
        AppCall(method="PROPFIND", address=f"{versions}/versions/{{number}}", status=207),
        AppCall(method="GET", address=f"{versions}/versions/{{number}}/1", status=200),
        AppCall(method="HEAD", address=f"{versions}/versions/{{number}}/1", status=200),
        AppCall(
            method="MOVE",
            address=f"{versions}/versions/{{number}}/1",
            headers={"Destination": f"{_DAV}/versions/{{owner}}/restore/x"},
            status=201,
        ),
        AppCall(method="SEARCH", address=_DAV, body=_SEARCH, status=207),
        AppCall(method="SEARCH", address=f"{_DAV}/", body=_SEARCH, status=207),
        AppCall(
            method="POST",
            address=f"{_DAV}/bulk",
            headers={"Content-Type": "multipart/related; boundary=b"},
            body=_BULK,
            status=200,
        ),
        AppCall(method="GET", address="/index.php/avatar/{user}/64", status=404),
        AppCall(method="POST", address="/index.php/login/v2/poll", headers=_FORM, body="token={token}", status=200),
    ]
    for method in ("GET", "HEAD"):
        calls.append(AppCall(method=method, address="/remote.php/direct/{direct}", status=200))
    for name in ("preview", "preview.png"):
        calls.append(AppCall(method="GET", address=f"/index.php/core/{name}?fileId={{picture}}&x=64&y=64", status=200))
    for version in ("v1", "v2"):
        base = f"/ocs/{version}.php"
        calls.append(AppCall(method="GET", address=f"{base}/cloud/users/{{user}}", status=200))
        calls.append(
            AppCall(
                method="POST",
                address=f"{base}/apps/dav/api/v1/direct",
                headers=_FORM,
                body="fileId={number}",
                status=200,
            )
        )
    return calls


CALLS = [*(call for tree in TREES for call in _tree_calls(tree)), *_root_calls(), *_other_calls()]


EVERYTHING = frozenset(Names.__struct_fields__)


def furnish(app: CloudApp, tag: str, wanted: Collection[str] = EVERYTHING) -> Names:
    """Put one of everything that is wanted into an account, whose address and names have the tag."""
    folder, top, locked = f"papers-{tag}", f"top-{tag}.txt", f"locked-{tag}.txt"
    file, transfer = f"{folder}/notes.txt", f"transfer-{tag}"
    app.mkcol(folder)
    for path, content in ((file, "first"), (file, "again"), (top, "top")):
        app.put(path, f"{content} {tag}".encode())
    lock = picture = trashed = direct = token = flow = ""
    if "lock" in wanted:
        app.put(locked, b"locked")
        lock = app.token(locked).strip("<>")
    if "picture" in wanted:
        drawn = io.BytesIO()
        Image.new("RGB", (8, 8), "navy").save(drawn, "JPEG")
        app.put(f"picture-{tag}.jpg", drawn.getvalue())
        picture = app.find(f"picture-{tag}.jpg", "oc:fileid")["oc:fileid"]
    if "trashed" in wanted:
        app.put(f"old-{tag}.txt", b"old")
        app.delete(f"old-{tag}.txt")
        listed = app.call("PROPFIND", f"{_DAV}/trashbin/{app.account.email}/trash")
        trashed = hrefs(listed)[1].rpartition("/")[2]
    if "transfer" in wanted:
        uploads = f"{_DAV}/uploads/{app.account.email}/{transfer}"
        app.call("MKCOL", uploads)
        app.call("PUT", f"{uploads}/1", content=b"chunk")
    number = app.find(file, "oc:fileid")["oc:fileid"]
    if "direct" in wanted:
        link = app.ocs("apps/dav/api/v1/direct", "POST", data={"fileId": number})["url"]
        direct = urlsplit(link).path.rpartition("/")[2]
    if "token" in wanted:
        token, flow = _agreed(app, tag)
    with app.ctx.metadata.read() as unit:
        stored = unit.tree.at_path(app.account.account_id, app.account.root_key, file.split("/"))
    assert stored is not None
    return Names(
        user=app.account.email,
        owner=app.account.email,
        top=top,
        folder=folder,
        file=file,
        locked=locked,
        lock=lock,
        number=number,
        picture=picture,
        trashed=trashed,
        transfer=transfer,
        direct=direct,
        token=token,
        key=stored.object_key,
        flow=flow,
    )


def _agreed(app: CloudApp, tag: str) -> tuple[str, str]:
    """The poll token and the name of a login in a browser that somebody has agreed to."""
    begun = app.client.post("/index.php/login/v2", headers={"user-agent": "app"}).json()
    page = urlsplit(begun["login"]).path
    agreed = app.client.post(page, data={"email": app.account.email, "password": PASSWORD, "code": "", "app": tag})
    assert agreed.status_code == 200
    return begun["poll"]["token"], page.rpartition("/")[2]


def of_nobody(names: Names, tag: str, former: str) -> Names:
    """Names of the same form as these, of nothing that exists."""

    def other(name: str) -> str:
        return name.replace(former, tag)

    number = str(number_of(UNKNOWN))
    return Names(
        user=other(names.user),
        owner=other(names.user),
        top=other(names.top),
        folder=other(names.folder),
        file=other(names.file),
        locked=other(names.locked),
        lock=token_of(UNKNOWN),
        number=number,
        picture=number,
        trashed=f"{other(names.trashed).rpartition('.d')[0]}.d{number}",
        transfer=other(names.transfer),
        direct=names.direct,
        token=names.token,
        key=UNKNOWN,
        flow=names.flow[:-4] + ("AAAA" if names.flow[-4:] != "AAAA" else "BBBB"),
    )


def as_given(names: Names, mine: Names) -> Names:
    """These names as somebody with `mine` can give them.

    A link for a download and a poll token open what they are for by themselves, to whoever has them. What somebody
    else can do is to put another key into an own link, and to send what is in the address of a flow's page.
    """
    return replace(names, direct=mine.direct.replace(mine.key, names.key), token=names.flow)
