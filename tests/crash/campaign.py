"""Round after round on one data folder: writers work, are killed, and everything is checked."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.crash.checking import check, check_quota, check_sweep, check_uploads, forget_changes, opened
from tests.crash.clock import now_ms
from tests.crash.journal import Journal
from tests.crash.lines import Death, Line, Orders
from tests.crash.preparing import add_shelves
from tests.crash.quietly import finish_uploads, purge_all
from tests.crash.shelf import Shelf
from tests.crash.writer_process import WriterProcess, was_opening

_SECONDS_TO_OPEN = 0.005
_LONGEST_LIFE = 0.4
_FURTHEST = {"file": 300, "log": 1500, "database": 400, "commit": 60, "line": 250}
"""How many points of each kind a writer passes within about that time."""
_DEATHS = (None, "file", None, "log", None, "database", None, "commit", None, "line", None, None)
"""How lives end, in turn: at a chosen point, or by a kill from outside at a random moment."""


@dataclass
class Tally:
    """Numbers that show what the kills hit."""

    rounds: int = 0
    in_the_middle: int = 0
    in_flight: int = 0
    while_opening: int = 0
    left_behind: int = 0
    own_deaths: Counter[str] = field(default_factory=Counter)


class Campaign:
    """One data folder and its journal. run may be called again: it goes on where it was."""

    def __init__(self, folder: Path, seed: int, *, too_early: bool = False) -> None:
        self.folder = folder
        self.seed = seed
        self._too_early = too_early
        self.tally = Tally()
        self._rng = Random(seed)
        self._lives = 0
        self._unreferred: set[str] = set()
        with opened(folder) as (metadata, _):
            self.journal = Journal(metadata.write(lambda unit: add_shelves(unit, self._rng, now_ms())))
        self._spare = WriterProcess()

    def close(self) -> None:
        self._spare.kill()

    def run(self, rounds: int) -> None:
        """AssertionError after the first round that left something wrong."""
        for _ in range(rounds):
            self.tally.rounds += 1
            self.refuse(self._kill_writers())
            self.refuse(self._check())

    def summary(self) -> str:
        """One line that shows what the kills hit."""
        tally, journal = self.tally, self.journal
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(journal.acknowledged.items()))
        deaths = ", ".join(f"{point} {number}" for point, number in sorted(tally.own_deaths.items()))
        return (
            f"crash: {tally.rounds} rounds, seed {self.seed}; {sum(journal.acknowledged.values())} operations"
            f" acknowledged ({kinds}); {tally.in_the_middle} rounds killed in the middle of work, with"
            f" {tally.in_flight} operations in flight, of which {sum(journal.happened.values())} had happened and"
            f" {sum(journal.did_not.values())} had not; {tally.while_opening} kills while the store opened;"
            f" deaths at a chosen point: {deaths}; {tally.left_behind} files left behind and swept"
        )

    def refuse(self, wrong: list[str]) -> None:
        assert not wrong, f"round {self.tally.rounds} with --crash-seed {self.seed}:\n" + "\n".join(wrong)

    def _kill_writers(self) -> list[str]:
        rng, shelves = self._rng, list(self.journal.shelves.values())
        wrong: list[str] = []
        if self.tally.rounds % 4 == 0:
            wrong += self._kill_while_opening()
        if self.tally.rounds % 5 == 0:
            # Two processes on one folder: the second works on while the first one dies beside it.
            rng.shuffle(shelves)
            lives = [self._begin_life(shelves[:3]), self._begin_life(shelves[3:])]
        else:
            lives = [self._begin_life(shelves)]
        for writer, death in lives:
            wrong += self._end_life(writer, death)
        self.tally.in_flight += len(self.journal.in_flight)
        self.tally.in_the_middle += bool(self.journal.in_flight)
        return wrong

    def _kill_while_opening(self) -> list[str]:
        """A life that is over before it has done anything, on what the life before has left."""
        writer = self._take_writer()
        writer.order(Orders(str(self.folder), [], 0))
        writer.wait_until_opening()
        writer.wait_for_its_end(self._rng.uniform(0, _SECONDS_TO_OPEN))
        return self._bury(writer)

    def _begin_life(self, shelves: list[Shelf]) -> tuple[WriterProcess, Death | None]:
        rng = self._rng
        self._lives += 1
        point = _DEATHS[self._lives % len(_DEATHS)]
        death = Death(point, rng.randint(1, _FURTHEST[point])) if point else None
        writer = self._take_writer()
        # Small numbers make for many checkpoints; None leaves it to SQLite, as it is in life.
        pages = rng.choice((1, 10)) if point == "database" else rng.choice((None, None, 1, 10, 100))
        writer.order(Orders(str(self.folder), shelves, rng.getrandbits(32), pages, death, self._too_early))
        return writer, death

    def _end_life(self, writer: WriterProcess, death: Death | None) -> list[str]:
        writer.wait_until_opened()
        if writer.wait_for_its_end(self._rng.uniform(0.01, 0.3) if death is None else _LONGEST_LIFE) and death:
            self.tally.own_deaths[death.point] += 1
        return self._bury(writer)

    def _bury(self, writer: WriterProcess) -> list[str]:
        lines: list[Line] = writer.kill()
        self.tally.while_opening += was_opening(lines)
        return self.journal.read(lines)

    def _take_writer(self) -> WriterProcess:
        """One that has loaded its program already; the next one loads while this one works."""
        writer, self._spare = self._spare, WriterProcess()
        return writer

    def _check(self) -> list[str]:
        rng, now = self._rng, now_ms()
        most = self.journal.most_left_behind()
        with opened(self.folder, keep_wal=rng.random() < 0.5) as (metadata, blobs):
            findings = check(metadata, blobs, self.journal, now)
            wrong = findings.wrong
            left = findings.unreferred - self._unreferred
            self.tally.left_behind += len(left)
            if len(left) > most:
                wrong.append(f"{len(left)} unreferenced files were left, and at most {most} could be")
            self._unreferred = findings.unreferred
            if not wrong and rng.random() < 0.5:
                wrong += check_uploads(metadata, blobs, self.journal)
            if not wrong and rng.random() < 0.2:
                wrong += check_sweep(metadata, blobs, now)
                self._unreferred = set()
            if not wrong and rng.random() < 0.3:
                forget_changes(metadata, self.journal)
        return wrong

    def finish(self) -> None:
        """End all unfinished uploads, purge everything marked for deletion and sweep: then every number is known."""
        with opened(self.folder) as (metadata, blobs):
            self.refuse(finish_uploads(metadata, blobs, self.journal))
            purge_all(metadata, self.journal)
            self.refuse(check_sweep(metadata, blobs, now_ms()))
            self.refuse(check(metadata, blobs, self.journal, now_ms()).wrong)
            self.refuse(check_quota(metadata, self.journal, now_ms()))
