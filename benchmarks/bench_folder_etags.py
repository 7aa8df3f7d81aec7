"""`./dev bench folder_etags`: what the ETags of folders cost in an account of many files, on both databases."""

import argparse

from benchmarks.metadata import NOW, SampleAccount, Store, new_file
from benchmarks.searching import store
from benchmarks.tables import milliseconds, print_table, short
from skyshelf.storage.metadata.sql.tree.objects import insert_objects

ROUNDS = 15
PER_FOLDER = 50
AT_ONCE = 100
TOP, MIDDLE = 10, 10
"""Folders in the root, and in each of those."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench folder_etags", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="how many the account holds (default: 100,000)")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="one database")
    options = parser.parse_args()
    rows: dict[str, list[str]] = {}
    kinds = [options.only] if options.only else ["sqlite", "postgres"]
    for kind in kinds:
        with store(kind) as opened:
            for name, figure in _figures(opened, options.files).items():
                rows.setdefault(name, []).append(figure)
    folders = options.files // PER_FOLDER + TOP * (MIDDLE + 1)
    print_table(
        f"ETags of folders, {options.files:,} files in {folders:,} folders, four levels deep",
        ["", *kinds],
        [[name, *cells] for name, cells in rows.items()],
        name="calls",
    )


def _figures(opened: Store, files: int) -> dict[str, str]:
    filled = SampleAccount(opened, 0)
    account_id, root = filled.account.account_id, filled.account.root_key
    tops = [filled.folder(root, f"top {number}") for number in range(TOP)]
    middles = [filled.folder(top, f"middle {number}") for top in tops for number in range(MIDDLE)]
    leaves = [filled.folder(middles[number % len(middles)], f"leaf {number}") for number in range(files // PER_FOLDER)]
    for start in range(0, len(leaves), AT_ONCE):
        new = [filled.file(leaf, number) for leaf in leaves[start : start + AT_ONCE] for number in range(PER_FOLDER)]
        opened.write(lambda unit, new=new: insert_objects(unit.sql, new))  # type: ignore[misc]

    def newest(keys: list[str]) -> None:
        with opened.read() as unit:
            unit.folder_marks.newest(account_id, keys)

    numbers = iter(range(1_000_000))

    def upload() -> None:
        file = new_file(leaves[0], f"new {next(numbers)}.txt")
        opened.write(lambda unit: unit.files.put(account_id, file, NOW, keep_versions=10))

    def rows_of_an_upload() -> int:
        with opened.read() as unit:
            text = "SELECT folder_key, mark FROM folder_marks WHERE account_id = :account"
            before = {tuple(row) for row in unit.sql.all(text, {"account": account_id})}
        upload()
        with opened.read() as unit:
            after = {tuple(row) for row in unit.sql.all(text, {"account": account_id})}
        return len(after - before)

    timed = {
        "the root alone, as a client asks every half minute, ms": lambda: newest([root]),
        f"the {TOP} folders in the root, ms": lambda: newest(tops),
        f"the {len(leaves) // len(middles)} folders of one folder, ms": lambda: newest(leaves[:: len(middles)]),
        "one upload, four levels deep, ms": upload,
    }
    figures = {name: short(milliseconds(work, rounds=ROUNDS)) for name, work in timed.items()}
    return {**figures, "rows that this upload writes for ETags": str(rows_of_an_upload())}


if __name__ == "__main__":
    main()
