"""Every rule of the interface: its id, its sentence, and the tests that enforce it.

The rules are in `rules/*.toml`, one chapter per file. A test is written `[folder/]noun::sentence`, short for
`test_<sentence>` in the one file `test_<noun>.py` at or below `tests/<folder>`; without a folder it is `server`, and
`metadata` is short for the conformance suite of metadata stores. A rule without tests states what it is waiting for.

A rule binds the server, the client side (SDK, command line, agent bridge, web client), or both; it has a test on each
side that it binds.

`statements.toml` has the interface itself, sentence by sentence and row by row: for each statement the parts that it
binds (server, SDK, commands, bridge), and the rules whose tests hold it there.
"""

import ast
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

TESTS: Final = Path(__file__).parent.parent
_FOLDERS: Final = {"": "server", "metadata": "conformance/metadata"}


_OF_CLIENTS: Final = ("tests/client/", "tests/agent/", "tests/cli/", "tests/foreign/", "tests/web/")
# Which test a fake, and neither side.
_OF_FAKES: Final = ("tests/foreign/test_foreign_server.py",)
# Which run every operation of SDK, commands and bridge.
_OF_ALL_CLIENTS: Final = ("tests/foreign/test_matrix.py", "tests/foreign/test_both_servers.py")
# What both sides share, and flows in which both take part.
_OF_BOTH: Final = ("tests/wire/", "tests/end_to_end/")
_OF_OPERATORS: Final = "tests/cli/admin/"


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule."""

    says: str
    by: tuple[str, ...] = ()
    later: str = ""
    binds: Literal["server", "client", "both"] = "server"

    @property
    def sides(self) -> set[str]:
        """The sides that it binds."""
        return {"server", "client"} if self.binds == "both" else {self.binds}


Part = Literal["server", "client", "commands", "bridge"]


class Statement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of the interface; one that binds nobody says why, in `silent`."""

    says: str
    binds: tuple[Part, ...] = ()
    rules: tuple[str, ...] = ()
    silent: str = ""


@cache
def statements() -> dict[str, Statement]:
    """Every statement of the interface by its id, in the order of the text."""
    text = (TESTS / "requirements" / "statements.toml").read_text(encoding="utf-8")
    return {identifier: msgspec.convert(given, Statement) for identifier, given in tomllib.loads(text).items()}


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its id, in the order of the chapters; ids are unique."""
    found: dict[str, Rule] = {}
    for chapter in sorted((TESTS / "requirements" / "rules").glob("*.toml")):
        for identifier, given in tomllib.loads(chapter.read_text(encoding="utf-8")).items():
            if identifier in found:
                raise ValueError(f"{chapter.name}: {identifier} is already in use")
            found[identifier] = msgspec.convert(given, Rule)
    return found


def node_id(test: str) -> str:
    """The id of a test as pytest writes it, without parameters."""
    place, _, sentence = test.partition("::")
    folder, _, noun = place.rpartition("/")
    return f"{_file(_FOLDERS.get(folder, folder), noun)}::test_{sentence}"


@cache
def _file(folder: str, noun: str) -> str:
    """The relative path of a test file; one that does not exist if the noun is missing or ambiguous."""
    found = list((TESTS / folder).rglob(f"test_{noun}.py"))
    return found[0].relative_to(TESTS.parent).as_posix() if len(found) == 1 else f"tests/{folder}/test_{noun}.py"


def node_ids(rule: Rule) -> list[str]:
    return [node_id(test) for test in rule.by]


def sides_without_a_test(rule: Rule) -> set[str]:
    """The sides that a rule binds, and on which none of its tests is."""
    tested = {side for test in node_ids(rule) for side in _sides_of(test)}
    return rule.sides - tested


def _sides_of(test: str) -> set[str]:
    if test.startswith(_OF_FAKES):
        return set()
    if test.startswith(_OF_BOTH):
        return {"server", "client"}
    return {"client"} if test.startswith(_OF_CLIENTS) and not test.startswith(_OF_OPERATORS) else {"server"}


def parts_without_a_test(statement: Statement, known: Mapping[str, Rule]) -> set[str]:
    """The parts that a statement binds, and on which none of the tests of its rules is."""
    tests = [test for identifier in statement.rules for test in node_ids(known[identifier])]
    bound: set[str] = set(statement.binds)
    return bound - {part for test in tests for part in _parts_of(test)}


def _parts_of(test: str) -> set[str]:
    if test.startswith(_OF_FAKES):
        return set()
    if test.startswith(_OF_ALL_CLIENTS):
        return {"client", "commands", "bridge"}
    if test.startswith("tests/agent/"):
        return {"bridge"}
    if test.startswith("tests/cli/") and not test.startswith(_OF_OPERATORS):
        return {"commands"}
    # What both sides share shows that neither can differ, and not that either does it.
    return {"client"} if test.startswith(_OF_CLIENTS) and not test.startswith(_OF_OPERATORS) else {"server"}


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """The names of the tests in a file, which is parsed and not run; none if it does not exist."""
    file = TESTS.parent / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )
