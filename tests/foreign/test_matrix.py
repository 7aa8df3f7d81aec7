"""Every quirk of a server against every operation: the result is right, or an error that has a name."""

import pytest
from tests.foreign.matrix import complaints, row, run_quirk
from tests.foreign.not_yet import NOT_YET
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xfail) if name in NOT_YET else name for name in QUIRKS]
)
async def test_no_quirk_of_a_server_becomes_a_silent_success(foreign: ForeignServer, name: str) -> None:
    cells = await run_quirk(foreign, QUIRKS[name])
    print(row(cells))
    assert complaints(cells) == []


def test_what_is_not_handled_yet_is_a_quirk() -> None:
    assert set(NOT_YET) <= set(QUIRKS)
