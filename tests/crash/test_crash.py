"""Nothing that was acknowledged is ever lost, and nothing is ever half there, however often the writer is killed."""

from pathlib import Path

import pytest
from tests.crash.campaign import Campaign
from tests.crash.operations import LABELS

ENOUGH = 50
"""Rounds from which on chance alone cannot leave a kind of operation or of death out."""


def test_killed_writers_lose_nothing_and_leave_nothing_half_done(
    campaign: Campaign, crash_rounds: int, request: pytest.FixtureRequest
) -> None:
    campaign.run(crash_rounds)
    campaign.finish()
    request.node.user_properties.append(("summary", campaign.summary()))
    _refuse_an_idle_run(campaign)


def _refuse_an_idle_run(campaign: Campaign) -> None:
    """The kills must have hit real work, or a pass would mean nothing."""
    tally, journal = campaign.tally, campaign.journal
    assert tally.in_the_middle >= 0.7 * tally.rounds
    assert sum(journal.acknowledged.values()) >= 10 * tally.rounds
    if tally.rounds >= ENOUGH:
        assert tally.while_opening > 0
        assert tally.left_behind > 0
        assert set(tally.own_deaths) == {"file", "log", "database", "commit", "line"}
        assert set(journal.acknowledged) == set(LABELS)
        # Of what was in flight, some had reached its commit and some had not.
        assert sum(journal.happened.values()) >= 0.05 * tally.rounds
        assert sum(journal.did_not.values()) >= 0.5 * tally.rounds


def test_a_writer_that_acknowledges_before_its_commit_is_found_out(tmp_path: Path, crash_seed: int) -> None:
    """The proof of the proof: the same campaign with the one mistake that it exists to catch."""
    lying = Campaign(tmp_path / "data", crash_seed, too_early=True)
    try:
        with pytest.raises(AssertionError, match=r"(?s)--crash-seed.*(lost|expected)"):
            lying.run(20)
    finally:
        lying.close()
