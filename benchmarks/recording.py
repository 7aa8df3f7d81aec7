"""What a run of a benchmark printed, kept for the page of figures.

`./dev bench` names a file in the environment, and each table and note that a script prints is added to it as a line of
JSON. Without the variable nothing is kept: a script runs alone just as well.
"""

import os
from pathlib import Path
from typing import Literal

import msgspec

VARIABLE = "SKYSHELF_BENCH_RECORD"


class Table(msgspec.Struct, omit_defaults=True):
    """One table, and the notes printed below it."""

    title: str
    head: list[str]
    rows: list[list[str]]
    name: str = ""
    notes: list[str] = msgspec.field(default_factory=list)


class Note(msgspec.Struct):
    """A sentence about the run, about the table before it, or about a peer that is missing."""

    text: str
    kind: Literal["run", "table", "left out"]


class Line(msgspec.Struct, omit_defaults=True):
    """One of the two."""

    table: Table | None = None
    note: Note | None = None


class Run(msgspec.Struct, omit_defaults=True):
    """Everything that one benchmark reported."""

    benchmark: str
    arguments: list[str] = msgspec.field(default_factory=list)
    machine: str = ""
    tables: list[Table] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)
    left_out: list[str] = msgspec.field(default_factory=list)
    failure: str = ""

    def add(self, line: Line) -> None:
        if line.table is not None:
            self.tables.append(line.table)
        elif line.note is not None and line.note.kind == "left out":
            self.left_out.append(line.note.text)
        elif line.note is not None and line.note.kind == "table" and self.tables:
            self.tables[-1].notes.append(line.note.text)
        elif line.note is not None:
            self.notes.append(line.note.text)


def record(line: Line) -> None:
    """Keep a line, if this process is part of a run that wants it."""
    if path := os.environ.get(VARIABLE):
        with Path(path).open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")


def recorded(path: Path, run: Run) -> Run:
    """The run, with the lines of the file."""
    if path.exists():
        for line in path.read_bytes().splitlines():
            run.add(msgspec.json.decode(line, type=Line))
    return run
