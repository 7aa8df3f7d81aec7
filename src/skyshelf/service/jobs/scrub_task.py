"""The background job that reads every content within a settable period; service/integrity/scrub.py does it."""

from typing import Final

from skyshelf.service.integrity.scrub import scrub_due
from skyshelf.service.jobs.maintenance import MINUTE, PeriodicTask

SCRUB: Final = PeriodicTask("scrub", MINUTE, scrub_due, deletes_by_age=False)
