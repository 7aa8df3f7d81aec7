"""Seeds that have found something, a defect or a fault that was put in on purpose: every whole run replays them."""

from typing import Final, NamedTuple


class Found(NamedTuple):
    """What a seed has found. A change of the simulator makes another story of it, so each defect also has a test."""

    seed: int
    what: str


PAST: Final = (
    Found(0, "two edits of which one replaces the other, a folder that is another one, a disk inside the folder"),
    Found(1, "an unreadable folder that looks empty"),
    Found(2, "two edits of which one replaces the other"),
    Found(8, "a deletion that beats an edit, an edit that leaves size and time as they were"),
    Found(11, "a server that went back unnoticed"),
    Found(12, "conflicts of conflicts, more than one run of a computer settles"),
    Found(13, "an edit between the moment in which a download has its name and the look at it"),
    Found(15, "an entry of the index that is written before its file"),
    Found(17, "a bulk download whose folder had vanished ended in a traceback, and its files were left out"),
    Found(21, "a backup that does not keep what it replaces, a folder that is another one"),
    Found(41, "an upload that does not name the version which it replaces"),
    Found(78, "names of conflicts that differ in case alone"),
    Found(110, "a disk that is unmounted while the index is opened ended a sync with a traceback"),
    Found(192, "downloads that arrive below an inner disk that was unmounted during the run"),
    Found(761, "a server that lost only what a sync had uploaded before it failed"),
)
