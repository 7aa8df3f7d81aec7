"""Every quirk of a server against every operation: the result is right, or an error that has a name."""

import pytest
from tests.foreign.matrix import complaints, row, run_quirk
from tests.foreign.outcomes import Ending, is_good
from tests.foreign.quirk import Quirk
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("name", list(QUIRKS))
async def test_no_quirk_of_a_server_becomes_a_silent_success(
    foreign: ForeignServer, name: str, pytestconfig: pytest.Config
) -> None:
    cells = await run_quirk(foreign, QUIRKS[name], turns=pytestconfig.getoption("--matrix-turns"))
    print(row(cells))
    assert complaints(cells) == []


def test_an_error_of_another_kind_or_without_its_word_is_not_good_enough() -> None:
    ending = Ending("typed error", "ServerError: it failed", None, frozenset({"ServerError"}))
    quirk = Quirk()
    quirk.must = "error"
    assert is_good(quirk, ending)
    for name, value in (("kind", "NetworkError"), ("word", "certificate"), ("code", "X"), ("must", "right")):
        other = quirk.begun()
        setattr(other, name, value)
        assert not is_good(other, ending)
