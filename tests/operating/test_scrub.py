"""Every content is read once in a period, in the background or at once, and damage is noted until it is healed."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from tests.operating.shelves import Shelf, new_shelf
from tests.operating.stacks import Stack
from tests.server.in_process import TestClient

from skyshelf.cli.main import main
from skyshelf.server.app import ServerSettings, app_for
from skyshelf.service.context import ServiceContext
from skyshelf.service.integrity import damage, scrub
from skyshelf.service.jobs.maintenance import SCRUB
from skyshelf.service.jobs.runner import JobRunner
from skyshelf.service.process.blob_memory import BlobMemory
from skyshelf.storage.blobs.disk.store import DiskBlobs
from skyshelf.storage.blobs.durable_files import DurableFiles
from skyshelf.storage.errors import StoreUnavailable

FILES = 30
DAYS = 30


def admin(stack: Stack, *arguments: str) -> Result:
    # The status needs no contents, and so no option that names them.
    options = stack.options[:4] if "status" in arguments else stack.options
    return CliRunner().invoke(main, ["admin", *arguments, *options])


def filled(stack: Stack) -> Shelf:
    shelf = new_shelf(stack)
    for number in range(FILES):
        shelf.file(f"{number}.txt", b"content %d" % number)
    return shelf


def restarted(stack: Stack) -> ServiceContext:
    """Another process over the same stores."""
    return msgspec.structs.replace(stack.ctx, integrity=BlobMemory())


class Reads:
    """Which blobs were read."""

    def __init__(self, ctx: ServiceContext, monkeypatch: pytest.MonkeyPatch) -> None:
        self.locations: list[str] = []
        read = ctx.blobs.read

        def recorded(location: str, *range_: int) -> object:
            self.locations.append(location)
            return read(location, *range_)

        monkeypatch.setattr(ctx.blobs, "read", recorded)


def work_off(ctx: ServiceContext) -> None:
    runner = JobRunner(ctx, jobs={}, tasks=(SCRUB,))
    runner.schedule()
    while runner.work_once():
        pass


def test_everything_is_read_once_in_the_period_a_share_at_a_time_across_restarts(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(stack)
    reads = Reads(stack.ctx, monkeypatch)
    work_off(stack.ctx)
    stack.clock.advance(minutes=2)
    work_off(stack.ctx)
    assert len(reads.locations) <= 1
    shares = []
    for _ in range(DAYS):
        stack.clock.advance(days=1)
        ctx = restarted(stack)
        work_off(ctx)
        state = scrub.state_of(ctx)
        assert state is not None
        shares.append((len(reads.locations), state.share))
    counts = [count for count, _ in shares]
    assert counts[DAYS // 2 - 1] < FILES
    assert len(reads.locations) == len(set(reads.locations)) == FILES
    assert all(share == 1.0 or share <= (day + 2) / DAYS for day, (_, share) in enumerate(shares))
    stack.clock.advance(minutes=2)
    work_off(stack.ctx)
    state = scrub.state_of(stack.ctx)
    assert state is not None
    assert state.previous is not None
    assert (state.previous.contents, state.previous.damaged) == (FILES, 0)
    # And again.
    stack.clock.advance(days=DAYS)
    work_off(stack.ctx)
    assert len(reads.locations) == 2 * FILES


def test_whoever_goes_on_after_a_stop_reads_nothing_twice(embedded: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(embedded)
    work_off(embedded.ctx)
    embedded.clock.advance(minutes=2)
    work_off(embedded.ctx)
    embedded.clock.advance(days=DAYS // 2)
    reads = Reads(embedded.ctx, monkeypatch)
    steps = scrub.scrub_due(embedded.ctx)
    for _ in range(7):
        next(steps)
    steps.close()  # type: ignore[attr-defined]
    begun = len(reads.locations)
    assert 0 < begun < FILES / 2
    for _ in scrub.scrub_due(restarted(embedded)):
        pass
    assert len(reads.locations) - len(set(reads.locations)) <= 1


def test_damage_is_noted_shown_everywhere_and_leaves_the_list_when_it_is_healed(stack: Stack) -> None:
    shelf = filled(stack)
    cut, gone, flipped = (shelf.file(f"{name}.txt", name.encode() * 9) for name in ("cut", "gone", "flipped"))
    stack.replace_bytes(shelf.location(cut), b"cut")
    stack.replace_bytes(shelf.location(flipped), b"flipped" * 8 + b"flippe?")
    stack.ctx.blobs.delete(shelf.location(gone))
    assert admin(stack, "scrub", "status").exit_code == 0
    ran = admin(stack, "scrub", "run", "--json")
    assert ran.exit_code == 1, ran.output
    told = json.loads(ran.stdout)
    assert (told["outcome"], told["progress"], told["round"]["damaged"]) == ("damage", 1.0, 3)
    assert {file["name"] for one in told["damaged"] for file in one["files"]} == {
        "cut.txt",
        "gone.txt",
        "flipped.txt",
    }
    shown = admin(stack, "scrub", "status")
    assert shown.exit_code == 1
    assert "“gone.txt”" in shown.output
    app = app_for(stack.ctx, ServerSettings(metadata=stack.urls[0], blobs=stack.urls[1]))
    client = TestClient(app, client=("127.0.0.1", 1))
    ready = client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["contents"].startswith("3 damaged")
    figures = dict(line.split() for line in client.get("/metrics").text.splitlines() if line.startswith("skyshelf_"))
    assert figures["skyshelf_damaged_contents"] == "3.0"
    assert figures["skyshelf_scrub_damaged_blobs"] == "3.0"
    assert figures["skyshelf_scrub_verified_blobs"] == f"{FILES + 3}.0"
    assert figures["skyshelf_scrub_progress_ratio"] == "1.0"
    # One is restored in its place, one is replaced, and one is deleted with its file.
    stack.replace_bytes(shelf.location(flipped), b"flipped" * 9)
    new, old = stack.ctx.blobs.put([b"cut" * 9]), shelf.location(cut)
    now = stack.clock.now()
    assert stack.ctx.metadata.write(lambda unit: unit.content.relocate(new.sha256, old, new.location, now))
    shelf.give_up(gone.object_key)
    stack.ctx.metadata.write(lambda unit: unit.purge.delete_batch(shelf.id, 10, now))
    assert admin(stack, "scrub", "run").exit_code == 0
    assert admin(stack, "scrub", "status").exit_code == 0
    assert damage.count(stack.ctx) == 0


class BadSector(DurableFiles):
    """A disk that cannot read some bytes, or any."""

    bad = b""
    is_away = False

    def read(self, file: int, length: int, at: int) -> bytes:
        data = super().read(file, length, at)
        if self.is_away or (self.bad and data.startswith(self.bad)):
            raise StoreUnavailable("The blob folder failed us while reading: Input/output error.")
        return data

    def create(self, folder: int, name: str) -> int:
        if self.is_away:
            raise StoreUnavailable("The blob folder failed us while creating a file: Input/output error.")
        return super().create(folder, name)


def test_bytes_that_cannot_be_read_are_damage_and_a_disk_that_is_away_is_not(embedded: Stack, tmp_path: Path) -> None:
    filled(embedded)
    disk = BadSector()
    ctx = msgspec.structs.replace(embedded.ctx, blobs=DiskBlobs(tmp_path / "data" / "blobs", disk))
    disk.bad = b"content 7"
    assert scrub.scrub_all(ctx, lambda *_: None).damaged == 1
    (found,) = damage.reports(ctx)
    assert "Input/output error" in found.fault
    disk.is_away = True
    with pytest.raises(StoreUnavailable):
        scrub.scrub_all(ctx, lambda *_: None)
    assert damage.count(ctx) == 1
    ctx.blobs.close()


def test_looking_at_the_status_changes_nothing_and_says_when_it_could_not_look(embedded: Stack, tmp_path: Path) -> None:
    filled(embedded)
    before = sorted((tmp_path / "data").iterdir())
    assert "has not begun" in admin(embedded, "scrub", "status").output
    assert sorted((tmp_path / "data").iterdir()) == before
    away = CliRunner().invoke(main, ["admin", "scrub", "status", "--json", "--data", str(tmp_path / "nowhere")])
    assert (away.exit_code, json.loads(away.stdout)["outcome"]) == (2, "not checked")


def test_what_the_scrub_has_read_lately_is_known_to_all_processes(embedded: Stack) -> None:
    shelf = filled(embedded)
    file = shelf.file("known.txt", b"known")
    assert file.sha256 is not None
    assert not scrub.has_read_lately(embedded.ctx, file.sha256)
    scrub.scrub_all(embedded.ctx, lambda *_: None)
    assert scrub.has_read_lately(restarted(embedded), file.sha256)
    embedded.replace_bytes(shelf.location(file), b"wrong")
    scrub.scrub_all(embedded.ctx, lambda *_: None)
    assert not scrub.has_read_lately(embedded.ctx, file.sha256)
    embedded.replace_bytes(shelf.location(file), b"known")
    scrub.scrub_all(embedded.ctx, lambda *_: None)
    assert scrub.has_read_lately(embedded.ctx, file.sha256)
    embedded.clock.advance(days=2)
    assert not scrub.has_read_lately(embedded.ctx, file.sha256)
