"""`skyshelf admin restore --list`: the cuts of a backup, the accounts of a cut, and the files of an account."""

from collections.abc import Sequence
from typing import Any

from skyshelf.backup.cut import Manifest
from skyshelf.cli.admin import outcomes
from skyshelf.cli.admin.stores import Result, fields_of, listed
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.text import format_utc, visible
from skyshelf.service.accounts.accounts import all_accounts
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing.from_store import Source, SourcePath, children, find
from skyshelf.wire.sizes import format_size


def list_cuts(found: Sequence[Manifest]) -> Result:
    """All cuts, oldest first."""
    rows = [("TIME", "ACCOUNTS", "OBJECTS", "CONTENTS", "SIZE", "NEW", "STATE", "CUT")] if found else []
    for one in found:
        if one.cut is None:
            rows.append(("", "", "", "", "", "", one.problem or "", one.id))
        else:
            state = "complete" if one.cut.is_complete else f"lacks {one.cut.lacking:,}"
            state += ", encrypted" if one.cut.encrypted else ""
            counts = (_count(one.cut.accounts), _count(one.cut.objects), f"{one.cut.files:,}")
            sizes = (format_size(one.cut.total_bytes), format_size(one.cut.new_bytes))
            rows.append((one.cut.time, *counts, *sizes, state, one.id))
    data = [outcomes.describe_cut(one.cut) if one.cut else {"id": one.id, "problem": one.problem} for one in found]
    return listed(data, rows, empty="no cuts")


def refuse_damaged(found: Sequence[Manifest]) -> None:
    """Raise CommandFailed if a manifest cannot be read; called once the others are listed."""
    if any(one.cut is None for one in found):
        raise CommandFailed("some manifests are damaged: `skyshelf admin verify` shows more", outcomes.DAMAGE)


def _count(number: int | None) -> str:
    """A number; older cuts do not have it."""
    return "?" if number is None else f"{number:,}"


def list_accounts(ctx: ServiceContext, found: Manifest) -> Result:
    """The accounts of a cut, oldest first."""
    rows = [("ACCOUNT", "NAME", "OBJECTS", "SIZE")]
    data = []
    for account, quota in all_accounts(ctx):
        name = f"{account.first_name} {account.last_name}"
        rows.append((visible(account.email), visible(name), f"{quota.objects:,}", format_size(quota.used)))
        data.append(
            {"emailId": account.email, "userId": account.account_key, "name": name}
            | fields_of(quota, "objects", "usedSpace=used")
        )
    return _in_cut(found, "accounts", data, rows if data else [], empty="no accounts")


def list_files(source: Source, found: Manifest, path: str) -> Result:
    """The entries of a folder with the sizes of whole folders, or the versions of a file."""
    at = find(source, path)
    if not at.object.is_folder:
        return _list_versions(source, found, at)
    rows = [("NAME", "SIZE", "FILES", "MODIFIED", "VERSION")]
    data: list[dict[str, Any]] = []
    for child in children(source, at):
        stored = child.object
        files, size = _below(source, child) if stored.is_folder else (1, stored.size)
        shown = (visible(stored.name) + "/", format_size(size), f"{files:,}", format_utc(stored.last_modified_at), "")
        if not stored.is_folder:
            shown = (visible(stored.name), format_size(size), "", shown[3], f"{stored.version:,}")
        rows.append(shown)
        data.append(
            {"name": stored.name, "isFolder": stored.is_folder, "size": size, "files": files}
            | fields_of(stored, "lastModifiedDate=last_modified_at", "version", "sha256")
        )
    return _in_cut(found, "entries", data, rows if data else [], empty="an empty folder")


def _list_versions(source: Source, found: Manifest, at: SourcePath) -> Result:
    with source.ctx.metadata.read() as unit:
        versions = unit.files.versions(source.account.account_id, at.object.object_key)
    rows = [("VERSION", "SIZE", "MODIFIED", "STORED", "SHA-256")]
    rows += [
        (
            f"{one.version:,}",
            format_size(one.size),
            format_utc(one.last_modified_at),
            format_utc(one.created_at),
            one.sha256,
        )
        for one in versions
    ]
    data = [
        fields_of(one, "version", "size", "lastModifiedDate=last_modified_at", "createdDate=created_at", "sha256")
        for one in versions
    ]
    return _in_cut(found, "versions", data, rows, empty="")


def _below(source: Source, folder: SourcePath) -> tuple[int, int]:
    """How many files are below a folder, and their bytes."""
    files = size = 0
    waiting = [folder]
    while waiting:
        for child in children(source, waiting.pop()):
            if child.object.is_folder:
                waiting.append(child)
            else:
                files, size = files + 1, size + child.object.size
    return files, size


def _in_cut(
    found: Manifest, what: str, data: list[dict[str, Any]], rows: Sequence[tuple[str, ...]], *, empty: str
) -> Result:
    assert found.cut is not None
    shown = listed({"cut": found.id, "time": found.cut.time, what: data}, rows, empty=empty)
    return Result(shown.data, f"cut {found.id} of {found.cut.time}\n{shown.text}")
