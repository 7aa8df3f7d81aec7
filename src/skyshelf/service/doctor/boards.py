"""Every board has an owner who is on it, and shows nothing of anybody who is not."""

from collections.abc import Iterator
from functools import partial

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, _visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        ownerless = unit.inspection.ownerless_boards()
        of_strangers = unit.inspection.boards_of_strangers()
    for board_key in ownerless:
        yield Finding(f"the board {board_key} has no owner who is on it", partial(_crown, board_key=board_key))
    for board_key in of_strangers:
        what = f"the board {board_key} shows something of an account that is not on it"
        yield Finding(what, partial(_take_off, board_key=board_key))


def _crown(house: House, *, board_key: str) -> str | None:
    there = house.metadata.write(lambda unit: unit.mending.crown(board_key))
    return f"the board {board_key} has an owner again" if there else f"removed {board_key}, on which nobody was"


def _take_off(house: House, *, board_key: str) -> str | None:
    gone = house.metadata.write(lambda unit: unit.mending.drop_strangers_items(board_key))
    return f"took {gone:,} files off the board {board_key}"
