"""Settings: the first value stays, and everybody has that one."""

import pytest
from tests.conformance.metadata.making import in_parallel

from skyshelf.storage.metadata.store import MetadataStore

pytestmark = pytest.mark.backend


def test_a_setting_that_was_never_set_does_not_exist(store: MetadataStore) -> None:
    with store.read() as unit:
        assert unit.settings.get("signing key") is None


def test_the_first_value_stays(store: MetadataStore) -> None:
    assert store.write(lambda unit: unit.settings.set_once("signing key", b"\x00first\xff")) == b"\x00first\xff"
    assert store.write(lambda unit: unit.settings.set_once("signing key", b"second")) == b"\x00first\xff"
    assert store.write(lambda unit: unit.settings.set_once("other", b"second")) == b"second"
    with store.read() as unit:
        assert unit.settings.get("signing key") == b"\x00first\xff"


def test_a_value_that_was_not_committed_wins_nothing(store: MetadataStore) -> None:
    with pytest.raises(ZeroDivisionError):
        store.write(lambda unit: (unit.settings.set_once("signing key", b"never"), 1 // 0))
    assert store.write(lambda unit: unit.settings.set_once("signing key", b"winner")) == b"winner"


def test_of_many_proposals_at_once_one_wins_and_everybody_gets_it(store: MetadataStore) -> None:
    answers = in_parallel(
        16, lambda number: store.write(lambda unit: unit.settings.set_once("signing key", b"from %d" % number))
    )
    assert len(set(answers)) == 1
    with store.read() as unit:
        assert unit.settings.get("signing key") == answers[0]
