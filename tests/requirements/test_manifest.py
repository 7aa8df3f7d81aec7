"""The manifest is complete and correct: every rule has tests, and every test that it names exists."""

import re
import tomllib

from tests.requirements.manifest import (
    TESTS,
    Part,
    Rule,
    Statement,
    names_of_tests,
    node_id,
    node_ids,
    parts_without_a_test,
    rules,
    sides_without_a_test,
    statements,
)
from tests.requirements.standing import standing

from skyshelf.agent.registry import TOOLS
from skyshelf.wire.endpoint import Origin
from skyshelf.wire.endpoints import ENDPOINTS
from skyshelf.wire.error_codes import ERROR_CODES


def test_every_rule_has_an_id_and_a_sentence() -> None:
    for identifier, rule in rules().items():
        assert re.fullmatch(r"[A-Z]+-[0-9]{2}", identifier), identifier
        assert rule.says.endswith("."), identifier


def test_every_rule_is_tied_to_a_test_or_states_what_it_is_waiting_for() -> None:
    assert [identifier for identifier, rule in rules().items() if bool(rule.by) == bool(rule.later)] == []


def test_every_rule_says_whom_it_binds_and_has_a_test_on_each_of_these_sides() -> None:
    given = {
        identifier: rule
        for chapter in (TESTS / "requirements" / "rules").glob("*.toml")
        for identifier, rule in tomllib.loads(chapter.read_text(encoding="utf-8")).items()
    }
    assert [identifier for identifier, rule in given.items() if "binds" not in rule] == []
    lacking = {identifier: sides_without_a_test(rule) for identifier, rule in rules().items() if rule.by}
    assert {identifier: sides for identifier, sides in lacking.items() if sides} == {}


def test_a_rule_that_lacks_a_test_on_one_side_is_found() -> None:
    on_server, on_client, on_both = "listings::x", "client/search::x", "wire/keys::x"
    assert sides_without_a_test(Rule("x.", (on_server,), binds="both")) == {"client"}
    assert sides_without_a_test(Rule("x.", (on_client,), binds="both")) == {"server"}
    assert sides_without_a_test(Rule("x.", (on_client,), binds="server")) == {"server"}
    assert sides_without_a_test(Rule("x.", (on_server, on_client), binds="both")) == set()
    assert sides_without_a_test(Rule("x.", (on_both,), binds="both")) == set()


def test_every_statement_of_the_interface_is_held_on_each_part_that_it_binds() -> None:
    unclear = [name for name, one in statements().items() if bool(one.binds) == bool(one.silent)]
    unknown = {rule for one in statements().values() for rule in one.rules} - rules().keys()
    assert (unclear, unknown) == ([], set())
    lacking = {name: parts_without_a_test(one, rules()) for name, one in statements().items()}
    assert {name: parts for name, parts in lacking.items() if parts} == {}


def test_statements_are_numbered_in_the_order_of_the_text() -> None:
    assert list(statements()) == [f"S{number:03d}" for number in range(1, len(statements()) + 1)]


def test_every_code_header_path_and_tool_of_the_interface_is_in_a_statement() -> None:
    said = " ".join(one.says for one in statements().values() if one.binds)
    codes = [code for code, row in ERROR_CODES.items() if row.is_of_the_interface]
    paths = [one.path.partition("{")[0] for one in ENDPOINTS if one.origin is Origin.INTERFACE]
    headers = ("Authorization", "X-User-Id", "X-Device-Key", "X-Device-Type", "X-Api-Key", "X-App-Secret")
    others = ("X-Client-Details", "Accept |", "Content-Type |", "User-Agent", "Accept-Language", "X-CHUNK-SIZE")
    assert [word for word in (*codes, *paths, *headers, *others, *TOOLS) if word not in said] == []


def test_a_statement_that_lacks_a_test_on_one_part_is_found() -> None:
    known = {"A-01": Rule("x.", ("listings::x", "client/search::x")), "A-02": Rule("x.", ("foreign/matrix::x",))}
    everybody: tuple[Part, ...] = ("server", "client", "commands", "bridge")
    assert parts_without_a_test(Statement("x", everybody, ("A-01",)), known) == {"commands", "bridge"}
    assert parts_without_a_test(Statement("x", everybody, ("A-01", "A-02")), known) == set()
    assert parts_without_a_test(Statement("x", ("bridge",), ()), known) == {"bridge"}
    # A test of the foreign server itself shows nothing about a client.
    alone = {"A-01": Rule("x.", ("foreign/foreign_server::x",))}
    assert parts_without_a_test(Statement("x", ("client",), ("A-01",)), alone) == {"client"}


def test_every_test_that_a_rule_names_exists() -> None:
    named = {test for rule in rules().values() for test in node_ids(rule)}
    missing = [test for test in sorted(named) if test.partition("::")[2] not in names_of_tests(test.partition("::")[0])]
    assert missing == []


def test_no_rule_names_a_test_twice() -> None:
    assert [identifier for identifier, rule in rules().items() if len(set(rule.by)) != len(rule.by)] == []


def test_ids_of_a_chapter_count_up_without_a_gap() -> None:
    counts: dict[str, list[int]] = {}
    for identifier in rules():
        prefix, _, number = identifier.partition("-")
        counts.setdefault(prefix, []).append(int(number))
    assert [prefix for prefix, numbers in counts.items() if numbers != list(range(1, len(numbers) + 1))] == []


def test_every_code_of_the_interface_has_a_rule() -> None:
    said = " ".join(rule.says for rule in rules().values())
    assert [code for code, row in ERROR_CODES.items() if row.is_of_the_interface and code not in said] == []


def test_every_endpoint_that_is_added_meets_the_tests_of_the_whole_table() -> None:
    """The rules that hold for every call are held by tests which go through the table."""
    source = {"walls", "bad_bodies", "schemathesis", "document", "statement_counts_of_every_call"}
    used = {test.partition("::")[0] for rule in rules().values() for test in rule.by}
    assert source <= used
    assert len(ENDPOINTS) >= 30


def test_a_test_is_named_by_folder_noun_and_sentence() -> None:
    assert node_id("listings::a_b") == "tests/server/handlers/objects/test_listings.py::test_a_b"
    assert node_id("wire/keys::a_b") == "tests/wire/test_keys.py::test_a_b"
    assert node_id("metadata/trash::a_b") == "tests/conformance/metadata/test_trash.py::test_a_b"


def test_a_rule_is_held_when_all_of_its_tests_ran_and_passed() -> None:
    given = {
        "A-01": Rule("One.", ("x::a",)),
        "A-02": Rule("Two.", ("x::a", "x::b")),
        "A-03": Rule("Three.", ("x::c",)),
        "A-04": Rule("Four.", ("x::a", "x::d")),
        "A-05": Rule("Five.", later="somebody"),
    }
    a, b, c = (f"tests/server/test_x.py::test_{name}" for name in "abc")
    in_a_class = b.replace("::", "::TestOf::")
    found = standing(given, [f"{a}[1]", f"{a}[x::y]", in_a_class, f"{c}[1]"], [f"{c}[2]"])
    assert (found.held, found.broken, found.not_run, found.later) == (["A-01", "A-02"], ["A-03"], ["A-04"], ["A-05"])
    assert found.lines() == [
        "requirements: 2 of 4 held (1 wait for later parts)",
        "  broken: A-03",
        "  not run: A-04",
    ]
