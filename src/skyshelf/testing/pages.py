"""Listings as a server should not answer them: names that deceive, objects twice, pages cut or repeated."""

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
"""Names that some server may send and that our own would refuse, or that meet on some file system."""


def is_content(target: str) -> bool:
    """Whether it asks for the bytes of files."""
    return target.startswith(("/download/", "/x/v1/contents"))


def is_listing(target: str) -> bool:
    """Whether the answer to this request is a page of objects."""
    path = urlsplit(target).path
    return path in {"/nms/metadata", "/nms/trash"} or path.startswith("/nms/metadata/defaultview/")


def with_parameters(target: str, change: Mapping[str, str]) -> str:
    """The target with some of its parameters replaced."""
    parts = urlsplit(target)
    query = dict(parse_qsl(parts.query, keep_blank_values=True)) | dict(change)
    return f"{parts.path}?{urlencode(query)}"


def parameter(target: str, name: str, default: int) -> int:
    """A number in the query."""
    text = dict(parse_qsl(urlsplit(target).query)).get(name, "")
    return int(text) if re.fullmatch(r"[0-9]+", text) else default


class Page:
    """A page that can be tampered with."""

    def __init__(self, body: bytes) -> None:
        self._content: dict[str, Any] = json.decode(body)
        self.objects: list[dict[str, Any]] = self._content.get("objects") or []

    def rename(self, disguises: Mapping[str, str]) -> None:
        """Give objects, by their keys, other names."""
        for one in self.objects:
            if one.get("objectKey") in disguises:
                one["objectName"] = disguises[one["objectKey"]]

    def shorten(self, dice: random.Random) -> None:
        """Drop the end of the page, but not all of it."""
        self.objects = self.objects[: dice.randint(1, max(1, len(self.objects) - 1))]

    def duplicate(self, dice: random.Random) -> None:
        """List some objects twice."""
        again = dice.sample(self.objects, min(3, len(self.objects)))
        self.objects = self.objects + again

    def encode(self) -> bytes:
        """The page as it is sent."""
        return json.encode(self._content | {"objects": self.objects})
