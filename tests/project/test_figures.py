"""docs/figures.md is written by the benchmarks: recorded runs go into their blocks, and no other table has numbers."""

import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.catalogue import CATALOGUE, Benchmark
from benchmarks.page import END, RUN, begin, blocks, facts, outside, with_run
from benchmarks.recording import VARIABLE, Line, Note, Run, Table, recorded
from benchmarks.server_measures import FULL, Figures
from benchmarks.server_report import Limits, aims, comparison

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "figures.md").read_text("utf-8")
KNOWN = (Benchmark("server", ("reading", "writing")),)
READING = Table(
    "reading: a page", ["", "page ms", "by"], [["Skyshelf", "4.10", "wrk"], ["nginx", "–", "wrk"]], "reading"
)
WRITING = Table("writing", ["", "up/s"], [["Skyshelf", "1,250"]], "writing", ["medians of 3"])
SMALL_PAGE = f"""# Figures

Prose above.

{begin("server", RUN)}
old
{END}

{begin("server", "reading")}
| old |
{END}

Prose between.

{begin("server", "writing")}
old
{END}

## Other

Prose below.
"""


def measured(*tables: Table, **more: object) -> Run:
    return Run("server", ["--quick"], "on 2 cores", list(tables), **more)  # type: ignore[arg-type]


def test_every_script_is_in_the_catalogue() -> None:
    scripts = {path.stem.removeprefix("bench_") for path in (ROOT / "benchmarks").glob("bench_*.py")}
    assert scripts == {one.name for one in CATALOGUE}


def test_the_page_has_a_block_for_every_table_and_no_other() -> None:
    expected = {(one.name, table) for one in CATALOGUE for table in (RUN, *one.tables)}
    found = blocks(PAGE)
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_tables_with_numbers_are_written_by_a_program() -> None:
    crashes = r"<!-- \./dev crash --write: begin -->.*?<!-- \./dev crash --write: end -->"
    by_hand = re.sub(crashes, "", outside(PAGE), flags=re.DOTALL)
    assert [line for line in by_hand.splitlines() if line.startswith("|")] == []


def test_a_run_replaces_its_blocks_and_keeps_the_prose() -> None:
    page = with_run(SMALL_PAGE, measured(READING, WRITING), KNOWN)
    assert outside(page) == outside(SMALL_PAGE)
    assert "old" not in page
    assert f"{begin('server', 'reading')}\nReading: a page:\n\n| | page ms | by |\n|---|--:|---|\n" in page
    assert "| Skyshelf | 4.10 | wrk |" in page
    assert "- Medians of 3." in page
    assert "`./dev bench server --quick`, on 2 cores." in page


def test_writing_the_same_run_again_changes_nothing() -> None:
    once = with_run(SMALL_PAGE, measured(READING, WRITING), KNOWN)
    assert with_run(once, measured(READING, WRITING), KNOWN) == once


def test_a_new_table_is_added_behind_the_others_of_its_benchmark() -> None:
    page = with_run(SMALL_PAGE, measured(READING, WRITING, Table("new", ["", "n"], [["a", "1"]], "new")), KNOWN)
    assert blocks(page) == [("server", RUN), ("server", "reading"), ("server", "writing"), ("server", "new")]
    assert page.index("| a | 1 |") < page.index("## Other")


def test_a_new_benchmark_is_added_at_the_end() -> None:
    page = with_run(SMALL_PAGE, Run("other_things", [], "on 2 cores", [READING]), KNOWN)
    assert page.index("Prose below.") < page.index("## Other things") < page.index("4.10")


def test_a_table_that_was_not_measured_does_not_keep_old_figures() -> None:
    page = with_run(SMALL_PAGE, measured(WRITING), KNOWN)
    assert "| old |" not in page
    assert "*reading* was not measured in this run." in page


def test_a_failed_run_is_named_and_leaves_the_tables() -> None:
    page = with_run(SMALL_PAGE, measured(READING, failure="exit status 1"), KNOWN)
    assert "| old |" in page
    assert "exit status 1): the tables are of an earlier one." in re.sub(r"\s+", " ", page)


def test_what_is_left_out_is_named() -> None:
    text = facts(measured(left_out=["copyparty: did not start", "gh was not found"], notes=["load by wrk"]))
    assert text.replace("\n", " ").strip() == (
        "`./dev bench server --quick`, on 2 cores. Load by wrk. "
        "Left out: copyparty: did not start. Left out: gh was not found."
    )


def test_scripts_record_what_they_print(tmp_path: Path) -> None:
    code = """
from benchmarks.tables import print_fact, print_left_out, print_note, print_table
print_fact("load by wrk")
print_left_out("gh was not found")
print_table("title", ["", "n"], [["a", "1"]], name="calls")
print_note("of three")
"""
    path = tmp_path / "lines"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ | {VARIABLE: str(path)}, check=True)
    assert recorded(path, Run("agent")) == Run(
        "agent",
        tables=[Table("title", ["", "n"], [["a", "1"]], "calls", ["of three"])],
        notes=["load by wrk"],
        left_out=["gh was not found"],
    )


def test_a_note_without_a_table_is_about_the_run() -> None:
    run = Run("agent")
    run.add(Line(note=Note("early", "table")))
    assert run.notes == ["early"]


def figures(name: str, **values: float) -> Figures:
    columns = {"page": "page ms", "pages": "pages/s", "tiny": "small/s", "small": "100 KB/s", "thumbs": "thumbnails/s"}
    columns |= {"large": "large MB/s", "up": "100 KB up/s", "large_up": "large up MB/s", "idle": "idle MB"}
    return Figures(name, {columns.get(key, "start ms"): value for key, value in values.items()})


OURS = figures(
    "Skyshelf, SQLite", page=4.0, pages=250, tiny=8000, small=4500, thumbs=9000, large=1500, up=800, large_up=540,
    idle=60.0, start=500,
)  # fmt: skip
POSTGRESQL = figures("Skyshelf, PostgreSQL", page=6, pages=150, tiny=4799, small=2700, thumbs=5400)
COPYPARTY = figures("copyparty", page=16, pages=20, tiny=2000, small=2000, thumbs=2000, up=1000, large_up=400)
RCLONE = figures("rclone serve webdav", page=40, tiny=12000, small=3000, thumbs=6001, up=1000)
LIMITS = Limits(synced_writes=4000, md5_mb=600)


def test_aims_are_reached_at_their_bound_and_missed_below_it() -> None:
    found = {row[0]: row[1:] for row in aims({one.name: one for one in (OURS, POSTGRESQL, COPYPARTY, RCLONE)}, LIMITS)}
    assert found == {
        "small requests, of copyparty's": ["≥ 4", "4.00", "reached"],
        "100 KB files, of rclone's": ["≥ 1.5", "1.50", "reached"],
        "thumbnails, of rclone's files of the same size": ["≥ 1.5", "1.50", "missed"],
        "100 KB up, of copyparty's, which does not sync": ["≥ 0.8", "0.80", "reached"],
        "100 KB up, of rclone's, which does not sync": ["≥ 0.8", "0.80", "reached"],
        "large file up, of MD5's own speed": ["≥ 0.9", "0.90", "reached"],
        "page of 2,000 objects, ms": ["≤ 4", "4.00", "reached"],
        "PostgreSQL, of SQLite's pages/s": ["≥ 0.6", "0.60", "reached"],
        "PostgreSQL, of SQLite's small/s": ["≥ 0.6", "0.60", "missed"],
        "PostgreSQL, of SQLite's 100 KB/s": ["≥ 0.6", "0.60", "reached"],
        "PostgreSQL, of SQLite's thumbnails/s": ["≥ 0.6", "0.60", "reached"],
        "memory at rest, MB": ["≤ 60", "60.0", "reached"],
        "start to first response, s": ["≤ 1.5", "0.50", "reached"],
        "large file down, of nginx's": ["≥ 0.7", "–", "not measured"],
    }


def test_an_aim_whose_peer_is_missing_stays_in_the_table() -> None:
    rows = list(aims({one.name: one for one in (OURS, POSTGRESQL)}, LIMITS))
    assert sum(row[3] == "not measured" for row in rows) == 6
    assert all(row[2] == "–" for row in rows if row[3] == "not measured")


def test_ours_is_compared_with_the_best_peer_and_the_limit() -> None:
    by_name = {one.name: one for one in (OURS, POSTGRESQL, COPYPARTY, RCLONE)}
    rows = {row[0]: row[1:] for row in comparison(by_name, LIMITS, FULL)}
    assert rows["page ms"] == ["4.00", "copyparty", "16.0", "4.00 ×", "nginx", "–", "–"]
    assert rows["small/s"] == ["8,000", "rclone serve webdav", "12,000", "0.67 ×", "nginx", "–", "–"]
    assert rows["1 GiB up MB/s"] == ["540", "copyparty", "400", "1.35 ×", "MD5 alone", "600", "0.90 ×"]
    assert rows["100 KB up/s"][4:] == ["plain files, written and synced", "4,000", "0.20 ×"]
