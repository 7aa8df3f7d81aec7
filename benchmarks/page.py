"""docs/figures.md: tables and facts of runs between markers, prose everywhere else.

A block begins with `<!-- ./dev bench NAME: TABLE -->` and ends with `<!-- ./dev bench: end -->`. Each benchmark has one
block per table, and one named `run` that says how it was measured. The text between the markers is replaced as a
whole; whatever stands outside is kept. A table without a block is added behind the last block of its benchmark.
"""

import re
from collections.abc import Sequence

from benchmarks.catalogue import CATALOGUE, Benchmark
from benchmarks.recording import Run, Table

RUN = "run"
END = "<!-- ./dev bench: end -->"
_BLOCK = re.compile(
    r"<!-- \./dev bench (?P<benchmark>\w+): (?P<table>[^\n]+?) -->\n.*?<!-- \./dev bench: end -->", re.DOTALL
)
_WIDTH = 120
_NUMBER = re.compile(r"[≥≤]? ?[\d–-]")


def begin(benchmark: str, table: str) -> str:
    return f"<!-- ./dev bench {benchmark}: {table} -->"


def blocks(text: str) -> list[tuple[str, str]]:
    """Benchmark and table of every block, in the page's order."""
    return [(found["benchmark"], found["table"]) for found in _BLOCK.finditer(text)]


def outside(text: str) -> str:
    """The page without what runs have written."""
    return _BLOCK.sub("", text)


def with_run(text: str, run: Run, known: Sequence[Benchmark] = CATALOGUE) -> str:
    """The page with the figures of a run. If it failed, only that is written, above what an earlier run has left."""
    text = _with_block(text, run.benchmark, RUN, facts(run))
    if run.failure:
        return text
    tables = {table.name or table.title: table for table in run.tables}
    for name, table in tables.items():
        text = _with_block(text, run.benchmark, name, rendered(table))
    expected = next((one.tables for one in known if one.name == run.benchmark), ())
    for name in expected:
        if name not in tables:
            text = _with_block(text, run.benchmark, name, f"*{name}* was not measured in this run.\n")
    return text


def _with_block(text: str, benchmark: str, table: str, body: str) -> str:
    block = f"{begin(benchmark, table)}\n{body}{END}"
    found = [one for one in _BLOCK.finditer(text) if one["benchmark"] == benchmark]
    for one in found:
        if one["table"] == table:
            return f"{text[: one.start()]}{block}{text[one.end() :]}"
    if found:
        place = found[-1].end()
        return f"{text[:place]}\n\n{block}{text[place:]}"
    return f"{text.rstrip()}\n\n## {benchmark.replace('_', ' ').capitalize()}\n\n{block}\n"


def facts(run: Run) -> str:
    """How it was measured: the command, the machine, the peers, and what is missing."""
    command = " ".join(["./dev bench", run.benchmark, *run.arguments])
    lines = [f"`{command}`, {run.machine}."]
    if run.failure:
        lines = [f"The last run of `{command}` failed ({run.failure}): the tables are of an earlier one."]
    lines += [_sentence(note) + "." for note in run.notes]
    lines += [f"Left out: {note}." for note in run.left_out]
    return _wrapped(" ".join(lines))


def rendered(table: Table) -> str:
    """A table in Markdown, below its title and above its notes."""
    right = [_is_numeric([row[column] for row in table.rows]) for column in range(len(table.head))]
    marks = ["--:" if numeric and column else "---" for column, numeric in enumerate(right)]
    lines = [_wrapped(f"{_sentence(table.title)}:"), _row(table.head), f"|{'|'.join(marks)}|"]
    lines += [_row(row) for row in table.rows]
    notes = "".join(_wrapped(f"- {_sentence(note)}.", indent="  ") for note in table.notes)
    return "\n".join(lines) + "\n" + (f"\n{notes}" if notes else "")


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {cell.strip().replace('|', chr(92) + '|')} " if cell.strip() else "| " for cell in cells) + "|"


def _is_numeric(cells: Sequence[str]) -> bool:
    return all(_NUMBER.match(cell) for cell in cells if cell.strip())


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".:")
    return text[:1].upper() + text[1:] if not text.startswith("`") else text


def _wrapped(text: str, indent: str = "") -> str:
    """Broken at the width of the docs, with a line end at the end."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(indent + word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines) + "\n"
