"""`skyshelf admin quarantine`: what is listed, what comes back, and what goes for good."""

import hashlib
import json
from pathlib import Path

import pytest
from tests.cli.admin.test_admin import add, admin, opened, refusal

from skyshelf.service.accounts.accounts import find_account
from skyshelf.service.integrity.quarantine import set_aside_blobs, set_aside_uploads
from skyshelf.storage.metadata.contracts.content import Reason
from skyshelf.storage.open import embedded_urls, open_stores


@pytest.fixture
def data(tmp_path: Path) -> Path:
    metadata, blobs = open_stores(*embedded_urls(tmp_path / "data"))
    metadata.close()
    blobs.close()
    return tmp_path / "data"


def put(data: Path, content: bytes, reason: Reason = "orphan") -> str:
    """A content in quarantine; its SHA-256."""
    with opened(data) as ctx:
        stored = ctx.blobs.put([content])
        set_aside_blobs(ctx, {stored.location: stored.size}, reason)
    return stored.sha256


def left(data: Path) -> int:
    return len(json.loads(admin(data, "quarantine", "ls", "--json").stdout)["contents"])


def test_what_is_in_quarantine_is_listed_with_its_reason_and_its_end(data: Path) -> None:
    assert admin(data, "quarantine").stdout == "Nothing is in quarantine.\n"
    digest = put(data, b"hello")
    put(data, b"damaged", "replaced")
    with opened(data) as ctx:
        set_aside_uploads(ctx, {"0" * 32: 7}, "orphan")
    shown = admin(data, "quarantine", "ls").stdout
    for part in (digest, "orphan", "5 B", "goes 20", "upload 000", "orphan: 2 contents, 12 B"):
        assert part in shown
    listed = json.loads(admin(data, "quarantine", "ls", "--only", "orphan", "--limit", "1", "--json").stdout)
    [one] = listed["contents"]
    assert one["reason"] == "orphan"
    assert one["goes"] - one["since"] == 7 * 86_400_000
    assert {total["reason"]: total["count"] for total in listed["totals"]} == {"orphan": 2, "replaced": 1}


def test_contents_are_recovered_into_a_folder_and_never_replace_a_file(data: Path, tmp_path: Path) -> None:
    first, second = put(data, b"first"), put(data, b"")
    out = tmp_path / "out"
    done = admin(data, "quarantine", "recover", first, second.upper(), "--output", str(out))
    assert done.exit_code == 0
    assert {path.name: path.read_bytes() for path in out.iterdir()} == {first: b"first", second: b""}
    (out / first).write_bytes(b"mine")
    assert "exists already" in refusal(admin(data, "quarantine", "recover", first, "--output", str(out)))
    assert (out / first).read_bytes() == b"mine"
    assert left(data) == 2


def test_a_damaged_or_unknown_content_is_not_recovered(data: Path, tmp_path: Path) -> None:
    digest = put(data, b"sound")
    with opened(data) as ctx, ctx.metadata.read() as unit:
        path = ctx.blobs.local_path(unit.quarantine.copies(digest)[0].location)
        assert path is not None
        path.write_bytes(b"wrong")
    add(data)
    for where in (("--output", str(tmp_path / "out")), ("--account", "ada@example.org")):
        assert "damaged" in refusal(admin(data, "quarantine", "recover", digest, *where))
        assert "is not in quarantine" in refusal(admin(data, "quarantine", "recover", "0" * 64, *where))
    assert list((tmp_path / "out").iterdir()) == []
    assert admin(data, "quarantine", "recover", "xyz", "--output", "out").exit_code == 2
    assert admin(data, "quarantine", "recover", digest).exit_code == 2


def test_contents_are_put_back_into_a_drive_and_leave_the_quarantine(data: Path) -> None:
    add(data)
    digest = put(data, b"precious")
    where = ("--account", "ada@example.org", "--folder", "/Found/again")
    [result] = json.loads(admin(data, "quarantine", "recover", digest, *where, "--json").stdout)
    assert left(data) == 0
    with opened(data) as ctx:
        account = find_account(ctx, "ada@example.org")
        with ctx.metadata.read() as unit:
            stored = unit.tree.get(account.account_id, result["objectKey"])
            version = unit.files.version(account.account_id, stored.object_key)
            assert unit.quotas.get(account.account_id, ctx.clock.now()).used == 8
        assert (stored.name, stored.md5) == (digest, hashlib.md5(b"precious", usedforsecurity=False).hexdigest())
        assert b"".join(ctx.blobs.read(version.location)) == b"precious"
    assert "files have it" in refusal(admin(data, "quarantine", "recover", digest, *where))


def test_the_quarantine_is_emptied_with_a_reason_and_a_confirmation(data: Path) -> None:
    put(data, b"one", "released")
    put(data, b"two")
    assert admin(data, "quarantine", "empty", "--yes").exit_code == 2
    assert "--yes" in admin(data, "quarantine", "empty", "--reason", "space").stderr
    for options, gone in ((("--older-than", "1d"), 0), (("--only", "released"), 1), ((), 1)):
        done = admin(data, "quarantine", "empty", "--reason", "space", "--yes", "--json", *options)
        assert json.loads(done.stdout)["deleted"] == gone
    with opened(data) as ctx:
        assert list(ctx.blobs.list()) == []
    noted = json.loads(admin(data, "quarantine", "ls", "--json").stdout)["emptied"]
    assert [(one["count"], one["reason"]) for one in noted] == [(0, "space"), (1, "space"), (1, "space")]
