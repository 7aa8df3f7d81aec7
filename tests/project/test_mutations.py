"""The table of mutations fits the code: each text exists once, and so do the tests that notice its change."""

from pathlib import Path

import pytest
from tools.mutations import ROOT, Mutation, mutated, mutations

MUTATIONS = mutations()
FEWEST = 40
SOURCE = ROOT / "src"


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_replaces_a_text_that_exists_once(name: str) -> None:
    one = MUTATIONS[name]
    compile(mutated(one, SOURCE), one.file, "exec")
    assert one.new != one.old
    assert one.breaks.endswith(".")


@pytest.mark.parametrize("name", MUTATIONS)
def test_the_tests_of_a_mutation_exist(name: str) -> None:
    for test in MUTATIONS[name].tests:
        path, _, function = test.partition("::")
        function, _, _ = function.partition("[")
        assert f"def {function}" in (ROOT / path).read_text(encoding="utf-8"), test


def test_every_package_has_mutations() -> None:
    packages = {folder.name for folder in (SOURCE / "skyshelf").iterdir() if (folder / "__init__.py").exists()}
    assert {one.package for one in MUTATIONS.values()} == packages
    assert len(MUTATIONS) >= FEWEST


def test_a_text_that_is_gone_or_exists_twice_is_no_mutation(tmp_path: Path) -> None:
    (tmp_path / "skyshelf").mkdir()
    (tmp_path / "skyshelf" / "one.py").write_text("a = 1\na = 1\n")
    for old, times in (("a = 1", 2), ("b = 1", 0)):
        with pytest.raises(ValueError, match=f"{times} times instead of once"):
            mutated(Mutation("Something holds.", "one.py", old, "c = 1", []), tmp_path)
