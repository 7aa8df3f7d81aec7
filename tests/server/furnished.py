"""Accounts with one of everything, furnished once: each test gets a copy of the stores, and an application on it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.real_parts.migrated_sqlite import put_migrated
from tests.server.api import Api, HeldClock, logged_in, new_account
from tests.server.good_calls import Keys, furnish
from tests.server.identities import OFFERED
from tests.server.in_process import TestClient

from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.service.process.mail_settings import mail_settings
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.open import embedded_urls, open_blobs, open_metadata


class Furnished(NamedTuple):
    """A session of a furnished account, and the keys of what is in it."""

    api: Api
    keys: Keys


class Snapshot(NamedTuple):
    """Closed stores, and the accounts in them with the answers to their logins."""

    folder: Path
    accounts: list[tuple[Account, dict[str, Any], Keys]]


def settings_for(folder: Path) -> ServerSettings:
    """Return the settings of an application on stores in a folder."""
    metadata, blobs = embedded_urls(folder)
    # Nobody listens there, and nothing is sent: the application runs without background jobs.
    mail = mail_settings("smtp://localhost:1", sender=None, password=None, public_url="https://drive.example.org")
    return ServerSettings(metadata=metadata, blobs=blobs, mail=mail)


def context_for(settings: ServerSettings, clock: HeldClock) -> ServiceContext:
    """Open the stores; the caller closes them."""
    return ServiceContext(
        metadata=open_metadata(settings.metadata),
        blobs=open_blobs(settings.blobs),
        clock=clock,
        rules=settings.rules,
        mail=settings.mail,
        providers=OFFERED,
    )


def snapshot(folder: Path, *names: str) -> Snapshot:
    """Furnish an account for each name, in stores that are closed again."""
    put_migrated(folder)
    with _application(folder, HeldClock()) as (client, ctx):
        made = [logged_in(client, ctx, new_account(ctx, f"{name}@example.org")) for name in names]
        return Snapshot(folder, [(api.account, api.login, furnish(api)) for api in made])


@contextmanager
def restored(taken: Snapshot, folder: Path, clock: HeldClock) -> Iterator[list[Furnished]]:
    """Start an application on a copy of the stores, in a folder that is empty."""
    shutil.copytree(taken.folder, folder, dirs_exist_ok=True)
    with _application(folder, clock) as (client, ctx):
        yield [Furnished(Api(client, ctx, account, login), keys) for account, login, keys in taken.accounts]


@contextmanager
def _application(folder: Path, clock: HeldClock) -> Iterator[tuple[TestClient, ServiceContext]]:
    settings = settings_for(folder)
    ctx = context_for(settings, clock)
    try:
        with TestClient(app_for(ctx, settings), follow_redirects=False, raise_server_exceptions=False) as client:
            yield client, ctx
    finally:
        ctx.metadata.close()
        ctx.blobs.close()
