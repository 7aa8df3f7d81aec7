"""Whether PostgreSQL has as many connections as all processes may open."""

from skyshelf.service.process.database_connections import problem_of
from skyshelf.storage.metadata.store import ConnectionLimits

LIMITS = ConnectionLimits(allowed=97, allowed_by="max_connections is 100, 3 of them reserved", others=0, processes=0)


def test_what_fits_is_no_problem() -> None:
    assert problem_of(LIMITS, workers=5, per_worker=16) is None


def test_what_does_not_fit_is_a_sentence_that_says_what_to_set() -> None:
    assert problem_of(LIMITS, workers=6, per_worker=16) == (
        "PostgreSQL allows 97 connections (max_connections is 100, 3 of them reserved), and up to 102 may be needed"
        " (6 × 17 of this server): under load, requests wait for a connection and fail. Set at least 5 more connections"
        " there, or --database-connections 15 on every instance"
    )


def test_other_instances_and_other_programs_count() -> None:
    problem = problem_of(LIMITS._replace(others=10, processes=3), workers=3, per_worker=16)
    assert problem is not None
    assert "(3 × 17 of this server, 3 × 17 of its other processes, 10 of other programs)" in problem
    assert "at least 15 more connections there, or --database-connections 13 on every instance" in problem
    assert problem_of(LIMITS._replace(others=10, processes=3), workers=3, per_worker=13) is None


def test_nothing_is_advised_that_does_not_help() -> None:
    problem = problem_of(LIMITS._replace(others=95), workers=4, per_worker=16)
    assert problem is not None
    assert problem.endswith("Set at least 66 more connections there")
