"""The timeline: pictures and videos by the month in which they were taken."""

from typing import NamedTuple, Protocol

from skyshelf.storage.metadata.places import Place, Placed


class Month(NamedTuple):
    """A month, counted from January of year 0, and how many pictures and videos of it can be seen."""

    number: int
    files: int


class Timeline(Protocol):
    """The month of a picture or video is that of the day it was taken, by the clock of its camera; where the file
    does not tell, that of its creation date, in UTC. Other files are not in it.
    """

    def months(self, account_id: int) -> list[Month]:
        """The months that have something to see, newest first.

        Its cost grows with the number of folders that pictures are in, and not with that of the pictures.
        """

    def page(self, account_id: int, month: int, *, limit: int, after: Place | None = None) -> list[Placed]:
        """What can be seen of a month, newest first; ties break by object_key, in the same direction."""
