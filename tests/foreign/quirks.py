"""All quirks, by name."""

from tests.foreign.faults import FAULTS
from tests.foreign.quirk import NO_QUIRK, Quirk
from tests.foreign.shapes import SHAPES

QUIRKS: dict[str, Quirk] = {quirk.name: quirk for quirk in (NO_QUIRK, *SHAPES, *FAULTS)}
assert len(QUIRKS) == 1 + len(SHAPES) + len(FAULTS)
