"""`skyshelf admin restore --account …`: what an account had in a cut, into the same account, beside what it has now."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

import click
import msgspec

from skyshelf.backup.cut import Manifest
from skyshelf.cli.admin.import_ import MeterListener, import_summary, record_import
from skyshelf.cli.admin.outcomes import ShownProgress
from skyshelf.cli.base.errors import CommandFailed
from skyshelf.cli.base.text import visible
from skyshelf.service.accounts.accounts import find_account, return_account
from skyshelf.service.context import ServiceContext
from skyshelf.service.importing import ImportOptions
from skyshelf.service.importing.exported import NEVER, ExportSummary
from skyshelf.service.importing.from_store import Source, SourcePath, StoredAccount, copy_account
from skyshelf.storage.errors import AccountMissing
from skyshelf.storage.metadata.contracts.accounts import Account

ROOT: Final = "/"


class IntoStoreResult(msgspec.Struct, rename="camel"):
    """Where the files of an account came back to."""

    cut: str
    email_id: str
    into: str
    is_new_account: bool
    """Whether this run has made the account again."""
    summary: ExportSummary


def default_folder(found: Manifest) -> str:
    """The folder for what comes back, with the day of the cut."""
    assert found.cut is not None
    return f"/Restored {datetime.fromtimestamp(found.cut.at / 1000, UTC):%Y-%m-%d}"


def restore_into(
    ctx: ServiceContext,
    source: Source,
    what: SourcePath,
    found: Manifest,
    *,
    into: str | None,
    recreate: bool,
    progress: ShownProgress,
) -> IntoStoreResult:
    """Add the files to the account, which must be the very one of the cut."""
    account = _same_account(ctx, source.account)
    is_new = account is None
    if account is None and not recreate:
        raise CommandFailed(
            f"the store has no account {visible(source.account.email)}: --recreate makes it again, without a password,"
            " and --to FOLDER writes its files to this machine"
        )
    if account is None:
        account = return_account(ctx, source.account)
    elif recreate and account.password_hash:
        # Without a password, an interrupted run has made it.
        raise CommandFailed(f"the account {visible(account.email)} exists: leave out --recreate")
    folder = into or (ROOT if recreate else default_folder(found))
    click.echo(what_comes(is_whole=not what.names), err=True)
    options = ImportOptions(into=folder, command="restore", only_new=True)
    summary = copy_account(ctx, account, options, MeterListener(progress), StoredAccount(source, what))
    record_import(ctx, account, summary, f"cut {found.id}")
    return IntoStoreResult(found.id, account.email, folder, is_new, summary)


def what_comes(*, is_whole: bool) -> str:
    """Say what a restore brings back, before it begins."""
    files = "files with their versions, tags and favourites"
    if not is_whole:
        return f"Bringing back {files}. Albums and the trash come with a whole account: leave out --path for that."
    return (
        f"Bringing back {files}, what was in the trash, albums that no longer exist, and contacts. Not brought back:"
        f" {'; '.join(NEVER)}."
    )


def _same_account(ctx: ServiceContext, wanted: Account) -> Account | None:
    """The account of the cut in the store; None if it is gone, and CommandFailed if another one has its address."""
    with suppress(AccountMissing), ctx.metadata.read() as unit:
        return unit.accounts.by_key(wanted.account_key)
    with suppress(AccountMissing):
        find_account(ctx, wanted.email)
        raise CommandFailed(
            f"{visible(wanted.email)} is another account now than in the cut, so perhaps another person's: write the"
            " files to this machine with --to FOLDER"
        )
    return None


def into_store_summary(result: IntoStoreResult) -> str:
    lines = [import_summary(result.summary), f"restored the cut {result.cut} into {result.into} of {result.email_id}"]
    if result.is_new_account:
        lines.append(f"the account has no password yet: skyshelf admin user password-link {result.email_id}")
    return "\n".join(lines)
