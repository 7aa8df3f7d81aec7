"""Every quirk of a server against every operation: the result is right, or an error that has a name."""

import pytest
from tests.foreign.matrix import complaints, row, run_quirk
from tests.foreign.quirks import QUIRKS
from tests.foreign.server import ForeignServer


@pytest.mark.parametrize("name", list(QUIRKS))
async def test_no_quirk_of_a_server_becomes_a_silent_success(foreign: ForeignServer, name: str) -> None:
    cells = await run_quirk(foreign, QUIRKS[name])
    print(row(cells))
    assert complaints(cells) == []
