"""Somebody else's key is, for every call, a key that does not exist.

The calls come from the nouns themselves, so a call that is added later is tried as well: a call whose
parameters this test cannot fill fails it.
"""

import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.conformance.metadata.backends import Store
from tests.conformance.metadata.making import (
    NOW,
    make_account,
    make_folder,
    new_file,
    new_key,
    put_file,
    trash,
)

from skyshelf.storage.errors import StorageError
from skyshelf.storage.metadata.contracts.accounts import Account
from skyshelf.storage.metadata.contracts.files import NewUpload, UploadPart
from skyshelf.storage.metadata.contracts.tree import (
    DeadProperty,
    Lock,
    Move,
    NewFolder,
    NewTag,
    PageOf,
    Relocate,
    Rename,
    SetFavorite,
    SortBy,
    StoredObject,
    Trash,
)
from skyshelf.storage.metadata.history.contract import EntryFilter
from skyshelf.storage.metadata.sql.changes import SqlChanges
from skyshelf.storage.metadata.sql.content import SqlContent
from skyshelf.storage.metadata.sql.files import SqlFiles
from skyshelf.storage.metadata.sql.history.history import SqlHistory
from skyshelf.storage.metadata.sql.quota import SqlQuotas
from skyshelf.storage.metadata.sql.tree.purge import SqlPurge
from skyshelf.storage.metadata.sql.tree.tree import SqlTree
from skyshelf.storage.metadata.sql.uploads import SqlUploads
from skyshelf.storage.metadata.sql.webdav import SqlDeadProperties, SqlFolderMarks, SqlLocks
from skyshelf.storage.metadata.store import Unit

pytestmark = pytest.mark.backend

NOUNS = {
    "tree": SqlTree,
    "files": SqlFiles,
    "purge": SqlPurge,
    "uploads": SqlUploads,
    "changes": SqlChanges,
    "quotas": SqlQuotas,
    "content": SqlContent,
    "locks": SqlLocks,
    "dead_properties": SqlDeadProperties,
    "folder_marks": SqlFolderMarks,
    "history": SqlHistory,
}

# One call: the noun, the method, and its arguments by name.
Call = tuple[str, str, dict[str, Any]]
Filler = Callable[[str, str], list[Any]]

TABLES = (
    "accounts", "account_counters", "objects", "versions", "changes", "uploads", "locks", "dead_properties",
    "folder_marks",
)  # fmt: skip
SPARE_KEY: str = new_key()
PROPERTY = DeadProperty("ns", "p", "<p>1</p>")


def lock_of(object_key: str, lock_key: str = SPARE_KEY) -> Lock:
    return Lock(lock_key=lock_key, object_key=object_key, is_exclusive=True, is_deep=True, owner="", expires_at=NOW + 9)


OWN_FOLDER: dict[str, str] = {}
"""A folder of the caller's own, by the caller's root."""

# What a parameter of that name may hold when a stranger fills it: (foreign or unknown key, the caller's own root).
HOLDING_A_KEY: dict[str, Filler] = {
    "object_key": lambda key, root: [key],
    "object_keys": lambda key, root: [[key], [root, key]],
    "folder_key": lambda key, root: [key],
    "folder_keys": lambda key, root: [[key], [root, key]],
    "below": lambda key, root: [key],
    "upload_key": lambda key, root: [key],
    "between": lambda key, root: [(key, key)],
    "page": lambda key, root: [PageOf(folder_key=key), PageOf(folder_key=root, after=("a", key))],
    "folder": lambda key, root: [NewFolder(object_key=SPARE_KEY, parent_key=key, name="x")],
    "file": lambda key, root: [new_file(key, "x", b"1", object_key=SPARE_KEY, location="spare")],
    "files": lambda key, root: [[new_file(key, "x", b"1", object_key=SPARE_KEY, location="spare")]],
    "upload": lambda key, root: [
        NewUpload(upload_key=SPARE_KEY, parent_key=key, name="x", size=1, md5="0" * 32, details=b"")
    ],
    "changes": lambda key, root: [
        [Rename(key, "x")],
        [Move(key, root)],
        [Move(OWN_FOLDER[root], key)],
        [Move(key, key)],
        [Relocate(key, root, "y")],
        [Relocate(OWN_FOLDER[root], key, "y")],
        [SetFavorite(key, True)],
        [Trash(key)],
    ],
    "lock": lambda key, root: [lock_of(key)],
    "lock_key": lambda key, root: [key],
    "lock_keys": lambda key, root: [[key]],
    "copies": lambda key, root: [[(key, root)]],
}
# What any other parameter holds.
PLAIN: dict[str, Any] = {
    "account_id": None,
    "whole": False,
    "name": "x",
    "details": b"",
    "names": ["x"],
    "named": [("ns", "p")],
    "properties": [PROPERTY],
    "expires_at": NOW + 9,
    "created_at": NOW,
    "modified_at": NOW,
    "now": NOW,
    "limit": 10,
    "most": 10,
    "among": 100,
    "offset": 0,
    "keep_versions": 1,
    "keep": True,
    "days": 5,
    "wanted": EntryFilter(),
    "moments": (0, 1),
    "at": NOW,
    "after": None,
    "media": True,
    "by_name": True,
    "app_code": "dgl",
    "category": "photos",
    "first_day": 1,
    "last_day": 1231,
    "before": NOW,
    "per_year": 5,
    "number": 1,
    "trashed_up_to": NOW,
    "seq": 1_000_000,
    "up_to_seq": 0,
    "after_seq": 0,
    "part": UploadPart(0, 1, "0" * 32, "token"),
    "sort": SortBy.NAME,
    "descending": False,
    "backwards": False,
    "facts": None,
    "md5": "0" * 32,
    "size": 1,
    "created_by": "Ada",
    "taken": None,
    "needs_date": False,
    "bytes_freed_by_next_version": 0,
    "even_forgotten": True,
}


def _methods() -> list[tuple[str, str, list[str]]]:
    found = []
    for noun, kind in NOUNS.items():
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            parameters = [one for one in inspect.signature(method).parameters if one != "self"]
            if not name.startswith("_") and "account_id" in parameters:
                found.append((noun, name, parameters))
    return found


METHODS_WITH_KEYS = [
    (noun, name, parameters)
    for noun, name, parameters in _methods()
    if any(parameter in HOLDING_A_KEY for parameter in parameters)
]


def _calls(noun: str, name: str, parameters: list[str], key: str, caller: Account) -> Iterator[Call]:
    for holding in (parameter for parameter in parameters if parameter in HOLDING_A_KEY):
        for value in HOLDING_A_KEY[holding](key, caller.root_key):
            arguments = {
                parameter: caller.account_id if parameter == "account_id" else _plain(parameter, caller)
                for parameter in parameters
                if parameter != holding
            }
            yield noun, name, arguments | {holding: value}


def _plain(parameter: str, caller: Account) -> Any:
    """A value that is not the matter: something of the caller's own, or nothing."""
    own: dict[str, Any] = {
        "object_key": caller.root_key,
        "object_keys": [caller.root_key],
        "folder_key": caller.root_key,
        "below": caller.root_key,
        "upload_key": None,
        "page": PageOf(folder_key=caller.root_key),
        "folder": NewFolder(object_key=SPARE_KEY, parent_key=caller.root_key, name="x"),
        "file": new_file(caller.root_key, "x", b"1", object_key=SPARE_KEY, location="spare"),
        "files": [new_file(caller.root_key, "x", b"1", object_key=SPARE_KEY, location="spare")],
    }
    return own[parameter] if parameter in own else PLAIN[parameter]


class UndoneError(Exception):
    """Ends a work after it has returned, so the next one finds the store as it was."""


def _answer(store: Store, call: Call, key: str) -> str:
    """What a call answers, with the key itself written as a blank."""
    noun, name, arguments = call
    answers: list[str] = []

    def work(unit: Unit) -> None:
        try:
            answer = repr(getattr(getattr(unit, noun), name)(**arguments))
        except StorageError as refusal:
            answer = repr(refusal)
        answers.append(answer.replace(key, "KEY"))
        raise UndoneError

    with pytest.raises(UndoneError):
        store.write(work)
    return answers[-1]


def _everything_of(store: Store, account: Account) -> list[Any]:
    """Every row of an account in the tables that these nouns write."""
    with store.snapshot() as unit:
        return [
            sorted(
                repr(row)
                for row in unit.sql.all(
                    f"SELECT * FROM {table} WHERE account_id = :account", {"account": account.account_id}
                )
            )
            for table in (
                "accounts",
                "account_counters",
                "objects",
                "versions",
                "changes",
                "uploads",
                "locks",
                "dead_properties",
                "folder_marks",
            )
        ]


def _give_something(store: Store, account: Account) -> None:
    """A folder with content that the account owns."""
    folder = make_folder(store, account, account.root_key, "own").object_key
    put_file(store, account, folder, "owned", b"1")
    OWN_FOLDER[account.root_key] = folder


def _foreign_keys(store: Store, owner: Account) -> dict[str, str]:
    folder = make_folder(store, owner, owner.root_key, "folder")
    file = put_file(store, owner, folder.object_key, "x", b"1", app_code="dgl")
    trashed = make_folder(store, owner, owner.root_key, "trashed")
    trash(store, owner, trashed.object_key)
    new = NewUpload(upload_key=new_key(), parent_key=owner.root_key, name="u", size=9, md5="1" * 32, details=b"secret")
    upload = store.write(lambda unit: unit.uploads.begin(owner.account_id, new, NOW))
    part = UploadPart(0, 1, "0" * 32, "token")
    store.write(lambda unit: unit.uploads.advance(owner.account_id, upload.upload_key, part, NOW))
    tag, tagged = NewTag(tag_key=new_key(), name="secret"), [file.object.object_key]
    store.write(lambda unit: unit.tags.add(owner.account_id, tagged, tag, NOW))
    lock = lock_of(folder.object_key, new_key())
    store.write(lambda unit: unit.locks.add(owner.account_id, lock, NOW))
    store.write(lambda unit: unit.dead_properties.set(owner.account_id, folder.object_key, [PROPERTY]))
    return {
        "root": owner.root_key,
        "folder": folder.object_key,
        "file": file.object.object_key,
        "trashed": trashed.object_key,
        "upload": upload.upload_key,
        "lock": lock.lock_key,
    }


def test_every_parameter_of_every_call_is_understood() -> None:
    for noun, name, parameters in _methods():
        for parameter in parameters:
            assert parameter in HOLDING_A_KEY or parameter in PLAIN, f"{noun}.{name} has a new parameter {parameter}"
    assert len(METHODS_WITH_KEYS) >= 20
    hints = typing.get_type_hints(PageOf)
    assert {name for name in hints if name.endswith("_key")} == {"folder_key"}


@pytest.mark.parametrize(
    ("noun", "name", "parameters"), METHODS_WITH_KEYS, ids=[f"{noun}.{name}" for noun, name, _ in METHODS_WITH_KEYS]
)
def test_a_strangers_key_is_answered_exactly_like_no_key_at_all(
    store: Store, noun: str, name: str, parameters: list[str]
) -> None:
    owner, caller = make_account(store), make_account(store)
    _give_something(store, caller)
    foreign = _foreign_keys(store, owner)
    before = _everything_of(store, owner)
    unknown = new_key()
    expected = [_answer(store, call, unknown) for call in _calls(noun, name, parameters, unknown, caller)]
    for kind, key in foreign.items():
        answers = [_answer(store, call, key) for call in _calls(noun, name, parameters, key, caller)]
        assert answers == expected, f"{noun}.{name} tells {kind} of another account from an unknown key"
    assert _everything_of(store, owner) == before


def test_the_owner_gets_another_answer_than_the_stranger(store: Store) -> None:
    """The check above would prove nothing if every call returned the same for everything."""
    owner, caller = make_account(store), make_account(store)
    _give_something(store, owner)
    _give_something(store, caller)
    foreign = _foreign_keys(store, owner)
    alike = []
    for noun, name, parameters in METHODS_WITH_KEYS:
        told = {
            _answer(store, call, key) != _answer(store, own, key)
            for key in foreign.values()
            for call, own in zip(
                _calls(noun, name, parameters, key, caller), _calls(noun, name, parameters, key, owner), strict=True
            )
        }
        if True not in told:
            alike.append(f"{noun}.{name}")
    assert alike == []


def test_a_stranger_does_not_own_content_by_knowing_its_digest(store: Store) -> None:
    owner, caller = make_account(store), make_account(store)
    file = new_file(owner.root_key, "file", b"secret")
    store.write(lambda unit: unit.files.put(owner.account_id, file, NOW, keep_versions=1))
    wanted = new_file(caller.root_key, "file", b"secret")
    with store.read() as unit:
        assert unit.content.owned(caller.account_id, file.md5, file.size) is None
        assert isinstance(unit.tree.child_named(owner.account_id, owner.root_key, "file"), StoredObject)
    assert store.write(lambda unit: unit.files.put_owned(caller.account_id, wanted, NOW, keep_versions=1)) is None
