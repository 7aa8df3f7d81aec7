"""What Finder, Explorer and office suites do, request by request, and what they must get."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.api import HeldClock, new_account
from tests.server.dav.app import DavApp, values
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import Rules, ServiceContext
from skyshelf.storage.open import open_blobs, open_metadata

WIN32 = (
    '<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:"'
    ' xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop>'
    "<Z:Win32CreationTime>Thu, 01 Oct 2020 08:00:00 GMT</Z:Win32CreationTime>"
    "<Z:Win32LastAccessTime>Thu, 01 Oct 2020 09:00:00 GMT</Z:Win32LastAccessTime>"
    "<Z:Win32LastModifiedTime>Thu, 01 Oct 2020 10:00:00 GMT</Z:Win32LastModifiedTime>"
    "<Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>"
)
FINDER_LOCK = (
    '<?xml version="1.0" encoding="utf-8"?>\n<D:lockinfo xmlns:D="DAV:">\n<D:lockscope><D:exclusive/></D:lockscope>\n'
    "<D:locktype><D:write/></D:locktype>\n<D:owner>\n<D:href>http://www.apple.com/webdav_fs/</D:href>\n</D:owner>\n"
    "</D:lockinfo>\n"
)
EXPLORER_LOCK = (
    '<?xml version="1.0" encoding="utf-8" ?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope>'
    "<D:locktype><D:write/></D:locktype><D:owner><D:href>PC\\ada</D:href></D:owner></D:lockinfo>"
)


def test_finder_copies_a_file_onto_the_drive(dav: DavApp) -> None:
    """An empty file first, then a lock, then the content; and the same for its companion with the resource fork."""
    assert dav.client.request("OPTIONS", "/dav/").headers["dav"].startswith("1, 2"), (
        "without class 2 it mounts read-only"
    )
    quota = (
        '<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:quota-available-bytes/>'
        "<D:quota-used-bytes/><D:quota/><D:quotaused/></D:prop></D:propfind>"
    )
    assert int(values(dav.propfind("", quota, depth="0"))["quota-available-bytes"]) > 0
    for name, content in (("Bericht.pdf", b"%PDF"), ("._Bericht.pdf", b"\x00\x05\x16\x07")):
        assert dav.propfind(name, depth="0").status_code == 404
        assert dav.put(name, b"").status_code == 201
        locked = dav.lock(name, body=FINDER_LOCK, Depth="0", Timeout="Second-600")
        assert locked.status_code == 200
        token = locked.headers["lock-token"]
        assert dav.put(name, content, If=f"({token})", X_Expected_Entity_Length=str(len(content))).status_code == 204
        assert dav.propfind(name, depth="0").status_code == 207
        assert dav.unlock(name, token).status_code == 204
        assert dav.get(name).content == content


def test_an_app_on_macos_saves_by_a_temporary_file(dav: DavApp) -> None:
    """The new content is put beside the document, and takes its place by two moves."""
    dav.put("Text.rtf", b"old")
    assert dav.mkcol(".TemporaryItems").status_code == 201
    assert dav.mkcol(".TemporaryItems/folders.501").status_code == 201
    assert dav.put(".TemporaryItems/folders.501/Text.rtf", b"").status_code == 201
    temporary = ".TemporaryItems/folders.501/Text.rtf"
    token = dav.token(temporary, body=FINDER_LOCK, Depth="0")
    assert dav.put(temporary, b"new", If=f"({token})").status_code == 204
    assert dav.unlock(temporary, token).status_code == 204
    assert dav.move("Text.rtf", "Text.rtf.sb-1a2b", Overwrite="F").status_code == 201
    assert dav.move(temporary, "Text.rtf", Overwrite="F").status_code == 201
    assert dav.delete("Text.rtf.sb-1a2b").status_code == 204
    assert dav.get("Text.rtf").content == b"new"


def test_explorer_copies_a_file_with_its_own_dates(dav: DavApp) -> None:
    """A lock on a name that does not exist, an empty file, the content, and the dates by PROPPATCH."""
    assert dav.propfind("Brief.docx", depth="0").status_code == 404
    assert dav.put("Brief.docx", b"", Translate="f").status_code == 201
    locked = dav.lock("Brief.docx", body=EXPLORER_LOCK, Timeout="Second-3600")
    token = locked.headers["lock-token"]
    assert "Second-3600" in locked.text
    given = f"({token})"
    assert dav.request("PROPPATCH", "Brief.docx", content=WIN32.encode(), headers={"If": given}).status_code == 207
    assert dav.request("HEAD", "Brief.docx", headers={"Translate": "f"}).status_code == 200
    assert dav.put("Brief.docx", b"PK content", If=given, Translate="f").status_code == 204
    assert dav.request("PROPPATCH", "Brief.docx", content=WIN32.encode(), headers={"If": given}).status_code == 207
    assert dav.unlock("Brief.docx", token).status_code == 204
    found = values(dav.propfind("Brief.docx", depth="0"))
    assert found["getlastmodified"] == "Thu, 01 Oct 2020 10:00:00 GMT"
    assert found["creationdate"] == "2020-10-01T08:00:00Z"
    assert found["{urn:schemas-microsoft-com:}Win32FileAttributes"] == "00000020"
    assert dav.get("Brief.docx").content == b"PK content"


def test_word_saves_over_webdav_with_a_lock_on_a_new_name(dav: DavApp) -> None:
    """The owner file beside the document is made by a lock alone; the old document becomes a backup and goes."""
    dav.put("Plan.docx", b"one")
    document = dav.token("Plan.docx", body=EXPLORER_LOCK, Timeout="Second-3600")
    beside = dav.lock("~$Plan.docx", body=EXPLORER_LOCK, Timeout="Second-3600")
    assert beside.status_code == 201
    assert dav.put("~$Plan.docx", b"ada", If=f"({beside.headers['lock-token']})").status_code == 204
    again = dav.lock("Plan.docx", body="", If=f"({document})", Timeout="Second-3600")
    assert again.status_code == 200
    assert dav.put("Plan.docx", b"two", If=f"({document})").status_code == 204
    assert dav.delete("~$Plan.docx", If=f"({beside.headers['lock-token']})").status_code == 204
    assert dav.unlock("Plan.docx", document).status_code == 204
    assert dav.get("Plan.docx").content == b"two"


def test_libreoffice_opens_and_saves_with_a_lock_and_a_condition(dav: DavApp) -> None:
    etag = dav.put("Text.odt", b"one").headers["etag"]
    token = dav.token("Text.odt", Depth="0", Timeout="Second-180")
    assert dav.request("HEAD", "Text.odt").headers["etag"] == etag
    assert dav.put("Text.odt", b"two", If=f"({token} [{etag}])").status_code == 204
    assert dav.put("Text.odt", b"three", If=f"({token} [{etag}])").status_code == 412, "somebody else saved it"
    assert dav.unlock("Text.odt", token).status_code == 204
    assert dav.get("Text.odt").content == b"two"


def test_a_file_manager_of_gnome_replaces_only_what_it_has_seen(dav: DavApp) -> None:
    etag = dav.put("a.txt", b"one").headers["etag"]
    assert dav.put(".goutputstream-X", b"two").status_code == 201
    assert dav.move(".goutputstream-X", "a.txt", Overwrite="T", If=f"</dav/a.txt> ([{etag}])").status_code == 204
    assert dav.get("a.txt").content == b"two"


@pytest.fixture
def tidy(settings: ServerSettings, clock: HeldClock, tmp_path: Path) -> Iterator[DavApp]:
    """A server that stores no clutter."""
    rules = Rules(refuse_clutter=True)
    ctx = ServiceContext(
        metadata=open_metadata(settings.metadata), blobs=open_blobs(settings.blobs), clock=clock, rules=rules
    )
    with TestClient(app_for(ctx, settings), raise_server_exceptions=False) as client:
        yield DavApp(client, ctx, new_account(ctx, "tidy@example.org"))


def test_clutter_is_stored_or_refused_as_the_operator_says(dav: DavApp, tidy: DavApp) -> None:
    for name in ("._a", ".DS_Store", "Thumbs.db", "THUMBS.DB", "desktop.ini"):
        assert dav.put(name).status_code in (201, 204), name
        assert tidy.put(name).status_code == 403, name
        assert tidy.lock(name).status_code == 403, name
    tidy.put("a.txt")
    assert tidy.move("a.txt", "._a.txt").status_code == 403
    assert tidy.copy("a.txt", ".DS_Store").status_code == 403
    assert tidy.names() == ["/dav/a.txt"]
