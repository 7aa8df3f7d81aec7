"""`./dev bench search`: a page of search results for common and rare words, on both databases."""

import argparse
from functools import partial

from benchmarks.searching import SearchAccount, store
from benchmarks.tables import milliseconds, print_table, short
from skyshelf.storage.metadata.contracts.tree import Range, SearchFilter

ROUNDS = 9
LIMIT = 50
SEARCHES = {
    "in every other name: img": SearchFilter(text="img"),
    "one letter: e": SearchFilter(text="e"),
    "one character, rare: 猫": SearchFilter(text="猫"),
    "two letters that nothing has: zq": SearchFilter(text="zq"),
    "a rare word: quokka": SearchFilter(text="quokka"),
    "part of a number: 123456": SearchFilter(text="123456"),
    "part of a word, without its accent: charp": SearchFilter(text="charp"),
    "two words: müller invoice": SearchFilter(text="müller invoice"),
    "words and an extension: straße, pdf": SearchFilter(text="straße", extension="pdf"),
    "favourites alone": SearchFilter(favorite=True),
    "a kind and a size: photo, at least 1": SearchFilter(kind="photo", size=Range(1, None)),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench search", description=__doc__)
    parser.add_argument("--objects", type=int, default=1_000_000, help="how many the account holds")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="one database")
    options = parser.parse_args()
    columns: dict[str, list[str]] = {name: [] for name in ("objects written per second", *SEARCHES)}
    kinds = [options.only] if options.only else ["sqlite", "postgres"]
    for kind in kinds:
        with store(kind) as opened:
            searched = SearchAccount(opened, options.objects)
            columns["objects written per second"].append(short(searched.rate))
            for name, wanted in SEARCHES.items():
                columns[name].append(short(milliseconds(partial(look, searched, wanted), rounds=ROUNDS)))
    print_table(
        f"A page of {LIMIT} of a search in an account of {options.objects:,} objects, ms",
        ["search", *kinds],
        [[name, *cells] for name, cells in columns.items()],
        name="page",
    )


def look(searched: SearchAccount, wanted: SearchFilter) -> None:
    """The first page."""
    with searched.store.read() as unit:
        unit.search.page(searched.account.account_id, wanted, limit=LIMIT)


if __name__ == "__main__":
    main()
