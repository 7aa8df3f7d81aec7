"""The database is whole in its own eyes."""

from collections.abc import Iterator

from skyshelf.service.doctor.promise import Finding, Visit
from skyshelf.service.house import House


def look(house: House, visit: Visit) -> Iterator[Finding]:
    with house.metadata.snapshot() as unit:
        faults = unit.inspection.faults_of_the_file(deep=visit.deep)
    for fault in faults:
        yield Finding(f"the database finds itself damaged: {fault}")
