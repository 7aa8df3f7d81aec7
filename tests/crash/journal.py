"""What the parent knows: every shelf as acknowledged, and what was in flight when the writer died."""

from collections import Counter
from collections.abc import Iterable

from tests.crash.comparing import differences
from tests.crash.expecting import expect
from tests.crash.found import Found
from tests.crash.lines import Began, Done, Failed, Line
from tests.crash.operations import Operation, label, most_left_behind
from tests.crash.shelf import Shelf


class Journal:
    def __init__(self, shelves: Iterable[Shelf]) -> None:
        self.shelves = {shelf.worker: shelf for shelf in shelves}
        self.acknowledged: Counter[str] = Counter()
        self.in_flight: dict[int, Operation] = {}
        """By worker: said to have begun, and never acknowledged."""
        self.happened: Counter[str] = Counter()
        self.did_not: Counter[str] = Counter()
        self._last: dict[int, Operation] = {}

    def read(self, lines: Iterable[Line]) -> list[str]:
        """Take in what a writer said before it died; sentences about answers that were wrong."""
        wrong: list[str] = []
        for line in lines:
            match line:
                case Began():
                    self.in_flight[line.worker] = self._last[line.worker] = line.operation
                case Done():
                    operation = self.in_flight.pop(line.worker)
                    expected = expect(self.shelves[line.worker], operation)
                    self.acknowledged[label(operation)] += 1
                    if line.outcome != expected:
                        wrong.append(f"{operation} answered {line.outcome} instead of {expected}")
                case Failed():
                    wrong.append(f"the writer failed: {line.reason}")
        return wrong

    def most_left_behind(self) -> int:
        """How many files without a reference the writers may have left: the last operation of each worker counts,
        also where it was acknowledged, since tidying up comes after that."""
        return sum(map(most_left_behind, self._last.values()))

    def settle(self, found: Found) -> list[str]:
        """Find out what became of everything in flight: all of it or nothing. Sentences about what is neither."""
        wrong: list[str] = []
        for worker, shelf in self.shelves.items():
            operation = self.in_flight.pop(worker, None)
            without = differences(shelf, found)
            if operation is None:
                wrong += without
                continue
            after = shelf.copy()
            expect(after, operation)
            with_it = differences(after, found)
            if with_it and without:
                wrong += [f"{operation} is there neither wholly nor not at all", *without, *with_it]
            elif with_it:
                self.did_not[label(operation)] += 1
            else:
                self.shelves[worker] = after
                if without:
                    self.happened[label(operation)] += 1
        self._last.clear()
        for shelf in self.shelves.values():
            shelf.forget_purged(found.objects.keys())
        return wrong
