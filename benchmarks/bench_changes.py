"""`./dev bench changes`: a page of changes, a full listing, and a check for changes, on both databases."""

import argparse

from benchmarks.searching import SearchAccount, store
from benchmarks.tables import milliseconds, print_table, short
from skyshelf.storage.metadata.contracts.tree import Rename

ROUNDS = 9
PAGE = 5000


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench changes", description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000, help="how many the account holds")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="one database")
    options = parser.parse_args()
    rows: dict[str, list[str]] = {}
    kinds = [options.only] if options.only else ["sqlite", "postgres"]
    for kind in kinds:
        with store(kind) as opened:
            for name, figure in _figures(SearchAccount(opened, options.objects)).items():
                rows.setdefault(name, []).append(short(figure))
    print_table(
        f"Changes of an account of {options.objects:,} objects, ms",
        ["", *kinds],
        [[name, *cells] for name, cells in rows.items()],
        name="calls",
    )


def _figures(searched: SearchAccount) -> dict[str, float]:
    account_id, opened = searched.account.account_id, searched.store

    def page(since: int) -> None:
        with opened.snapshot() as unit:
            found = unit.changes.since(account_id, since, PAGE)
            unit.changes.objects(account_id, [one.object_key for one in found])

    def everything(after: str | None) -> str:
        with opened.read() as unit:
            return unit.changes.everything(account_id, after=after, limit=PAGE)[-1][0]

    def news() -> None:
        with opened.read() as unit:
            unit.changes.newest_of([account_id])

    key = everything(None)
    turn = iter(range(1_000_000))

    def one_change() -> None:
        opened.write(lambda unit: unit.tree.apply(account_id, [Rename(key, f"renamed {next(turn)}")], 1))

    with opened.read() as unit:
        newest = unit.changes.newest(account_id)
    return {
        f"{PAGE:,} changes from the middle, with their objects": milliseconds(lambda: page(newest // 2), rounds=ROUNDS),
        "nothing new": milliseconds(lambda: page(newest), rounds=ROUNDS),
        f"{PAGE:,} of everything": milliseconds(lambda: everything(key), rounds=ROUNDS),
        "one look for news": milliseconds(news, rounds=ROUNDS),
        "one rename, which writes the change and the index": milliseconds(one_change, rounds=ROUNDS),
    }


if __name__ == "__main__":
    main()
