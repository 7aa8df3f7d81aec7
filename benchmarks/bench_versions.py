"""`./dev bench versions`: our server and an earlier version of it, in turn, as ratios of many short rounds.

Both servers run at the same time on the same files. The earlier version is a clone with its own .venv, which stays in
the user's cache; only its command is used.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import psycopg
from tests.real_parts.postgres import fresh_database, running_postgres

from benchmarks import server_load as load
from benchmarks.bench_server import made_files
from benchmarks.other_version import ROOT, NoSuchVersionError, commit_of, compile_all, described, newest_release, set_up
from benchmarks.pairs import Pairs, Row, measured
from benchmarks.server_subjects import Files
from benchmarks.tables import print_fact, print_note, print_table
from benchmarks.version_rows import FULL, QUICK, at_rest, reading, transfers, webdav
from benchmarks.version_subjects import filled, settle

SLOWER = 0.97
"""Ratio below which a row is named at the end."""
HEAD = ["", "before", "after", "ratio", "processor µs, before", "after", "ratio"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench versions", description=__doc__)
    parser.add_argument("--against", metavar="REV", help="the earlier version (default: the newest release)")
    parser.add_argument("--quick", action="store_true", help="a first look: few rounds and large files of 64 MiB")
    options = parser.parse_args()
    sizes = QUICK if options.quick else FULL
    try:
        commit = commit_of(options.against or newest_release())
    except NoSuchVersionError as problem:
        sys.exit(f"bench versions: {problem}")
    checkouts = [set_up(commit), ROOT]
    for checkout in checkouts:
        compile_all(checkout)
    before, after = map(described, checkouts)
    print_fact(f"before is {before}, after is {after}; load by {load.generator()}")
    slower: list[str] = []
    with tempfile.TemporaryDirectory(prefix="bench-versions-") as name:
        folder = Path(name)
        files = made_files(folder / "files", sizes.large_down)
        rows = [*reading(sizes), *transfers(sizes, folder), *webdav(sizes), *at_rest(sizes)]
        slower += _show("SQLite", rows, checkouts, files, folder / "sqlite", [None, None])
        with running_postgres() as postgres:
            urls = [fresh_database(postgres, side) for side in ("before", "after")]
            rows = [*reading(sizes), *at_rest(sizes)]
            slower += _show("PostgreSQL", rows, checkouts, files, folder / "postgresql", urls)
    print(f"\nbelow {SLOWER}: {'; '.join(slower) or 'no row'}")


def _show(
    name: str, rows: Sequence[Row], checkouts: Sequence[Path], files: Files, data: Path, urls: Sequence[str | None]
) -> list[str]:
    """Print a table; return the names of the rows that became slower."""
    data.mkdir()
    with ExitStack() as until:
        versions = []
        for side, checkout, url in zip(("before", "after"), checkouts, urls, strict=True):
            print(f"filling {name}, {side} …", file=sys.stderr, flush=True)
            versions.append(filled(side, checkout, files, data / side, url))
            until.callback(versions[-1].process.stop)
            if url is not None:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("VACUUM ANALYZE")
        for version in versions:  # nothing in memory is left from the uploads
            version.process.stop()
            version.process.start()
            settle(version.process)
        found: list[Pairs] = list(measured(rows, versions[0], versions[1]))
    title = f"{name}: requests per second, and processor time of the server per request"
    print_table(title, HEAD, [pairs.cells() for pairs in found], name=name)
    rounds = sorted({pairs.row.rounds for pairs in found})
    print_note(f"ratios are medians of {' or '.join(map(str, rounds))} rounds, and in parentheses their middle half")
    return [f"{name}, {pairs.row.name}" for pairs in found if pairs.is_below(SLOWER)]


if __name__ == "__main__":
    main()
