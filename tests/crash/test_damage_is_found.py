"""The check can fail: every kind of damage that a crash could do is given away by it."""

import re
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from tests.crash.campaign import Campaign
from tests.crash.checking import check, check_sweep, check_uploads, opened
from tests.crash.clock import now_ms
from tests.crash.contents import LARGEST, content_of
from tests.crash.damages import DAMAGES, FILE, INNER, OUTER, UPLOAD, Damage
from tests.crash.expecting import expect
from tests.crash.journal import Journal
from tests.crash.operations import AddFolder, BeginUpload, Change, ChangeTree, Operation, PutFile, SendChunk
from tests.crash.quietly import do, new_key
from tests.crash.shelf import Shelf


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory, crash_seed: int) -> Iterator[Campaign]:
    """A folder that has seen a kill, and then has one of everything that can be damaged."""
    campaign = Campaign(tmp_path_factory.mktemp("settled") / "data", crash_seed)
    campaign.run(1)
    with opened(campaign.folder) as (metadata, blobs):
        for operation in _one_of_everything(campaign.journal.shelves[0]):
            assert do(metadata, blobs, campaign.journal.shelves[0], operation) == []
        assert check_sweep(metadata, blobs, now_ms()) == []
    yield campaign
    campaign.close()


def _one_of_everything(shelf: Shelf) -> list[Operation]:
    rng, now = Random(1), now_ms()
    outer, upload = new_key(rng, shelf.worker), new_key(rng, shelf.worker)
    base = shelf.base_key
    contents = [content_of(seed, LARGEST) for seed in range(1001, 1004)]
    return [
        PutFile(now=now, object_key=new_key(rng, shelf.worker), parent_key=base, name=FILE, content=contents[0]),
        PutFile(now=now, object_key=new_key(rng, shelf.worker), parent_key=base, name=FILE, content=contents[1]),
        BeginUpload(now=now, upload_key=upload, parent_key=base, name=UPLOAD, content=contents[2]),
        SendChunk(now=now, upload_key=upload, size=LARGEST),
        AddFolder(now=now, object_key=outer, parent_key=base, name=OUTER),
        AddFolder(now=now, object_key=new_key(rng, shelf.worker), parent_key=outer, name=INNER),
    ]


@pytest.fixture
def folder(settled: Campaign, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(settled.folder, tmp_path / "copy"))


def _findings(folder: Path, journal: Journal) -> list[str]:
    journal = deepcopy(journal)
    with opened(folder) as (metadata, blobs):
        return check(metadata, blobs, journal, now_ms()).wrong + check_uploads(metadata, blobs, journal)


def test_a_folder_without_damage_passes(settled: Campaign, folder: Path) -> None:
    assert _findings(folder, settled.journal) == []


@pytest.mark.parametrize("damage", DAMAGES, ids=str)
def test_damage_is_found(settled: Campaign, folder: Path, damage: Damage) -> None:
    damage.do(folder)
    findings = _findings(folder, settled.journal)
    assert any(re.search(damage.sentence, finding) for finding in findings), findings


def test_a_store_that_forgot_its_last_commit_is_found(settled: Campaign, folder: Path) -> None:
    """What a disk does that lied about a sync: everything agrees with itself, and something is missing."""
    journal = deepcopy(settled.journal)
    shelf = journal.shelves[0]
    expect(shelf, ChangeTree(now=now_ms(), changes=[Change("favorite", _file_of(shelf), "yes")]))
    assert re.search("worker 0: changes expected", "\n".join(_findings(folder, journal)))


def test_an_unacknowledged_object_is_found(settled: Campaign, folder: Path) -> None:
    other = settled.journal.shelves[0].copy()
    key = new_key(Random(2), other.worker)
    with opened(folder) as (metadata, blobs):
        added = AddFolder(now=now_ms(), object_key=key, parent_key=other.base_key, name="nobody's")
        assert do(metadata, blobs, other, added) == []
    assert f"worker 0: not expected: {key}" in "\n".join(_findings(folder, settled.journal))


def test_an_operation_that_is_half_there_is_found(settled: Campaign, folder: Path) -> None:
    journal = deepcopy(settled.journal)
    shelf, other = journal.shelves[0], journal.shelves[0].copy()
    whole = [Change("favorite", _file_of(shelf), "yes"), Change("rename", _file_of(shelf), "both.jpg")]
    journal.in_flight[0] = ChangeTree(now=now_ms(), changes=whole)
    with opened(folder) as (metadata, blobs):
        assert do(metadata, blobs, other, ChangeTree(now=now_ms(), changes=whole[:1])) == []
    assert "is there neither wholly nor not at all" in "\n".join(_findings(folder, journal))


def test_an_operation_in_flight_may_be_there_or_not(settled: Campaign, folder: Path) -> None:
    journal = deepcopy(settled.journal)
    shelf, other = journal.shelves[0], journal.shelves[0].copy()
    operation = ChangeTree(now=now_ms(), changes=[Change("favorite", _file_of(shelf), "yes")])
    journal.in_flight[0] = operation
    assert _findings(folder, journal) == []
    with opened(folder) as (metadata, blobs):
        assert do(metadata, blobs, other, operation) == []
    assert _findings(folder, journal) == []


def test_an_unreferenced_file_is_counted_and_swept(settled: Campaign, folder: Path) -> None:
    with opened(folder) as (metadata, blobs):
        stray = blobs.put([b"left behind"])
        assert check(metadata, blobs, deepcopy(settled.journal), now_ms()).unreferred == {stray.location}
        assert check_sweep(metadata, blobs, now_ms()) == []
        assert check(metadata, blobs, deepcopy(settled.journal), now_ms()).unreferred == set()


def _file_of(shelf: Shelf) -> str:
    return next(key for key, thing in shelf.things.items() if thing.name == FILE)
