"""A new data folder with several accounts, and in each of them a folder for each of its workers."""

from random import Random

from tests.crash.performing import new_account
from tests.crash.shelf import Shelf, Thing

from skyshelf.storage.metadata.contracts.tree import NewFolder
from skyshelf.storage.metadata.sql.unit import SqlUnit
from skyshelf.wire.keys import RANDOM_BYTES, make_key

WORKERS_OF_ACCOUNTS = (3, 2, 1)
_NO_WORKER = 255


def add_shelves(unit: SqlUnit, rng: Random, now: int) -> list[Shelf]:
    shelves: list[Shelf] = []
    for number, workers in enumerate(WORKERS_OF_ACCOUNTS):
        account = unit.accounts.add(
            new_account(_key(rng, now, _NO_WORKER), _key(rng, now, _NO_WORKER), f"{number}@crash.example"), now
        )
        for worker in range(len(shelves), len(shelves) + workers):
            base = Thing(_key(rng, now, worker), account.root_key, f"w{worker}", is_folder=True)
            folder = NewFolder(object_key=base.object_key, parent_key=base.parent_key, name=base.name)
            unit.tree.add_folder(account.account_id, folder, now)
            shelves.append(
                Shelf(
                    worker=worker,
                    account_id=account.account_id,
                    root_key=account.root_key,
                    base_key=base.object_key,
                    alone=workers == 1,
                    things={base.object_key: base},
                    feed=[("created", base.object_key)],
                )
            )
    return shelves


def _key(rng: Random, now: int, worker: int) -> str:
    return make_key(now, rng.randbytes(RANDOM_BYTES - 1) + bytes([worker]))
