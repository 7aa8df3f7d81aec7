"""What a store says about itself in short, whatever version of the schema it has."""

from typing import Final, NamedTuple

from skyshelf.storage.identity import SETTING, Identity, read_identity
from skyshelf.storage.local_paths import local_path_or_none
from skyshelf.storage.metadata.sql.statements import Sql
from skyshelf.storage.metadata.store import MetadataStore
from skyshelf.storage.upgrade import schema_at

_OBJECTS: Final = "SELECT coalesce(sum(objects), 0) FROM account_counters"
"""The sum of counters, one per account: counting the objects themselves would take minutes in a large store."""


class Summary(NamedTuple):
    """What distinguishes a store from others, for people."""

    identity: Identity | None
    objects: int
    """Files and folders of all accounts, without their root folders."""


def summary_of(store: MetadataStore) -> Summary:
    """Return the summary of an open store; StoresDoNotMatch where its identity is damaged."""
    with store.read() as unit:
        return _summary(unit.sql)


def _summary(sql: Sql) -> Summary:
    value = sql.value("SELECT value FROM settings WHERE name = :name", {"name": SETTING})
    return Summary(read_identity(value), sql.number(_OBJECTS))


def summary_at(metadata_url: str) -> Summary | None:
    """Return the summary of a store that is not open, without changing it; None where there is no store yet."""
    path = local_path_or_none(metadata_url)
    if path is not None and not (path.is_file() and path.stat().st_size):
        return None
    with schema_at(metadata_url).reading() as sql:
        return None if sql is None else _summary(sql)
