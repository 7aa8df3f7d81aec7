"""The doctor runs while others write: it finds no damage where there is none, and repairs without doing harm."""

import threading
from collections.abc import Callable
from itertools import count

from tests.operating.shelves import Shelf, new_shelf, one_of_everything
from tests.operating.stacks import Stack
from tests.operating.test_doctor import problems

from skyshelf.service.integrity.quarantine import delete_quarantined
from skyshelf.storage.metadata.contracts.tree import Move, Rename, TreeChange

VISITS = 6


class Worker:
    """Somebody who does one of everything, over and over, and lets the doctor see every state in between."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._stop = threading.Event()
        self.rounds = 0
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Worker":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            for number in count():
                if self._stop.is_set():
                    return
                for step in (self._arrive, self._leave, self._upload):
                    step(number)
                self.rounds += 1
        except BaseException as error:  # noqa: BLE001 - the test shows it
            self.error = error

    def _arrive(self, number: int) -> None:
        shelf, ctx = self._shelf, self._shelf.stack.ctx
        folder = shelf.folder(f"folder {number}")
        for version in range(3):
            file = shelf.file("photo.jpg", b"%d %d" % (number, version), folder.object_key)
        shelf.thumbnail(file)
        changes: list[TreeChange] = [
            Rename(file.object_key, "renamed.jpg"),
            Move(file.object_key, shelf.account.root_key),
            Rename(file.object_key, f"{number}.jpg"),
        ]
        now = ctx.clock.now()
        ctx.metadata.write(lambda unit: unit.tree.apply(shelf.id, changes, now))
        shelf.give_up(file.object_key, folder.object_key)

    def _leave(self, _number: int) -> None:
        """Purge, and delete unreferenced content, as the maintenance tasks do."""
        shelf, ctx = self._shelf, self._shelf.stack.ctx
        now = ctx.clock.now()
        while ctx.metadata.write(lambda unit: unit.purge.delete_batch(shelf.id, 2, now)):
            pass
        ctx.metadata.write(lambda unit: unit.content.release_idle(now + 1, 100, now))
        for _ in delete_quarantined(ctx, now):
            pass

    def _upload(self, number: int) -> None:
        shelf, ctx = self._shelf, self._shelf.stack.ctx
        key = shelf.upload(f"upload {number}", 100, b"a chunk")
        with ctx.blobs.uploading(key) as held:
            ctx.metadata.write(lambda unit: unit.uploads.discard(shelf.id, key))
            held.discard()


def _visits(stack: Stack, visit: Callable[[], object]) -> list[object]:
    with Worker(new_shelf(stack, "busy@example.org")) as one, Worker(new_shelf(stack, "other@example.org")) as other:
        found = [visit() for _ in range(VISITS)]
    for worker in (one, other):
        if worker.error is not None:
            raise worker.error
        assert worker.rounds > 0
    return found


def test_nothing_is_wrong_in_any_moment_of_a_busy_store(stack: Stack) -> None:
    one_of_everything(stack)
    assert _visits(stack, lambda: problems(stack.ctx)) == [{}] * VISITS


def test_repairs_while_others_write_leave_everything_right(stack: Stack) -> None:
    everything = one_of_everything(stack)
    account_id = everything.shelf.id

    def damage_and_repair() -> dict[str, object]:
        stack.damage("UPDATE account_counters SET video_used = video_used + 7 WHERE account_id = ?", account_id)
        stack.damage(
            "UPDATE blobs SET refs = refs + 5 WHERE content IN (SELECT content FROM objects WHERE object_key = ?)",
            bytes.fromhex(everything.letter.object_key),
        )
        repaired = problems(stack.ctx, repair=True)
        return {
            promise: result.passed or [one.sentence for one in result.problems] for promise, result in repaired.items()
        }

    assert _visits(stack, damage_and_repair) == [{"references": True, "quota": True}] * VISITS
    assert problems(stack.ctx) == {}
