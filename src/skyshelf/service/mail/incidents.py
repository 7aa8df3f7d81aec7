"""Incidents that operators get a message about: what the store remembers of them until they are over.

A message names no reason and no device: those can quote paths and names, and mail crosses other people's servers.
"""

from typing import Final

import msgspec

from skyshelf.service.process.mail_settings import MessageKind
from skyshelf.storage.metadata.store import Unit

_SETTING: Final = "operator-mail"
KINDS: Final[frozenset[MessageKind]] = frozenset(
    {"backup-failed", "backup-overdue", "backup-well", "devices-paused", "devices-decided"}
)


class Incident(msgspec.Struct, frozen=True):
    """Something that lasts until somebody does something about it."""

    kind: MessageKind
    since: int


class Incidents(msgspec.Struct, frozen=True):
    """What operators were last told."""

    backup: Incident | None = None
    devices: Incident | None = None
    """Since the newest alarm that they know of."""
    devices_told_at: int = 0


def incidents_in(unit: Unit) -> Incidents:
    return unit.settings.load(_SETTING, Incidents) or Incidents()


def store_incidents(unit: Unit, known: Incidents) -> None:
    unit.settings.store(_SETTING, known)


def moment_of(known: Incidents, kind: MessageKind) -> int | None:
    """Return since when there is what a message is about; None if that is over, so the message is left out.

    The message that all is well again has no moment: 0, while nothing new has happened.
    """
    about = known.backup if kind.startswith("backup") else known.devices
    if kind in ("backup-well", "devices-decided"):
        return 0 if about is None else None
    return about.since if about is not None and about.kind == kind else None
