"""One seed: computers, users, a server and everything that goes wrong, until all is in order again; then the check."""

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from tests.desktop.simulator.backups import Backup
from tests.desktop.simulator.computers import Computer, in_environment, settled
from tests.desktop.simulator.counts import Counts
from tests.desktop.simulator.faults import Proxy
from tests.desktop.simulator.ledger import Ledger, Violation
from tests.desktop.simulator.moments import Killed, Moments
from tests.desktop.simulator.service import Direct, Service
from tests.desktop.simulator.users import NAMES, SERVER, LocalUser, WebUser
from tests.desktop.sync.both_sides import TOP

from skyshelf.client.async_client import AsyncClient
from skyshelf.client.errors import ServerStateError, SkyshelfError
from skyshelf.client.sync_client import Client
from skyshelf.desktop.sync import transfers

HAZARDS: Final = (
    "kills",
    "faults",
    "races",
    "restores",
    "restores without epochs",
    "old indexes",
    "unmounts",
    "disks",
    "full disks",
    "unreadable folders",
    "backups",
)
_STEPS: Final = 18
_ROUNDS: Final = 6


class World:
    """Everything of one seed."""

    def __init__(
        self, seed: int, service: Service, moments: Moments, folder: Path, patch: pytest.MonkeyPatch, counts: Counts
    ) -> None:
        chance = self.chance = random.Random(seed)
        self.hazards = set(chance.sample(HAZARDS, chance.randint(1, 5)))
        self._has_epochs = "restores without epochs" not in self.hazards
        self.service = service
        self.moments = moments
        self.counts = counts
        self.ledger = Ledger(seed)
        self.log: list[str] = []
        self._patch = patch
        # Without epochs, nobody notices a server where a few files went back: their newer contents are only kept.
        self._is_lenient = False
        self._session = service.begin(seed, has_epochs=self._has_epochs)
        # Few names, so that users meet.
        names = chance.sample(NAMES, 4)
        patch.setattr(transfers, "BULK_FROM", chance.choice((1, 3, 1000)))
        self.web = WebUser(
            AsyncClient(**self._session, transport=Direct(service), lag=0.0),
            self.ledger,
            chance,
            folder,
            names,
            self._note,
        )
        key = service.loop.run_until_complete(self.web.begin())
        # A folder can be named by its key, too, which takes fewer requests.
        top = chance.choice((TOP, key, key))
        number = chance.choice((2, 2, 2, 3, 4))
        self.computers = [self._computer(f"pc{number}", folder, top) for number in range(number)]
        self.users = [LocalUser(one, self.ledger, chance, names, self._note) for one in self.computers]
        client, proxy = self._client()
        self.backup = Backup(folder / "backup", client, proxy)

    def _client(self) -> tuple[Client, Proxy]:
        proxy = Proxy(self.service, self.moments, self.chance)
        return Client(**self._session, transport=proxy, lag=0.0, retries=2, retry_wait=0.0), proxy

    def _computer(self, name: str, folder: Path, top: str) -> Computer:
        client, proxy = self._client()
        return Computer(name, folder / name, top, client, proxy, self.moments, self.chance)

    def run(self) -> None:
        """Live through the seed; raises Violation where the invariant does not hold."""
        for computer in self.computers:
            in_environment(computer, self._patch)
            computer.sync()
            computer.after_a_run()
            self._look(computer)
        for _ in range(_STEPS):
            self._step()
        self._mend()
        self._settle()
        self._check()
        self.counts.contents += self.ledger.followed

    def _step(self) -> None:
        number = self.chance.random()
        place = self.chance.randrange(len(self.computers))
        computer, user = self.computers[place], self.users[place]
        if number < 0.3:
            for _ in range(self.chance.randint(1, 5)):
                self._operation(user.act)
        elif number < 0.5:
            for _ in range(self.chance.randint(1, 3)):
                self._operation(lambda: self.service.loop.run_until_complete(self.web.act()))
        elif number < 0.75:
            self._note(f"{computer.name} syncs")
            self._at_risk(computer, user)
        else:
            self._hazard(computer)

    def _look(self, *computers: Computer) -> None:
        """Raise Violation where the server or a computer has lost what nobody replaced or deleted."""
        self.ledger.acknowledge(self.service.contents())
        if not self._is_lenient:
            there, here = self.service.current(), {one.name: one.current() for one in computers}
            self.ledger.check_side(SERVER, there, *here.values())
            for name, contents in here.items():
                self.ledger.check_side(name, contents, there)
        self.ledger.check_kept(self._everywhere())

    def _operation(self, operation: Callable[[], None]) -> None:
        self.counts.operations += 1
        operation()

    def _note(self, what: str) -> None:
        self.log.append(what)

    # Runs that may fail

    def _at_risk(self, computer: Computer, user: LocalUser) -> None:
        """Run a sync to which anything may happen."""
        chance, events = self.chance, dict[int, Callable[[], None]]()
        computer.pass_time()
        if "kills" in self.hazards and chance.random() < 0.5:
            if chance.random() < 0.5:
                events[self._moment()] = self.moments.kill
            else:
                self.moments.kill_at_record = chance.choice((1, 1, 2, 3))
        if "races" in self.hazards:
            events[self._moment()] = partial(user.act, is_racing=True)
            computer.proxy.racing[chance.randint(1, 25)] = self.web.act
            computer.proxy.rival = partial(self.web.edit, user.edited) if user.edited else None
        if "unmounts" in self.hazards and chance.random() < 0.3:
            events[self._moment()] = computer.unmount
        if "disks" in self.hazards and chance.random() < 0.3:
            events[self._moment()] = computer.unplug
        if "full disks" in self.hazards and chance.random() < 0.3:
            events[self._moment()] = self.moments.fill_disk
        folders = [one.parent for one in computer.paths() if one.parent != computer.here]
        if folders and "unreadable folders" in self.hazards and chance.random() < 0.5:
            self.moments.unreadable = {chance.choice(folders)}
        confirms = chance.random() < 0.8
        accepts = chance.random() < 0.3
        starts_over = chance.random() < 0.03
        in_environment(computer, self._patch)
        self._run(
            lambda: computer.sync(accepts_state=accepts, confirms=confirms, start_over=starts_over),
            computer.proxy,
            events,
        )
        self.moments.unreadable = set()
        if computer.is_mounted:
            computer.after_a_run()
        self._look(computer)

    def _moment(self) -> int:
        return self.chance.choice((self.chance.randint(1, 30), self.chance.randint(1, 120)))

    def _run(self, program: Callable[[], object], proxy: Proxy, events: dict[int, Callable[[], None]]) -> None:
        if "faults" in self.hazards and self.chance.random() < 0.6:
            proxy.plan_faults()
        try:
            with self.moments.running(events):
                program()
        except Killed:
            self._note("killed")
        except SkyshelfError as error:
            self._note(f"{type(error).__name__}: {error}")
        finally:
            self.service.loop.run_until_complete(proxy.end())
            for computer in self.computers:
                self.log += [f"    {one}" for one in computer.log]
                computer.log.clear()
        self.counts.runs += 1

    # What happens to machines

    def _hazard(self, computer: Computer) -> None:
        found = self.chance.choice(sorted(self.hazards))
        match found:
            case "restores" | "restores without epochs":
                self._restore()
            case "old indexes" if computer.is_mounted:
                self._note(f"index of {computer.name}")
                self.chance.choice(
                    (computer.save_index, computer.save_index, computer.restore_index, computer.lose_index)
                )()
            case "unmounts":
                self._note(f"mount of {computer.name}")
                computer.mount() if not computer.is_mounted else computer.unmount()
            case "disks":
                self._note(f"disk of {computer.name}")
                self.chance.choice((computer.plug, computer.plug, computer.unplug))()
            case "backups":
                self._note("backup")
                self._back_up()
            case _:
                pass

    def _restore(self) -> None:
        if not self.service.has_saved or self.chance.random() < 0.3:
            self._note("server saved")
            self.service.save()
            return
        self._note("server put back")
        self._look(*self.computers)
        self.service.put_back(new_epoch=self._has_epochs and self.chance.random() < 0.5)
        self.counts.restores += 1
        # What is on computers alone by now counts as not yet synced.
        self.ledger.kept &= self.service.contents() | self.backup.contents()
        there = self.service.current()
        here = set[str]().union(*(one.current() for one in self.computers))
        self.ledger.look_at(SERVER, there)
        self.ledger.forget(lambda found: found in here or found in there)
        if not self._has_epochs:
            self._is_lenient = True

    def _back_up(self) -> None:
        events = {self._moment(): self.moments.kill} if "kills" in self.hazards and self.chance.random() < 0.5 else {}
        accepts, overwrite = self.chance.random() < 0.3, self.chance.random() < 0.3
        self._run(lambda: self.backup.run(accepts_state=accepts, overwrite=overwrite), self.backup.proxy, events)
        self.backup.check()
        self._look()

    # The end

    def _mend(self) -> None:
        """Bring everything in order that is not."""
        for computer in self.computers:
            computer.mount()
            computer.plug_again()

    def _settle(self) -> None:
        """Sync everything until nothing is left to do."""
        self._note("settling")
        quiet = 0
        for computer in self.computers * _ROUNDS:
            in_environment(computer, self._patch)
            events, result = settled(computer)
            computer.after_a_run()
            if result.failures:
                raise Violation(f"{computer.name} ({computer.system}) fails without a fault: {result.failures[:3]}")
            self._note(f"{computer.name} {[f'{one.kind} {one.path} {one.to}' for one in events]}")
            self._look(computer)
            quiet = 0 if events else quiet + 1
            if quiet == len(self.computers):
                break
        else:
            raise Violation("the sides keep changing")
        if "backups" in self.hazards:
            try:
                self.backup.run(overwrite=True)
            except ServerStateError:
                self.backup.run(accepts_state=True, overwrite=True)
            self.backup.check()

    def _check(self) -> None:
        there = self._tree()
        sides = {"on the server": there} | {f"on {one.name} ({one.system})": one.tree() for one in self.computers}
        for where, tree in sides.items():
            if not self._is_lenient:
                self.ledger.check_current({found for found in tree.values() if found}, where)
            if Counter(map(_place, tree.items())) != Counter(map(_place, there.items())):
                raise Violation(f"{where} is other than on the server:\n{_difference(tree, there)}")
        for one in self.computers:
            for other in self.computers:
                if one.system == other.system and _unmarked(one.tree()) != _unmarked(other.tree()):
                    raise Violation(
                        f"{one.name} and {other.name} ({one.system}) differ:\n{_difference(one.tree(), other.tree())}"
                    )
            if one.system == "linux" and one.tree() != there:
                raise Violation(f"{one.name} has other names than the server:\n{_difference(one.tree(), there)}")

    def _tree(self) -> dict[str, str | None]:
        return self.service.loop.run_until_complete(self.web.tree())

    def _everywhere(self) -> set[str]:
        here = (one.everywhere() for one in self.computers)
        return self.service.contents().union(self.backup.contents(), *here)


def _place(item: tuple[str, str | None]) -> tuple[int, str | None]:
    """Return what is the same on systems with other names: how deep it is, and its content."""
    return item[0].count("/"), item[1]


def _unmarked(tree: dict[str, str | None]) -> Counter[tuple[str, str | None]]:
    """Return a tree without marks: of two names that are one name here, the one that arrived later has it."""
    return Counter((re.sub(r" \(#[a-z2-7]{20}\)", "", path), found) for path, found in tree.items())


def _difference(one: dict[str, str | None], other: dict[str, str | None]) -> str:
    return "\n".join(
        f"{sign} {path} {found}"
        for sign, items in (("-", one.items() - other.items()), ("+", other.items() - one.items()))
        for path, found in sorted(items, key=str)
    )
