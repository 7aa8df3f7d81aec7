"""Tampering with listings: hostile names, duplicate objects, incomplete and repeated pages."""

import random
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import json

HOSTILE_NAMES: Final = (
    "..",
    ".",
    "../../outside.txt",
    "..\\..\\outside.txt",
    "/etc/outside",
    "C:\\outside.txt",
    "a\x00b.txt",
    "line\nbreak.txt",
    "photo\u202egpj.exe",
    "CON",
    "aux.txt",
    "ends with dot.",
    "ends with blank ",
    "stream:name.txt",
    "\u200b",
    "caf\u00e9.txt",
    "cafe\u0301.txt",
    "CAFÉ.TXT",
    "same.txt",
    "same.txt",
    "SAME.txt",
    "long" * 100 + ".txt",
    "long" * 100 + "er.txt",
    ".skyshelf-backup",
    "name.part",
)
"""Names that a foreign server may send although Skyshelf would refuse them, or that collide on some file systems."""


def is_content(target: str) -> bool:
    """Whether a request is for file content."""
    return target.startswith(("/download/", "/x/v1/contents"))


def is_listing(target: str) -> bool:
    """Whether the response to a request is a page of objects."""
    path = urlsplit(target).path
    return path in {"/nms/metadata", "/nms/trash"} or path.startswith("/nms/metadata/defaultview/")


def with_parameters(target: str, change: Mapping[str, str]) -> str:
    """The target with some query parameters replaced."""
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True)) | dict(change)
    return f"{parts.path}?{urlencode(query)}"


def parameter(target: str, name: str, default: int) -> int:
    """A numeric query parameter."""
    text = dict(parse_qsl(urlsplit(target).query)).get(name, "")
    return int(text) if re.fullmatch(r"[0-9]+", text) else default


class Page:
    """A page of a listing that can be tampered with."""

    def __init__(self, body: bytes) -> None:
        self._content: dict[str, Any] = json.decode(body)
        self.objects: list[dict[str, Any]] = self._content.get("objects") or []

    def rename(self, renames: Mapping[str, str]) -> None:
        """Rename objects, by key."""
        for found in self.objects:
            if found.get("objectKey") in renames:
                found["objectName"] = renames[found["objectKey"]]

    def shorten(self, rng: random.Random) -> None:
        """Drop the end of the page, leaving at least one object."""
        self.objects = self.objects[: rng.randint(1, max(1, len(self.objects) - 1))]

    def duplicate(self, rng: random.Random) -> None:
        """List some objects twice."""
        duplicates = rng.sample(self.objects, min(3, len(self.objects)))
        self.objects = self.objects + duplicates

    def encode(self) -> bytes:
        """The page as JSON."""
        return json.encode(self._content | {"objects": self.objects})
