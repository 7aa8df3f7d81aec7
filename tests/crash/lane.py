"""One lane: round after round, with a fresh store every so many rounds, until a loss or the end."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
from tests.crash.checking import check
from tests.crash.client import OnceClient
from tests.crash.control import ALL_KINDS, DATABASE_KINDS, KINDS, FailingDisk
from tests.crash.load import Worker
from tests.crash.model import Account
from tests.crash.stacks import CrashStack, ScaledStack, Stores, stores
from tests.end_to_end.plain_client import PASSWORD

from skyshelf.service.accounts import accounts
from skyshelf.service.context import ServiceContext
from skyshelf.storage.open import open_blobs, open_metadata

ACCOUNTS = 3
MOST_OPERATIONS = 60
LONGEST_WORK = 3.0
"""Seconds, on a machine that is too busy for the operations of a round."""
KILL, POWER_CUT, SURVIVE = "kill", "power cut", "no kill"


class Plan(msgspec.Struct):
    """What a lane is to do."""

    stack: str
    seed: int
    rounds: int
    seconds: float
    faults: bool
    lie: str = ""
    worst: bool = False
    """A power cut loses everything that it may lose."""
    epoch: int = 0
    rounds_per_epoch: int = 40
    doctor_every: int = 20


class Report(msgspec.Struct):
    """What a lane has done."""

    stack: str = ""
    seed: int = 0
    rounds: int = 0
    epochs: int = 0
    seconds: float = 0.0
    endings: dict[str, int] = {}
    faults: dict[str, int] = {}
    undone: int = 0
    acknowledged: dict[str, int] = {}
    unanswered: int = 0
    downloads: int = 0
    doctors: int = 0


def count(total: dict[str, int], more: Mapping[str, int]) -> None:
    """Add to counts that travel as JSON."""
    for name, number in more.items():
        total[name] = total.get(name, 0) + number


class Loss(AssertionError):
    """Something acknowledged is not there, or something else is wrong that no crash excuses."""


class Lane:
    """Runs a plan; `progress` is called after every round."""

    def __init__(self, plan: Plan, folder: Path, progress: Callable[[Report], None]) -> None:
        self.plan = plan
        self.folder = folder
        self.report = Report(plan.stack, plan.seed)
        self._progress = progress
        self._disk = FailingDisk(folder / "disk")
        os.environ.update(self._disk.environment)

    def run(self) -> None:
        began = time.monotonic()
        epoch = self.plan.epoch
        with suppress(_Enough):
            if self.plan.stack == "scaled":
                with stores(self.folder, self._disk) as opened:
                    while True:
                        self._run_epoch(epoch, began, opened)
                        epoch += 1
            while True:
                self._run_epoch(epoch, began, None)
                epoch += 1

    def _run_epoch(self, number: int, began: float, opened: Stores | None) -> None:
        rng = Random(f"{self.plan.seed} {number}")
        epoch = Epoch(self.plan, number, rng, self._disk, self.folder / f"epoch-{number}", opened, self.report)
        try:
            epoch.prepare()
            while not epoch.is_over():
                epoch.round()
                self.report.rounds += 1
                self.report.seconds = time.monotonic() - began
                self._progress(self.report)
                if self.report.rounds >= self.plan.rounds or self.report.seconds >= self.plan.seconds:
                    epoch.finish()
                    raise _Enough
            epoch.finish()
        except Loss:
            raise
        except AssertionError as error:
            raise Loss(f"{epoch.where()}\n{str(error)[-3000:]}") from error
        finally:
            epoch.stack.close()
            self._disk.heal()
            self._disk.forget()
            self.report.epochs += 1
        shutil.rmtree(epoch.stack.folder)


class _Enough(Exception):
    """All rounds are done, or the time is over."""


class Epoch:
    """A store from its birth on, and the journal of its accounts."""

    def __init__(
        self,
        plan: Plan,
        number: int,
        rng: Random,
        disk: FailingDisk,
        folder: Path,
        opened: Stores | None,
        report: Report,
    ) -> None:
        self._plan, self._number, self._rng, self._disk, self._report = plan, number, rng, disk, report
        self._stores = opened
        # Several workers are started from scratch every time, which costs more than all the rest of a round.
        self._rounds = plan.rounds_per_epoch // (4 if number % 5 == 4 else 1)
        options = ("--workers", "2") if number % 5 == 4 else ()
        if opened is not None:
            disk.watch(opened.postgres.data, plan.lie)
            self.stack: CrashStack = ScaledStack(folder, disk, options, opened, f"epoch{plan.seed}x{number}")
        else:
            disk.watch(folder / "data", plan.lie)
            self.stack = CrashStack(folder, disk, options)
        self.stack.loses_all = plan.worst
        self._workers: list[Worker] = []
        self._round = 0
        self._is_up = False

    def is_over(self) -> bool:
        return self._round >= self._rounds

    def prepare(self) -> None:
        """The store is born, in the middle of which its power may fail, and has accounts."""
        for _ in range(self._rng.randrange(3) if self._stores is None else 0):
            # The first calls make the file and mark it as ours; the others make the schema.
            self._start_and_die(self._rng.choice((12, 600)))
        self.stack.start()
        metadata, blobs = (open_metadata(self.stack.urls[0]), open_blobs(self.stack.urls[1]))
        emails = [f"user{number}@example.org" for number in range(ACCOUNTS)]
        try:
            ctx = ServiceContext(metadata=metadata, blobs=blobs)
            for email in emails:
                accounts.add_account(ctx, email, "Ada", "Byron", PASSWORD)
        finally:
            metadata.close()
            blobs.close()
        for number, email in enumerate(emails):
            client = OnceClient(self.stack.server.url, self.stack.folder / f"journal-{number}")
            client.log_in(email)
            account = Account(client.root, cursor=client.changes(None)[1])
            self._workers.append(Worker(client, account, f"{chr(97 + number)}"))
        # What came before belongs to no round: accounts and sessions are there.
        self._disk.forget()
        self._is_up = True

    def round(self) -> None:
        self._round += 1
        rng = self._rng
        if not self._is_up:
            if rng.random() < 0.1:
                self._start_and_die(40)
            self.stack.start()
            self._is_up = True
        self._check(everything=False)
        if self._round % self._plan.doctor_every == 0:
            self._ask_doctor()
        ending = rng.choices((KILL, POWER_CUT, SURVIVE), (30, 50, 20))[0]
        faults = self._plan.faults and (ending == SURVIVE or rng.random() < 0.4)
        at_call = ending != SURVIVE and self._stores is None and rng.random() < 0.5
        if faults:
            possible = ALL_KINDS if self._stores is None else DATABASE_KINDS
            kinds = rng.getrandbits(len(KINDS)) & possible or possible
            self._disk.fail(kinds, rng.choice((5, 20, 60, 200)), rng.getrandbits(60))
        if at_call:
            self._disk.die_after(rng.randint(1, 400))
        for worker in self._workers:
            worker.client.note(f"round {self._round}: {ending}, faults {faults}, dies at a call {at_call}")
        is_calm = self._work(rng.choice((3, 10, 30, MOST_OPERATIONS)), until_dead=at_call) and not faults
        self._end(ending)
        count(self._report.faults, self._disk.struck())
        for worker in self._workers:
            self._learn(worker, is_calm=is_calm)

    def _learn(self, worker: Worker, *, is_calm: bool) -> None:
        count(self._report.acknowledged, worker.acknowledged)
        self._report.unanswered += worker.unanswered.total()
        worker.acknowledged.clear()
        worker.unanswered.clear()
        # On a good disk nothing fails; one that was full is believed to be so for a few seconds more.
        failures = [one for one in worker.client.failures if is_calm and ": 507 " not in one]
        if worker.refused or failures:
            self._lose([*worker.refused, *failures])
        worker.client.failures.clear()

    def finish(self) -> None:
        """Everything once more, from the disk alone."""
        if self._is_up:
            self.stack.kill()
        # A job that failed waits for minutes before it tries again; nobody needs to wait for that here.
        metadata = open_metadata(self.stack.urls[0])
        try:
            metadata.write(lambda unit: unit.sql.run("UPDATE outbox SET run_at = 0 WHERE kind = 'purge'"))
        finally:
            metadata.close()
        self.stack.start()
        self._is_up = True
        self._check(everything=True)
        self._ask_doctor()
        for worker in self._workers:
            worker.client.close()
        self.stack.kill()

    def _work(self, operations: int, *, until_dead: bool) -> bool:
        """So many operations, or until a chosen call has killed the service; whether nothing else happened to it."""
        stop = threading.Event()
        threads = [
            threading.Thread(target=worker.run, args=(self._rng.getrandbits(60), stop), daemon=True)
            for worker in self._workers
        ]
        self._stop, self._threads = stop, threads
        for thread in threads:
            thread.start()
        is_calm = self._stores is None or until_dead or self._shake(self._stores, self._rng.uniform(0.02, 0.4))
        deadline = time.monotonic() + LONGEST_WORK
        while time.monotonic() < deadline and any(thread.is_alive() for thread in threads):
            done = sum(worker.acknowledged.total() for worker in self._workers)
            if done >= (MOST_OPERATIONS if until_dead else operations):
                break
            time.sleep(0.003)
        return is_calm

    def _shake(self, below: Stores, seconds: float) -> bool:
        """Something happens to the servers below the service while it works, or nothing (true)."""
        time.sleep(seconds / 2)
        what = self._rng.choices(
            ("nothing", "S3 stopped", "S3 killed", "database shut down", "database power cut"), (6, 4, 1, 3, 3)
        )[0]
        if what == "nothing":
            return True
        count(self._report.endings, {what: 1})
        if what == "S3 stopped":
            os.kill(below.s3.process_id, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(below.s3.process_id, signal.SIGCONT)
        elif what == "S3 killed":
            below.s3.kill()
            below.s3.start()
        elif what == "database shut down":
            below.postgres.end_at_once()
        else:
            below.postgres.kill()
            self._report.undone += self.stack.cut(self._rng)
        if self._rng.random() < 0.5 and not self._disk.is_failing:
            self._revive_database()
        return False

    def _end(self, ending: str) -> None:
        count(self._report.endings, {ending: 1})
        if ending != SURVIVE:
            self.stack.kill()
            if ending == POWER_CUT and self._stores is not None:
                self._stores.postgres.kill()
            self._is_up = False
        self._stop.set()
        if self._stores is not None and ending == SURVIVE:
            self._disk.heal()
            self._revive_database()
        for thread in self._threads:
            thread.join()
        self._disk.heal()
        # After a kill alone nothing is lost, and nothing more is durable: a later cut may still take it.
        if ending == POWER_CUT:
            self._report.undone += self.stack.cut(self._rng)
        self._revive_database()

    def _revive_database(self) -> None:
        if self._stores is not None:
            self._stores.postgres.revive()

    def _start_and_die(self, calls: int) -> None:
        """A start that ends at one of its own writes, and loses power there or not."""
        if self._stores is not None:
            return
        self._disk.die_after(self._rng.randint(1, calls))
        with suppress(AssertionError):
            self.stack.start()
        self.stack.kill()
        self._disk.heal()
        count(self._report.endings, {"start cut short": 1})
        if self._rng.random() < 0.7:
            self._report.undone += self.stack.cut(self._rng)

    def _check(self, *, everything: bool) -> None:
        for worker in self._workers:
            wrong, downloads = check(worker, self._rng, everything=everything)
            self._report.downloads += downloads
            if wrong:
                self._lose(wrong)

    def _ask_doctor(self) -> None:
        self._report.doctors += 1
        if found := self.stack.doctor():
            self._lose([found])

    def _lose(self, wrong: list[str]) -> None:
        raise Loss("\n".join([self.where(), *wrong]))

    def where(self) -> str:
        """How to come back to this store."""
        again = f"--stack {self._plan.stack} --seed {self._plan.seed} --epoch {self._number}"
        return f"{again}, round {self._round}; its store is kept in {self.stack.places}"
