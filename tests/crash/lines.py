"""What goes over the pipes: orders to the writer, and its lines back, one JSON document each."""

from typing import TypeAlias

import msgspec
from tests.crash.operations import Operation
from tests.crash.shelf import Shelf


class Death(msgspec.Struct, frozen=True):
    """Where a writer ends itself by SIGKILL: right before it passes that kind of point for the nth time."""

    point: str
    nth: int


class Orders(msgspec.Struct, frozen=True):
    folder: str
    shelves: list[Shelf]
    seed: int
    checkpoint_pages: int | None = None
    death: Death | None = None
    too_early: bool = False
    """Acknowledge before anything is done: a lie that the parent must find out."""


class Opening(msgspec.Struct, frozen=True, tag=True):
    """The orders were understood; the store is about to be opened."""


class Opened(msgspec.Struct, frozen=True, tag=True):
    """The store is open; work begins."""


class Began(msgspec.Struct, frozen=True, tag=True):
    """Nothing of the operation has happened yet, and from now on it may."""

    worker: int
    operation: Operation


class Done(msgspec.Struct, frozen=True, tag=True):
    """The acknowledgement: the call returned, and this is what it said."""

    worker: int
    outcome: list[str]


class Failed(msgspec.Struct, frozen=True, tag=True):
    """Something went wrong that no kill explains."""

    reason: str


Line: TypeAlias = Opening | Opened | Began | Done | Failed
