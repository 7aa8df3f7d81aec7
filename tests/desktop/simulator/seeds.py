"""Seeds that have found something: every whole run replays them."""

from typing import Final, NamedTuple


class Found(NamedTuple):
    """What a seed has found. A change of the simulator makes another story of it, so each defect also has a test."""

    seed: int
    what: str


PAST: Final = (
    Found(8, "what is downloaded after the disk of the folder was unmounted was recorded, and looked deleted later"),
    Found(12, "a content that was saved as soon as a download had its name was recorded as that download"),
)
