"""Where something was taken, as files spell it."""

import math
import re
from collections.abc import Sequence

from skyshelf.storage.metadata.contracts.media_facts import MICRODEGREES

Place = tuple[int, int]
"""Latitude and longitude in millionths of a degree."""

# ISO 6709, as phones write it into videos: +38.7223-009.1393+010.000/
_ISO_6709 = re.compile(r"^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)", re.ASCII)


def place_of(
    latitude: Sequence[float], north_or_south: object, longitude: Sequence[float], east_or_west: object
) -> Place | None:
    """From degrees, minutes and seconds, and the letters of their hemispheres."""
    if len(latitude) != 3 or len(longitude) != 3:
        return None
    north = -1 if str(north_or_south).upper().startswith("S") else 1
    east = -1 if str(east_or_west).upper().startswith("W") else 1
    return _checked(north * _decimal(latitude), east * _decimal(longitude))


def iso_6709(text: str | None) -> Place | None:
    """From the text that videos have."""
    match = _ISO_6709.match(text.strip()) if text else None
    return None if match is None else _checked(float(match[1]), float(match[2]))


def _decimal(parts: Sequence[float]) -> float:
    degrees, minutes, seconds = parts
    return degrees + minutes / 60 + seconds / 3600


def _checked(latitude: float, longitude: float) -> Place | None:
    """None for what is not on Earth, and for 0, 0, which devices write that do not know."""
    if not (math.isfinite(latitude) and math.isfinite(longitude)):
        return None
    if abs(latitude) > 90 or abs(longitude) > 180 or (latitude == 0 and longitude == 0):
        return None
    return round(latitude * MICRODEGREES), round(longitude * MICRODEGREES)
